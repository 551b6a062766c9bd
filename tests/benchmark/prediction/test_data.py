"""What networks learn from and are tested on: splits and ids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.benchmark.tasks.prediction_data import END, prediction_data
from actalike.errors import ActalikeError
from tests.helpers.examples import real_logs

PARTS = ("training", "validation", "test")


def make_log(cases, timed=True):
    """A log of lists of (label, seconds)."""
    labels = sorted({label for case in cases for label, _ in case})
    codes = [labels.index(label) for case in cases for label, _ in case]
    offsets = np.cumsum([0, *map(len, cases)])
    times = np.array([time for case in cases for _, time in case], dtype="datetime64[s]") if timed else None
    return EventLog(labels, codes, offsets, [str(i) for i in range(len(cases))], times)


def naive_parts(cases):
    n = len(cases)
    first, second = int(0.64 * n), int(0.64 * n) + int(0.16 * n)
    return cases[:first], cases[first:second], cases[second:]


def naive_sorted(cases, timed):
    if not timed:
        return cases
    inside = [sorted(case, key=lambda event: event[1]) for case in cases]
    return sorted(inside, key=lambda case: case[0][1] if case else float("inf"))


def naive_vocabulary(cases, timed):
    whole = [case for case in naive_sorted(cases, timed) if case]
    found = []
    for number, case in enumerate(whole):
        found += [label for label in dict.fromkeys(label for label, _ in case) if label not in found]
        if number == 0:
            found.append(END)
    return found


def cases_of(data, part):
    """The cases of a part as lists of (label, seconds)."""
    found = getattr(data, part)
    labels = [data.vocabulary[i] for i in found.ids]
    times = [None] * len(labels) if found.seconds is None else found.seconds.tolist()
    events = list(zip(labels, times, strict=True))
    return [events[a:b] for a, b in zip(found.offsets, found.offsets[1:], strict=False)]


events = st.tuples(st.sampled_from("abcdefg"), st.integers(0, 6))  # few times, so that many are equal
some_cases = st.lists(st.lists(events, max_size=5), min_size=7, max_size=30).filter(
    lambda cases: all(any(part) for part in naive_parts(cases))
)


@given(some_cases, st.booleans())
def test_splits_order_and_ids_are_those_of_the_definition(cases, timed):
    data = prediction_data(make_log(cases, timed))
    assert data.vocabulary == naive_vocabulary(cases, timed)
    assert data.vocabulary[data.end] == END
    for name, part in zip(PARTS, naive_parts(cases), strict=True):
        expected = naive_sorted(part, timed)
        if not timed:
            expected = [[(label, None) for label, _ in case] for case in expected]
        assert cases_of(data, name) == expected
        assert len(getattr(data, name)) == len(part)
    assert len(data.test.ids) == sum(map(len, naive_parts(cases)[2]))


@given(some_cases, st.booleans())
def test_vectors_are_learned_from_training_and_validation_in_their_order(cases, timed):
    first, second, _ = (naive_sorted(part, timed) for part in naive_parts(cases))
    assert prediction_data(make_log(cases, timed)).known().traces() == [[label for label, _ in case] for case in first + second]


@pytest.mark.parametrize(("cases", "parts"), [(7, (4, 1, 2)), (25, (16, 4, 5)), (99, (63, 15, 21)), (100, (64, 16, 20))])
def test_cuts_are_rounded_down_and_the_rest_is_for_testing(cases, parts):
    data = prediction_data(EventLog.from_traces([["a"]] * cases))
    assert tuple(len(getattr(data, name)) for name in PARTS) == parts


def test_the_end_symbol_follows_the_activities_of_the_case_that_begins_first():
    later = [[("a", 50), ("b", 60)]] * 6
    data = prediction_data(make_log([*later, [("z", 9), ("y", 3), ("x", 3), ("y", 7)]]))
    assert data.vocabulary == ["y", "x", "z", END, "a", "b"]
    assert data.end == 3


def test_times_finer_than_seconds_are_kept():
    times = np.array(["2024-01-01T00:00:00.250000"] * 7, dtype="datetime64[us]")
    data = prediction_data(EventLog(["a"], [0] * 7, range(8), [str(i) for i in range(7)], times))
    assert data.training.seconds.tolist() == [1704067200.25] * 4


def test_a_log_that_cannot_be_split_is_an_error():
    with pytest.raises(ActalikeError, match="validation"):
        prediction_data(EventLog.from_traces([["a"]] * 6))
    for part, traces in [
        ("training", [[], [], [], [], ["a"], ["a"], ["a"]]),
        ("validation", [["a"], [], [], [], [], ["a"], ["a"]]),
        ("test", [["a"], ["a"], ["a"], ["a"], ["a"], [], []]),
    ]:
        with pytest.raises(ActalikeError, match=f"no event in its {part} cases"):
            prediction_data(EventLog.from_traces(traces))


def test_an_activity_that_is_called_like_the_end_is_an_error():
    with pytest.raises(ActalikeError, match="rename"):
        prediction_data(EventLog.from_traces([["a", END]] * 10))


PREDICTIONS = {
    "BPIC12_A": 11723,
    "BPIC12_O": 5789,
    "BPIC12_W": 31634,
    "BPIC13_closed_problems": 1080,
    "BPIC13_open_problems": 358,
    "BPIC15_1": 12433,
    "BPIC15_2": 8496,
    "BPIC15_4": 10945,
    "BPIC15_5": 13687,
    "BPIC20_DomesticDeclarations": 11676,
    "BPIC20_PermitLog": 14769,
    "BPIC20_PrepaidTravelCost": 3576,
    "BPIC20_RequestForPayment": 7491,
    "Helpdesk": 4415,
    "Env_Permit": 1595,
    "NASA": 13576,
}
UNSEEN = {
    "BPIC15_1": 16,
    "BPIC15_2": 18,
    "BPIC15_3": 9,
    "BPIC15_4": 4,
    "BPIC15_5": 6,
    "BPIC20_PermitLog": 1,
    "BPIC20_RequestForPayment": 1,
    "Helpdesk": 1,
}


@pytest.mark.parametrize("name", real_logs("Helpdesk", "BPIC13_open_problems", "BPIC15_1", campaign=[*PREDICTIONS, "BPIC15_3"]))
def test_real_logs_have_the_published_predictions_and_unseen_activities(name, real_log):
    log = real_log(name)
    data = prediction_data(log)
    if name in PREDICTIONS:
        assert len(data.test.ids) == PREDICTIONS[name]
    seen = np.union1d(data.training.ids, data.validation.ids)
    assert len(data.vocabulary) - 1 - len(seen) == UNSEEN.get(name, 0)
    if name == "NASA":
        assert len(log.activities) == 47
