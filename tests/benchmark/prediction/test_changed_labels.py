"""Planted changes of labels, against the definition of each kind in plain loops."""

import itertools
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.benchmark.tasks.prediction_data import (
    DRAWS,
    FIRST_CASES,
    KINDS,
    MAIN,
    SHARES,
    Cases,
    Change,
    Condition,
    change_labels,
    conditions,
    conditions_of,
    first_cases,
    prediction_data,
    trigram_accuracy,
)
from actalike.demo.loan_desk import loan_desk

some_traces = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), min_size=7, max_size=40).filter(
    lambda traces: set(itertools.chain(*traces[: int(0.64 * len(traces))])) & set(traces[-1])
)
some_conditions = st.builds(Condition, st.sampled_from(KINDS), st.sampled_from(SHARES), draw=st.integers(0, 2))


def cases_of(part):
    return [part.ids[start:end].tolist() for start, end in itertools.pairwise(part.offsets)]


def continuations(cases, end):
    """The events of all cases, each with what follows it."""
    return [(event, following) for case in cases for event, following in zip(case, [*case[1:], end], strict=True)]


@given(some_traces, some_conditions)
def test_a_share_of_the_activities_that_come_before_and_after_the_change_gets_new_names(traces, condition):
    data = prediction_data(EventLog.from_traces(traces))
    changed = change_labels(data, condition)
    n = len(data.vocabulary)
    drawn = set(changed.meaning[n:].tolist())
    before = {event for part in (data.training, data.validation) for event in part.ids.tolist()}
    both = before & set(data.test.ids.tolist())
    assert drawn <= both
    assert len(drawn) == max(1, round(condition.percent * len(both) / 100))
    assert changed.vocabulary[:n] == data.vocabulary
    assert len(set(changed.vocabulary)) == len(changed.vocabulary) == len(changed.meaning)


@given(some_traces, some_conditions)
def test_every_event_still_means_what_it_did_and_no_old_name_of_a_changed_activity_is_left(traces, condition):
    data = prediction_data(EventLog.from_traces(traces))
    changed = change_labels(data, condition)
    n = len(data.vocabulary)
    assert changed.meaning[:n].tolist() == list(range(n))
    assert changed.meaning[changed.test.ids].tolist() == data.test.ids.tolist()
    assert changed.test.offsets.tolist() == data.test.offsets.tolist()
    drawn = set(changed.meaning[n:].tolist())
    for old, new in zip(data.test.ids.tolist(), changed.test.ids.tolist(), strict=True):
        assert (new >= n) == (old in drawn)
    assert set(range(n, len(changed.meaning))) <= set(changed.test.ids.tolist())  # every new name is used


@given(some_traces, some_conditions)
def test_which_event_has_which_new_name_is_by_the_definition_of_the_kind(traces, condition):
    data = prediction_data(EventLog.from_traces(traces))
    changed = change_labels(data, condition)
    n = len(data.vocabulary)
    for activity in set(changed.meaning[n:].tolist()):
        names = np.flatnonzero(changed.meaning[n:] == activity) + n
        if condition.kind == "rename":
            assert len(names) == 1
        elif condition.kind == "split":
            assert len(names) <= 3
            for case in cases_of(changed.test):
                assert len(set(names.tolist()) & set(case)) <= 1
        else:
            following = Counter(after for event, after in continuations(cases_of(data.test), data.end) if event == activity)
            usual = min(after for after in following if following[after] == max(following.values()))
            pairs = zip(
                continuations(cases_of(data.test), data.end), continuations(cases_of(changed.test), data.end), strict=True
            )
            uses = {(new, after == usual) for (old, after), (new, _) in pairs if old == activity}
            assert len(uses) == len({new for new, _ in uses}) == min(2, len(following))


def test_55_30_and_15_per_cent_of_the_cases_use_the_names_of_a_split_activity():
    data = prediction_data(EventLog.from_traces([["a", "b", "a"]] * 20_000))
    changed = change_labels(data, Condition("split", 30))
    activity = changed.meaning[-1]
    assert set(changed.meaning[3:].tolist()) == {activity}
    names = Counter(event for case in cases_of(changed.test) for event in set(case) if event >= 3)
    shares = [names[name] / len(changed.test) for name in range(3, 6)]
    assert shares == pytest.approx([0.55, 0.3, 0.15], abs=0.02)


def test_no_new_name_tells_the_old_one():
    traces = loan_desk(60).traces()
    other_labels = [[f"{label[::-1]} {len(label)}" for label in trace] for trace in traces]
    data, other = (prediction_data(EventLog.from_traces(cases)) for cases in (traces, other_labels))
    for condition in conditions():
        names, of_other = (change_labels(one, condition).vocabulary[len(one.vocabulary) :] for one in (data, other))
        assert names == of_other  # nothing of the text of a label is in its new name
        assert not any(old.lower() in new.lower() for old in data.vocabulary for new in names)


