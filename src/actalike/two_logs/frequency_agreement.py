"""Judge pairs of activities by their frequencies, as far as frequencies agree between the two logs at all.

Halves of one log have the same frequencies but for chance. Two municipalities have not. How far they differ is measured on the
pairs that are certain already: d = ln q(a) - ln q(b) varies by chance with the variance s², and beyond that with τ² among these
pairs. All pairs then get -ln(1 + d² / (τ² + s²)), once for q = the share of cases, and once for q = the events per such case.
This is the logarithm of a Cauchy density: a large difference counts against a pair, but never excludes it.
"""

import numpy as np
from numpy.typing import NDArray

from actalike.two_logs.activity_profiles import Profiles

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_STEPS = 20  # of the estimate of τ², which settles in fewer
_LARGEST, _LEAST = 25.0, 1e-4  # of τ²
_LITTLE = 0.1  # variance of the events per case that is always assumed


def frequency_agreement(
    a: Profiles, cases_a: NDArray[np.int64], b: Profiles, cases_b: NDArray[np.int64], certain: tuple[Codes, Codes]
) -> Floats:
    """Return how far the frequencies of all pairs agree, 0 at best; ``certain`` has the codes of the certain pairs.

    >>> from actalike import EventLog
    >>> from actalike.two_logs.activity_profiles import profiles_of
    >>> log = EventLog.from_traces([["a", "b"]] * 30 + [["a"]] * 70)
    >>> profiles, pairs = profiles_of(log), np.arange(2)
    >>> frequency_agreement(profiles, log.activity_cases, profiles, log.activity_cases, (pairs, pairs)).round(1).tolist()
    [[0.0, -4.1], [-4.1, 0.0]]
    """
    total = np.zeros((len(a.cases), len(b.cases)))
    for of_a, of_b in zip(_logarithms(a, cases_a), _logarithms(b, cases_b), strict=True):
        total += _agreement(*of_a, *of_b, certain)
    return total


def _logarithms(profiles: Profiles, cases: NDArray[np.int64]) -> list[tuple[Floats, Floats]]:
    """Return ln q of each activity and its variance by chance, for the share of cases and for the events per such case."""
    few = 0.5 * profiles.cases / cases  # half a case, so that all cases and one case have a variance too
    return [
        (np.log(profiles.cases + few), (1 - profiles.cases) / cases + 0.5 / cases**2),
        (np.log(profiles.repeats), (profiles.repeats - 1 + _LITTLE) / profiles.repeats**2 / cases),
    ]


def _agreement(q_a: Floats, s_a: Floats, q_b: Floats, s_b: Floats, certain: tuple[Codes, Codes]) -> Floats:
    i, j = certain
    spread = _spread(q_a[i] - q_b[j], s_a[i] + s_b[j]) if len(i) else _LARGEST
    agreement: Floats = -np.log1p((q_a[:, np.newaxis] - q_b) ** 2 / (s_a[:, np.newaxis] + s_b + spread))
    return agreement


def _spread(differences: Floats, by_chance: Floats) -> float:
    """Estimate τ²; a difference that is large for the present estimate counts less, as the Cauchy density asks."""
    spread = 0.0
    for _ in range(_STEPS):
        weights = 2 / (1 + differences**2 / (spread + by_chance))
        spread = min(max(float(np.mean(weights * differences**2 - by_chance)), 0.0), _LARGEST)
    return max(spread, _LEAST)
