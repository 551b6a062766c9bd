"""What a log is built of is refused if it would have to be changed to fit."""

import numpy as np
import pytest

from actalike import EventLog, LogError


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ([0, -1], "positions in the 2 labels, and -1 is none of them"),
        ([0, 2], "positions in the 2 labels, and 2 is none of them"),
        (np.array([0, 2**32]), "and 4294967296 is none"),
        (np.array([0, 2**64 - 1], dtype=np.uint64), "and 18446744073709551615 is none"),
        ([0, 10**30], "one list of whole numbers"),
        ([0.0, 1.5], "one list of whole numbers"),
        ([0.0, 1.0], "one list of whole numbers"),
        ([True, False], "one list of whole numbers"),
        (["a", "b"], "one list of whole numbers"),
        ([[0, 1]], "one list of whole numbers"),
        ([[0], [0, 1]], "one list of whole numbers"),
        (None, "one list of whole numbers"),
        (7, "one list of whole numbers"),
        ([], "The log is empty"),
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
    with pytest.raises(LogError, match=r"The offsets of the cases must (be one list of whole numbers|rise)"):
        EventLog(["a", "b"], [0, 1], offsets, ["1"])


@pytest.mark.parametrize("case", [None, 1, b"a"])
def test_case_ids_are_texts(case):
    with pytest.raises(LogError, match="a case id that is not a text"):
        EventLog(["a"], [0, 0], [0, 1, 2], ["x", case])


@pytest.mark.parametrize("label", [None, 1, b"a"])
def test_labels_are_texts(label):
    with pytest.raises(LogError, match="a label that is not a text"):
        EventLog(["a", label], [0, 1], [0, 2], ["1"])


@pytest.mark.parametrize("time", ["0000-12-31", "10000-01-01", "300000-01-01", "-300000-01-01"])
@pytest.mark.parametrize("unit", ["Y", "D", "s", "us"])
def test_times_outside_the_calendar_are_refused(time, unit):
    if unit == "us" and abs(int(time.removesuffix("-01-01").removesuffix("-12-31"))) == 300_000:
        return  # more than microseconds can hold
    times = np.array(["2024-01-01", time], dtype=f"datetime64[{unit}]")
    with pytest.raises(LogError, match="Event 2 has a timestamp outside the years 1 to 9999"):
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
    [([None], "case 1 is None"), ([["a"], 7], "case 2 is 7"), (None, "and not None"), (7, "and not 7"), ([[None]], "not a text")],
)
def test_traces_are_lists_of_lists(traces, words):
    with pytest.raises(LogError, match=words):
        EventLog.from_traces(traces)


def test_masked_values_are_missing():
    codes = np.ma.array([0, 1], mask=[0, 1])
    with pytest.raises(LogError, match="codes of the events have missing values"):
        EventLog(["a", "b"], codes, [0, 2], ["1"])
    times = np.ma.array(np.array(["2020", "2021"], "M8[s]"), mask=[1, 0])
    with pytest.raises(LogError, match="timestamps of the events have missing values"):
        EventLog(["a", "b"], [0, 1], [0, 2], ["1"], timestamps=times)
    assert EventLog(["a", "b"], np.ma.array([0, 1]), [0, 2], ["1"]).traces() == [["a", "b"]]
