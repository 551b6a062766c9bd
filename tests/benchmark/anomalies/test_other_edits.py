import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.anomalies.case_draws import CaseDraws
from actalike.benchmark.anomalies.edits import NEW
from actalike.benchmark.anomalies.other_edits import cut_case, insert_block, insert_real_events, replace_label, swap_events
from tests.helpers.naive_anomalies import naive_other_edit

seeds = st.integers(0, 2**64 - 1)


def real_event(draws):
    return [draws.below(5), 7]


@pytest.mark.parametrize(("kind", "edit_of"), [("swapped", swap_events), ("cut", cut_case)])
@given(length=st.integers(3, 12), seed=seeds)
def test_cases_are_swapped_and_cut_as_defined(kind, edit_of, length, seed):
    edit = edit_of(length, CaseDraws(seed))
    case, marked = naive_other_edit(kind, range(length), CaseDraws(seed))
    assert edit.sources == case
    assert edit.marked == [(position, 0) for position in sorted(marked)]
    assert set(edit.skipped) == set(range(length)) - set(case)
    if kind == "swapped":
        assert edit.marked[1][0] - edit.marked[0][0] >= 2
    else:
        assert 1 <= len(case) <= length / 2


@pytest.mark.parametrize(("kind", "edit_of"), [("plausible", insert_real_events), ("block", insert_block)])
@given(length=st.integers(2, 12), seed=seeds)
def test_real_events_are_inserted_as_defined(kind, edit_of, length, seed):
    edit = edit_of(length, CaseDraws(seed), real_event)
    case, marked = naive_other_edit(kind, range(length), CaseDraws(seed), lambda draws: tuple(real_event(draws)))
    assert [NEW if isinstance(event, tuple) else event for event in case] == edit.sources
    assert {(at, column): value for at in marked for column, value in enumerate(case[at])} == edit.values
    assert set(edit.marked) == set(edit.values)
    assert edit.sources[-1] == length - 1


@given(length=st.integers(1, 12), seed=seeds)
def test_one_label_is_replaced(length, seed):
    edit = replace_label(length, CaseDraws(seed), lambda at, draws: 100 + at)
    ((position, column),) = edit.marked
    assert (edit.sources, edit.values, column) == (list(range(length)), {(position, 0): 100 + position}, 0)


def test_without_another_label_none_is_replaced():
    assert replace_label(3, CaseDraws(1), lambda at, draws: None) is None
