"""The cases that a predictor knows: kept as variants, and as a log again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, FileFormatError, load
from actalike.prediction.past_cases import PastCases
from tests.helpers.damaged_files import write_unchecked
from tests.helpers.strategies import logs


def sorted_traces(log):
    return sorted(trace for trace in log.traces() if trace)


@given(logs())
def test_they_are_the_cases_of_the_log_in_another_order(log):
    activities = log.activities[::-1]
    assert sorted_traces(PastCases.of_log(log, activities).log(activities)) == sorted_traces(log)


@given(logs(), st.data())
def test_cases_with_a_label_that_is_not_known_are_left_out(log, data):
    known = data.draw(st.lists(st.sampled_from(log.activities), unique=True))
    expected = sorted(trace for trace in log.traces() if trace and set(trace) <= set(known))
    past = PastCases.of_log(log, known)
    assert (sorted_traces(past.log(known)) if len(past.cases) else []) == expected


@given(logs(), logs())
def test_the_cases_of_two_logs_are_those_of_each(one, other):
    activities = sorted({*one.activities, *other.activities})
    both = PastCases.of_log(one, activities).and_of(PastCases.of_log(other, activities))
    assert sorted_traces(both.log(activities)) == sorted(sorted_traces(one) + sorted_traces(other))


WEIGHTS = {
    "inputs": np.zeros((2, 8)),
    "recurrent": np.zeros((2, 8)),
    "out": np.zeros((2, 3)),
    "out_bias": np.zeros(3),
}
PAST = PastCases.of_log(EventLog.from_traces([["a", "b"], ["b"]]), ["a", "b"]).arrays()


def written(path, **arrays):
    header = {"format": 1, "kind": "predictor", "activities": ["a", "b"]}
    return write_unchecked(path, header, {**WEIGHTS, **arrays})


def test_a_file_gives_back_what_was_written(tmp_path):
    past = load(written(tmp_path / "x.actalike", **PAST)).past
    assert sorted_traces(past.log(["a", "b"])) == [["a", "b"], ["b"]]
    assert load(written(tmp_path / "y.actalike")).past is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"past_codes": np.array([0, 1, 2], dtype=np.int32)}, "bounds"),
        ({"past_codes": np.array([0, -1, 1], dtype=np.int32)}, "bounds"),
        ({"past_codes": np.array([0, 1], dtype=np.int32)}, "do not fit"),
        ({"past_codes": np.array([0, 1, 1])}, "right"),
        ({"past_codes": np.array([[0, 1, 1]], dtype=np.int32)}, "right"),
        ({"past_offsets": np.array([0, 3, 3])}, "bounds"),
        ({"past_offsets": np.array([1, 2, 3])}, "do not fit"),
        ({"past_cases": np.array([1, 0])}, "bounds"),
        ({"past_cases": np.array([1, 2**62])}, "bounds"),
        ({"past_cases": np.array([2**53, 2**53])}, "many"),
        ({"past_cases": np.array([1])}, "do not fit"),
    ],
)
def test_a_file_whose_parts_contradict_each_other_is_refused(tmp_path, change, words):
    path = written(tmp_path / "x.actalike", **{**PAST, **change})
    with pytest.raises(FileFormatError, match=words):
        load(path)


def test_a_part_of_the_past_is_refused(tmp_path):
    path = written(tmp_path / "x.actalike", past_codes=PAST["past_codes"])
    with pytest.raises(FileFormatError, match="past"):
        load(path)


def test_a_small_file_with_very_many_cases_does_not_exhaust_the_memory(tmp_path):
    model = load(written(tmp_path / "x.actalike", **{**PAST, "past_cases": np.array([2**50, 1])}))
    with pytest.raises(Exception, match="memory"):
        model.adapt(EventLog.from_traces([["a", "new"]] * 3))
