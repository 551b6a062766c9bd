"""Results of the intrinsic benchmark: from a folder of cells to tidy tables."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.intrinsic.cells import Plan, read_cell, requested
from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.results import Results, not_there_yet
from actalike.benchmark.scoring import RESAMPLES, mean_and_interval
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


@dataclass(frozen=True)
class IntrinsicResults(Results):
    """``singles`` has a row for each method on each ground-truth log; a failure has a row with ``error`` and no figures."""

    plan: Plan
    requested: frozenset[tuple[str, str, int, int]]  # method, log, r, w

    @classmethod
    def of(cls, results: "str | Path | IntrinsicResults") -> "IntrinsicResults":
        """Read the results of a folder, if they are not read yet."""
        return results if isinstance(results, IntrinsicResults) else read(ResultFolder.open(results))

    def by_log(self) -> pl.DataFrame:
        """Return the four metrics of each method on each log.

        In mode ``paper`` the mean over all ground-truth logs; in mode ``authors`` the mean of each (r, w), then of these. A
        ground-truth log without a class of two members has no value and is left out; a method that failed on a log has none.
        """
        failed = self.failures.select("method", "log").unique()
        sound = self.singles.join(failed, on=["method", "log"], how="anti")
        if self.plan.mode == "authors":
            sound = sound.group_by("method", "log", "r", "w").agg(pl.col(METRICS).mean())
        means = sound.group_by("method", "log").agg(pl.col(METRICS).mean())
        nothing = failed.with_columns(*(pl.lit(None, dtype=pl.Float64).alias(metric) for metric in METRICS))
        return pl.concat([means, nothing]).select("method", "log", *METRICS).sort("method", "log")

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return the mean of each method over the logs, with a 95 % interval (logs resampled)."""
        failures = self.failures
        rows = []
        for (method,), part in self.by_log().group_by("method", maintain_order=True):
            n_failed = failures.filter(pl.col("method") == method)["log"].n_unique()
            row: dict[str, object] = {"method": method, "logs": part["I_comp"].drop_nulls().len(), "failed": n_failed}
            for metric in METRICS:
                row |= mean_and_interval(part[metric], resamples)
            rows.append(row)
        schema = dict.fromkeys((f"{metric}{end}" for metric in METRICS for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=schema)

    def gaps(self) -> list[str]:
        """Return what a reader must know: what is not there yet, methods that were not run everywhere, failures."""
        done = set(self.singles.select("method", "log", "r", "w").iter_rows())
        wanted = self.requested | done
        missing = wanted - done
        gaps = [
            f"{gap}: means are over the others"
            for gap in not_there_yet(len(missing), len(wanted), (method for method, *_ in missing))
        ]
        everywhere = self.singles["log"].n_unique()
        logs = self.singles.group_by("method").agg(pl.col("log").n_unique()).sort("method")
        gaps += [f"{method} was run on {n} of {everywhere} logs" for method, n in logs.iter_rows() if n < everywhere]
        for (method,), part in self.failures.group_by("method", maintain_order=True):
            where = ", ".join(sorted(set(part["log"])))
            gaps.append(f"{method} failed on {where} (not in its means): {part['error'][0].rstrip('.')}")
        return gaps


def read(folder: ResultFolder) -> IntrinsicResults:
    """Read all cells of a folder."""
    plan = Plan.of_folder(folder)
    rows: list[tuple[object, ...]] = []
    for path in sorted(folder.path.glob("*/r*-w*/*.json")):
        cell = read_cell(path, plan, folder.digest(path.parents[1].name))
        for method, result in cell["methods"].items():
            where = (method, cell["log"], cell["r"], cell["w"])
            if "error" in result:
                rows.append((*where, result["sample"], *[None] * (len(METRICS) + 2), result["error"]))
            rows.extend((*where, sample, *values, None) for sample, values in enumerate(result.get("scores", [])))
    if not rows:
        raise ActalikeError(f"{folder.path} has no results yet.")
    singles = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("method", "log", "r", "w", "sample")
    return IntrinsicResults(folder, singles, plan, requested(folder))
