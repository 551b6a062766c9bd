"""Find what speaks for two labels being one step, or against it, beside behaviour: when and by whom they are used, words.

- ``periods``: one is used before the other. D is the largest difference between the shares of both labels' cases (by the first
  event of the label) up to any day (UTC); D must be 0.9 or more and unlikely by chance, 2 exp(-2 D² n m / (n + m)) <= 0.0001
  with n and m cases. As if all labels were used as much before that day as after it, 90 % of the use of either must be on its
  side: a label that begins late is not used after one that goes on. The later one must not be a larger step: the earlier one's
  last 50 cases and as much use of all labels after them are compared; with more than 2.5 times as many cases, and 5 standard
  deviations more, it is.
- ``people``: other resources, organisations or sources use them, which otherwise do the same. At most 10 % of the values of an
  attribute (Σ min of the shares) are in common, where a random assignment of the same events would have at least half in
  common; and those who use the one do other steps in about the same shares as those who use the other (60 % in common). So two
  offices are witnesses, and a clerk and a manager are not: different steps are done by different roles.
- ``scheme``: two words or more of both labels are the same, and three labels of the log or more differ only in what stands in
  their place, before, between or after them (*Declaration APPROVED by BUDGET OWNER*, *... by SUPERVISOR*): who named them so
  meant different steps. This is against one step.
- ``words``: each has a word that the other has not. Names of one step often have words in common, so this is against one step.

Of time and people, both labels must be in 20 cases or more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.labels.words import read_label
from actalike.log import AnyLog, Uses, names_people, plain_name

WitnessKind = Literal["text", "pattern", "periods", "people", "vocabularies", "name"]
THIN_CASES = 20  # in fewer cases, chance has a large part in a similarity (docs/concepts.md)
_SEPARATE_PERIODS = 0.9
_BY_CHANCE = 1e-4
_NEXT_TO_CHANGE = 50  # cases of the earlier label
_MORE_USE = 2.5
_CERTAIN = 5.0  # standard deviations
_SEPARATE_PEOPLE = 0.1
_EXPECTED_IN_COMMON = 0.5
_SAME_WORK = 0.6
_SOURCES = {"source", "sourcesystem", "system", "file", "filename", "site", "location", "branch", "office", "region", "country"}
FEWEST_OF_SCHEME = 3  # labels that differ in one place
_WORDS_OF_SCHEME = 2  # that they have in common
_LONG_WORD = 3  # letters


class Witness(NamedTuple):
    """Hold what speaks for ``a`` and ``b`` being names of one step.

    - ``attribute``: of people, the name of the attribute; of vocabularies the column that divides the cases, or ``"period"``.
    - ``earlier``: of periods, which label came first; ``until``: the day on which a case used it last; ``since``: the day on
      which one used the other one first. Single late uses of the earlier label are after ``since``.
    - ``pattern``: of a pattern, how it is written.
    - ``parts``: of vocabularies, what the parts of the log are called that use ``a`` and ``b``; ``steps``: how many steps of both
      parts are matched.
    - ``name``: of labels with the same second name, that name.
    """

    kind: WitnessKind
    a: str
    b: str
    attribute: str | None = None
    earlier: str | None = None
    until: np.datetime64 | None = None
    since: np.datetime64 | None = None
    pattern: str | None = None
    parts: tuple[str, str] | None = None
    steps: int | None = None
    name: str | None = None


class _Days(NamedTuple):
    """Hold days, from 1970, and how many cases there are up to each of them."""

    days: NDArray[np.int64]
    cases: NDArray[np.int64]

    @property
    def n_cases(self) -> int:
        return int(self.cases[-1]) if len(self.cases) else 0

    def until(self, days: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many cases there are up to some days."""
        return np.append(0, self.cases)[np.searchsorted(self.days, days, "right")]

    def of_case(self, number: int) -> np.datetime64:
        """Return the day of a case, in the order of time."""
        return np.datetime64(int(self.days[np.searchsorted(self.cases, number, "right")]), "D")


