"""The record of a benchmark: all that commands, tables, pictures and the benchmark page know of it."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.results import Results
from actalike.datasets import PaperLog
from actalike.methods import Method

WhyNot = Callable[[Method], str | None]  # why a method cannot take part in a benchmark; None if it can
Warn = Callable[[str], None]  # is told in a sentence what does not take part, and how logs were read
Advance = Callable[..., None]  # is called with the name of a step that is done, and with how many steps if it is not one
Progress = Callable[[str, int], AbstractContextManager[Advance]]  # is given the name of a stage and its number of steps


def no_warning(sentence: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Failure:
    """A method that failed on a log, and with which model, if the benchmark has models."""

    method: str
    log: str
    error: str
    model: str | None = None

    def as_dict(self) -> dict[str, str]:
        """Return the failure as plain data."""
        model = {} if self.model is None else {"model": self.model}
        return {**model, "method": self.method, "log": self.log, "error": self.error}


@dataclass(frozen=True)
class Outcome:
    """What a run has done: how many cells (pieces of work) were asked for and computed now, how many of these failed, and how."""

    out: Path
    cells: int
    computed: int
    failed: int  # the cells in which a method failed
    failures: tuple[Failure, ...]
    logs: tuple[str, ...]
    methods: tuple[str, ...]


@dataclass(frozen=True)
class TrainingOutcome(Outcome):
    """What a run has done that trains models; ``device`` is None if it has prepared the training only."""

    models: tuple[str, ...]
    seeds: int
    device: str | None
    setting: str


class Column(NamedTuple):
    """A figure of a benchmark on the benchmark page: its heading, and the frame and column where it stands.

    ``kind`` is ``share`` (0 to 1, more is better), or ``seconds`` or ``bytes`` (less is better, geometric means).
    """

    title: str
    about: str
    kind: str
    table: pl.DataFrame
    figure: str


@dataclass(frozen=True)
class Benchmark:
    """A benchmark. The functions are those of the modules of its package with the same names."""

    name: str  # of its command, and in the description of a folder of results
    title: str  # over its columns on the benchmark page
    takes_log: Callable[[PaperLog], bool]  # whether a log of the paper takes part
    why_not: WhyNot
    run: Callable[..., Outcome]  # takes logs, out, methods, retry_failed, progress, warn, and options of its own
    read: Callable[[ResultFolder], Results]  # reads every result file once
    table: Callable[..., str]  # takes results, form, by_log, intervals
    plots: Callable[[Any], dict[str, Any]]  # takes results; returns figures by name
    columns: Callable[[Any], Sequence[Column]]  # takes results
