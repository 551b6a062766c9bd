"""The tasks of each setting: what is learned from, what is tested on, what vectors are counted on."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.benchmark.tasks.prediction_data import (
    MAIN,
    PERCENTS,
    SETTINGS,
    change_labels,
    few_cases,
    prediction_data,
    task_data,
    task_names,
)
from actalike.demo.loan_desk import loan_desk

PARTS = ("training", "validation")


def cases_of(part):
    return [part.ids[start:end].tolist() for start, end in itertools.pairwise(part.offsets)]


def numbered(lengths):
    """Data whose cases can be told apart: no activity is in two of them; some cases have no events."""
    return prediction_data(EventLog.from_traces([[f"{case} {place}" for place in range(n)] for case, n in enumerate(lengths)]))


some_lengths = st.lists(st.integers(0, 2), min_size=12, max_size=150).filter(
    lambda lengths: (
        all(part for part in (any(lengths[: int(0.64 * len(lengths))]), any(lengths[-2:])))
        and any(lengths[int(0.64 * len(lengths)) : int(0.64 * len(lengths)) + int(0.16 * len(lengths))])
    )
)


@given(some_lengths, st.sampled_from(PERCENTS))
def test_few_cases_are_evenly_spaced_and_at_least_two(lengths, percent):
    data = numbered(lengths)
    few = few_cases(data, percent)
    for name in PARTS:
        filled = [case for case in cases_of(getattr(data, name)) if case]
        kept = [filled.index(case) for case in cases_of(getattr(few, name))]
        assert len(kept) == min(len(filled), max(2, round(percent * len(filled) / 100)))
        assert kept == sorted(set(kept))
        gaps = [later - earlier for earlier, later in itertools.pairwise([*kept, kept[0] + len(filled)])]
        assert max(gaps) - min(gaps) <= 1  # also round the end


@given(some_lengths, st.sampled_from(PERCENTS))
def test_vectors_are_counted_on_all_cases_and_all_are_tested(lengths, percent):
    data = numbered(lengths)
    few = few_cases(data, percent)
    assert few.known().traces() == data.known().traces()
    assert few.test is data.test
    assert (few.vocabulary, few.end, few.meaning) == (data.vocabulary, data.end, None)


def test_times_stay_with_their_events():
    data = prediction_data(loan_desk(200))
    few = few_cases(data, 10)
    for name in PARTS:
        of_cases = {
            tuple(getattr(data, name).seconds[start:end]): getattr(data, name).ids[start:end].tolist()
            for start, end in itertools.pairwise(getattr(data, name).offsets)
        }
        part = getattr(few, name)
        for start, end in itertools.pairwise(part.offsets):
            assert of_cases[tuple(part.seconds[start:end])] == part.ids[start:end].tolist()


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_has_the_tasks_that_it_names(setting):
    assert [name for name, _ in task_data(setting, prediction_data(loan_desk(40)))] == task_names(setting)
    assert len(set(task_names(setting))) == len(task_names(setting))


def test_the_standard_task_is_the_log_as_it_is():
    data = prediction_data(loan_desk(40))
    assert list(task_data("standard", data)) == [("", data)]


def test_each_share_of_the_cases_is_a_task():
    data = prediction_data(loan_desk(300))
    for percent, (name, few) in zip(PERCENTS, task_data("few-cases", data), strict=True):
        assert name == f"cases-{percent:02}"
        assert cases_of(few.training) == cases_of(few_cases(data, percent).training)


def test_changed_labels_are_learned_from_a_joint_count_and_tested_by_their_meaning():
    data = prediction_data(loan_desk(60))
    (_, whole), (name, task) = task_data("changed-labels", data)
    assert whole is data
    changed = change_labels(data, MAIN)
    assert name == MAIN.name
    assert task.vocabulary == changed.vocabulary
    assert np.array_equal(task.test.ids, changed.test.ids)
    assert np.array_equal(task.meaning[task.test.ids], data.test.ids)
    assert (task.training, task.validation, task.end) == (data.training, data.validation, data.end)
    parts = (data.training, data.validation, changed.test)
    assert task.known().traces() == [[task.vocabulary[i] for i in case] for part in parts for case in cases_of(part)]
