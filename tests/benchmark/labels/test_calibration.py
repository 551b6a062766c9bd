import numpy as np
import pytest

from actalike.benchmark.labels.calibration import brier, tally_nearest, tally_pairs
from actalike.benchmark.labels.metrics import partner_mask
from actalike.benchmark.scoring import (
    add_tallies,
    as_lists,
    expected_calibration_error,
    from_lists,
    reliability,
)

LABELS = list("abcd")
PARTNERS = partner_mask(LABELS, [("a", "b")])
PROBABILITIES = np.array(
    [
        [1.0, 0.9, 0.1, 0.9],
        [0.9, 1.0, 0.2, 0.0],
        [0.1, 0.2, 1.0, 0.7],
        [0.9, 0.0, 0.7, 1.0],
    ]
)


def test_only_pairs_with_a_planted_name_count():
    tally = tally_pairs(PROBABILITIES, PARTNERS)
    assert as_lists(tally) == [[0.0, 1, 0], [0.1, 1, 0], [0.2, 1, 0], [0.9, 2, 1]]
    error, gain = brier(PROBABILITIES, PARTNERS)
    assert error == pytest.approx(np.mean([0.01, 0.01, 0.81, 0.04, 0.0]))
    assert gain == pytest.approx(1 - error / (0.2 * 0.8))


def test_of_equally_near_partners_the_mean_counts():
    assert as_lists(tally_nearest(PROBABILITIES, PARTNERS)) == [[0.9, 2, 1.5]]


def test_tallies_are_added_and_kept_as_plain_data():
    tally = tally_pairs(PROBABILITIES, PARTNERS)
    double = add_tallies([tally, from_lists(as_lists(tally))])
    assert as_lists(double) == [[p, 2 * n, 2 * y] for p, n, y in as_lists(tally)]
    assert reliability(add_tallies([])) == []
    assert np.isnan(expected_calibration_error([]))
    assert as_lists(from_lists([])) == []
