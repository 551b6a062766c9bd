"""How scores become probabilities: by the definition, as loops."""

import itertools
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.oddities import probability
from tests.helpers.examples import examples

EDGES = probability._EDGES.tolist()
ODD = probability._ODD.tolist()


def naive_thinned(ordinary, counts):
    """The shape of ordinary scores that thins out from the score 3 on as suits the scores best."""
    best = None
    middles = [*((low + high) / 2 for low, high in itertools.pairwise(EDGES[:-1])), EDGES[-2]]
    for step in range(14):
        b = -0.1 + step / 10
        shape = [share * exp(-b * max(middle - 3, 0)) for share, middle in zip(ordinary, middles, strict=True)]
        shape = [share / sum(shape) for share in shape]
        rate = 0.01
        for _ in range(100):
            odd = sum(
                n * rate * one / ((1 - rate) * usual + rate * one) for n, usual, one in zip(counts, shape, ODD, strict=True)
            )
            rate = (odd + 1) / (sum(counts) + 100)
        mixed = [(1 - rate) * usual + rate * one for usual, one in zip(shape, ODD, strict=True)]
        high = [number for number, edge in enumerate(EDGES[:-1]) if edge >= 3]
        low = [number for number in range(len(mixed)) if number not in high]
        likely = sum(counts[i] * log(mixed[i]) for i in high) + sum(counts[i] for i in low) * log(sum(mixed[i] for i in low))
        likely = round(likely / 20 - (b / 0.3) ** 2 / 2, 9)
        if best is None or likely > best[0]:
            best = likely, shape
    return best[1]


@examples(20)
@given(st.lists(st.floats(0, 30), min_size=1, max_size=300))
def test_ordinary_scores_thin_out_as_the_definition_says(scores):
    scores = np.array(scores)
    weights = np.ones(len(scores), dtype=np.int64)
    counts, _ = np.histogram(scores, probability._EDGES)
    common = probability._of_log(scores, weights)
    found = probability._thinned(common, scores, weights)
    assert found == pytest.approx(naive_thinned(common.tolist(), counts.tolist()))
