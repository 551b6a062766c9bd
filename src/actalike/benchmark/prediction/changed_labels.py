"""Plant a change of labels: from the first test case on, some activities have other names, as after a new system.

Of the activities that both the training and the test cases have, a share is drawn. The kinds of change:

- ``rename``: each gets one new name.
- ``split``: each gets three new names, which 55, 30 and 15 % of the cases use, drawn case by case.
- ``outcome``: each gets two new names: one for the events that the activity's most frequent continuation follows, one for the
  others. So each name has only a part of the activity's company, and it tells what follows: a way may be better than being told.

A condition of the benchmark is a kind, a share, and how many cases with new names are known when the labels are placed:
all test cases, or the first 10, 50 or 200. What is placed by the first cases is judged on the later ones. In the main condition
the activities are drawn three times, because a log of few activities has only one or two that change.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.prediction.data import Cases, PredictionData
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of

KINDS = ("rename", "split", "outcome")
SHARES = (10, 30, 50)  # per cent of the activities
FIRST_CASES = (10, 50, 200)
_PARTS = (0.55, 0.3, 0.15)


class Condition(NamedTuple):
    """A change of labels, how many cases of it are known (None if all are), and which draw of the activities it is."""

    kind: str
    percent: int
    first: int | None = None
    draw: int = 0

    @property
    def name(self) -> str:
        """Return the name that result files and tables use, the same for all draws.

        >>> Condition("rename", 30).name, Condition("split", 30, 50).name
        ('rename-30', 'split-30-first-50')
        """
        return f"{self.kind}-{self.percent}" + (f"-first-{self.first}" if self.first else "")


MAIN = Condition("rename", 30)
LEAKING = {Condition("outcome", 30).name}  # whose new names tell what follows: being told the old ones is no upper bound there
DRAWS = 3  # of the main condition


def conditions() -> list[Condition]:
    """Return all conditions: every kind and share with all cases known, and a share of 30 % with the first cases."""
    whole = [Condition(kind, percent) for kind in ("rename", "split") for percent in SHARES]
    few = [Condition(kind, MAIN.percent, first) for kind in ("rename", "split") for first in FIRST_CASES]
    draws = [MAIN._replace(draw=draw) for draw in range(1, DRAWS)]
    return [*whole, *draws, Condition("outcome", MAIN.percent), *few]


class ChangedLabels(NamedTuple):
    """The test cases with new names. ``meaning`` is the old id of every id; ``vocabulary`` has the new names at its end."""

    vocabulary: list[str]
    meaning: NDArray[np.int64]
    test: Cases


def change_labels(data: PredictionData, condition: Condition) -> ChangedLabels:
    """Give a share of the activities new names in the test cases, the same in every run.

    >>> from actalike import EventLog
    >>> from actalike.benchmark.prediction.data import prediction_data
    >>> data = prediction_data(EventLog.from_traces([["a", "b", "c"]] * 10))
    >>> changed = change_labels(data, MAIN)
    >>> len(changed.vocabulary) - len(data.vocabulary), changed.meaning[-1:].tolist()
    (1, [1])
    """
    kind, percent, _, draw = condition
    n = len(data.vocabulary)
    before = np.concatenate([data.training.ids, data.validation.ids])
    ids = np.intersect1d(before, data.test.ids).tolist()
    size = max(1, round(percent * len(ids) / 100))
    drawn = [ids[i] for i in random_subset(seed_of("changed labels", kind, percent, draw), len(ids), size)]
    vocabulary, meaning = list(data.vocabulary), list(range(n))
    changed = data.test.ids.astype(np.int64)
    for activity in drawn:
        places = np.flatnonzero(data.test.ids == activity)
        parts = _parts(data, places, condition, activity)
        for part in np.unique(parts).tolist():
            changed[places[parts == part]] = len(vocabulary)
            vocabulary.append(f"new {seed_of(condition.name, draw, activity, part):016x}")  # no name tells the old one
            meaning.append(activity)
    test = Cases(changed.astype(np.int32), data.test.offsets, data.test.seconds)
    return ChangedLabels(vocabulary, np.array(meaning), test)


def _parts(data: PredictionData, places: NDArray[np.int64], condition: Condition, activity: int) -> NDArray[np.int64]:
    """Return which of its new names each event of an activity gets."""
    if condition.kind == "rename" or not len(places):
        return np.zeros(len(places), dtype=np.int64)
    cases = np.searchsorted(data.test.offsets, places, side="right") - 1
    if condition.kind == "split":
        words = random_words(seed_of("split", condition.draw, activity), len(data.test))
        return np.searchsorted(np.cumsum(_PARTS)[:-1], words / 2.0**64, side="right")[cases]
    following = np.append(data.test.ids[1:], data.end)[places]
    following[places == data.test.offsets[cases + 1] - 1] = data.end
    return (following != np.bincount(following).argmax()).astype(np.int64)


def first_cases(cases: Cases, first: int | None) -> Cases:
    """Return the first cases with events, and the empty ones between them; all if ``first`` is None."""
    filled = np.flatnonzero(np.diff(cases.offsets))
    stop = len(cases) if first is None or first >= len(filled) else int(filled[first - 1]) + 1
    end = cases.offsets[stop]
    return Cases(cases.ids[:end], cases.offsets[: stop + 1], None if cases.seconds is None else cases.seconds[:end])


def conditions_of(data: PredictionData) -> Iterator[Condition]:
    """Return the conditions that a log can have: so many test cases are there, and at least as many again to judge.

    Cases without events do not count: there is nothing to judge in them.
    """
    filled = np.count_nonzero(np.diff(data.test.offsets))
    for condition in conditions():
        if condition.first is None or 2 * condition.first <= filled:
            yield condition
