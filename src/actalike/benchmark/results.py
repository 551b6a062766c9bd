"""Results that were read: what all benchmarks offer of them, and the sentences about what is missing."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.errors import ActalikeError, did_you_mean


@dataclass(frozen=True)
class Results(ABC):
    """The results of a folder, in memory: everything else is derived from them without reading a file again.

    ``singles`` has a row for each single result, with the columns ``method``, ``log`` and ``error`` (null where there is none).
    """

    has_means: ClassVar[bool] = True  # whether there are means over logs, with intervals

    folder: ResultFolder
    singles: pl.DataFrame

    @property
    def benchmark(self) -> str:
        """The name of the benchmark."""
        return self.folder.benchmark

    @property
    def failures(self) -> pl.DataFrame:
        """The single results that are failures."""
        return self.singles.filter(pl.col("error").is_not_null())

    def of_logs(self, logs: Collection[str] | None) -> Self:
        """Return the results of these logs alone; of all, if none are named."""
        if logs is None:
            return self
        known = set(self.singles["log"])
        for log in logs:
            if log not in known:
                raise ActalikeError(
                    f"{self.folder.path} has no results of a log called {log!r}.{did_you_mean(log, sorted(known))}"
                )
        return replace(self, singles=self.singles.filter(pl.col("log").is_in(list(logs))))

    def frame(self, *, by_log: bool) -> pl.DataFrame:
        """Return the figures of each log, or their means over the logs."""
        return self.by_log() if by_log or not self.has_means else self.over_logs()

    @abstractmethod
    def by_log(self) -> pl.DataFrame:
        """Return the figures of each method on each log."""

    @abstractmethod
    def over_logs(self, resamples: int = ...) -> pl.DataFrame:
        """Return the means of each method over the logs, with bootstrap intervals."""

    @abstractmethod
    def gaps(self) -> list[str]:
        """Return what a reader of the figures must know, in sentences: what is not there yet, and what failed."""


def not_there_yet(missing: int, wanted: int, names: Iterable[str]) -> list[str]:
    """Say how many results are missing, and of what.

    >>> not_there_yet(2, 8, ["kin-w5", "one-hot"]), not_there_yet(0, 8, [])
    (['2 of 8 results are not there yet, of kin-w5, one-hot'], [])
    """
    if not missing:
        return []
    ordered = sorted(set(names))
    return [
        f"{missing:,} of {wanted:,} results are not there yet, of {', '.join(ordered[:3])}{', ...' if len(ordered) > 3 else ''}"
    ]


def gaps_of_means(done: Set[tuple[str, ...]], requested: Set[tuple[str, ...]], failures: pl.DataFrame) -> list[str]:
    """Say what means over methods, logs and tasks do not have: results that are not there yet, and failures.

    >>> failures = pl.DataFrame({"method": ["zhu"], "log": ["orders"], "task": ["split"], "error": ["No events."]})
    >>> gaps_of_means({("zhu", "orders", "known")}, set(), failures)
    ['zhu failed on orders split (not in its means): No events']
    """
    missing = requested - done
    names = (method for method, *_ in missing)
    gaps = [f"{gap}: means are over the others" for gap in not_there_yet(len(missing), len(requested | done), names)]
    for (method,), part in failures.group_by("method", maintain_order=True):
        where = sorted({f"{log} {task}" for log, task in part.select("log", "task").iter_rows()})
        more = ", ..." if len(where) > 3 else ""
        gaps.append(f"{method} failed on {', '.join(where[:3])}{more} (not in its means): {part['error'][0].rstrip('.')}")
    return gaps
