"""Test whether an activity is in more, or fewer, of the cases than before."""

import numpy as np
from scipy.special import gammaln

from actalike.comparison.drift_company import Floats, Integers

_ROUNDING = 1e-7  # two tables that are equally likely differ by rounding


def presence_p(before: Integers, after: Integers, cases_before: int, cases_after: int) -> Floats:
    """Return the p of each activity's numbers of cases, by Fisher's exact test (two-sided).

    Of all ways in which so many cases with the activity can be before and after, p is the probability of those that are not more
    likely than what was seen.

    >>> presence_p(np.array([0, 10]), np.array([10, 10]), 100, 100).round(4).tolist()
    [0.0015, 1.0]
    """
    return np.array(
        [
            _two_sided(first, first + second, cases_before, cases_after)
            for first, second in zip(before.tolist(), after.tolist(), strict=True)
        ]
    )


def _two_sided(first: int, both: int, cases_before: int, cases_after: int) -> float:
    possible = np.arange(max(0, both - cases_after), min(both, cases_before) + 1)
    logarithms = _log_choices(cases_before, possible) + _log_choices(cases_after, both - possible)
    logarithms -= logarithms.max()
    likely = np.exp(logarithms)
    seen = logarithms[first - possible[0]]
    return float(min(likely[logarithms <= seen + _ROUNDING].sum() / likely.sum(), 1.0))


def _log_choices(n: int, k: Integers) -> Floats:
    choices: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return choices
