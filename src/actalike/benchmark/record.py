"""What a run reports while it works, and what it has done."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WhyNot = Callable[[Any], str | None]  # why a participant cannot take part; None if it can
Warn = Callable[[str], None]  # gets a sentence about what does not take part, and how logs were read
Advance = Callable[..., None]  # is called with the name of a step that is done, and with how many steps if it is not one
Progress = Callable[[str, int], AbstractContextManager[Advance]]  # is given the name of a stage and its number of steps


def no_warning(sentence: str) -> None:
    """Ignore the sentence."""


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
    """What a run has done that trains models."""

    models: tuple[str, ...]
    seeds: int
    device: str
