"""Find steps that one log has under one label and the other under several.

A label b2 without a partner is a further part of a's step, if a has been assigned a label b1, and if five things hold. It is more
likely than not that b1 or b2 is the partner of a. The neighbours of b2 agree with those of a (0.7 at least), and better than with
those of the partner that b2 could have had. b1 and b2 together are nearer to the frequency of a than b1 alone. And b1 and b2 are
seldom in one case, as two names of one step are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import CoOccurrence, EventLog
from actalike.two_logs.partner_probabilities import PROPOSED, PartnerProbabilities

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_AGREEMENT = 0.7
_SHARED_CASES = 0.2  # of the rarer one, at most
_ENOUGH_CASES = 5


class SplitStep(NamedTuple):
    """Hold the code of a label, its partner's, and those of further labels of the other log that are the same step."""

    one: int
    partner: int
    further: tuple[int, ...]


def split_steps(one: EventLog, other: EventLog, agreement: Floats, likely: Floats, assigned: dict[int, int]) -> list[SplitStep]:
    """Find the steps that ``other`` splits.

    ``agreement`` says for each label of ``one`` (rows) and of ``other`` (columns) how far their neighbours agree, and ``likely``
    how likely they are the same step. ``assigned`` are the codes of the best one-to-one assignment.
    """
    shared = CoOccurrence(other).shared_cases()
    cases = np.diag(shared)
    share_one, share_other = (
        of_log / np.count_nonzero(log.lengths) for log, of_log in ((one, one.activity_cases), (other, cases))
    )
    could_have = {partner: label for label, partner in assigned.items()}
    further: dict[int, list[int]] = {}
    for part in range(len(other.activities)):
        own = could_have.get(part)
        if cases[part] < _ENOUGH_CASES or (own is not None and likely[own, part] > PROPOSED):
            continue
        best = int(agreement[:, part].argmax())
        if best not in assigned or best == own or agreement[best, part] < _AGREEMENT:
            continue
        first = assigned[best]
        together = abs(np.log((share_other[first] + share_other[part]) / share_one[best]))
        is_likely = likely[best, first] + likely[best, part] > PROPOSED
        is_better = own is None or agreement[own, part] < agreement[best, part]
        is_nearer = together < abs(np.log(share_other[first] / share_one[best]))
        is_apart = shared[first, part] <= _SHARED_CASES * min(cases[first], cases[part])
        if is_likely and is_better and is_nearer and is_apart:
            further.setdefault(best, []).append(part)
    return [SplitStep(best, assigned[best], tuple(parts)) for best, parts in sorted(further.items())]


def all_splits(
    log_a: EventLog, log_b: EventLog, probabilities: PartnerProbabilities, assigned: tuple[Codes, Codes]
) -> tuple[list[SplitStep], list[SplitStep]]:
    """Find the steps of a that b splits, and those of b that a splits."""
    rows, columns = (codes.tolist() for codes in assigned)
    agreement, likely = probabilities.agreement, probabilities.pairs
    return (
        split_steps(log_a, log_b, agreement, likely, dict(zip(rows, columns, strict=True))),
        split_steps(log_b, log_a, agreement.T, likely.T, dict(zip(columns, rows, strict=True))),
    )
