import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.anomalies.case_draws import CaseDraws
from actalike.benchmark.anomalies.edits import (
    NEW,
    insert_events,
    move_early,
    move_late,
    repeat_events,
    replace_values,
    skip_events,
)
from tests.helpers.naive_anomalies import naive_edit

MOVES = {"skipped": skip_events, "repeated": repeat_events, "early": move_early, "late": move_late}
seeds = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("kind", MOVES)
@given(length=st.integers(3, 12), seed=seeds)
def test_events_are_skipped_repeated_and_moved_as_defined(kind, length, seed):
    edit = MOVES[kind](length, CaseDraws(seed))
    case, marked = naive_edit(kind, range(length), CaseDraws(seed))
    assert edit.sources == case
    assert edit.marked == [(position, 0) for position, _ in edit.marked]
    assert {position for position, _ in edit.marked} == marked
    if kind != "repeated":
        assert edit.sources[-1] == length - 1  # the last event is neither skipped nor moved
    if kind == "skipped":
        assert set(edit.skipped) == set(range(length)) - set(case)
    if edit.belongs is not None:  # what was moved stood between the event before that place and the one that is there
        moved = [edit.sources[position] for position in marked if position != edit.belongs]
        assert edit.sources[edit.belongs] == max(moved) + 1


@given(length=st.integers(2, 12), seed=seeds)
def test_events_are_inserted_as_defined_with_values_of_their_own(length, seed):
    edit = insert_events(length, CaseDraws(seed), lambda column, draws: column + draws.below(3), n_columns=3)
    case, marked = naive_edit("inserted", range(length), CaseDraws(seed), lambda: NEW)
    assert edit.sources == case
    assert {position for position, _ in edit.marked} == marked
    assert set(edit.values) == set(edit.marked) == {(position, column) for position in marked for column in range(3)}


@given(length=st.integers(1, 9), n_attributes=st.integers(1, 4), seed=seeds)
def test_some_values_of_some_events_are_replaced(length, n_attributes, seed):
    edit = replace_values(length, CaseDraws(seed), lambda at, column, draws: 10 * at + column, n_attributes + 1)
    assert edit.sources == list(range(length))
    positions = [position for position, _ in edit.marked]
    assert 1 <= len(set(positions)) <= min(length, 3)
    assert all(1 <= positions.count(position) <= min(n_attributes, 2) for position in positions)
    assert all(value == 10 * at + column and column >= 1 for (at, column), value in edit.values.items())


def test_without_another_value_nothing_is_replaced():
    assert replace_values(3, CaseDraws(1), lambda at, column, draws: None, 2) is None
