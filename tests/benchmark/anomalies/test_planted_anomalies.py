"""What is planted into a copy of a log, and where."""

import itertools
import math
from collections import Counter
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.benchmark.logs import find_logs
from actalike.benchmark.participants import find_tasks
from actalike.benchmark.seeded_generator import CaseDraws
from actalike.benchmark.tasks.anomaly_logs import read_with_attributes
from actalike.benchmark.tasks.planted_anomalies import (
    BPAD,
    NEW,
    SIX,
    TASKS,
    TIMES,
    PlantingValues,
    change_wait,
    copy_far,
    cut_case,
    double_event,
    insert_block,
    insert_events,
    insert_real_events,
    move_early,
    move_far,
    move_late,
    plant,
    repeat_events,
    replace_label,
    replace_values,
    reverse_run,
    skip_events,
    skip_many,
    swap_events,
    takes_place,
)
from actalike.errors import ActalikeError
from tests.helpers.examples import examples
from tests.helpers.naive_anomalies import naive_edit, naive_other_edit, naive_waits_after
from tests.helpers.strategies import logs_with_attributes


def test_tasks_are_the_rates_of_bpad_and_each_kind_with_known_labels():
    assert [TASKS[name].rate for name in find_tasks(TASKS, ["bpad-*"])] == [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45]
    slips = ["skipped", "inserted", "repeated", "early", "late", "attribute", "foreign"]
    others = ["plausible", "swapped", "replaced", "cut", "block", "copied", "moved", "reversed", "gap"]
    assert find_tasks(TASKS, ["known-*"]) == [f"known-{kind}" for kind in (*slips, *others)]
    assert all(TASKS[name].rate == 0.1 for name in find_tasks(TASKS, ["known*"]))
    assert all(takes_place(name, True, True) for name in find_tasks(TASKS, None))
    assert not takes_place("known-foreign", False, True)
    assert not takes_place("timed-fast", True, False)


def test_an_unknown_task_is_refused():
    with pytest.raises(ActalikeError, match="bpad-50"):
        find_tasks(TASKS, ["bpad-50"])


def rows_by_case(log):
    """Each case as a list of events, each the tuple of its activity and its attributes."""
    columns = [[log.activities[code] for code in log.codes], *(attribute.texts() for attribute in log.attributes.values())]
    rows = list(zip(*columns, strict=True))
    bounds = log.offsets.tolist()
    return [rows[start:end] for start, end in itertools.pairwise(bounds)]


@st.composite
def timed_logs(draw):
    """Logs with attributes and times, some of them equal, none before the one before it in its case."""
    log = draw(logs_with_attributes())
    waits = draw(st.lists(st.sampled_from([0, 59, 61, 10**6]), min_size=log.n_events, max_size=log.n_events))
    times = np.cumsum(waits) * np.timedelta64(1, "s") + np.datetime64("2024-01-01T00:00:00.000000")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times, attributes=log.attributes)


def times_after(log, anomalies):
    times = []
    for number, (start, end) in enumerate(itertools.pairwise(log.offsets.tolist())):
        of_case = log.timestamps[start:end].tolist()
        if number in anomalies:
            edit = anomalies[number].edit
            of_case = [of_case[source] for source in edit.sources]
            if edit.delay:
                at, seconds = edit.delay
                of_case[at:] = [time + timedelta(microseconds=round(seconds * 10**6)) for time in of_case[at:]]
                assert of_case == sorted(of_case)
        times += of_case
    return times


@examples(60)
@given(log=timed_logs(), task=st.sampled_from(sorted(TASKS)), seed=st.integers(0, 5))
def test_a_copy_differs_from_its_log_as_its_edits_say(log, task, seed):
    planted = plant(log, "any", task, seed)
    if planted.reference is not None:
        assert sorted([*planted.clean.case_ids, *planted.reference.case_ids]) == sorted(log.case_ids)
        log = planted.clean
    before, after = rows_by_case(log), rows_by_case(planted.log)
    expected_cells = [np.zeros((len(case), 1 + len(log.attributes)), dtype=bool) for case in after]
    anomalies = {anomaly.case: anomaly for anomaly in planted.anomalies}
    assert list(planted.log.attributes) == list(log.attributes)
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if number not in anomalies:
            assert new == old
            continue
        _, kind, edit, hidden = anomalies[number]
        assert len(new) == len(edit.sources)
        for position, source in enumerate(edit.sources):
            for column, value in enumerate(new[position]):
                assert (position, column) in edit.values or (source != NEW and value == old[source][column])
        for cell in edit.marked:
            expected_cells[number][cell] = True
        flow, clean = [row[0] for row in new], [[row[0] for row in case] for case in before]
        assert hidden == (kind not in ("attribute", "foreign", "slow", "fast") and flow in clean)
        if task not in BPAD and edit.delay is None:
            assert new != old
    if task in TIMES:
        assert planted.log.timestamps.tolist() == times_after(log, anomalies)
    else:
        assert planted.log.timestamps is None
    assert np.array_equal(planted.cells, np.concatenate(expected_cells))
    assert np.flatnonzero(planted.planted_cases).tolist() == sorted(anomalies)


