import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes
from actalike.benchmark.anomalies.edits import NEW
from actalike.benchmark.anomalies.planting import plant
from actalike.benchmark.anomalies.tasks import BPAD, TASKS
from actalike.benchmark.logs import find_logs
from actalike.oddities import KINDS
from tests.helpers.examples import examples
from tests.helpers.strategies import logs_with_attributes


def rows_by_case(log):
    """Each case as a list of events, each the tuple of its activity and its attributes."""
    columns = [[log.activities[code] for code in log.codes], *(attribute.texts() for attribute in log.attributes.values())]
    rows = list(zip(*columns, strict=True))
    bounds = log.offsets.tolist()
    return [rows[start:end] for start, end in itertools.pairwise(bounds)]


@examples(40)
@given(log=logs_with_attributes(), task=st.sampled_from(sorted(TASKS)), seed=st.integers(0, 5))
def test_a_copy_differs_from_its_log_as_its_edits_say(log, task, seed):
    planted = plant(log, "any", task, seed)
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
        assert hidden == (kind not in ("attribute", "foreign") and flow in clean)
        if task not in BPAD:
            assert new != old
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
    assert set(counts) == set(KINDS) - {"attribute"}  # which cannot be planted here, so these cases stay normal
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


def test_a_lower_rate_changes_some_of_the_same_cases(order_log):
    few, many = plant(order_log, "orders", "known", rate=0.02), plant(order_log, "orders", "known")
    assert len(few.anomalies) == 4
    assert all(anomaly in many.anomalies for anomaly in few.anomalies)


@pytest.mark.parametrize(("name", "share", "hidden"), [("BPIC13_open_problems", 0.16, 0.30), ("Env_Permit", 0.24, 0.06)])
def test_real_copies_have_the_known_shares(log_file, name, share, hidden):
    """Mean over the nine rates of anomalous cases, and of changed sequences that are a variant of the clean log."""
    log = read_with_attributes(find_logs([log_file(name)], lambda entry: True), name)
    copies = [plant(log, name, task) for task in BPAD]
    flow = [anomaly for copy in copies for anomaly in copy.anomalies if anomaly.kind != "attribute"]
    assert np.mean([copy.planted_cases.mean() for copy in copies]) == pytest.approx(share, abs=0.015)
    assert np.mean([anomaly.hidden for anomaly in flow]) == pytest.approx(hidden, abs=0.05)
