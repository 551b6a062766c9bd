"""Which cases train, validate and test, and what their ids and vectors are, against the definitions in plain lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, embed
from actalike.benchmark.prediction.data import END, prediction_data
from actalike.benchmark.prediction.prepare import frozen_vectors, write_task
from actalike.demo.loan_desk import loan_desk
from actalike.errors import ActalikeError
from actalike.methods.registry import make_method
from actalike.prediction.training.task import load_task

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
    assert data.n_predictions == sum(map(len, naive_parts(cases)[2]))


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


METHODS = ["aa-sequence-pmi-w3", "ac-multiset-raw-w3", "kin-w5", "substitution-w3", "one-hot"]


@pytest.fixture(scope="module")
def with_new_ones():
    """A log whose last cases have activities that no other has."""
    traces = loan_desk(40).traces()
    return [*traces[:-2], ["new", *traces[-2]], [*traces[-1], "newer"]]


@pytest.mark.parametrize("name", METHODS)
def test_frozen_rows_are_the_methods_own_vectors_and_zero_where_it_knows_nothing(name, with_new_ones):
    data = prediction_data(EventLog.from_traces(with_new_ones))
    found = frozen_vectors(make_method(name), data).toarray()
    assert found.dtype == np.float32
    own = embed(EventLog.from_traces(with_new_ones[: int(0.64 * 40) + int(0.16 * 40)]), name)
    vectors = np.asarray(own.vectors.todense()) if hasattr(own.vectors, "todense") else own.vectors
    expected = dict(zip(own.activities, vectors.astype(np.float32), strict=True))
    unknown = set(data.vocabulary) - set(expected)
    assert {END, "new", "newer"} <= unknown
    assert found.shape == (len(data.vocabulary), vectors.shape[1])
    for label, row in zip(data.vocabulary, found, strict=True):
        assert np.array_equal(row, expected.get(label, np.zeros_like(row))), label


@pytest.mark.parametrize("name", METHODS)
def test_vectors_do_not_see_the_test_cases(name, with_new_ones):
    other = [*with_new_ones[:31], *[["new", "b", "a"]] * 9]
    assert len(other) == len(with_new_ones)
    rows = []
    for traces in (with_new_ones, other):
        data = prediction_data(EventLog.from_traces(traces))
        found = frozen_vectors(make_method(name), data).toarray()
        rows.append({label: row.tolist() for label, row in zip(data.vocabulary, found, strict=True) if row.any()})
    assert rows[0] == rows[1]


def test_vectors_that_training_cannot_hold_are_an_error():
    class Huge:
        def fit(self, log):
            self.embedding_ = embed(log, "one-hot")
            self.embedding_.vectors = 1e300 * self.embedding_.vectors
            return self

    class OfAnotherLog:
        def fit(self, log):
            self.embedding_ = embed(EventLog.from_traces([["x", "y"]]), "one-hot")
            return self

    data = prediction_data(loan_desk(20))
    with pytest.raises(ActalikeError, match="too large"):
        frozen_vectors(Huge(), data)
    with pytest.raises(ActalikeError, match="its activities are not those of the log"):
        frozen_vectors(OfAnotherLog(), data)


@pytest.mark.parametrize("timed", [False, True])
def test_what_is_written_for_training_is_what_was_split(timed, tmp_path):
    log = loan_desk(30)
    if not timed:
        log = EventLog.from_traces(log.traces())
    data = prediction_data(log)
    write_task(tmp_path / "some" / "task.npz", data)
    task = load_task(tmp_path / "some" / "task.npz")
    assert (task.vocabulary_size, task.end) == (len(data.vocabulary), data.end)
    for name in PARTS:
        found, expected = getattr(task, name), getattr(data, name)
        assert np.array_equal(found.ids, expected.ids)
        assert np.array_equal(found.offsets, expected.offsets)
        assert (found.seconds is not None) == timed
        assert found.seconds is None or np.array_equal(found.seconds, expected.seconds)


def test_a_log_that_cannot_be_split_is_an_error():
    with pytest.raises(ActalikeError, match="6 cases: too few to split into training, validation and test"):
        prediction_data(EventLog.from_traces([["a"]] * 6))
    for part, traces in [
        ("training", [[], [], [], [], ["a"], ["a"], ["a"]]),
        ("validation", [["a"], [], [], [], [], ["a"], ["a"]]),
        ("test", [["a"], ["a"], ["a"], ["a"], ["a"], [], []]),
    ]:
        with pytest.raises(ActalikeError, match=f"no event in its {part} cases"):
            prediction_data(EventLog.from_traces(traces))


def test_an_activity_that_is_called_like_the_end_is_an_error():
    with pytest.raises(ActalikeError, match=r"called \[EOC\].*rename it"):
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


@pytest.mark.parametrize("name", [*PREDICTIONS, "BPIC15_3"])
def test_real_logs_have_the_published_predictions_and_unseen_activities(name, real_log):
    log = real_log(name)
    data = prediction_data(log)
    if name in PREDICTIONS:
        assert data.n_predictions == PREDICTIONS[name]
    seen = np.union1d(data.training.ids, data.validation.ids)
    assert len(data.vocabulary) - 1 - len(seen) == UNSEEN.get(name, 0)
    if name == "NASA":
        assert len(log.activities) == 47