def test_new_names_are_not_in_the_order_of_the_old_ones():
    activities = [f"{number:03}" for number in range(100)]
    changed = change_labels(prediction_data(EventLog.from_traces([activities] * 10)), Condition("rename", 50))
    names = changed.vocabulary[101:]
    pairs = list(itertools.combinations(names, 2))
    assert len(names) == 50
    assert 0.35 < sum(first < second for first, second in pairs) / len(pairs) < 0.65


OTHER_PROCESS = """
from actalike.benchmark.tasks.prediction_data import conditions, change_labels
from actalike.benchmark.tasks.prediction_data import prediction_data
from actalike.demo.loan_desk import loan_desk
data = prediction_data(loan_desk(60))
print([(changed.vocabulary, changed.test.ids.tolist()) for changed in (change_labels(data, one) for one in conditions())])
"""


def test_every_run_plants_the_same_changes():
    data = prediction_data(loan_desk(60))
    own = [(changed.vocabulary, changed.test.ids.tolist()) for changed in (change_labels(data, one) for one in conditions())]
    environment = os.environ | {"PYTHONHASHSEED": "5", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", OTHER_PROCESS], capture_output=True, check=True, env=environment)
    assert done.stdout.decode("utf-8").strip() == str(own)


def test_the_main_condition_draws_other_activities_each_time():
    data = prediction_data(loan_desk(60))
    drawn = {tuple(change_labels(data, MAIN._replace(draw=draw)).meaning[len(data.vocabulary) :]) for draw in range(DRAWS)}
    assert len(drawn) == DRAWS
    assert {condition.draw for condition in conditions() if condition.name == MAIN.name} == set(range(DRAWS))
    assert len(set(conditions())) == len(conditions())
    assert {condition.kind for condition in conditions()} == set(KINDS)


@given(some_traces, st.one_of(st.none(), st.integers(1, 50)), st.booleans())
def test_first_cases_are_the_first(traces, first, timed):
    data = prediction_data(EventLog.from_traces(traces))
    ids, offsets, _ = data.test
    cases = Cases(ids, offsets, np.arange(len(ids), dtype=float) if timed else None)
    found = first_cases(cases, first)
    assert cases_of(found) == cases_of(cases)[:first]
    assert (found.seconds is None) == (not timed)
    assert found.seconds is None or found.seconds.tolist() == list(range(len(found.ids)))


def test_first_cases_are_counted_by_those_with_events():
    cases = Cases(np.arange(3, dtype=np.int32), np.array([0, 0, 0, 1, 1, 2, 3]), None)
    assert cases_of(first_cases(cases, 2)) == [[], [], [0], [], [1]]


def most_frequent(labels):
    """The label that is there most often, of several the one with the smallest id; None if there is no label."""
    return min(labels, key=lambda label: (-labels.count(label), label)) if labels else None


@given(some_traces, st.sampled_from(["rename", "split"]), st.integers(1, 6))
def test_a_trigram_knows_the_first_new_cases_alone_and_is_judged_on_the_others_by_the_old_names(traces, kind, first):
    data = prediction_data(EventLog.from_traces(traces))
    condition = Condition(kind, 50, min(first, len(data.test) - 1))
    changed = change_labels(data, condition)
    cases = [[data.end, *case, data.end] for case in cases_of(changed.test)]
    seen = [case[i : i + 3] for case in cases[: condition.first] for i in range(len(case) - 2)]
    hits = []
    for case in cases[condition.first :]:
        for i in range(len(case) - 2):
            two_back, last, following = case[i : i + 3]
            found = most_frequent([third for one, two, third in seen if (one, two) == (two_back, last)])
            if found is None:
                found = most_frequent([third for _, two, third in seen if two == last])
            if found is None:
                found = most_frequent([third for _, _, third in seen])
            hits.append(changed.meaning[found] == changed.meaning[following])
    assert trigram_accuracy(Change(condition, changed, None, None), data.end) == pytest.approx(np.mean(hits))
    assert trigram_accuracy(Change(condition._replace(first=None), changed, None, None), data.end) is None


@pytest.mark.parametrize("cases", [19, 20, 99, 100, 399, 400])
@pytest.mark.parametrize("empty", [0, 30])
def test_first_cases_are_known_only_if_as_many_again_can_be_judged(cases, empty):
    data = prediction_data(EventLog.from_traces([["a", "b"]] * 10))
    offsets = np.concatenate([np.arange(cases + 1), np.full(empty, cases)])
    test = Cases(np.zeros(cases, dtype=np.int32), offsets, None)
    found = list(conditions_of(replace(data, test=test)))
    expected = {first for first in FIRST_CASES if cases - first >= first}
    for kind in ("rename", "split"):
        assert {one.first for one in found if one.kind == kind} == {None, *expected}
    assert [one for one in found if one.first is None] == [one for one in conditions() if one.first is None]