@dataclass
class Usage:
    """Compare when, and by whom, the labels of a log are used."""

    log: AnyLog
    _tables: dict[str, csc_array] = field(default_factory=dict, repr=False)

    def witnesses(self, a: int, b: int) -> list[Witness]:
        """Return the witnesses of time and people for two activities, given by their positions."""
        if min(self.log.activity_cases[a], self.log.activity_cases[b]) < THIN_CASES:
            return []
        witnesses = [self._periods(a, b), *(self._people(a, b, name) for name in self.separating)]
        return [witness for witness in witnesses if witness is not None]

    def records(self, kind: WitnessKind) -> bool:
        """Return whether the log has what witnesses of a kind need: days for periods, values of attributes for people."""
        return self._uses.days is not None if kind == "periods" else bool(self.separating)

    @cached_property
    def separating(self) -> list[str]:
        """Return the attributes that name people, organisations or sources; others, such as an outcome, are no witnesses."""
        return sorted(name for name in self._uses.values if names_people(name) or plain_name(name) in _SOURCES)

    @cached_property
    def _uses(self) -> Uses:
        return self.log.variants.uses or Uses(None, None, {})

    @cached_property
    def _first_days(self) -> list[_Days]:
        """Return for each activity the days on which it is used first in a case, and in how many cases up to each of them."""
        table = self._uses.days
        if table is None:
            return [_Days(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))] * len(self.log.activities)
        bounds = np.searchsorted(table.keys[:, 1], np.arange(len(self.log.activities) + 1))
        return [
            _Days(table.keys[start:end, 2], np.cumsum(table.counts[start:end, 0])) for start, end in pairwise(bounds.tolist())
        ]

    def _periods(self, a: int, b: int) -> Witness | None:
        first, second = self._first_days[a], self._first_days[b]
        n, m = first.n_cases, second.n_cases
        if not n or not m:
            return None
        days = np.union1d(first.days, second.days)
        ahead = first.until(days) / n - second.until(days) / m
        distance = float(np.abs(ahead).max())
        if distance < _SEPARATE_PERIODS or 2 * np.exp(-2 * distance**2 * n * m / (n + m)) > _BY_CHANCE:
            return None
        labels = self.log.activities
        earlier, later = (a, b) if ahead.max() >= -ahead.min() else (b, a)
        until = days[[int(np.abs(ahead).argmax())]]
        if not self._are_apart(earlier, later, until) or self._is_used_more(later, earlier, until):
            return None
        used = self.first_and_last(earlier), self.first_and_last(later)
        assert used[0] is not None
        assert used[1] is not None
        return Witness("periods", labels[a], labels[b], None, labels[earlier], until=used[0][1], since=used[1][0])

    def _are_apart(self, earlier: int, later: int, until: NDArray[np.int64]) -> bool:
        """Return whether one label is used up to a day, and the other one after it, by the use of all labels."""
        anything = self._of_any_label
        all_before = anything.until(until)[0] / anything.n_cases
        before, after = (float(use.until(until)[0] / use.n_cases) for use in (self._first_days[earlier], self._first_days[later]))
        goes_on, began = (1 - before) / (1 - all_before), after / all_before
        is_replaced = before / all_before >= _SEPARATE_PERIODS / (1 - _SEPARATE_PERIODS) * goes_on
        return bool(is_replaced and (1 - after) / (1 - all_before) >= _SEPARATE_PERIODS / (1 - _SEPARATE_PERIODS) * began)

    def _is_used_more(self, later: int, earlier: int, until: NDArray[np.int64]) -> bool:
        """Return whether a label is used much more after a day than another one was before it, by the use of all labels."""
        before, after, anything = self._first_days[earlier], self._first_days[later], self._of_any_label
        n = int(before.until(until)[0])
        cases = min(n, _NEXT_TO_CHANGE)
        since = np.array([before.of_case(n - cases).astype(np.int64)])
        use = anything.until(until) - anything.until(since - 1)
        then = anything.days[[np.searchsorted(anything.cases, min(int((anything.until(until) + use)[0]), anything.n_cases))]]
        expected = cases * float((anything.until(then) - anything.until(until))[0] / use[0])
        found = int((after.until(then) - after.until(until))[0])
        by_chance = np.sqrt(found + expected**2 / cases)
        return bool(found > _MORE_USE * expected and found - expected > _CERTAIN * by_chance)

    @cached_property
    def _of_any_label(self) -> _Days:
        """Return on which days labels are used first in a case, and how many such uses there are up to each of them."""
        table = self._uses.days
        if table is None:
            return _Days(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        days, place = np.unique(table.keys[:, 2], return_inverse=True)
        return _Days(days, np.cumsum(np.bincount(place, weights=table.counts[:, 0])).astype(np.int64))

    def period(self, activity: int) -> tuple[np.datetime64, np.datetime64] | None:
        """Return the first and the last day on which cases began to use a label; None in too few cases."""
        if self._first_days[activity].n_cases < THIN_CASES:
            return None
        return self.first_and_last(activity)

    def first_and_last(self, activity: int) -> tuple[np.datetime64, np.datetime64] | None:
        """Return the first and the last day on which cases began to use a label; None if its events have no timestamps."""
        days = self._first_days[activity]
        return (np.datetime64(int(days.days[0]), "D"), np.datetime64(int(days.days[-1]), "D")) if days.n_cases else None

    def _people(self, a: int, b: int, name: str) -> Witness | None:
        events = self.events_by_value(name)
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

    def values(self, name: str) -> list[str]:
        """Return the values of an attribute, in the order of the rows of :meth:`events_by_value`."""
        return self._uses.values[name][0]

    def events_by_value(self, name: str) -> csc_array:
        """Return how many events of each activity (column) have each value (row) of an attribute."""
        if name not in self._tables:
            texts, table = self._uses.values[name]
            shape = len(texts), len(self.log.activities)
            events = table.counts[:, 0].astype(np.float64)
            self._tables[name] = csc_array((events, (table.keys[:, 2], table.keys[:, 1])), shape=shape)
        return self._tables[name]


@dataclass
class NamingSchemes:
    """Count for two labels how many labels of the log differ only in what stands between the words that both begin and end with.

    >>> schemes = NamingSchemes(["Permit approved by owner", "Permit approved by director", "Permit approved by clerk", "Pay"])
    >>> schemes.size(0, 1), schemes.size(0, 3)
    (3, 0)
    """

    labels: Sequence[str]

    @cached_property
    def _words(self) -> list[tuple[str, ...]]:
        return [read_label(label).words for label in self.labels]

    def size(self, a: int, b: int) -> int:
        """Return how many labels follow the scheme of two labels, given by their positions; 0 if there is none."""
        first, second = self._words[a], self._words[b]
        before = _in_common(first, second)
        after = _in_common(first[before:][::-1], second[before:][::-1])
        ending = first[len(first) - after :]
        common = (*first[:before], *ending)
        if sum(len(word) > 1 and word.isalpha() for word in common) < _WORDS_OF_SCHEME:
            return 0
        return sum(
            len(words) > before + after and words[:before] == first[:before] and words[len(words) - after :] == ending
            for words in self._words
        )


def have_unlike_words(first: str, second: str) -> bool:
    """Return whether each of two labels has a word that the other has not. Codes, of as many digits as letters, have no words.

    >>> have_unlike_words("Pay out", "Transfer loan"), have_unlike_words("step 17", "step 18")
    (True, False)
    >>> have_unlike_words("01_HOOFD_040", "16_LGSD_010")
    False
    """
    words = [_long_words(label) for label in (first, second)]
    return bool(words[0] - words[1]) and bool(words[1] - words[0])


def _long_words(label: str) -> set[str]:
    if sum(map(str.isdigit, label)) >= sum(map(str.isalpha, label)):
        return set()
    return {word for word in read_label(label).words if len(word) >= _LONG_WORD and word.isalpha()}


def _in_common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return with how many equal words two lists begin."""
    n = 0
    while n < min(len(first), len(second)) and first[n] == second[n]:
        n += 1
    return n
