"""Find changes that only follow from others: an activity has other neighbours because a label is in more, or fewer, of the cases.

If cases with a become more frequent, the activities beside a have it as a neighbour more often, although nobody works in another
way. So the cases with and without a are shuffled apart, which keeps how many of them are before and after. If such shuffles
change an activity as much as it changed, the change follows from the number of cases with a. Cases of both kinds must be on both
sides, or else there is nothing to shuffle, and any change would follow.
"""

from collections.abc import Sequence

import numpy as np

from actalike.log import EventLog
from actalike.two_logs.drift_company import ActivityCompany, companies
from actalike.two_logs.drift_null import FIRST_SHUFFLES, LEVEL, Null

_ENOUGH_CASES = 5  # with the label, and without it, on each side


def find_causes(before: EventLog, after: EventLog, changed: Sequence[str], causes: Sequence[str], seed: int) -> dict[str, str]:
    """Return for each changed activity the label whose number of cases explains the change best, if any does.

    >>> before = EventLog.from_traces([["a", "b"]] * 40 + [["b", "c"], ["c", "b"]] * 20)
    >>> after = EventLog.from_traces([["a", "b"]] * 10 + [["b", "c"], ["c", "b"]] * 35)
    >>> find_causes(before, after, ["b"], ["a"], seed=0)
    {'b': 'a'}
    """
    best: dict[str, tuple[float, str]] = {}
    for number, cause in enumerate(causes, start=1):
        chosen = set(changed) - {cause}
        for position, (label, company) in enumerate(companies(before, after, given=cause)):
            if label in chosen and _can_be_shuffled(company):
                null = Null(company, np.random.default_rng([seed, position, number]))
                null.shuffle(FIRST_SHUFFLES)
                if null.p > max(LEVEL, best.get(label, (0.0, ""))[0]):
                    best[label] = null.p, cause
    return {label: best[label][1] for label in changed if label in best}


def _can_be_shuffled(company: ActivityCompany) -> bool:
    kinds = (company.has_given, ~company.has_given)
    return all(cases[kind].sum() >= _ENOUGH_CASES for kind in kinds for cases in (company.before, company.after))
