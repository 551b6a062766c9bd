"""Results of the benchmark of matching: from a folder of result files to tidy tables.

A row of the tables is a pair of logs, so it stands in the column ``log``. Pairs of one family (a BPI challenge) are much alike.
Means are over families, and each family is the mean of its pairs. Intervals are over families, or over pairs if there is but one
family.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.matching.cells import Plan, pair_kind, read_result
from actalike.benchmark.matching.summary import COLUMNS, ECE, SUMMARIES
from actalike.benchmark.method_cells import requested
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
from actalike.benchmark.tasks.matching_problems import NOTHING_KNOWN, Kind
from actalike.benchmark.tasks.matching_scores import FIGURES
from actalike.errors import ActalikeError

_SCHEMA = {
    "method": pl.String,
    "log": pl.String,
    "kind": pl.String,
    "family": pl.String,
    "task": pl.String,
    "draw": pl.Int64,
    **dict.fromkeys(FIGURES, pl.Float64),
    "error": pl.String,
}


@dataclass(frozen=True)
class MatchingResults(Results):
    """``singles`` has a row for each matcher on each draw of a task; a failure has a row with ``error`` and no figures.

    ``tallies`` has the probabilities of each matcher, pair of logs and task: of proposed pairs, and of best candidates.
    """

    plan: Plan
    requested: frozenset[tuple[str, str, str]]  # method, pair, task
    tallies: Mapping[tuple[str, str, str], tuple[Tally, Tally]]

    @classmethod
    def of(cls, results: "str | Path | MatchingResults") -> "MatchingResults":
        """Read the results of a folder, if they are not read yet."""
        return results if isinstance(results, MatchingResults) else read(ResultFolder.open(results))

    def by_task(self) -> pl.DataFrame:
        """Return all figures of each matcher on each task of each pair, as means over the draws; failures have none.

        Answers "no partner" are few in a draw, so their precision and recall are over those of all draws together.
        """
        sound = self.singles.filter(pl.col("error").is_null())
        return (
            sound.group_by("method", "log", "kind", "family", "task")
            .agg(
                pl.col(FIGURES).mean(),
                (pl.col("bytes").mean() / 1e6).alias("megabytes"),
                *(_answered("none_right", "none_said", end).alias(f"none_precision{end}") for end in ("", "_often")),
                *(_answered("none_right", "none_true", end).alias(f"none_recall{end}") for end in ("", "_often")),
            )
            .sort("method", "log", "task")
        )

    def by_log(self) -> pl.DataFrame:
        """Return the figures of the tables for each matcher on each pair of logs."""
        of_task = {(row["method"], row["log"], row["task"]): row for row in self.by_task().iter_rows(named=True)}
        rows = []
        for method, log, kind in self.singles.select("method", "log", "kind").unique().sort("method", "log").iter_rows():
            row: dict[str, object] = {"method": method, "log": log}
            for summary in SUMMARIES:
                if summary.kind == kind and (figures := of_task.get((method, log, summary.task))) is not None:
                    row[summary.name] = figures[summary.figure]
            row |= {name: self._error(method, log) for name, of_kind in ECE.items() if of_kind == kind}
            rows.append(row)
        return pl.DataFrame(rows, schema={"method": pl.String, "log": pl.String, **dict.fromkeys(COLUMNS, pl.Float64)})

    def _error(self, method: str, log: str) -> float | None:
        """Return the calibration error of a matcher on a pair, nothing known; None if it gives no probabilities."""
        tallies = self.tallies.get((method, log, NOTHING_KNOWN))
        return None if tallies is None else _calibration_error(tallies[0])

    def tally(self, method: str, kind: Kind) -> tuple[Tally, Tally]:
        """Return the probabilities of a matcher over all pairs of a kind, nothing known: proposed pairs, best candidates."""
        logs = set(self.singles.filter(pl.col("kind") == kind)["log"])
        chosen = [both for (m, log, task), both in self.tallies.items() if m == method and log in logs and task == NOTHING_KNOWN]
        return add_tallies(pairs for pairs, _ in chosen), add_tallies(best for _, best in chosen)

    @property
    def probable(self) -> list[str]:
        """The matchers that give probabilities."""
        return sorted({method for method, _, _ in self.tallies} & set(self.singles["method"]))

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return the mean of each matcher over the families of logs, with a 95 % interval (families or pairs resampled).

        Calibration errors are of the probabilities of all pairs of logs together: one pair has too few.
        """
        families = self.singles.select("log", "family").unique()
        table = self.by_log().join(families, on="log", how="left")
        failures = self.failures
        rows = []
        for (method,), part in table.group_by("method", maintain_order=True):
            n_failed = failures.filter(pl.col("method") == method)["log"].n_unique()
            row: dict[str, object] = {
                "method": method,
                "logs": part.height,
                "families": part["family"].n_unique(),
                "failed": n_failed,
            }
            for summary in SUMMARIES:
                column = summary.name
                row |= mean_and_interval(_units(part.select("log", "family", column).drop_nulls(column), column), resamples)
            for name, kind in ECE.items():
                row |= {name: _calibration_error(self.tally(str(method), kind)[0]), f"{name}_low": None, f"{name}_high": None}
            rows.append(row)
        schema = dict.fromkeys((f"{column}{end}" for column in COLUMNS for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=schema)

    def gaps(self) -> list[str]:
        """Return what a reader must know: what is not there yet, and failures."""
        done = set(self.singles.select("method", "log", "task").iter_rows())
        return gaps_of_means(done, self.requested, self.failures)


def _answered(part: str, whole: str, end: str) -> pl.Expr:
    """Return the share of a part over all draws; null if there is nothing, or if nothing was answered."""
    n = pl.col(f"{whole}{end}").sum()
    return pl.when(n > 0).then(pl.col(f"{part}{end}").sum() / n)


def _calibration_error(tally: Tally) -> float | None:
    return expected_calibration_error(reliability(tally)) if tally.n.sum() else None


def _units(values: pl.DataFrame, column: str) -> pl.Series:
    """Return what a mean is over: the means of the families, or the pairs if they are of one family."""
    if values["family"].n_unique() < 2:
        return values[column]
    return values.group_by("family", maintain_order=True).agg(pl.col(column).mean())[column]


def read(folder: ResultFolder) -> MatchingResults:
    """Read all result files of a folder."""
    plan = Plan.of_folder(folder)
    kinds = {log: pair_kind(folder, log) for log in folder.logs}
    rows: list[tuple[object, ...]] = []
    tallies: dict[tuple[str, str, str], tuple[Tally, Tally]] = {}
    for path in sorted(folder.path.glob("*/*/*.json")):
        log = path.parents[1].name
        digest = folder.digest(log)
        result = read_result(path, plan, digest, kinds[log][0])
        method, task = result["method"], result["task"]
        where = (method, log, *kinds[log], task)
        if "error" in result:
            rows.append((*where, result["draw"], *[None] * len(FIGURES), result["error"]))
            continue
        for draw, figures in enumerate(result["figures"]):
            rows.append((*where, draw, *(figures.get(name) for name in FIGURES), None))
        if result["best"]:
            tallies[method, log, task] = from_lists(result["proposed"]), from_lists(result["best"])
    if not rows:
        raise ActalikeError(f"{folder.path} has no results yet.")
    singles = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("method", "log", "task", "draw")
    return MatchingResults(folder, singles, plan, requested(folder), tallies)
