"""Results of the next-activity benchmark: from a folder of result files to tidy tables."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from actalike.benchmark import folders
from actalike.benchmark.intervals import bootstrap_interval
from actalike.benchmark.prediction.run import COMPLEX, read_plan, read_result, requested
from actalike.errors import ActalikeError
from actalike.prediction.training.names import ORIGINAL
from actalike.prediction.training.scores import METRICS

MEANS = ("accuracy", "complex", "mcc", "gain")  # of the table over logs, those with an interval

_SCHEMA = {
    "model": pl.String,
    "method": pl.String,
    "log": pl.String,
    "seed": pl.Int64,
    **dict.fromkeys(METRICS, pl.Float64),
    "epoch": pl.Int64,
    "error": pl.String,
}


def load_results(out: str | Path, logs: Collection[str] | None = None) -> pl.DataFrame:
    """One row for each model, method, log and seed; a failure has a row with ``error`` and no figures.

    ``logs`` leaves out all logs but these.
    """
    out = Path(out)
    plan = read_plan(out)
    rows: list[tuple[object, ...]] = []
    for path in sorted(out.glob("*/results/*/*.json")):
        found = read_result(path, plan)
        where = found["model"], found["method"], found["log"]
        if "error" in found:
            rows.append((*where, None, *[None] * len(METRICS), None, found["error"]))
        for figures in found.get("seeds", []):
            rows.append((*where, figures["seed"], *(figures[metric] for metric in METRICS), figures["epoch"], None))
    if not rows:
        raise ActalikeError(f"{out} has no results yet.")
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("model", "method", "log", "seed")
    return folders.of_logs(table, logs, out)


def by_log(out: str | Path, logs: Collection[str] | None = None) -> pl.DataFrame:
    """Each method with each model on each log: the means over the seeds, and the accuracy's deviation and range."""
    return (
        load_results(out, logs)
        .group_by("model", "method", "log")
        .agg(
            pl.col(METRICS).mean(),
            pl.col("accuracy").std().alias("spread"),
            pl.col("accuracy").min().alias("least"),
            pl.col("accuracy").max().alias("most"),
        )
        .sort("model", "method", "log")
    )


def complex_logs(out: str | Path) -> list[str]:
    """Those of the logs that have more than 0.9 variants per case."""
    noted = [folders.read_json(path, "log", "variants_per_case") for path in sorted(Path(out).glob("*/log.json"))]
    return [log["log"] for log in noted if log["variants_per_case"] > COMPLEX]


def over_logs(out: str | Path, resamples: int = 1000, logs: Collection[str] | None = None) -> pl.DataFrame:
    """Each method with each model over the logs (all, or those named): unweighted means of the logs' means over seeds.

    ``complex`` is the accuracy over the complex logs (variants per case above 0.9), ``spread`` the mean over logs of the
    deviation between seeds, ``gain`` the accuracy beyond that of the model's own, learned vectors, log by log. Intervals (95 %)
    are from drawing logs with replacement.
    """
    out = Path(out)
    table = by_log(out, logs)
    own = table.filter(pl.col("method") == ORIGINAL).select("model", "log", pl.col("accuracy").alias("own"))
    table = table.join(own, on=["model", "log"], how="left").with_columns(
        (pl.col("accuracy") - pl.col("own")).alias("gain"),
        pl.when(pl.col("log").is_in(complex_logs(out))).then(pl.col("accuracy")).alias("complex"),
    )
    rows = []
    for (model, method), part in table.group_by("model", "method", maintain_order=True):
        row: dict[str, object] = {"model": model, "method": method, "logs": part["accuracy"].drop_nulls().len()}
        row["failed"] = part.height - part["accuracy"].drop_nulls().len()
        for metric in MEANS:
            values = part[metric].drop_nulls().to_numpy()
            row[metric] = float(values.mean()) if len(values) else None
            row[f"{metric}_low"], row[f"{metric}_high"] = bootstrap_interval(values, resamples)
        row["spread"] = part["spread"].mean()
        rows.append(row)
    schema = dict.fromkeys((f"{metric}{end}" for metric in MEANS for end in ("", "_low", "_high")), pl.Float64)
    return pl.DataFrame(rows, schema_overrides={**schema, "spread": pl.Float64})


def gaps(out: str | Path) -> list[str]:
    """What a reader of the means must know: what is not there yet, and failures."""
    results = load_results(out)
    done = set(results.select("model", "method", "log").iter_rows())
    wanted = requested(Path(out)) | done
    said = []
    if len(done) < len(wanted):
        rest = sorted({f"{model} with {method}" for model, method, _ in wanted - done})
        said.append(
            f"{len(wanted - done):,} of {len(wanted):,} results are not there yet, of {', '.join(rest[:3])}"
            f"{', ...' if len(rest) > 3 else ''}: means are over the others"
        )
    failures = results.filter(pl.col("error").is_not_null())
    for (model, method), part in failures.group_by("model", "method", maintain_order=True):
        where = ", ".join(sorted(set(part["log"])))
        said.append(f"{model} with {method} failed on {where} (not in its means): {part['error'][0].rstrip('.')}")
    return said
