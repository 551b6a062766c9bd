"""Traps: pairs of labels that are certainly two steps, and look like one. Who merges them without asking has a false alarm.

- ``trap-codes``: the labels become codes that number the steps in the order in which they come, such as *05_EIND_010*.
- ``trap-order``: two steps have the same words in another order: *Send invoice to customer*, *Send customer to invoice*.
- ``trap-slips``: two outcomes of one decision have names that differ by one letter: *Book hotels*, *Book hostels*.
- ``trap-outcomes``: the labels stay as they are; the pairs are outcomes of one decision.

Two labels that share a fifth of the cases of the rarer one, each in 20 cases or more, are two steps. Outcomes were judged by a
person (``must_not_merge.csv``, docs/evaluation/labels.md). The names of all other labels are made up.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.benchmark.tasks.planted_labels import Seed, natural_names
from actalike.errors import ActalikeError
from actalike.log import CoOccurrence, EventLog

TRAPS = ("trap-codes", "trap-order", "trap-slips", "trap-outcomes")
CASES_OF_A_STEP = 20
SHARED_CASES = 0.2  # of the rarer of two steps
_SWAPPED = "{} {} of {}"
_BETWEEN = ("invoice", "customer", "contract", "supplier", "account", "document", "request", "report", "manager", "budget")
_ALIKE = (
    ("Book hotels", "Book hostels"),
    ("Check router", "Check route"),
    ("Review plane", "Review plan"),
    ("Post contract", "Post contact"),
)
_MOST_SWAPPED = 5


class Trapped(NamedTuple):
    """Hold a log with traps in it, and the pairs of labels that must not be merged."""

    log: EventLog
    pairs: tuple[tuple[str, str], ...]


def trap_pairs(log: EventLog, trap: str) -> list[tuple[int, int]]:
    """Return the pairs of labels that are certainly two steps, and that a trap can be made of."""
    if trap in ("trap-slips", "trap-outcomes"):
        place = {label: i for i, label in enumerate(log.activities)}
        return sorted({(place[a], place[b]) for a, b in outcomes() if a in place and b in place})
    cases = log.activity_cases
    shared = CoOccurrence(log).shared_cases() >= SHARED_CASES * np.minimum.outer(cases, cases)
    frequent = cases >= CASES_OF_A_STEP
    first, second = np.nonzero(np.triu(shared & np.logical_and.outer(frequent, frequent), 1))
    return list(zip(first.tolist(), second.tolist(), strict=True))


def set_trap(log: EventLog, trap: str, seed: int = 0, draw: int = 0, digest: str | None = None) -> Trapped:
    """Set a trap in a log; another ``draw`` makes it of other pairs and other names. Nothing but labels changes.

    >>> log = EventLog.from_traces([["order", "pack", "send"]] * 20)
    >>> trapped = set_trap(log, "trap-codes")
    >>> trapped.log.activities, len(trapped.pairs)
    (['05_EIND_010', '05_EIND_020', '05_EIND_030'], 3)
    """
    pairs = trap_pairs(log, trap)
    if not pairs:
        raise ActalikeError(f"No trap {trap} can be set in the log: it has no two labels for it.")
    base: Seed = ("label-trap", trap, seed, digest or log.digest, draw)
    names = list(log.activities)
    if trap == "trap-codes":
        for number, label in enumerate(_in_order_of_cases(log), 1):
            names[label] = f"05_EIND_{10 * number:03}"
    elif trap != "trap-outcomes":
        names = natural_names(len(names), base)
        pairs = _apart(pairs, len(_ALIKE) if trap == "trap-slips" else _MOST_SWAPPED, base)
        for number, pair in enumerate(pairs):
            alike = _ALIKE[number] if trap == "trap-slips" else _swapped(number)
            for label, name in zip(pair, alike, strict=True):
                names[label] = name
    renamed = dict(zip(log.activities, names, strict=True))
    return Trapped(log.relabel(renamed.__getitem__), tuple((names[a], names[b]) for a, b in pairs))


@cache
def outcomes() -> tuple[tuple[str, str], ...]:
    """Return the pairs of labels of public logs that a person judged to be outcomes of one decision."""
    with files(__package__).joinpath("must_not_merge.csv").open(encoding="utf-8") as file:
        return tuple(dict.fromkeys((row["a"], row["b"]) for row in csv.DictReader(file)))


def _in_order_of_cases(log: EventLog) -> list[int]:
    """Return the labels by the mean place of their events in the cases, from 0 to 1."""
    lengths = np.repeat(log.lengths, log.lengths)
    place = np.arange(log.n_events) - np.repeat(log.offsets[:-1], log.lengths)
    share = np.divide(place, lengths - 1, out=np.zeros(log.n_events), where=lengths > 1)
    mean = np.bincount(log.codes, weights=share, minlength=len(log.activities)) / log.activity_counts
    return [int(label) for label in np.argsort(mean, kind="stable")]


def _apart(pairs: list[tuple[int, int]], most: int, seed: Seed) -> list[tuple[int, int]]:
    """Return some pairs without a label in common, in random order."""
    chosen, taken = list[tuple[int, int]](), set[int]()
    for i in np.argsort(random_words(seed_of(*seed, "pairs"), len(pairs)), kind="stable").tolist():
        if taken.isdisjoint(pairs[i]) and len(chosen) < most:
            chosen.append(pairs[i])
            taken.update(pairs[i])
    return chosen


def _swapped(number: int) -> tuple[str, str]:
    first, second = _BETWEEN[2 * number : 2 * number + 2]
    return _SWAPPED.format("Send", first, second), _SWAPPED.format("Send", second, first)