def test_the_same_names_give_the_same_copy_and_others_another_one(order_log):
    one, same = (plant(order_log, "orders", "bpad-20", 1) for _ in range(2))
    assert one.log == same.log
    assert one.anomalies == same.anomalies
    assert plant(order_log, "orders", "bpad-20", 2).log != one.log != plant(order_log, "other", "bpad-20", 1).log


def test_kinds_are_equally_frequent_and_the_rate_is_kept():
    log = EventLog.from_traces([["a", "b", "c", "d", "e", "f"]] * 6000)
    planted = plant(log, "six", "bpad-30")
    counts = Counter(anomaly.kind for anomaly in planted.anomalies)
    assert set(counts) == set(SIX) - {"attribute"}  # which cannot be planted here, so these cases stay normal
    assert all(240 < n < 360 for n in counts.values())
    sizes = Counter(len(anomaly.edit.skipped) for anomaly in planted.anomalies if anomaly.kind == "skipped")
    assert 0.4 < sizes[1] / (sizes[1] + sizes[2]) < 0.6
    known = plant(log, "six", "known")
    assert len(known.anomalies) == 600
    assert all(90 < n < 150 for n in Counter(anomaly.kind for anomaly in known.anomalies).values())


def test_published_insertions_have_names_of_their_own_and_known_ones_do_not(order_log):
    published, known = plant(order_log, "orders", "bpad-45"), plant(order_log, "orders", "known-inserted")
    made_up = [label for label in published.log.activities if label.startswith("Random activity ")]
    assert made_up
    assert any(value.startswith("Random user ") for value in published.log.attributes["user"].values)
    assert known.log.activities == order_log.activities
    assert len(known.anomalies) == 20


def test_foreign_values_are_those_that_the_activity_never_has(order_log):
    planted = plant(order_log, "orders", "known-foreign")
    usual = {row for case in rows_by_case(order_log) for row in case}
    rows = [row for case in rows_by_case(planted.log) for row in case]
    assert {row in usual for row, cell in zip(rows, planted.cells[:, 1], strict=True) if cell} == {False}


@pytest.mark.parametrize("task", ["known-plausible", "known-block"])
def test_plausible_events_have_the_values_of_a_real_event_and_all_labels(order_log, task):
    planted = plant(order_log, "orders", task)
    usual = {row for case in rows_by_case(order_log) for row in case}
    rows = [row for case in rows_by_case(planted.log) for row in case]
    new = [row for row, cells in zip(rows, planted.cells, strict=True) if cells.any()]
    assert set(new) <= usual
    assert {label for label, _ in new} == set(order_log.activities)
    assert planted.cells.all(axis=1).sum() == len(new)
    assert len(planted.anomalies) == 20


def test_a_replaced_label_is_another_one_and_its_values_stay(order_log):
    planted = plant(order_log, "orders", "known-replaced")
    before, after = rows_by_case(order_log), rows_by_case(planted.log)
    for case, _, edit, _ in planted.anomalies:
        changed = [at for at, (old, new) in enumerate(zip(before[case], after[case], strict=True)) if old != new]
        assert [(at, 0) for at in changed] == edit.marked
        assert before[case][changed[0]][1:] == after[case][changed[0]][1:]


@pytest.mark.parametrize(("name", "share", "hidden"), [("BPIC13_open_problems", 0.16, 0.30), ("Env_Permit", 0.24, 0.06)])
def test_real_copies_have_the_known_shares(log_file, name, share, hidden):
    """Mean over the nine rates of anomalous cases, and of changed sequences that are a variant of the clean log."""
    log = read_with_attributes(find_logs([log_file(name)], lambda entry: True), name)
    copies = [plant(log, name, task) for task in BPAD]
    flow = [anomaly for copy in copies for anomaly in copy.anomalies if anomaly.kind != "attribute"]
    assert np.mean([copy.planted_cases.mean() for copy in copies]) == pytest.approx(share, abs=0.015)
    assert np.mean([anomaly.hidden for anomaly in flow]) == pytest.approx(hidden, abs=0.05)


@pytest.mark.parametrize(
    ("kind", "shortest"),
    [
        ("skipped", 3),
        ("repeated", 2),
        ("early", 3),
        ("late", 3),
        ("inserted", 2),
        ("attribute", 1),
        ("foreign", 1),
        ("plausible", 2),
        ("swapped", 3),
        ("replaced", 1),
        ("cut", 2),
        ("block", 2),
        ("copied", 3),
        ("moved", 3),
        ("reversed", 3),
        ("gap", 5),
        ("slow", 2),
        ("fast", 2),
        ("doubled", 1),
    ],
)
def test_a_kind_applies_from_a_length_on(order_log, kind, shortest):
    values = PlantingValues(order_log, as_published=True)
    assert [values.applies(kind, length) for length in range(1, 6)] == [length >= shortest for length in range(1, 6)]


