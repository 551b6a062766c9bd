"""Find unusual times: a wait that is very long or short for its two activities, and an event that is there twice.

These say nothing about the order of activities, so they have scores of their own, and have no part in the score of a case. A log
is judged by its own times, also where a reference says what order is usual: no model holds times.

*slow*, *fast*. A wait is the time between an event and the one right before it in its case. It is judged among the n waits of the
same pair of activities, at least 20, as y = ln (1 + seconds). Let q(k) be what one in 2^k of these exceeds. Ordinary waits have
heavy tails, so how they thin out is measured in the tail of this pair, and taken to have been seen n / 8 times only::

    scale = max(0.1, (q(4) - q(2)) / ln 4)
    p = 1/16 (1 + (y - q(4)) / (scale n / 8)) ^ (-n / 8)    for y above q(4); others have the score 0
    score = ln (1 + 1 / (2 N p))

with N waits of all pairs that are judged: 2 N p is how many waits so extreme, of either sort, are expected in the whole log.
For *fast* all is mirrored. Only quantiles are used, so that some waits that are wrong do not hide each other. A wait is listed if
its score is ln 100 or more, and at most one in a hundred of the waits of the pair is another one as extreme: what is more
frequent is a second way to work, however far it is from the first.

*doubled*. An event that has the activity, the time and all attributes of an earlier one of its case, with no other time between
the two. Of the n events of the activity, d are such copies: score = ln (1 + n / (d - 1/2)). It is judged
as a copy alone, and not by its wait.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

TimeKind = Literal["slow", "fast", "doubled"]
TIME_KINDS: tuple[TimeKind, ...] = get_args(TimeKind)

ENOUGH_WAITS = 20  # of a pair of activities
SMALLEST_SCALE = 0.1  # of ln (1 + seconds): waits that differ by a tenth are alike
_FREQUENT = 0.01  # share of the other waits of a pair that may be as extreme
_TAIL_FROM, _TAIL_TO, _USUAL = 2, 4, 3  # one in 4, in 16 and in 8 waits is longer
_SEEN = 8  # one in so many waits says how the tail thins out
_ROOM = 64.0  # more than ln (1 + seconds) of any wait

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class OddTime:
    """Hold one unusual time: an event that comes very late or soon after the one before it, or that is there twice.

    ``case``, ``case_number`` and ``position`` are as for an :class:`OddEvent`. ``before`` is the activity of the event before it,
    ``seconds`` the wait between the two, and ``usual`` the shortest and the longest wait of the middle three quarters of the
    ``total`` waits of this pair, of which ``times`` are at least so extreme. For the kind "doubled", ``times`` of the ``total``
    events of the activity are copies, and ``usual`` is None. ``with_attributes`` says whether the log has any that could differ.
    """

    case: str
    case_number: int
    position: int
    activity: str
    kind: TimeKind
    score: float
    before: str
    seconds: float
    usual: tuple[float, float] | None
    times: int
    total: int
    with_attributes: bool = False
    cases: int = 1

    @property
    def events(self) -> tuple[int, ...]:
        """Return the position of the event, as an odd event has those of its events."""
        return (self.position,)


class UnusualTimes:
    """Hold how unusual the times of a log are, in which events may lack theirs."""

    def __init__(self, log: EventLog) -> None:
        assert log.timestamps is not None
        self._log, self._times = log, log.timestamps
        self._case = np.repeat(np.arange(log.n_cases), log.lengths)
        gaps = np.diff(self._times)
        self._at: Ints = np.flatnonzero((self._case[1:] == self._case[:-1]) & (gaps >= np.timedelta64(0, "us"))) + 1
        seconds = gaps[self._at - 1] / np.timedelta64(1, "s")
        pair = log.codes[self._at - 1].astype(np.int64) * len(log.activities) + log.codes[self._at]
        self._keys = pair * _ROOM + np.log1p(seconds)  # sorts by pair, then by wait
        self._sorted = np.sort(self._keys)
        begins = np.flatnonzero(np.diff(np.floor(self._sorted / _ROOM), prepend=-1.0))
        pairs = (self._sorted[begins] // _ROOM).astype(np.int64)
        self._begins, self._n = begins, np.diff(begins, append=len(self._sorted))
        self._pair = np.searchsorted(pairs, pair)

    @cached_property
    def slow(self) -> Floats:
        """Return how unusually long the wait before each event is."""
        return self._scores(longer=True)

    @cached_property
    def fast(self) -> Floats:
        """Return how unusually short the wait before each event is."""
        return self._scores(longer=False)

    @cached_property
    def doubled(self) -> Floats:
        """Return how unusual it is that each event is a copy of an earlier one; 0 if it is none."""
        log, copies = self._log, self._copies
        total, times = np.bincount(log.codes), np.bincount(log.codes[copies], minlength=len(log.activities))
        scores = np.zeros(log.n_events)
        scores[copies] = np.log1p(total / np.maximum(times - 0.5, 0.5))[log.codes[copies]]
        return scores

    @cached_property
    def scores(self) -> Floats:
        """Return how unusual the time of each event is, of whatever kind."""
        return np.where(self.doubled > 0, self.doubled, np.maximum(self.slow, self.fast))

    def places(self, least: float) -> list[OddTime]:
        """Return the unusual times with at least a score, the most unusual first, but those that are not rare for their pair."""
        found = np.flatnonzero(self.scores >= least)
        is_slow = self.slow[found] == self.scores[found]
        is_copy = self.doubled[found] > 0
        times, total = (
            np.bincount(self._log.codes[self._copies], minlength=len(self._log.activities)),
            np.bincount(self._log.codes),
        )
        times, total = times[self._log.codes[found]], total[self._log.codes[found]]
        begin = np.zeros(len(found), dtype=np.int64)
        is_wait = ~is_copy
        wait = np.searchsorted(self._at, found[is_wait])
        pair = self._pair[wait]
        begin[is_wait], total[is_wait] = self._begins[pair], self._n[pair]
        shorter = np.searchsorted(self._sorted, self._keys[wait], "left") - self._begins[pair]
        not_longer = np.searchsorted(self._sorted, self._keys[wait], "right") - self._begins[pair]
        times[is_wait] = np.where(is_slow[is_wait], total[is_wait] - shorter, not_longer)
        order = np.argsort(-self.scores[found], kind="stable")
        listed = order[(is_copy | (times - 1 <= _FREQUENT * total))[order]]
        return [
            self._place(
                int(found[i]),
                "doubled" if is_copy[i] else "slow" if is_slow[i] else "fast",
                int(times[i]),
                int(total[i]),
                None if is_copy[i] else self._usual(int(begin[i]), int(total[i])),
            )
            for i in listed.tolist()
        ]

    def _place(self, event: int, kind: TimeKind, times: int, total: int, usual: tuple[float, float] | None) -> OddTime:
        log, case = self._log, int(self._case[event])
        return OddTime(
            case=log.case_ids[case],
            case_number=case,
            position=event - int(log.offsets[case]),
            activity=log.activities[log.codes[event]],
            kind=kind,
            score=float(self.scores[event]),
            before=log.activities[log.codes[event - 1]],
            seconds=float((self._times[event] - self._times[event - 1]) / np.timedelta64(1, "s")),
            usual=usual,
            times=times,
            total=total,
            with_attributes=bool(log.attributes),
        )

    def _usual(self, begin: int, n: int) -> tuple[float, float]:
        """Return the shortest and the longest of the middle three quarters of the waits of a pair."""
        longest = _place_of(n, _USUAL)
        low, high = np.expm1(self._sorted[[begin + n - 1 - longest, begin + longest]] % _ROOM).round(6).tolist()
        return low, high

    def _scores(self, longer: bool) -> Floats:
        """Return how unusually long, or short, the wait before each event is."""
        scores = np.zeros(self._log.n_events)
        n, sign = self._n, 1.0 if longer else -1.0
        inner, tail = (
            sign * self._sorted[self._begins + (_place_of(n, level) if longer else n - 1 - _place_of(n, level))]
            for level in (_TAIL_FROM, _TAIL_TO)
        )
        scale = np.maximum(SMALLEST_SCALE, (tail - inner) / np.log(2 ** (_TAIL_TO - _TAIL_FROM)))
        beyond = sign * self._keys - tail[self._pair]
        judged = np.flatnonzero((beyond > 0) & (n[self._pair] >= ENOUGH_WAITS))
        pair = self._pair[judged]
        seen = n[pair] / _SEEN
        ln_p = -np.log(2**_TAIL_TO) - seen * np.log1p(beyond[judged] / (scale[pair] * seen))
        scores[self._at[judged]] = np.logaddexp(0, -ln_p - np.log(2 * max(n[n >= ENOUGH_WAITS].sum(), 1)))
        return scores

    @cached_property
    def _copies(self) -> Ints:
        """Return which events are copies of an earlier one among the events of the same time right before them."""
        log = self._log
        equal = (self._case[1:] == self._case[:-1]) & (self._times[1:] == self._times[:-1])  # a missing time equals none
        moment = np.cumsum(np.concatenate([[True], ~equal])[: log.n_events])
        some = np.flatnonzero((np.concatenate([equal, [False]]) | np.concatenate([[False], equal]))[: log.n_events])
        columns = [attribute.codes[some] for attribute in log.attributes.values()]
        keys = np.column_stack([moment[some], log.codes[some], *columns])
        order = np.lexsort(keys.T[::-1])  # stable: copies come after the event that they are copies of
        same = (np.diff(keys[order], axis=0) == 0).all(axis=1)
        return np.sort(some[order[1:][same]])


def _place_of(n: Any, level: int) -> Any:
    """Return the place, from 0 and by length, of the wait of n that one in 2^level exceeds."""
    return n - 1 - n // 2**level
