"""Ground-truth logs: activities split into replacements that a good method must find to be alike.

In a ground-truth log, each of r chosen activities is split into w replacements: every case that contains the activity uses
one of them throughout. The replacements of one activity form a *class*. Such a log is described by a *recipe* of a few
bytes and made when it is needed.
"""

from dataclasses import asdict, dataclass
from math import comb
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.errors import ActalikeError
from actalike.log import EventLog

Mode = Literal["paper", "authors"]


@dataclass(frozen=True)
class Recipe:
    """All that it takes to make a ground-truth log from its original."""

    log_digest: str
    r: int
    w: int
    sample: int
    seed: int
    mode: Mode
    chosen: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data."""
        return asdict(self)


class GroundTruth(NamedTuple):
    """A ground-truth log and the class of each of its activities: a number, or -1 for those that were not split."""

    log: EventLog
    classes: NDArray[np.int64]


def make_recipes(log: EventLog, r: int, w: int, samples: int, seed: int, mode: Mode, digest: str | None = None) -> list[Recipe]:
    """Return the recipes of one cell of the grid: distinct sets of r activities, at most as many as there are.

    >>> log = EventLog.from_traces([["a", "b", "c"]])
    >>> [recipe.chosen for recipe in make_recipes(log, r=3, w=2, samples=5, seed=0, mode="paper")]
    [('a', 'b', 'c')]
    """
    n = len(log.activities)
    if not 1 <= r <= n:
        raise ActalikeError(f"{r} activities cannot be chosen from {n}.")
    if w < 2:
        raise ActalikeError(f"An activity is split into 2 or more replacements, not {w}.")
    digest = digest or log.digest
    subsets: dict[tuple[int, ...], None] = {}
    attempt = 0
    while len(subsets) < min(samples, comb(n, r)):
        subsets.setdefault(tuple(random_subset(seed_of(seed, digest, r, w, attempt), n, r)))
        attempt += 1
    return [
        Recipe(digest, r, w, sample, seed, mode, tuple(log.activities[a] for a in subset))
        for sample, subset in enumerate(subsets)
    ]


def make_log(log: EventLog, recipe: Recipe) -> GroundTruth:
    """Make the ground-truth log of a recipe.

    The cases that contain a chosen activity take its replacements from a pool that is refilled when it is empty: in mode
    ``paper`` at random, in mode ``authors`` (as in their code) 0, 1, ..., w - 1 in the order of the log.

    >>> log = EventLog.from_traces([list("abcded"), list("acde"), list("ade"), list("ade")])
    >>> recipe = Recipe(log.digest, 2, 3, 0, 0, "authors", ("c", "d"))
    >>> make_log(log, recipe).log.traces()
    [['a', 'b', 'c:0', 'd:0', 'e', 'd:0'], ['a', 'c:1', 'd:1', 'e'], ['a', 'd:2', 'e'], ['a', 'd:0', 'e']]
    """
    n, w = len(log.activities), recipe.w
    case_of_event = np.repeat(np.arange(log.n_cases), log.lengths)
    codes = log.codes.astype(np.int32)
    labels, class_of_label = list(log.activities), [-1] * n
    for number, activity in enumerate(recipe.chosen):
        events = np.flatnonzero(log.codes == log.activities.index(activity))
        case = case_of_event[events]
        is_new_case = np.diff(case, prepend=-1) > 0
        turn = np.cumsum(is_new_case) - 1  # of each event: how many cases before its own contain the activity
        drawn = _draws(recipe, activity, int(turn[-1]) + 1)
        codes[events] = len(labels) + drawn[turn]
        labels += [f"{activity}:{k}" for k in range(w)]
        class_of_label += [number] * w
    labels = _distinct(labels, n)
    split_log = EventLog(labels, codes, log.offsets, log.case_ids)
    classes = dict(zip(labels, class_of_label, strict=True))
    return GroundTruth(split_log, np.array([classes[label] for label in split_log.activities], dtype=np.int64))


def _draws(recipe: Recipe, activity: str, n_cases: int) -> NDArray[np.int64]:
    """Return the replacement of each case that contains the activity, in the order of the log."""
    if recipe.mode == "authors":
        return np.arange(n_cases) % recipe.w
    rounds = -(-n_cases // recipe.w)
    seed = seed_of(recipe.seed, recipe.log_digest, recipe.r, recipe.w, *recipe.chosen, activity)
    order = random_words(seed, rounds * recipe.w).reshape(rounds, recipe.w)
    return np.argsort(order, axis=1, kind="stable").ravel()[:n_cases]


def _distinct(labels: list[str], n_original: int) -> list[str]:
    """Give replacements whose labels are taken already (a log may have an activity called ``a:0``) more colons."""
    taken = set(labels[:n_original])
    distinct = labels[:n_original]
    for label in labels[n_original:]:
        while label in taken:
            head, _, k = label.rpartition(":")
            label = f"{head}::{k}"
        taken.add(label)
        distinct.append(label)
    return distinct
