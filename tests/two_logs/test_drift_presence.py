import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.two_logs.drift_presence import label_presence, presence_kinds, presence_p
from actalike.two_logs.drift_sides import Sides
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


def test_a_label_is_new_or_gone_if_it_is_twenty_times_rarer_on_one_side():
    before = EventLog.from_traces([["a", "gone"]] * 40 + [["a", "fewer", "nearly new"]] + [["a", "fewer"]] * 18 + [["a"]] * 41)
    after = EventLog.from_traces([["a", "new", "nearly new"]] * 20 + [["a", "fewer"]] * 1 + [["a"]] * 79)
    sides = Sides(before, after, ("before", "after"))
    presence = {one.activity: one for one in label_presence(sides)}
    assert presence["nearly new"][:3] == ("nearly new", 1, 20)
    kinds = presence_kinds(sides, list(presence.values()))
    names = [[one.activity for one in kind] for kind in kinds]
    assert names == [["new", "nearly new"], ["gone"], [], ["fewer"]]
