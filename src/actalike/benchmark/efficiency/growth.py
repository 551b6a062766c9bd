"""Growth: made-up logs of 1,000 to a million events, of 10 to 1,000 activities, and windows from 3 to 15."""

from collections.abc import Sequence

import numpy as np

from actalike.benchmark.efficiency.cells import Cell
from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.log import EventLog
from actalike.methods import MethodName

EVENTS, ACTIVITIES, WINDOWS = "events-", "activities-", "windows-"  # how the logs of each kind begin
_SIZES = (1_000, 10_000, 100_000, 1_000_000)
_ALPHABETS = (10, 30, 100, 300, 1_000)
_SPANS = (3, 5, 7, 9, 11, 13, 15)
_USUAL_EVENTS, _USUAL_ACTIVITIES = 100_000, 30
_CASE = 10  # events

GROWTH_LOGS = {  # events and activities
    **{f"{EVENTS}{size}": (size, _USUAL_ACTIVITIES) for size in _SIZES},
    **{f"{ACTIVITIES}{n}": (_USUAL_EVENTS, n) for n in _ALPHABETS},
    f"{WINDOWS}{_USUAL_EVENTS}": (_USUAL_EVENTS, _USUAL_ACTIVITIES),
}


def made_log(events: int, activities: int) -> EventLog:
    """Make a log of cases of 10 events: each starts anywhere and goes on by 1 to 4 activities, mostly by one, round and round.

    >>> made_log(1000, 30)
    EventLog(100 cases, 1,000 events, 30 activities, 100 variants)
    """
    cases = events // _CASE
    chance = random_words(seed_of("growth", events, activities), cases * _CASE).reshape(cases, _CASE) / 2**64
    steps = 1 + np.searchsorted([0.7, 0.9, 0.97], chance)
    steps[:, 0] = np.arange(cases) * activities // cases  # so that every activity occurs
    codes = np.cumsum(steps, axis=1).ravel() % activities
    labels = [f"Step {place + 1:04}" for place in range(activities)]
    return EventLog(labels, codes, np.arange(cases + 1) * _CASE, [""] * cases)


def growth_logs() -> dict[str, EventLog]:
    """Make all made-up logs, by name."""
    return {name: made_log(events, activities) for name, (events, activities) in GROWTH_LOGS.items()}


def growth_cells(methods: Sequence[str]) -> list[Cell]:
    """Return all methods on the logs that grow; those that have a window, with all windows on one log.

    >>> [cell.method for cell in growth_cells(["kin-w5", "one-hot"]) if cell.log.startswith("windows")]
    ['kin-w3', 'kin-w5', 'kin-w7', 'kin-w9', 'kin-w11', 'kin-w13', 'kin-w15']
    """
    cells = []
    for log in GROWTH_LOGS:
        if not log.startswith(WINDOWS):
            cells += [Cell(log, method) for method in methods]
    spans = {span: None for method in methods for span in with_windows(method)}
    return cells + [Cell(f"{WINDOWS}{_USUAL_EVENTS}", method) for method in spans]


def with_windows(method: str) -> list[str]:
    """Return a method's name with each window; none, if it has no window (a span is another thing)."""
    parsed = MethodName.parse(method)
    return [f"{parsed.stem}-w{n}{parsed.refinements}" for n in _SPANS] if parsed.marker == "w" else []
