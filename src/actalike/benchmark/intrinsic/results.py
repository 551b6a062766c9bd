"""Results of the intrinsic benchmark: from a folder of cells to tidy tables."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from actalike.benchmark.folders import of_logs, read_json
from actalike.benchmark.intervals import bootstrap_interval
from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.intrinsic.run import read_cell, read_plan, requested
from actalike.errors import ActalikeError

_SCHEMA = {
    "method": pl.String,
    "log": pl.String,
    "r": pl.Int64,
    "w": pl.Int64,
    "sample": pl.Int64,
    **dict.fromkeys(METRICS, pl.Float64),
    "singletons": pl.Int64,
    "all_equal": pl.Boolean,
    "error": pl.String,
}


def load_results(out: str | Path, logs: Collection[str] | None = None) -> pl.DataFrame:
    """One row for each method on each ground-truth log; a failure has a row with ``error`` and no figures.

    ``logs`` leaves out all logs but these.
    """
    out = Path(out)
    plan = read_plan(out)
    rows: list[tuple[object, ...]] = []
    digests: dict[Path, str] = {}
    for path in sorted(out.glob("*/r*-w*/*.json")):
        folder = path.parents[1]
        if folder not in digests:
            digests[folder] = read_json(folder / "log.json", "log_digest")["log_digest"]
        cell = read_cell(path, plan, digests[folder])
        for method, result in cell["methods"].items():
            where = (method, cell["log"], cell["r"], cell["w"])
            if "error" in result:
                rows.append((*where, result["sample"], *[None] * (len(METRICS) + 2), result["error"]))
            rows.extend((*where, sample, *values, None) for sample, values in enumerate(result.get("scores", [])))
    if not rows:
        raise ActalikeError(f"{out} has no results yet.")
    found = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("method", "log", "r", "w", "sample")
    return of_logs(found, logs, out)


def by_log(out: str | Path, logs: Collection[str] | None = None) -> pl.DataFrame:
    """The four metrics of each method on each log (on all of them, or those named).

    In mode ``paper`` the mean over all ground-truth logs; in mode ``authors`` the mean of each (r, w), then of these. A
    ground-truth log without a class of two members has no value and is left out; a method that failed on a log has none.
    """
    results = load_results(out, logs)
    failed = results.filter(pl.col("error").is_not_null()).select("method", "log").unique()
    sound = results.join(failed, on=["method", "log"], how="anti")
    if read_plan(Path(out)).mode == "authors":
        sound = sound.group_by("method", "log", "r", "w").agg(pl.col(METRICS).mean())
    means = sound.group_by("method", "log").agg(pl.col(METRICS).mean())
    nothing = failed.with_columns(*(pl.lit(None, dtype=pl.Float64).alias(metric) for metric in METRICS))
    return pl.concat([means, nothing]).select("method", "log", *METRICS).sort("method", "log")


def over_logs(out: str | Path, resamples: int = 1000, logs: Collection[str] | None = None) -> pl.DataFrame:
    """The mean of each method over the logs, with a bootstrap interval (95 %) from drawing logs with replacement."""
    table = by_log(out, logs)
    failures = load_results(out, logs).filter(pl.col("error").is_not_null())
    rows = []
    for (method,), part in table.group_by("method", maintain_order=True):
        n_failed = failures.filter(pl.col("method") == method)["log"].n_unique()
        row: dict[str, object] = {"method": method, "logs": part["I_comp"].drop_nulls().len(), "failed": n_failed}
        for metric in METRICS:
            values = part[metric].drop_nulls().to_numpy()
            row[metric] = float(values.mean()) if len(values) else None
            row[f"{metric}_low"], row[f"{metric}_high"] = bootstrap_interval(values, resamples)
        rows.append(row)
    schema = dict.fromkeys((f"{metric}{end}" for metric in METRICS for end in ("", "_low", "_high")), pl.Float64)
    return pl.DataFrame(rows, schema_overrides=schema)


def gaps(out: str | Path) -> list[str]:
    """What a reader of the means must know: what is not there yet, methods that were not run everywhere, failures."""
    results = load_results(out)
    done = {(row[0], row[1], row[2], row[3]) for row in results.select("method", "log", "r", "w").iter_rows()}
    wanted = requested(Path(out)) | done
    said = []
    if len(done) < len(wanted):
        rest = wanted - done
        methods = sorted({method for method, *_ in rest})
        said.append(
            f"{len(rest):,} of {len(wanted):,} results are not there yet, of {', '.join(methods[:3])}"
            f"{', ...' if len(methods) > 3 else ''}: means are over the others"
        )
    logs = results.group_by("method").agg(pl.col("log").unique())
    everywhere = results["log"].n_unique()
    for method, where in logs.sort("method").iter_rows():
        if len(where) < everywhere:
            said.append(f"{method} was run on {len(where)} of {everywhere} logs")
    for (method,), part in results.filter(pl.col("error").is_not_null()).group_by("method", maintain_order=True):
        where = ", ".join(sorted(set(part["log"])))
        said.append(f"{method} failed on {where} (not in its means): {part['error'][0].rstrip('.')}")
    return said
