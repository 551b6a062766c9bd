"""What speaks for two activities of two logs being one step, beside their neighbours: profiles and frequencies.

Each kind of evidence gives a row for each activity of log a and a column for each of log b.

Frequencies count as far as they agree between the two logs at all. Halves of one log have the same frequencies but for chance.
Two municipalities have not. How far they differ is measured on the pairs that are certain already: d = ln q(a) - ln q(b) varies
by chance with the variance s², and beyond that with τ² among these pairs. All pairs then get -ln(1 + d² / (τ² + s²)), once for
q = the share of cases, and once for q = the events per such case. This is the logarithm of a Cauchy density: a large difference
counts against a pair, but never excludes it.

That a step is in all cases of both logs does not tell how far choices differ, such as *by mail* and *by phone*. So a cautious
estimate of τ² for shares of cases counts each pair by the larger share of cases without it, and adds two pairs with τ² = 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import Variants

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

FIFTHS = 5  # of a case, for relative positions
_DISTANCES = 8  # 0, 1-2, 3-6, 7-14, ... events away from the start or the end of the case
_FEW_CASES = 0.002  # added to shares of cases, so that one case more or less of a rare activity matters little
_NOTHING_IN_COMMON = 1e-4  # the least likeness of two distributions: no single difference excludes a pair
_REPEATS, _LOOPS = 0.5, 0.5  # weights of differences in events per case, and in events that are repeated at once
_USUAL, _USUAL_PAIRS = 1.0, 2.0  # τ² of shares of cases, assumed of so many pairs beside the certain ones
_STEPS = 20  # of the estimate of τ², which settles in fewer
_LARGEST, _LEAST = 25.0, 1e-4  # of τ²
_LITTLE = 0.1  # variance of the events per case that is always assumed


class Profiles(NamedTuple):
    """Hold what is known of each activity apart from its neighbours; distributions are rows that sum to 1.

    ``cases`` is the share of cases with the activity, ``repeats`` its events per such case, ``loops`` the share of its events
    that the same activity follows at once. ``fifths`` says in which fifth of the case its events are, ``from_start`` and
    ``from_end`` how many events away from the case's start and end, in doubling steps.
    """

    cases: Floats
    repeats: Floats
    loops: Floats
    fifths: Floats
    from_start: Floats
    from_end: Floats


def profiles_of(variants: Variants) -> Profiles:
    """Compute the profiles of all activities.

    >>> profiles = profiles_of(Variants(["a", "b"], np.array([0, 1, 1, 0]), np.array([0, 3, 4]), np.array([1, 1])))
    >>> profiles.cases.tolist(), profiles.repeats.tolist(), profiles.loops.tolist()
    ([1.0, 0.5], [1.0, 2.0], [0.0, 0.5])
    """
    n, codes, events = len(variants.activities), variants.codes, variants.activity_counts
    weights = variants.weights[variants.variant_of_event]
    length = np.repeat(variants.lengths, variants.lengths)
    place = np.arange(len(codes)) - np.repeat(variants.offsets[:-1], variants.lengths)
    distances = (_doublings(place), _doublings(length - 1 - place))
    bins = ((place * FIFTHS // length, FIFTHS), *((distance, _DISTANCES) for distance in distances))
    counts = [np.bincount(codes * np.int64(k) + of_events, weights, minlength=n * k).reshape(n, k) for of_events, k in bins]
    is_loop = np.append((codes[1:] == codes[:-1]) & (place[1:] > 0), False)
    return Profiles(
        variants.activity_cases / cases_with_events(variants),
        events / variants.activity_cases,
        np.bincount(codes[is_loop], weights[is_loop], minlength=n) / events,
        *(of_bins / events[:, np.newaxis] for of_bins in counts),
    )


def cases_with_events(variants: Variants) -> int:
    """Return the number of cases that are not empty: of these, shares of cases are taken."""
    return int(variants.weights[variants.lengths > 0].sum())


def _doublings(distance: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each distance: ⌊log2(distance + 1)⌋, at most the last one."""
    return np.minimum(np.frexp(distance + 1.0)[1] - 1, _DISTANCES - 1).astype(np.int64)


