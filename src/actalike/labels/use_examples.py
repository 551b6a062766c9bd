"""Choose example cases of labels: the sequence around an event, from all over the log's period, different sequences first."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.labels.label_uses import LabelUses

EXAMPLES = 5
AROUND = 3  # labels before and after
_CANDIDATES = 100  # cases that are looked at, spread over the period
_MOST_BETWEEN = 4  # labels shown between two that occur together


class ExampleCase(NamedTuple):
    """Hold a part of a case as an example.

    - ``case``: the id of the case.
    - ``labels``: the sequence; None stands for a stretch that is left out.
    - ``marked``: the places in ``labels`` of those that it is an example of.
    - ``before``, ``after``: how many events of the case come before and after the sequence.
    - ``moment``: the timestamp of the first marked event, if it has one.
    """

    case: str
    labels: tuple[str | None, ...]
    marked: tuple[int, ...]
    before: int
    after: int
    moment: np.datetime64 | None

    @property
    def position(self) -> int:
        """Return which event of the case the first marked one is, counted from 1."""
        return self.before + self.marked[0] + 1


def example_cases(uses: LabelUses, members: Sequence[int], most: int = EXAMPLES) -> list[ExampleCase]:
    """Return up to ``most`` cases with the first event of the labels in each, and up to three labels on either side.

    The cases are ordered by the timestamp of that event (by their place in the log without one), at most 100 of them are taken at
    equal distances, and divided into ``most`` parts of equal size. Of each part the first is taken whose sequence is not yet
    among the examples, else its first.

    >>> from actalike import EventLog
    >>> uses = LabelUses(EventLog.from_traces([["x", "a", "y"], ["x", "a", "y"], ["a"]]))
    >>> [(example.case, example.labels) for example in example_cases(uses, [0], most=2)]
    [('1', ('x', 'a', 'y')), ('3', ('a',))]
    """
    events = uses.events_of(members)
    first = np.flatnonzero(np.append(True, np.diff(uses.case_of[events]) != 0))
    return _spread(_candidates(uses, events[first]).tolist(), lambda event: _example(uses, event, event), most)


def examples_together(uses: LabelUses, a: Sequence[int], b: Sequence[int], most: int = EXAMPLES) -> list[ExampleCase]:
    """Return up to ``most`` cases in which labels of both occur, around the two events that are nearest to each other.

    The cases are chosen as :func:`example_cases` chooses them; of pairs of events that are equally near the first one is taken.
    """
    events_a, events_b = uses.events_of(a), uses.events_of(b)
    cases = np.intersect1d(uses.case_of[events_a], uses.case_of[events_b])
    in_both = np.flatnonzero(np.isin(uses.case_of[events_a], cases))
    first = in_both[np.append(True, np.diff(uses.case_of[events_a[in_both]]) != 0)] if len(in_both) else in_both

    def nearest(event: int) -> ExampleCase:
        start, end = _bounds(uses, event)
        of_a = events_a[np.searchsorted(events_a, start) : np.searchsorted(events_a, end)]
        of_b = events_b[np.searchsorted(events_b, start) : np.searchsorted(events_b, end)]
        right = np.searchsorted(of_b, of_a)
        before, after = of_b[(right - 1).clip(min=0)], of_b[right.clip(max=len(of_b) - 1)]
        other = np.where(np.abs(after - of_a) < np.abs(before - of_a), after, before)
        place = int(np.argmin(np.abs(other - of_a)))
        return _example(uses, int(of_a[place]), int(other[place]))

    return _spread(_candidates(uses, events_a[first]).tolist(), nearest, most)


def _bounds(uses: LabelUses, event: int) -> tuple[int, int]:
    """Return the first event of an event's case and that of the next case."""
    case = uses.case_of[event]
    return int(uses.log.offsets[case]), int(uses.log.offsets[case + 1])


def _candidates(uses: LabelUses, events: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return at most 100 events at equal distances in time order; those without a timestamp come last."""
    if uses.log.timestamps is not None:
        events = events[np.argsort(uses.log.timestamps[events], kind="stable")]
    if len(events) <= _CANDIDATES:
        return events
    return events[np.arange(_CANDIDATES) * (len(events) - 1) // (_CANDIDATES - 1)]


def _spread(events: Sequence[int], example: Callable[[int], ExampleCase], most: int) -> list[ExampleCase]:
    """Return an example from each of ``most`` parts: the first whose sequence was not yet taken, else that of the first event."""
    chosen: list[ExampleCase] = []
    taken: set[tuple[str | None, ...]] = set()
    for part in np.array_split(np.array(events, dtype=np.int64), min(most, len(events)) or 1):
        candidates = (example(event) for event in part.tolist())
        new = next((one for one in candidates if one.labels not in taken), None)
        if new is not None or len(part):
            chosen.append(new or example(int(part[0])))
            taken.add(chosen[-1].labels)
    return chosen


def _example(uses: LabelUses, a: int, b: int) -> ExampleCase:
    """Return the sequence around two events of a case, which may be the same one."""
    log, (start, end) = uses.log, _bounds(uses, a)
    low, high = min(a, b), max(a, b)
    from_, to = max(start, low - AROUND), min(end, high + AROUND + 1)
    labels: list[str | None] = [log.activities[code] for code in log.codes[from_:to].tolist()]
    marked = [low - from_] if low == high else [low - from_, high - from_]
    if high - low - 1 > _MOST_BETWEEN:
        first_left_out, last_left_out = low - from_ + 1 + _MOST_BETWEEN // 2, high - from_ - _MOST_BETWEEN // 2
        labels[first_left_out:last_left_out] = [None]
        marked[1] -= last_left_out - first_left_out - 1
    moment = None if log.timestamps is None or np.isnat(log.timestamps[low]) else log.timestamps[low]
    case = int(uses.case_of[a])
    return ExampleCase(log.case_ids[case], tuple(labels), tuple(marked), from_ - start, end - to, moment)
