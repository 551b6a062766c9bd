"""Results of the intrinsic benchmark: from a folder of cells to tidy tables."""

from pathlib import Path

import numpy as np
import polars as pl

from actalike.benchmark.intrinsic import METRICS
from actalike.benchmark.runner import read_json, read_plan
from actalike.errors import ActalikeError
from actalike.storage import write_atomically

_SCHEMA = {
    "method": pl.String,
    "log": pl.String,
    "r": pl.Int64,
    "w": pl.Int64,
    "sample": pl.Int64,
    **dict.fromkeys(METRICS, pl.Float64),
    "singletons": pl.Int64,
    "error": pl.String,
}


def load_results(out: str | Path) -> pl.DataFrame:
    """One row for each method on each ground-truth log; a failure has a row with ``error`` and no figures."""
    out = Path(out)
    read_plan(out)
    rows: list[tuple[object, ...]] = []
    for path in sorted(out.glob("*/r*-w*/*.json")):
        cell = read_json(path)
        for method, result in cell["methods"].items():
            where = (method, cell["log"], cell["r"], cell["w"])
            if "error" in result:
                rows.append((*where, result["sample"], *[None] * (len(METRICS) + 1), result["error"]))
            rows.extend((*where, sample, *values, None) for sample, values in enumerate(result.get("scores", [])))
    if not rows:
        raise ActalikeError(f"{out} has no results yet.")
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("method", "log", "r", "w", "sample")


def write_tidy(out: str | Path, path: str | Path) -> None:
    """Write :func:`load_results` to a ``.parquet`` or ``.csv`` file."""
    path = Path(path)
    if path.suffix not in (".parquet", ".csv"):
        raise ActalikeError(f"{path}: the kind of file is told by the name, which must end in .parquet or .csv.")
    table = load_results(out)
    write_atomically(path, table.write_parquet if path.suffix == ".parquet" else table.write_csv)


def by_log(out: str | Path) -> pl.DataFrame:
    """The four metrics of each method on each log.

    In mode ``paper`` the mean over all ground-truth logs; in mode ``authors`` the mean of each (r, w), then of these. A
    ground-truth log without a class of two members has no value and is left out; a method that failed on a log has none.
    """
    results = load_results(out)
    failed = results.filter(pl.col("error").is_not_null()).select("method", "log").unique()
    sound = results.join(failed, on=["method", "log"], how="anti")
    if read_plan(Path(out)).mode == "authors":
        sound = sound.group_by("method", "log", "r", "w").agg(pl.col(METRICS).mean())
    means = sound.group_by("method", "log").agg(pl.col(METRICS).mean())
    nothing = failed.with_columns(*(pl.lit(None, dtype=pl.Float64).alias(metric) for metric in METRICS))
    return pl.concat([means, nothing]).select("method", "log", *METRICS).sort("method", "log")


def over_logs(out: str | Path, resamples: int = 1000) -> pl.DataFrame:
    """The mean of each method over the logs, with a bootstrap interval (95 %) from drawing logs with replacement."""
    table = by_log(out)
    rows = []
    for (method,), part in table.group_by("method", maintain_order=True):
        row: dict[str, object] = {"method": method, "logs": part.height, "failed": part["I_nn"].null_count()}
        for metric in METRICS:
            values = part[metric].drop_nulls().to_numpy()
            row[metric] = float(values.mean()) if len(values) else None
            draws = np.random.default_rng(0).integers(0, max(len(values), 1), (resamples, len(values)))
            means = values[draws].mean(axis=1) if len(values) else np.full(resamples, np.nan)
            low, high = np.quantile(means, [0.025, 0.975])
            row[f"{metric}_low"], row[f"{metric}_high"] = float(low), float(high)
        rows.append(row)
    return pl.DataFrame(rows)
