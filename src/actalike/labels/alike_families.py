"""Test which families of labels (*Pay by user 17*, *Pay by user 18*) behave as one step.

Text alone cannot tell *Pay by user 17*, *Pay by user 18* (one step) from *Reminder 1*, *Reminder 2* (two steps). The test compares
direct neighbours, in a log in which each label has been replaced by its family, because neighbours vary too. A coincidence is
the probability that two events have the same neighbour on one side; both sides are averaged. A family is one step if

- two events of different members coincide at least 0.7 times as often as two events of the same member, and
- two events of different members coincide at least 1.5 times as often as an event of a member and one of any other label.

The first test is left out where members are too rare to have pairs of events. A family of all labels of a log has no other label
to differ from, so it is not one step: then the varying part is the name of the step.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.counting import WindowCounts
from actalike.labels.label_patterns import LabelFamily, label_families

_ALIKE = 0.7
_UNLIKE_OTHERS = 1.5
_ENOUGH_PAIRS = 20  # of events of the same member, for the first test


def alike_families(counts: WindowCounts) -> list[LabelFamily]:
    """Return the families of labels that behave as one step, the largest first. No label is in two of them.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["file", f"pay by user {i % 9}", "close"] for i in range(60)])
    >>> [(family.pattern, len(family.members)) for family in alike_families(count_windows(log, 3))]
    [('pay by user …', 9)]
    """
    labels = counts.activities
    candidates = [family for family in label_families(labels) if len(family.members) < len(labels)]
    candidates.sort(key=lambda family: (-len(family.members), family.members, family.pattern))
    if not candidates:
        return []
    sides = _neighbours(counts.marginal(3), candidates)
    families: list[LabelFamily] = []
    taken: set[int] = set()
    for family in candidates:
        if taken.isdisjoint(family.members) and _is_one_step(family.members, sides):
            families.append(family)
            taken.update(family.members)
    return families


def _neighbours(table: WindowCounts, families: Sequence[LabelFamily]) -> list[csr_array]:
    """Return how often each label has which family (or label without one) directly before it, and directly after it."""
    n = len(table.activities)
    family_of = np.arange(n + 1)  # the last one is PAD
    for family in reversed(families):  # the largest family of a label comes last and stays
        family_of[list(family.members)] = family.members[0]
    return [
        csr_array((table.counts.astype(np.float64), (table.focal, family_of[table.windows[:, side]])), shape=(n, n + 1))
        for side in (0, 2)
    ]


def _is_one_step(members: Sequence[int], sides: Sequence[csr_array]) -> bool:
    same, different, others = np.mean([_coincidences(members, side) for side in sides], axis=0)
    return bool(different >= _UNLIKE_OTHERS * others and (np.isnan(same) or different >= _ALIKE * same))


def _coincidences(members: Sequence[int], side: csr_array) -> tuple[float, float, float]:
    """Return how often two events coincide: of the same member, of different members, of a member and another label."""
    counts = side[list(members)]
    events: NDArray[np.float64] = counts.sum(axis=1)
    total: NDArray[np.float64] = counts.sum(axis=0)
    rest: NDArray[np.float64] = side.sum(axis=0) - total
    squares = float((counts.data**2).sum())
    pairs_of_same = float((events * (events - 1)).sum())
    same = (squares - events.sum()) / pairs_of_same if pairs_of_same >= _ENOUGH_PAIRS else np.nan
    different = (float(total @ total) - squares) / (float(events.sum()) ** 2 - float(events @ events))
    return same, different, float(total @ rest) / (float(events.sum()) * float(rest.sum()))
