"""Find steps that one log has under one label and the other under several.

A label b2 without a partner is a further part of a's step, if a has a partner b1, and if four things hold. The neighbours of b2
agree with those of a (0.8 at least), and better than with those of the partner that b2 could have had. b1 and b2 together are
nearer to the frequency of a than b1 alone. And b1 and b2 are seldom in one case, as two names of one step are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.comparison.partner_probabilities import PartnerProbabilities
from actalike.log import CoOccurrence, EventLog

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_AGREEMENT = 0.8
_SHARED_CASES = 0.2  # of the rarer one, at most
_ENOUGH_CASES = 5


class SplitStep(NamedTuple):
    """Hold the code of a label, its partner's, and those of further labels of the other log that are the same step."""

    one: int
    partner: int
    further: tuple[int, ...]


def split_steps(
    one: EventLog, other: EventLog, agreement: Floats, partners: dict[int, int], could_have: dict[int, int]
) -> list[SplitStep]:
    """Find the steps that ``other`` splits.

    ``agreement`` says for each label of ``one`` (rows) and of ``other`` (columns) how far their neighbours agree. ``partners``
    are the codes of matched pairs, and ``could_have`` the best partner of each label of ``other``, matched or not.
    """
    shared = CoOccurrence(other).shared_cases()
    cases = np.diag(shared)
    share_one, share_other = (
        of_log / np.count_nonzero(log.lengths) for log, of_log in ((one, one.activity_cases), (other, cases))
    )
    matched = set(partners.values())
    further: dict[int, list[int]] = {}
    for part in range(len(other.activities)):
        if part in matched or cases[part] < _ENOUGH_CASES:
            continue
        best = int(agreement[:, part].argmax())
        if best not in partners or agreement[best, part] < _AGREEMENT:
            continue
        first = partners[best]
        own = agreement[could_have[part], part] if part in could_have else 0.0
        together = abs(np.log((share_other[first] + share_other[part]) / share_one[best]))
        is_nearer = together < abs(np.log(share_other[first] / share_one[best]))
        is_apart = shared[first, part] <= _SHARED_CASES * min(cases[first], cases[part])
        if own < agreement[best, part] and is_nearer and is_apart:
            further.setdefault(best, []).append(part)
    return [SplitStep(best, partners[best], tuple(parts)) for best, parts in sorted(further.items())]


def all_splits(
    log_a: EventLog, log_b: EventLog, probabilities: PartnerProbabilities, assigned: tuple[Codes, Codes], partners: dict[int, int]
) -> tuple[list[SplitStep], list[SplitStep]]:
    """Find the steps of a that b splits, and those of b that a splits."""
    rows, columns = (codes.tolist() for codes in assigned)
    of_b, of_a = dict(zip(columns, rows, strict=True)), dict(zip(rows, columns, strict=True))
    back = {b: a for a, b in partners.items()}
    return (
        split_steps(log_a, log_b, probabilities.agreement, partners, of_b),
        split_steps(log_b, log_a, probabilities.agreement.T, back, of_a),
    )