def test_without_attributes_no_value_is_odd():
    values = PlantingValues(EventLog.from_traces([["a", "b"]]), as_published=True)
    assert not values.applies("attribute", 2)
    assert values.names == [["a", "b", "Random activity 1"]]


def test_a_new_value_differs_from_the_old_one_if_labels_are_known(order_log):
    values = PlantingValues(order_log, as_published=False)
    edits = [values.draw_edit("attribute", 0, CaseDraws(seed)) for seed in range(100)]
    old = values.columns[1]
    assert all(code != old[position] for edit in edits for (position, _), code in edit.values.items())
    published = PlantingValues(order_log, as_published=True)
    edits = [published.draw_edit("attribute", 0, CaseDraws(seed)) for seed in range(100)]
    assert any(code == old[position] for edit in edits for (position, _), code in edit.values.items())


def test_a_single_value_cannot_be_replaced_by_another(order_log):
    only = order_log.attributes["user"]._replace(values=["Sue"], codes=order_log.attributes["user"].codes * 0)
    log = EventLog(order_log.activities, order_log.codes, order_log.offsets, order_log.case_ids, attributes={"user": only})
    assert PlantingValues(log, as_published=False).draw_edit("attribute", 0, CaseDraws(1)) is None
    assert PlantingValues(log, as_published=False).draw_edit("foreign", 0, CaseDraws(1)) is None


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


def real_event(draws):
    return [draws.below(5), 7]


REARRANGED = {
    "swapped": swap_events,
    "cut": cut_case,
    "copied": copy_far,
    "moved": move_far,
    "reversed": reverse_run,
    "gap": skip_many,
    "doubled": double_event,
}


@pytest.mark.parametrize("kind", REARRANGED)
@given(length=st.integers(5, 14), seed=seeds)
def test_cases_are_rearranged_as_defined(kind, length, seed):
    edit = REARRANGED[kind](length, CaseDraws(seed))
    case, marked = naive_other_edit(kind, range(length), CaseDraws(seed))
    assert edit.sources == case
    assert edit.marked == [(position, 0) for position in sorted(marked)]
    assert set(edit.skipped) == set(range(length)) - set(case)


@given(length=st.integers(3, 14), seed=seeds)
def test_copied_and_moved_events_go_at_least_half_the_case_away(length, seed):
    copied, moved = (edit_of(length, CaseDraws(seed)) for edit_of in (copy_far, move_far))
    ((place, _),) = copied.marked
    assert {copied.sources[place]} == {source for source in copied.sources if copied.sources.count(source) == 2}
    places = [at for at, source in enumerate(copied.sources) if source == copied.sources[place]]
    assert places[1] - places[0] > length / 2
    assert max(abs(at - source) for at, source in enumerate(moved.sources)) >= length / 2


@given(length=st.integers(5, 14), seed=seeds)
def test_a_gap_leaves_the_ends_and_at_least_half_the_case(length, seed):
    edit = skip_many(length, CaseDraws(seed))
    assert (edit.sources[0], edit.sources[-1]) == (0, length - 1)
    assert 3 <= len(edit.skipped) <= max(length / 2, 3)


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


waits = st.sampled_from([math.nan, -5.0, 0.0, 59.0, 60.0, 10.0**4, 10.0**9])


@given(case=st.lists(st.tuples(waits, waits), min_size=1, max_size=6), is_slow=st.booleans(), seed=seeds)
def test_one_wait_becomes_too_long_or_too_short_as_defined(case, is_slow, seed):
    now, usual = (list(column) for column in zip(*case, strict=True))
    usual = [median if wait >= 0 else math.nan for wait, median in zip(now, map(abs, usual), strict=True)]
    edit = change_wait(np.array(now), np.array(usual), is_slow, CaseDraws(seed))
    expected = naive_waits_after("slow" if is_slow else "fast", now, usual, CaseDraws(seed))
    if expected is None:
        assert edit is None
        return
    changed, at = expected
    assert edit.marked == [(at, 0)]
    assert edit.delay == (at, pytest.approx(changed[at] - now[at]))


def test_a_clean_copy_is_the_log(order_log):
    planted = plant(order_log, "orders", "clean")
    assert planted.log.traces() == order_log.traces()
    assert not planted.planted_cases.any()


def test_a_reference_is_a_random_half_without_anything_planted(order_log):
    one, other = plant(order_log, "orders", "reference", 0), plant(order_log, "orders", "reference", 1)
    assert one.reference.traces() != other.reference.traces()
    assert 70 < one.reference.n_cases < 130
    assert len(one.anomalies) == round(0.1 * one.log.n_cases)
