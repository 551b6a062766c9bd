"""Results of the benchmark of anomalies: from a folder of result files to tidy tables."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from actalike.benchmark.anomalies.cells import Plan, read_result
from actalike.benchmark.anomalies.summary import COLUMNS, SUMMARIES
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.method_cells import requested
from actalike.benchmark.results import Results, gaps_of_means
from actalike.benchmark.scoring import RESAMPLES, mean_and_interval
from actalike.benchmark.tasks.anomaly_logs import is_published_log
from actalike.benchmark.tasks.anomaly_scores import FIGURES
from actalike.benchmark.tasks.planted_anomalies import BPAD
from actalike.errors import ActalikeError

Named = Counter[tuple[str, str]]  # how often each planted kind got each name

_SCHEMA = {
    "method": pl.String,
    "log": pl.String,
    "task": pl.String,
    "copy": pl.Int64,
    **dict.fromkeys(FIGURES, pl.Float64),
    "error": pl.String,
}


@dataclass(frozen=True)
class AnomalyResults(Results):
    """``singles`` has a row for each detector on each copy of a task; a failure has a row with ``error`` and no figures.

    ``named`` has how each detector with reasons named the planted kinds, for each log and task.
    """

    plan: Plan
    requested: frozenset[tuple[str, str, str]]  # method, log, task
    named: Mapping[tuple[str, str, str], Named]

    def by_task(self) -> pl.DataFrame:
        """Return all figures of each detector on each task of each log, as means over the copies; failures have none."""
        sound = self.singles.filter(pl.col("error").is_null())
        megabytes = (pl.col("bytes").mean() / 1e6).alias("megabytes")
        return sound.group_by("method", "log", "task").agg(pl.col(FIGURES).mean(), megabytes).sort("method", "log", "task")

    def by_log(self) -> pl.DataFrame:
        """Return the figures of the tables for each detector on each log."""
        by_task = self.by_task()
        table = self.singles.select("method", "log").unique().sort("method", "log")
        for tasks in dict.fromkeys(summary.tasks for summary in SUMMARIES):
            wanted = [summary for summary in SUMMARIES if summary.tasks == tasks]
            means = by_task.filter(pl.col("task").is_in(tasks)).group_by("method", "log")
            table = table.join(means.agg(pl.col(s.figure).mean().alias(s.name) for s in wanted), on=["method", "log"], how="left")
        return table.select("method", "log", *COLUMNS)

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return the mean of each detector over the logs, with a 95 % interval (logs resampled)."""
        failures = self.failures
        rows = []
        for (method,), part in self.by_log().group_by("method", maintain_order=True):
            n_failed = failures.filter(pl.col("method") == method)["log"].n_unique()
            row: dict[str, object] = {"method": method, "logs": part.height, "failed": n_failed}
            for column in COLUMNS:
                row |= mean_and_interval(part[column], resamples)
            rows.append(row)
        schema = dict.fromkeys((f"{column}{end}" for column in COLUMNS for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=schema)

    @property
    def published_logs(self) -> list[str]:
        """The logs of these results that have published figures to compare with, which are means over all rates."""
        return [log for log in self._logs_as_published() if self._has_all_rates(log)]

    def _logs_as_published(self) -> list[str]:
        some = self.singles.filter(pl.col("task").is_in(list(BPAD)))
        return [log for log in some["log"].unique().sort() if is_published_log(self.folder.logs[log])]

    def _has_all_rates(self, log: str) -> bool:
        return set(BPAD) <= set(self.singles.filter(pl.col("log") == log)["task"])

    def confusion(self, method: str, prefix: str) -> Named:
        """Return how a detector named the planted kinds in the tasks whose names begin so, over all logs."""
        logs = set(self.singles["log"])
        total: Named = Counter()
        for (of_method, log, task), named in self.named.items():
            if of_method == method and log in logs and task.startswith(prefix):
                total.update(named)
        return total

    def gaps(self) -> list[str]:
        """Return what a reader must know: what is not there yet, failures, and logs whose published figures do not compare."""
        done = set(self.singles.select("method", "log", "task").iter_rows())
        gaps = gaps_of_means(done, self.requested, self.failures)
        if partial := [log for log in self._logs_as_published() if not self._has_all_rates(log)]:
            names = f"{', '.join(partial[:3])}{', ...' if len(partial) > 3 else ''}"
            gaps.append(f"published figures are means over nine rates, so those of {names} are not shown: some rates are missing")
        return gaps


def read(folder: ResultFolder) -> AnomalyResults:
    """Read all result files of a folder."""
    plan = Plan.of_folder(folder)
    rows: list[tuple[object, ...]] = []
    named: dict[tuple[str, str, str], Named] = {}
    for path in sorted(folder.path.glob("*/*/*.json")):
        log = path.parents[1].name
        result = read_result(path, plan, folder.digest(log))
        where = (result["method"], log, result["task"])
        if "error" in result:
            rows.append((*where, result["copy"], *[None] * len(FIGURES), result["error"]))
            continue
        for number, figures in enumerate(result["figures"]):
            rows.append((*where, number, *(figures.get(name) for name in FIGURES), None))
        if result["named"]:
            named[where] = Counter({(planted, name): n for planted, name, n in result["named"]})
    if not rows:
        raise ActalikeError(f"{folder.path} has no results yet.")
    singles = pl.DataFrame(rows, schema=_SCHEMA, orient="row").sort("method", "log", "task", "copy")
    return AnomalyResults(folder, singles, plan, requested(folder), named)
