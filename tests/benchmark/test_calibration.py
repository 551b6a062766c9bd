import numpy as np
import pytest
from actalike.benchmark.scoring import (
    Tally,
    add_tallies,
    as_lists,
    expected_calibration_error,
    reliability,
    tally_answers,
    wilson,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import naive_label_metrics as naive
from tests.helpers.examples import examples


def test_answers_with_the_same_probability_are_tallied_together():
    assert as_lists(tally_answers(np.array([0.5, 0.12344, 0.5]), np.array([1.0, 0.0, 0.5]))) == [[0.1234, 1, 0], [0.5, 2, 1.5]]


@examples(50)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.booleans()), min_size=1), st.integers(1, 5))
def test_the_calibration_error_is_that_of_the_definition(pairs, bins):
    tally = add_tallies(Tally(np.array([p]), np.array([1.0]), np.array([float(y)])) for p, y in pairs)
    assert expected_calibration_error(reliability(tally, bins)) == pytest.approx(naive.calibration_error(pairs, bins))


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_holds_its_share(positives, n):
    positives = min(positives, n)
    low, high = wilson(positives, n)
    assert 0 <= low <= positives / n + 1e-12
    assert positives / n - 1e-12 <= high <= 1
