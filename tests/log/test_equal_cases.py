"""Equal cases are found exactly, whatever the hashes."""

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog
from actalike.log import equal_cases
from tests.helpers.strategies import traces


@given(traces())
def test_variants_are_exact_even_when_hashes_collide(given_traces):
    usual = EventLog.from_traces(given_traces).variants
    for multipliers in [(0,), (0, 1), (1, 0), ()]:  # under 0 and 1, most cases have the same hash
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(equal_cases, "_MULTIPLIERS", multipliers)
            found = EventLog.from_traces(given_traces).variants
        assert all(np.array_equal(a, b) for a, b in zip(found, usual, strict=True))


def test_sequences_made_to_collide_are_told_apart():
    """Thue-Morse words have the same polynomial hash modulo 2**64, whatever the multiplier."""
    word = ["a"]
    for _ in range(11):
        word += ["b" if label == "a" else "a" for label in word]
    swapped = ["b" if label == "a" else "a" for label in word]
    log = EventLog.from_traces([word, swapped, word])
    hashes = equal_cases._hashes(log.codes, log.offsets, equal_cases._MULTIPLIERS[0])
    assert hashes[0] == hashes[1]
    assert log.variants.weights.tolist() == [2, 1]
