"""Find witnesses: what says, beside behaviour, that two labels are names of one step and not two outcomes of one decision.

Both take the same place in a case, so the company they keep cannot tell them apart. A witness can:

- ``text``: the labels are spelled alike (similarity 0.9 or more, see :mod:`actalike.labels.label_text`).
- ``pattern``: they differ only in a number, an id, a date or a name, and behave alike.
- ``periods``: one is used before the other. D is the largest difference between the shares of both labels' cases (by the first
  event of the label) up to any moment; D must be 0.9 or more and unlikely by chance, 2 exp(-2 D² n m / (n + m)) <= 0.0001 with n
  and m cases.
- ``people``: other resources, organisations or sources use them, which otherwise do the same. At most 10 % of the values of an
  attribute (Σ min of the shares) are in common, where a random assignment of the same events would have at least half in
  common; and those who use the one do other steps in about the same shares as those who use the other (60 % in common). So two
  offices are witnesses, and a clerk and a manager are not: different steps are done by different roles.

Of time and people, both labels must be in 20 cases or more.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.labels.evidence import THIN_CASES
from actalike.log import EventLog, names_people, plain_name

WitnessKind = Literal["text", "pattern", "periods", "people"]

SIMILAR_TEXT = 0.9
_SEPARATE_PERIODS = 0.9
_BY_CHANCE = 1e-4
_SEPARATE_PEOPLE = 0.1
_EXPECTED_IN_COMMON = 0.5
_SAME_WORK = 0.6
_SOURCES = {"source", "sourcesystem", "system", "file", "filename", "site", "location", "branch", "office", "region", "country"}
_EARLY, _LATE = 0.05, 0.95  # quantiles: a few late events of an old label do not make it used side by side


class Witness(NamedTuple):
    """Hold what speaks for ``a`` and ``b`` being names of one step.

    - ``attribute``: of people, the name of the attribute.
    - ``earlier``: of periods, which label came first; ``until``: when it was last used (95 % of its cases); ``since``: when the
      other one was first used (5 %).
    - ``pattern``: of a pattern, how it is written.
    """

    kind: WitnessKind
    a: str
    b: str
    attribute: str | None = None
    earlier: str | None = None
    until: np.datetime64 | None = None
    since: np.datetime64 | None = None
    pattern: str | None = None


@dataclass
class Usage:
    """Compare when, and by whom, the labels of a log are used."""

    log: EventLog
    _tables: dict[str, csc_array] = field(default_factory=dict, repr=False)

    def witnesses(self, a: int, b: int) -> list[Witness]:
        """Return the witnesses of time and people for two activities, given by their positions."""
        if min(self.log.activity_cases[a], self.log.activity_cases[b]) < THIN_CASES:
            return []
        witnesses = [self._periods(a, b), *(self._people(a, b, name) for name in self._separating)]
        return [witness for witness in witnesses if witness is not None]

    @cached_property
    def _separating(self) -> list[str]:
        """Return the attributes that name people, organisations or sources; others, such as an outcome, are no witnesses."""
        return sorted(name for name in self.log.attributes if names_people(name) or plain_name(name) in _SOURCES)

    @cached_property
    def _first_events(self) -> list[NDArray[np.int64]]:
        """Return for each activity the moments at which it first occurs in each of its cases, sorted."""
        log = self.log
        if log.timestamps is None:
            return [np.zeros(0, dtype=np.int64)] * len(log.activities)
        case = np.repeat(np.arange(log.n_cases), log.lengths)
        known = np.flatnonzero(~np.isnat(log.timestamps))
        moments = log.timestamps[known].astype(np.int64)
        codes, cases = log.codes[known].astype(np.int64), case[known]
        order = np.lexsort((moments, cases, codes))
        codes, cases, moments = codes[order], cases[order], moments[order]
        is_first = np.ones(len(codes), dtype=bool)
        is_first[1:] = (codes[1:] != codes[:-1]) | (cases[1:] != cases[:-1])
        codes, moments = codes[is_first], moments[is_first]
        bounds = np.searchsorted(codes, np.arange(len(log.activities) + 1))
        return [np.sort(moments[start:end]) for start, end in pairwise(bounds.tolist())]

    def _periods(self, a: int, b: int) -> Witness | None:
        first, second = self._first_events[a], self._first_events[b]
        n, m = len(first), len(second)
        if not n or not m:
            return None
        moments = np.concatenate([first, second])
        ahead = np.searchsorted(first, moments, "right") / n - np.searchsorted(second, moments, "right") / m
        distance = float(np.abs(ahead).max())
        if distance < _SEPARATE_PERIODS or 2 * np.exp(-2 * distance**2 * n * m / (n + m)) > _BY_CHANCE:
            return None
        labels = self.log.activities
        earlier, later = (a, b) if ahead.max() >= -ahead.min() else (b, a)
        return Witness("periods", labels[a], labels[b], None, labels[earlier], self._until(earlier), self._since(later))

    def period(self, activity: int) -> tuple[np.datetime64, np.datetime64] | None:
        """Return since when and until when a label is used, without 5 % of its cases at either end; None in too few cases."""
        if len(self._first_events[activity]) < THIN_CASES:
            return None
        return self._since(activity), self._until(activity)

    def _since(self, activity: int) -> np.datetime64:
        moments = self._first_events[activity]
        return _day(moments[-1 - int((1 - _EARLY) * (len(moments) - 1))])

    def _until(self, activity: int) -> np.datetime64:
        moments = self._first_events[activity]
        return _day(moments[int(_LATE * (len(moments) - 1))])

    def _people(self, a: int, b: int, name: str) -> Witness | None:
        events = self._events_by_value(name)
        of_a, of_b = (events[:, [activity]].toarray()[:, 0] for activity in (a, b))
        n, m = of_a.sum(), of_b.sum()
        if not n or not m:
            return None
        first, second = of_a / n, of_b / m
        pooled = (first * n + second * m) / (n + m)
        spread = np.sqrt(2 / np.pi * pooled * (1 - pooled) * (1 / n + 1 / m))  # the mean difference of two samples of one source
        expected = float(np.maximum(pooled - spread / 2, 0).sum())
        if np.minimum(first, second).sum() > _SEPARATE_PEOPLE or expected < _EXPECTED_IN_COMMON:
            return None
        others = np.maximum(events.sum(axis=1) - of_a - of_b, 1)  # the other events of each value
        in_common = np.minimum(events.T @ (first / others), events.T @ (second / others))  # of other work, by activity
        in_common[[a, b]] = 0
        return Witness("people", self.log.activities[a], self.log.activities[b], name) if in_common.sum() >= _SAME_WORK else None

    def _events_by_value(self, name: str) -> csc_array:
        """Return how many events of each activity (column) have each value (row) of an attribute."""
        if name not in self._tables:
            attribute = self.log.attributes[name]
            known = attribute.codes >= 0
            shape = len(attribute.values), len(self.log.activities)
            table = csc_array((np.ones(known.sum()), (attribute.codes[known], self.log.codes[known])), shape=shape)
            table.sum_duplicates()
            self._tables[name] = table
        return self._tables[name]


def _day(moment: np.int64) -> np.datetime64:
    """Return the day of a moment in microseconds."""
    return np.datetime64(int(moment), "us").astype("datetime64[D]")
