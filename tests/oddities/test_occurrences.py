"""Test how usual it is to have a label so often."""

from math import log as ln

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.oddities.distinct_cases import DistinctCases
from actalike.oddities.occurrences import Occurrences
from tests.helpers.naive_oddities import cases_of, occurrences_gain
from tests.helpers.strategies import logs_with_equal_cases


@given(logs_with_equal_cases(max_attributes=0), st.data())
def test_a_block_that_is_added_or_removed_changes_the_occurrences_of_its_labels(log, data):
    traces, cases = cases_of(log), DistinctCases(log)
    occurrences = Occurrences(cases)
    number = data.draw(st.integers(0, log.n_cases - 1))
    case, others = traces[number], traces[:number] + traces[number + 1 :]
    variant = cases.variant_of_case[number : number + 1]
    block = data.draw(st.lists(st.integers(0, len(log.activities) - 1), min_size=1, max_size=3))
    added = occurrences.gains(variant, np.array([block]), 1)
    assert added == pytest.approx(occurrences_gain(case, case + block, others))
    for size in range(1, min(3, len(case)) + 1):
        removed = occurrences.gains(variant, np.array([case[:size]]), -1)
        assert removed == pytest.approx(occurrences_gain(case, case[size:], others))


def test_from_nine_on_occurrences_are_counted_together():
    log = EventLog.from_traces([["a"] * 8] * 2 + [["a"] * 9] * 3 + [["a"] * 10] * 4 + [["a"] * 12])
    cases = DistinctCases(log)
    ten = cases.variant_of_case[5:6]
    gains = [float(Occurrences(cases).gains(ten, np.zeros((1, size), dtype=np.int64), -1)[0]) for size in (1, 2)]
    # Of the other nine cases, seven have it 9 times or more, and two 8 times.
    assert gains == pytest.approx([0.0, ln(2.5 / 7.5)])
