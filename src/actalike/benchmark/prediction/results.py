"""Results of the next-activity benchmark: from a folder of result files to tidy tables."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.intervals import RESAMPLES, mean_and_interval
from actalike.benchmark.logs import COMPLEX
from actalike.benchmark.prediction.cells import TIME, Cell, Plan, read_cell, requested
from actalike.benchmark.results import Results, not_there_yet
from actalike.errors import ActalikeError
from actalike.prediction.training.names import ORIGINAL
from actalike.prediction.training.scores import METRICS

MEANS = ("accuracy", "complex", "mcc", "gain")  # of the table over logs, those with an interval

_SCHEMA = {
    "model": pl.String,
    "method": pl.String,
    "log": pl.String,
    "seed": pl.Int64,
    **dict.fromkeys((*METRICS, TIME), pl.Float64),
    "epoch": pl.Int64,
    "error": pl.String,
}


@dataclass(frozen=True)
class PredictionResults(Results):
    """``singles`` has a row for each model, method, log and seed; a failure has a row with ``error`` and no figures."""

    requested: frozenset[Cell]

    @classmethod
    def of(cls, results: "str | Path | PredictionResults") -> "PredictionResults":
        """Read the results of a folder, if they are not read yet."""
        return results if isinstance(results, PredictionResults) else read(ResultFolder.open(results))

    @property
    def complex_logs(self) -> list[str]:
        """The logs that have more than 0.9 variants per case."""
        return [log["log"] for log in self.folder.logs.values() if log["variants_per_case"] > COMPLEX]

    def by_log(self) -> pl.DataFrame:
        """Return each method with each model on each log: means over the seeds, and the accuracy's deviation and range."""
        return (
            self.singles.group_by("model", "method", "log")
            .agg(
                pl.col(*METRICS, TIME).mean(),
                pl.col("accuracy").std().alias("spread"),
                pl.col("accuracy").min().alias("least"),
                pl.col("accuracy").max().alias("most"),
            )
            .sort("model", "method", "log")
        )

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return each method with each model over the logs: unweighted means of the logs' means over seeds.

        ``complex`` is the accuracy over the complex logs (variants per case above 0.9), ``spread`` the mean over logs of the
        deviation between seeds, ``gain`` the accuracy beyond that of the model's own, learned vectors, log by log,
        ``time_mae`` the error of the predicted time in days, of models that predict it. 95 % intervals are from resampling
        the logs.
        """
        table = self.by_log()
        own = table.filter(pl.col("method") == ORIGINAL).select("model", "log", pl.col("accuracy").alias("own"))
        table = table.join(own, on=["model", "log"], how="left").with_columns(
            (pl.col("accuracy") - pl.col("own")).alias("gain"),
            pl.when(pl.col("log").is_in(self.complex_logs)).then(pl.col("accuracy")).alias("complex"),
        )
        rows = []
        for (model, method), part in table.group_by("model", "method", maintain_order=True):
            row: dict[str, object] = {"model": model, "method": method, "logs": part["accuracy"].drop_nulls().len()}
            row["failed"] = part.height - part["accuracy"].drop_nulls().len()
            for metric in (*MEANS, TIME):
                row |= mean_and_interval(part[metric], resamples)
            row["spread"] = part["spread"].mean()
            rows.append(row)
        schema = dict.fromkeys((f"{metric}{end}" for metric in (*MEANS, TIME) for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides={**schema, "spread": pl.Float64})

    def gaps(self) -> list[str]:
        """Return what a reader of the means must know: what is not there yet, and failures."""
        done = {Cell(*row) for row in self.singles.select("model", "method", "log").iter_rows()}
        wanted = self.requested | done
        missing = wanted - done
        names = (f"{cell.model} with {cell.method}" for cell in missing)
        gaps = [f"{gap}: means are over the others" for gap in not_there_yet(len(missing), len(wanted), names)]
        for (model, method), part in self.failures.group_by("model", "method", maintain_order=True):
            where = ", ".join(sorted(set(part["log"])))
            gaps.append(f"{model} with {method} failed on {where} (not in its means): {part['error'][0].rstrip('.')}")
        return gaps


def read(folder: ResultFolder) -> PredictionResults:
    """Read all result files of a folder."""
    plan = Plan.of_folder(folder)
    rows: list[tuple[object, ...]] = []
    for path in sorted(folder.path.glob("*/results/*/*.json")):
        cell = read_cell(path, plan, folder.digest(path.parents[2].name))
        where = cell["model"], cell["method"], cell["log"]
        if "error" in cell:
            rows.append((*where, None, *[None] * len(METRICS), None, None, cell["error"]))
        for figures in cell.get("seeds", []):
            scores = (*(figures[metric] for metric in METRICS), figures.get(TIME))
            rows.append((*where, figures["seed"], *scores, figures["epoch"], None))
    if not rows:
        raise ActalikeError(f"{folder.path} has no results yet.")
    singles = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("model", "method", "log", "seed")
    return PredictionResults(folder, singles, requested(folder))
