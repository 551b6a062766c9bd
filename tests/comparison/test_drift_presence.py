import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.comparison.drift_presence import presence_p
from tests.helpers.examples import examples
from tests.helpers.naive_drift import fisher


@st.composite
def tables(draw):
    cases = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    return draw(st.integers(0, cases[0])), draw(st.integers(0, cases[1])), *cases


@examples(40)
@given(tables())
def test_p_is_that_of_fishers_exact_test(table):
    first, second, *cases = table
    assert presence_p(np.array([first]), np.array([second]), *cases)[0] == pytest.approx(fisher(*table), abs=1e-9)


def test_large_numbers_of_cases_do_not_overflow():
    assert presence_p(np.array([50_000, 0]), np.array([50_100, 60_000]), 100_000, 100_000).round(2).tolist() == [0.66, 0.0]
