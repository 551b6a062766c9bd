"""Results of the benchmark of labels: from a folder of result files to tidy tables.

Logs of one family (a BPI challenge) are much alike. In means over logs they count as one, and intervals are over families.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.labels.cells import Plan, read_result, requested
from actalike.benchmark.labels.summary import COLUMNS, ECE, SUMMARIES, has_tally, log_family
from actalike.benchmark.results import Results, gaps_of_means
from actalike.benchmark.scoring import (
    RESAMPLES,
    Tally,
    add_tallies,
    expected_calibration_error,
    from_lists,
    mean_and_interval,
    reliability,
)
from actalike.benchmark.tasks.label_scores import FIGURES
from actalike.errors import ActalikeError

_SCHEMA = {
    "method": pl.String,
    "log": pl.String,
    "task": pl.String,
    "draw": pl.Int64,
    **dict.fromkeys(FIGURES, pl.Float64),
    "error": pl.String,
}


@dataclass(frozen=True)
class LabelResults(Results):
    """``singles`` has a row for each method on each draw of a task; a failure has a row with ``error`` and no figures.

    ``tallies`` has the probabilities of each method, log and task: all sure pairs, and nearest ones.
    """

    plan: Plan
    requested: frozenset[tuple[str, str, str]]  # method, log, task
    tallies: Mapping[tuple[str, str, str], tuple[Tally, Tally]]

    @classmethod
    def of(cls, results: "str | Path | LabelResults") -> "LabelResults":
        """Read the results of a folder, if they are not read yet."""
        return results if isinstance(results, LabelResults) else read(ResultFolder.open(results))

    def by_task(self) -> pl.DataFrame:
        """Return all figures of each method on each task of each log, as means over the draws; failures have none."""
        sound = self.singles.filter(pl.col("error").is_null())
        return sound.group_by("method", "log", "task").agg(pl.col(FIGURES).mean()).sort("method", "log", "task")

    def by_recipe(self, figure: str = "nn") -> pl.DataFrame:
        """Return the mean of a figure over the families of logs, for each method and task."""
        families = self.by_task().with_columns(pl.col("log").map_elements(log_family, return_dtype=pl.String).alias("family"))
        means = families.group_by("method", "task", "family").agg(pl.col(figure).mean())
        return means.group_by("method", "task").agg(pl.col(figure).mean()).sort("method", "task")

    def by_log(self) -> pl.DataFrame:
        """Return the figures of the tables for each method on each log: means over the tasks that they summarise."""
        by_task = self.by_task()
        frame = self.singles.select("method", "log").unique().sort("method", "log")
        for summary in SUMMARIES:
            tasks = [task for task in by_task["task"].unique() if summary.takes(task)]
            part = by_task.filter(pl.col("task").is_in(tasks)).group_by("method", "log")
            frame = frame.join(part.agg(pl.col(summary.figure).mean().alias(summary.name)), on=["method", "log"], how="left")
        errors = [
            {"method": method, "log": log, **self._errors(method, log)} for method, log in frame["method", "log"].iter_rows()
        ]
        schema = {"method": pl.String, "log": pl.String, **dict.fromkeys(ECE, pl.Float64)}
        return frame.join(pl.DataFrame(errors, schema=schema), on=["method", "log"], how="left").sort("method", "log")

    def _errors(self, method: str, log: str) -> dict[str, float | None]:
        """Return the calibration errors of a method on a log."""
        of_log = [pair for (m, g, task), pair in self.tallies.items() if (m, g) == (method, log) and has_tally(task)]
        errors = (expected_calibration_error(reliability(add_tallies(part))) for part in zip(*of_log, strict=True))
        return dict(zip(ECE, errors, strict=True)) if of_log else dict.fromkeys(ECE)

    def tally(self, method: str) -> tuple[Tally, Tally]:
        """Return the probabilities of a method over all logs and splits: all sure pairs, and nearest ones."""
        logs = set(self.singles["log"])
        chosen = [pair for (m, log, task), pair in self.tallies.items() if m == method and log in logs and has_tally(task)]
        return add_tallies(pairs for pairs, _ in chosen), add_tallies(nearest for _, nearest in chosen)

    @property
    def probable(self) -> list[str]:
        """The methods that give probabilities."""
        return sorted({method for method, _, _ in self.tallies} & set(self.singles["method"]))

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return the mean of each method over the families of logs, with a 95 % interval (families resampled)."""
        table = self.by_log().with_columns(pl.col("log").map_elements(log_family, return_dtype=pl.String).alias("family"))
        failures = self.failures
        rows = []
        for (method,), part in table.group_by("method", maintain_order=True):
            families = part.group_by("family", maintain_order=True).agg(pl.col(COLUMNS).mean())
            n_failed = failures.filter(pl.col("method") == method)["log"].n_unique()
            row: dict[str, object] = {"method": method, "logs": part.height, "families": families.height, "failed": n_failed}
            for column in COLUMNS:
                row |= mean_and_interval(families[column], resamples)
            rows.append(row)
        schema = dict.fromkeys((f"{column}{end}" for column in COLUMNS for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=schema)

    def gaps(self) -> list[str]:
        """Return what a reader must know: what is not there yet, and failures."""
        done = set(self.singles.select("method", "log", "task").iter_rows())
        return gaps_of_means(done, self.requested, self.failures)


def read(folder: ResultFolder) -> LabelResults:
    """Read all result files of a folder."""
    plan = Plan.of_folder(folder)
    rows: list[tuple[object, ...]] = []
    tallies: dict[tuple[str, str, str], tuple[Tally, Tally]] = {}
    for path in sorted(folder.path.glob("*/*/*.json")):
        log = path.parents[1].name
        result = read_result(path, plan, folder.digest(log))
        where = (result["method"], log, result["task"])
        if "error" in result:
            rows.append((*where, result["draw"], *[None] * len(FIGURES), result["error"]))
            continue
        for draw, figures in enumerate(result["figures"]):
            rows.append((*where, draw, *(figures.get(name) for name in FIGURES), None))
        if result["pairs"]:
            tallies[where] = from_lists(result["pairs"]), from_lists(result["nearest"])
    if not rows:
        raise ActalikeError(f"{folder.path} has no results yet.")
    singles = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("method", "log", "task", "draw")
    return LabelResults(folder, singles, plan, requested(folder), tallies)
