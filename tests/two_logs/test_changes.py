"""Which changes are found: their size, chance, labels that came, went or were replaced, and changes that follow from others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, drift, read_log
from actalike.two_logs.changes import (
    FIRST_SHUFFLES,
    LEVEL,
    OFFSETS,
    NeighbourTable,
    Null,
    all_activities,
    discoveries,
    find_causes,
    find_replaced,
    label_presence,
    presence_kinds,
    presence_p,
    shuffle_further,
)
from tests.helpers import naive_drift
from tests.helpers.examples import examples
from tests.helpers.naive_drift import fisher
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces


def neighbours_of(before, after):
    return dict(NeighbourTable(before.variants, after.variants).by_activity())


def changes(before, after):
    return {label: one.change for label, one in neighbours_of(before, after).items()}


@examples(25)
@given(traces(), traces())
def test_the_change_is_that_of_the_definition(before, after):
    logs = EventLog.from_traces(before), EventLog.from_traces(after)
    found = changes(*logs)
    assert set(found) == set(logs[0].activities) & set(logs[1].activities)
    for label, change in found.items():
        assert change == pytest.approx(max(naive_drift.change(before, after, label), 0), abs=1e-12)


@examples(15)
@given(traces(), traces())
def test_each_neighbour_has_its_exact_part_of_the_change(before, after):
    logs = EventLog.from_traces(before), EventLog.from_traces(after)
    symbols = [*all_activities(*(log.variants for log in logs)), None]
    for label, neighbours in neighbours_of(*logs).items():
        definition = naive_drift.parts(before, after, label)
        first, second, parts = neighbours.parts()
        for i, part in enumerate(parts):
            offset, neighbour = OFFSETS[neighbours.offset[i]], symbols[neighbours.neighbour[i]]
            assert part == pytest.approx(definition.pop((offset, neighbour)), abs=1e-12)
            for side, share in ((before, first[i]), (after, second[i])):
                counts = naive_drift.shares(side, offset, label)
                assert share == pytest.approx(counts[neighbour] / counts.total())
        unseen = sum(definition.values())  # by pseudo-events alone
        change = neighbours.change
        assert parts.sum() + unseen == pytest.approx(change, abs=1e-12)


def test_cases_that_use_an_activity_in_the_same_way_are_counted_together():
    log = EventLog.from_traces([["a", "b", "x"], ["y", "q", "a", "b", "x"], ["a", "b", "x"]])
    neighbours = neighbours_of(log, log)["x"]
    assert (neighbours.before.tolist(), neighbours.after.tolist(), neighbours.events.tolist()) == ([3], [3], [1])


@pytest.mark.parametrize("name", ["CCC19", "Helpdesk"])
def test_real_logs_change_as_the_definition_says(name):
    log = read_log(need_logs() / f"{name}.xes.gz")
    cases = log.traces()[:120]
    before, after = cases[: len(cases) // 3], cases[len(cases) // 3 :]
    found = changes(EventLog.from_traces(before), EventLog.from_traces(after))
    for label in sorted(found)[:: max(len(found) // 4, 1)]:
        assert found[label] == pytest.approx(naive_drift.change(before, after, label), abs=1e-12)


BEFORE = [["x", "a", "y"]] * 3 + [["x", "a", "z"], ["x", "y"]]
AFTER = [["x", "a", "z"]] * 3 + [["a", "x", "y"], ["z", "x"]]


def null_of(label, before, after, seed=0):
    neighbours = neighbours_of(EventLog.from_traces(before), EventLog.from_traces(after))[label]
    return Null(neighbours, np.random.default_rng(seed))


@pytest.mark.parametrize("label", ["a", "x", "y"])
def test_p_is_the_share_of_all_ways_to_divide_the_cases_with_the_activity(label):
    null = null_of(label, BEFORE, AFTER)
    null.shuffle(4000)
    assert null.p == pytest.approx(naive_drift.exact_p(BEFORE, AFTER, label), abs=0.03)


@pytest.mark.parametrize("copies", [1, 50])
def test_shuffling_keeps_how_many_cases_are_before(copies):
    null = null_of("a", BEFORE * copies, AFTER * copies)  # few cases are shuffled one by one, many by profile
    drawn = null._draw(100)
    assert (drawn.sum(axis=1) == null.neighbours.before.sum()).all()
    assert (drawn <= null.neighbours.before + null.neighbours.after).all()
    assert len(np.unique(drawn, axis=0)) > 5


def test_shuffling_in_pieces_gives_the_same_p(monkeypatch):
    whole, pieces = null_of("a", BEFORE, AFTER), null_of("a", BEFORE, AFTER)
    whole.shuffle(500)
    monkeypatch.setattr("actalike.two_logs.changes._CELLS_AT_A_TIME", 200)
    pieces.shuffle(500)
    assert (pieces.shuffles, pieces.p) == (500, pytest.approx(whole.p, abs=0.06))
    assert pieces.by_chance == pytest.approx(whole.by_chance, abs=0.05)


def test_only_what_is_left_open_is_shuffled_further():
    changed = null_of("a", [["x", "a"]] * 30, [["y", "a"]] * 30)
    same = null_of("x", [["x", "a"], ["x", "b"]] * 30, [["x", "a"], ["x", "b"]] * 30)
    for null in (changed, same):
        null.shuffle(FIRST_SHUFFLES)
    shuffle_further([changed, same], 100)
    assert (same.shuffles, same.p) == (FIRST_SHUFFLES, 1.0)
    assert (changed.shuffles, changed.reached) == (8000, 0)
    assert changed.p < 0.05 / 100
    assert changed.by_chance < changed.change


def test_p_is_not_too_small_if_nothing_changed():
    """Of 150 divisions of the same cases by chance, about 5 % have a p below 0.05, also where p is refined."""
    rng = np.random.default_rng(5)
    kinds = [["x", "a", "y"], ["x", "a", "z"], ["a", "x"], ["w", "a"]]
    p = []
    for seed in range(150):
        cases = [kinds[i] for i in rng.integers(4, size=40)]
        null = null_of("a", cases[:15], cases[15:], seed)
        null.shuffle(FIRST_SHUFFLES)
        shuffle_further([null], 20)
        p.append(null.p)
    assert [np.mean(np.array(p) <= level) for level in (0.01, 0.05, 0.2)] == pytest.approx([0.01, 0.05, 0.2], abs=0.05)
    assert np.mean(np.array(p) <= 0.01) <= 0.03


@examples(30)
@given(st.lists(st.floats(0, 0.1), max_size=12))
def test_discoveries_are_those_of_benjamini_and_hochberg(p):
    assert discoveries(np.array(p)).tolist() == naive_drift.benjamini_hochberg(p, LEVEL)


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
    sides = before.variants, after.variants
    presence = {one.activity: one for one in label_presence(*sides)}
    assert presence["nearly new"][:3] == ("nearly new", 1, 20)
    kinds = presence_kinds(list(presence.values()), before.n_cases, after.n_cases)
    names = [[one.activity for one in kind] for kind in kinds]
    assert names == [["new", "nearly new"], ["gone"], [], ["fewer"]]


def replaced(before, after):
    sides = EventLog.from_traces(before).variants, EventLog.from_traces(after).variants
    return find_replaced(*sides, [one for one in label_presence(*sides) if one.p < 1e-4])


def cases(names, seed):
    """Cases of a process with two branches, in which steps have the given names."""
    rng = np.random.default_rng(seed)
    return [["start", *(["check", names[0], "sign"] if rng.random() < 0.5 else ["ask", names[1]]), "end"] for _ in range(120)]


def test_labels_are_replaced_by_those_in_their_place():
    pairs = [one[:2] for one in replaced(cases(["pay", "call"], 1), cases(["1", "2"], 2))]
    assert sorted(pairs) == [("call", "2"), ("pay", "1")]


def test_a_late_event_of_the_old_label_does_not_matter():
    after = [*cases(["1", "call"], 2), ["start", "check", "pay", "sign", "end"]]
    assert [one[:2] for one in replaced(cases(["pay", "call"], 1), after)] == [("pay", "1")]


def test_nothing_is_replaced_if_labels_only_came_or_only_went():
    assert replaced(cases(["pay", "call"], 1), [[*case, "new"] for case in cases(["pay", "call"], 2)]) == []
    assert replaced([[*case, "old"] for case in cases(["pay", "call"], 1)], cases(["pay", "call"], 2)) == []


def test_a_new_label_in_another_place_replaces_nothing():
    before = [["order", "check", "pay"]] * 60 + [["order", "pay"]] * 60
    assert replaced(before, [["order", "pay"]] * 60 + [["order", "new", "order", "pay"]] * 60) == []


def causes_of(before, after, changed, causes, seed):
    return find_causes(NeighbourTable(before.variants, after.variants), changed, causes, seed)


def logs(before, after):
    return tuple(EventLog.from_traces([case for case, n in side for _ in range(n)]) for side in (before, after))


def test_more_cases_of_one_kind_explain_what_changes_beside_it():
    sides = logs(
        [(["b", "a", "c"], 30), (["b", "c"], 60), (["c", "b"], 30)], [(["b", "a", "c"], 90), (["b", "c"], 50), (["c", "b"], 25)]
    )
    assert causes_of(*sides, ["b", "c"], ["a"], seed=1) == {"b": "a", "c": "a"}
    result = drift(*sides)
    assert [(one.activity, one.because_of) for one in result.changed] == [("b", "a"), ("c", "a")]
    assert [one.activity for one in result.more_often] == ["a"]


def test_a_change_within_the_cases_with_and_without_a_label_is_not_explained_by_it():
    sides = logs([(["b", "a", "c"], 30), (["b", "c"], 90)], [(["b", "a", "c"], 90), (["c", "b"], 30)])
    assert causes_of(*sides, ["b", "c"], ["a"], seed=1) == {}
    assert [one.because_of for one in drift(*sides).changed] == [None, None]


def test_the_label_that_explains_most_is_named_and_none_explains_itself():
    sides = logs(
        [(["b", "a"], 20), (["b", "c"], 60), (["c", "b", "x"], 20)], [(["b", "a"], 70), (["b", "c"], 30), (["c", "b", "x"], 10)]
    )
    assert causes_of(*sides, ["b"], ["x", "a"], seed=1) == {"b": "a"}
    assert causes_of(*sides, ["a"], ["a"], seed=1) == {}


def test_a_label_that_is_on_one_side_only_explains_nothing():
    """If cases with it were never before, nothing can be shuffled, and any change would seem to follow from it."""
    sides = logs([(["b", "c"], 60), (["c", "b"], 60)], [(["b", "a", "c"], 60), (["b", "c"], 60)])
    assert causes_of(*sides, ["b", "c"], ["a"], seed=1) == {}
    assert {one.because_of for one in drift(*sides).changed} == {None}


def test_a_new_label_takes_the_place_of_an_old_one_however_much_more_often_it_is_used():
    before = EventLog.from_traces([["order", "check", "pay", "send"]] * 30 + [["order", "pay", "send"]] * 90)
    after = EventLog.from_traces([["order", "control", "pay", "send"]] * 115 + [["order", "pay", "send"]] * 5)
    found = drift(before, after)
    assert [(one.old, one.new) for one in found.replaced] == [("check", "control")]
    assert found.replaced[0].shared > 0.95


def test_a_label_in_another_place_replaces_nothing():
    before = EventLog.from_traces([["order", "check", "pay", "send", "close"]] * 60)
    after = EventLog.from_traces([["order", "pay", "send", "remind", "close"]] * 60)
    assert drift(before, after).replaced == []


def test_what_only_follows_from_a_new_step_names_it():
    before = EventLog.from_traces([["order", "pick", "pay", "send"]] * 100)
    after = EventLog.from_traces([["order", "pick", "pack", "pay", "send"]] * 100)
    found = drift(before, after)
    assert {one.activity: one.because_of for one in found.changed} == dict.fromkeys(("order", "pick", "pay", "send"), "pack")