def profile_likeness(a: Profiles, b: Profiles, cases: float, ends: float) -> Floats:
    """Return the logarithm of how alike the profiles of two logs' activities are, 0 for the most alike pair.

    ln BC(fifths) + ``ends`` (ln BC(from_start) + ln BC(from_end)) - ``cases`` |ln((c(a) + 0.002) / (c(b) + 0.002))|
    - 0.5 |ln(r(a) / r(b))| - 0.5 |l(a) - l(b)|, where BC is the Bhattacharyya coefficient Σ sqrt(p q), c the share of cases, r
    the events per such case, and l the share of loops.
    """
    likeness = _overlap(a.fifths, b.fifths) - _REPEATS * _ratio(a.repeats, b.repeats)
    likeness -= _LOOPS * np.abs(a.loops[:, np.newaxis] - b.loops)
    if cases:
        likeness -= cases * _ratio(a.cases + _FEW_CASES, b.cases + _FEW_CASES)
    if ends:
        likeness += ends * (_overlap(a.from_start, b.from_start) + _overlap(a.from_end, b.from_end))
    return likeness - likeness.max()


def _overlap(a: Floats, b: Floats) -> Floats:
    overlap: Floats = np.log(np.maximum(np.sqrt(a) @ np.sqrt(b).T, _NOTHING_IN_COMMON))
    return overlap


def _ratio(a: Floats, b: Floats) -> Floats:
    ratio: Floats = np.abs(np.log(a)[:, np.newaxis] - np.log(b))
    return ratio


def frequency_agreement(
    a: Profiles, cases_a: Codes, b: Profiles, cases_b: Codes, certain: tuple[Codes, Codes], *, cautious: bool = False
) -> Floats:
    """Return how far the frequencies of all pairs agree, 0 at best; ``certain`` has the codes of the certain pairs.

    >>> variants = Variants(["a", "b"], np.array([0, 1, 0]), np.array([0, 2, 3]), np.array([30, 70]))
    >>> profiles, cases, pairs = profiles_of(variants), variants.activity_cases, np.arange(2)
    >>> frequency_agreement(profiles, cases, profiles, cases, (pairs, pairs)).round(1).tolist()
    [[0.0, -4.1], [-4.1, 0.0]]
    """
    i, j = certain
    all_tell = np.ones(len(i)), 0.0
    tell = (1 - np.minimum(a.cases[i], b.cases[j]), _USUAL_PAIRS) if cautious else all_tell, all_tell
    total = np.zeros((len(a.cases), len(b.cases)))
    for (q_a, s_a), (q_b, s_b), of_pairs in zip(_logarithms(a, cases_a), _logarithms(b, cases_b), tell, strict=True):
        spread = _spread(q_a[i] - q_b[j], s_a[i] + s_b[j], *of_pairs) if len(i) else _LARGEST
        total -= np.log1p((q_a[:, np.newaxis] - q_b) ** 2 / (s_a[:, np.newaxis] + s_b + spread))
    return total


def _logarithms(profiles: Profiles, cases: NDArray[np.int64]) -> list[tuple[Floats, Floats]]:
    """Return ln q of each activity and its variance by chance, for the share of cases and for the events per such case."""
    few = 0.5 * profiles.cases / cases  # half a case, so that all cases and one case have a variance too
    return [
        (np.log(profiles.cases + few), (1 - profiles.cases) / cases + 0.5 / cases**2),
        (np.log(profiles.repeats), (profiles.repeats - 1 + _LITTLE) / profiles.repeats**2 / cases),
    ]


def _spread(differences: Floats, by_chance: Floats, tell: Floats, usual: float) -> float:
    """Estimate τ²; a difference that is large for the present estimate counts less, as the Cauchy density asks.

    ``tell`` is how much each pair counts, and ``usual`` how many pairs with a usual τ² are added.
    """
    spread = 0.0
    for _ in range(_STEPS):
        weights = 2 / (1 + differences**2 / (spread + by_chance))
        excess = float(tell @ (weights * differences**2 - by_chance)) + usual * _USUAL
        spread = min(max(excess / max(float(tell.sum()) + usual, 1e-9), 0.0), _LARGEST)
    return max(spread, _LEAST)
