import statistics

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog
from actalike.log import positions
from actalike.log.positions import relative_positions
from tests.helpers.strategies import logs


def pooled(log):
    """The definition: index from 0 over length, of every occurrence."""
    found = {}
    for trace in log.traces():
        for i, label in enumerate(trace):
            found.setdefault(label, []).append(i / len(trace))
    return found


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


@given(logs())
def test_positions_are_those_of_all_occurrences(log):
    found = relative_positions(log)
    expected = pooled(log)
    assert found.activities == sorted(expected)
    for i, label in enumerate(found.activities):
        values = expected[label]
        np.testing.assert_allclose(found.quartiles[i], [quantile(values, q / 4) for q in range(5)], atol=1e-12)
        np.testing.assert_allclose(found.means[i], statistics.fmean(values), atol=1e-12)
        np.testing.assert_allclose(found.deviations[i], statistics.pstdev(values), atol=1e-9)


@given(logs())
def test_a_case_begins_at_zero_and_one_is_never_reached(log):
    quartiles = relative_positions(log).quartiles
    assert quartiles.min() == 0
    assert quartiles.max() < 1


@pytest.mark.parametrize("count", [256, 257, 300])
def test_more_activities_than_small_codes_count(monkeypatch, count):
    monkeypatch.setattr(positions, "_SMALL", np.uint8)  # as 70,000 activities are to 16 bits, in less time
    labels = [f"{i:06}" for i in range(count)]
    found = relative_positions(EventLog.from_traces([labels]))
    assert found.activities == labels
    np.testing.assert_array_equal(found.means, np.arange(count) / count)
