"""What an event log is built of, what it answers, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, LogError
from tests.helpers.strategies import logs, traces


@given(traces())
def test_traces_come_back_as_they_were_given(given_traces):
    log = EventLog.from_traces(given_traces)
    assert log.traces() == given_traces
    assert log.n_cases == len(given_traces)
    assert log.n_events == sum(map(len, given_traces))
    assert log.activities == sorted({label for trace in given_traces for label in trace})


def test_statistics_of_an_inventoried_log(real_log):
    assert real_log("Helpdesk").statistics() == pytest.approx(
        {
            "cases": 4580, "events": 21348, "activities": 14, "variants": 226, "variants_per_case": 226 / 4580,
            "min_length": 2, "mean_length": 21348 / 4580, "max_length": 15,
        }
    )  # fmt: skip


@pytest.mark.parametrize("nothing", [[], [[]], [[], []]])
def test_an_empty_log_is_an_error(nothing):
    with pytest.raises(LogError, match="empty"):
        EventLog.from_traces(nothing)


def test_a_text_is_not_a_trace():
    with pytest.raises(LogError, match="list of labels"):
        EventLog.from_traces(["abc"])
    with pytest.raises(LogError, match="Case 1 has a label that is not a string: 3"):
        EventLog.from_traces([["a", 3]])


def test_relabelling_merges_activities_of_the_same_name():
    log = EventLog.from_traces([["b1", "a", "b2"]]).relabel(lambda label: label[0])
    assert log.traces() == [["b", "a", "b"]]
    assert log.activities == ["a", "b"]


@pytest.mark.parametrize(
    ("codes", "offsets", "ids", "times"),
    [
        ([0, 1, 1], [0, 1], ["1"], None),
        ([0], [0, 1], [], None),
        ([0], [1, 1], ["1"], None),
        ([0, 1], [0, 2, 1, 2], ["1", "2", "3"], None),
        ([0, 1], [0, 2], ["1"], np.array(["2024-01-01"], dtype="datetime64[us]")),
    ],
)
def test_parts_that_do_not_fit_are_errors(codes, offsets, ids, times):
    with pytest.raises(LogError):
        EventLog(["a", "b"], codes, offsets, ids, times)


def test_half_a_character_is_no_label():
    with pytest.raises(LogError, match="surrogate"):
        EventLog.from_traces([["\ud800"]])


def test_logs_with_other_attributes_are_not_equal():
    log = EventLog.from_traces([["a", "b"]])
    parts = (log.activities, log.codes, log.offsets, log.case_ids)
    known = EventLog(*parts, attributes={"user": Attribute.from_texts(["Sue", None])})
    assert log.attributes == log.people() == {}
    assert known == EventLog(*parts, attributes={"user": Attribute(["x", "Sue"], np.array([1, -1]))})
    assert known != log
    assert known != EventLog(*parts, attributes={"User": Attribute.from_texts(["Sue", None])})
    assert known != EventLog(*parts, attributes={"user": Attribute.from_texts([None, "Sue"])})
    with pytest.raises(ValueError, match="read-only"):
        known.attributes["user"].codes[0] = 0


def test_a_notebook_names_the_attributes():
    log = EventLog(["a"], [0], [0, 1], ["1"], attributes={"<user>": Attribute.from_texts(["Sue"])})
    assert "&lt;user&gt; (1 value)" in log._repr_html_()
    assert "attributes" not in EventLog.from_traces([["a"]])._repr_html_()


def test_two_columns_of_a_frame_cannot_have_one_name():
    log = EventLog.from_traces([["a", "b"]])
    timed = EventLog(["a"], [0], [0, 1], ["1"], np.array(["2024-02-29"], dtype="datetime64[us]"), names={"a": "Check"})
    for refused in (
        lambda: log.to_frame("polars", case="x", activity="x"),
        lambda: timed.to_frame(case="x", timestamp="x"),
        lambda: timed.to_frame(activity="timestamp"),
        lambda: timed.to_frame(case="second name"),
    ):
        with pytest.raises(LogError, match="name"):
            refused()
    assert log.to_frame(case="timestamp").columns == ["timestamp", "activity"]


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ([0, -1], "positions"),
        ([0, 2], "positions"),
        (np.array([0, 2**32]), "positions"),
        (np.array([0, 2**64 - 1], dtype=np.uint64), "positions"),
        ([0, 10**30], "integers"),
        ([0.0, 1.5], "integers"),
        ([0.0, 1.0], "integers"),
        ([True, False], "integers"),
        (["a", "b"], "integers"),
        ([[0, 1]], "integers"),
        ([[0], [0, 1]], "integers"),
        (None, "integers"),
        (7, "integers"),
        ([], "empty"),
    ],
)
def test_codes_that_are_no_positions_are_refused(codes, words):
    with pytest.raises(LogError, match=words):
        EventLog(["a", "b"], codes, [0, 2], ["1"])


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64])
def test_codes_may_be_whole_numbers_of_any_type(kind):
    log = EventLog(["a", "b"], np.array([1, 0], dtype=kind), np.array([0, 2], dtype=kind), ["1"])
    assert (log.traces(), log.codes.dtype, log.offsets.dtype) == ([["b", "a"]], np.int32, np.int64)


@pytest.mark.parametrize("offsets", [[0, 2.0], [[0, 2]], ["0", "2"], None, [0, 2**70], [[0], [1, 2]]])
def test_offsets_that_are_no_whole_numbers_are_refused(offsets):
    with pytest.raises(LogError, match="offsets"):
        EventLog(["a", "b"], [0, 1], offsets, ["1"])


@pytest.mark.parametrize("case", [None, 1, b"a"])
def test_case_ids_are_texts(case):
    with pytest.raises(LogError, match="a case id that is not a string"):
        EventLog(["a"], [0, 0], [0, 1, 2], ["x", case])


@pytest.mark.parametrize("label", [None, 1, b"a"])
def test_labels_are_texts(label):
    with pytest.raises(LogError, match="a label that is not a string"):
        EventLog(["a", label], [0, 1], [0, 2], ["1"])


@pytest.mark.parametrize("time", ["0000-12-31", "10000-01-01", "300000-01-01", "-300000-01-01"])
@pytest.mark.parametrize("unit", ["Y", "D", "s", "us"])
def test_times_outside_the_calendar_are_refused(time, unit):
    if unit == "us" and abs(int(time.removesuffix("-01-01").removesuffix("-12-31"))) == 300_000:
        return  # more than microseconds can hold
    times = np.array(["2024-01-01", time], dtype=f"datetime64[{unit}]")
    with pytest.raises(LogError, match="years"):
        EventLog(["a", "b"], [0, 1], [0, 2], ["1"], times)


@pytest.mark.parametrize("times", [[1, 2], np.array([1.0, 2.0]), np.array([["2024", "2024"]], dtype="datetime64[D]"), "soon"])
def test_times_are_an_array_of_dates(times):
    with pytest.raises(LogError):
        EventLog(["a", "b"], [0, 1], [0, 2], ["1"], times)


def test_the_ends_of_the_calendar_are_kept():
    times = np.array(["0001-01-01", "9999-12-31T23:59:59.999999", "NaT"], dtype="datetime64[us]")
    assert np.array_equal(EventLog(["a"], [0, 0, 0], [0, 3], ["1"], times).timestamps, times, equal_nan=True)


@pytest.mark.parametrize(
    ("traces", "words"),
    [([None], "None"), ([["a"], 7], "case 2 is 7"), (None, "None"), (7, "not 7"), ([[None]], "not a string")],
)
def test_traces_are_lists_of_lists(traces, words):
    with pytest.raises(LogError, match=words):
        EventLog.from_traces(traces)


def test_masked_values_are_missing():
    codes = np.ma.array([0, 1], mask=[0, 1])
    with pytest.raises(LogError, match="missing"):
        EventLog(["a", "b"], codes, [0, 2], ["1"])
    times = np.ma.array(np.array(["2020", "2021"], "M8[s]"), mask=[1, 0])
    with pytest.raises(LogError, match="timestamps"):
        EventLog(["a", "b"], [0, 1], [0, 2], ["1"], timestamps=times)
    assert EventLog(["a", "b"], np.ma.array([0, 1]), [0, 2], ["1"]).traces() == [["a", "b"]]


@given(
    traces(st.sampled_from("ab"), max_cases=3, max_length=3).flatmap(
        lambda cases: st.tuples(st.just(cases), st.permutations(cases))
    )
)
def test_digests_are_equal_if_and_only_if_the_cases_are(both):
    one, other = both
    digests = [EventLog.from_traces(cases).digest for cases in both]
    assert (digests[0] == digests[1]) == (one == other)


@given(logs())
def test_case_ids_and_times_do_not_count(log):
    times = np.arange(log.n_events).astype("datetime64[us]")
    named = EventLog(log.activities, log.codes, log.offsets, [f"case {i}" for i in range(log.n_cases)], times)
    assert named.digest == log.digest


def test_labels_are_kept_apart():
    labels = [["ab", "c"], ["a", "bc"], ["abc"], ["\ud800", "c"]]
    assert len({EventLog(names, [0], [0, 1], ["1"]).digest for names in labels}) == len(labels)


def test_a_digest_stays_as_it_is_from_version_to_version():
    """Published results name the digests of their logs; they must never change."""
    log = EventLog.from_traces([list("abcde"), list("aabbc"), list("edcba")])
    assert log.digest[:16] == "765ef6cc2d20ec40"
