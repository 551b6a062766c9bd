"""Test whether an activity is in more, or fewer, of the cases than before, and which appeared or vanished."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from actalike.two_logs.drift_company import Floats, Integers, all_activities
from actalike.two_logs.drift_data import PresenceChange
from actalike.two_logs.drift_sides import Sides

_TIMES_RARER = 20  # from which on an activity counts as new, or gone: a few old cases may still be running
_ROUNDING = 1e-7  # two tables that are equally likely differ by rounding


class PresenceKinds(NamedTuple):
    """Hold the labels that are in more, or fewer, of the cases by kind, the largest difference of shares first."""

    appeared: list[PresenceChange]
    vanished: list[PresenceChange]
    more_often: list[PresenceChange]
    less_often: list[PresenceChange]


def label_presence(sides: Sides) -> list[PresenceChange]:
    """Return in how many cases each activity of either log is, with its p."""
    labels = all_activities(sides.before, sides.after)
    counts = [dict(zip(log.activities, log.activity_cases.tolist(), strict=True)) for log in (sides.before, sides.after)]
    before, after = (np.array([one.get(label, 0) for label in labels]) for one in counts)
    p = presence_p(before, after, sides.before.n_cases, sides.after.n_cases)
    return [PresenceChange(*one) for one in zip(labels, before.tolist(), after.tolist(), p.tolist(), strict=True)]


def presence_kinds(sides: Sides, presence: Sequence[PresenceChange]) -> PresenceKinds:
    """Sort labels into those that appeared or vanished, or nearly so, and those that are in more or fewer of the cases."""

    def shares(one: PresenceChange) -> tuple[float, float]:
        return one.cases_before / sides.before.n_cases, one.cases_after / sides.after.n_cases

    kinds = PresenceKinds([], [], [], [])
    for one in sorted(presence, key=lambda one: (-abs(shares(one)[1] - shares(one)[0]), one.activity)):
        before, after = shares(one)
        is_all_or_nothing = _TIMES_RARER * min(before, after) <= max(before, after)
        if after > before:
            (kinds.appeared if is_all_or_nothing else kinds.more_often).append(one)
        elif before > after:
            (kinds.vanished if is_all_or_nothing else kinds.less_often).append(one)
    return kinds


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
