import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import PAD, ActalikeError, EventLog, WindowCounts, count_windows
from actalike.counting import windows as windows_module
from actalike.support.container import MOST_SYMBOLS
from tests import oracle
from tests.helpers.strategies import logs, traces, windows


def as_dict(counts: WindowCounts) -> dict:
    symbols = [*counts.activities, oracle.PAD]  # PAD = -1 takes the last
    return {tuple(symbols[c] for c in w): n for w, n in zip(counts.windows.tolist(), counts.counts.tolist(), strict=True)}


@given(traces(), windows)
def test_windows_are_counted_as_defined(given_traces, n):
    assert as_dict(count_windows(EventLog.from_traces(given_traces), n)) == oracle.window_counts(given_traces, n)


@pytest.mark.parametrize("n", [2, 3, 9])
@pytest.mark.parametrize("name", ["BPIC13_open_problems", "Helpdesk", "BPIC15_1"])
def test_windows_of_real_logs_are_counted_as_defined(real_log, name, n):
    log = real_log(name)
    assert as_dict(count_windows(log, n)) == oracle.window_counts(log.traces(), n)


@given(traces(), st.randoms(), windows)
def test_the_order_of_cases_changes_nothing(given_traces, random, n):
    shuffled = random.sample(given_traces, len(given_traces))
    assert count_windows(EventLog.from_traces(shuffled), n) == count_windows(EventLog.from_traces(given_traces), n)


@given(logs(), windows)
def test_there_is_one_window_for_each_event(log, n):
    counts = count_windows(log, n)
    assert counts.n_events == log.n_events
    assert counts.activity_counts.tolist() == log.activity_counts.tolist()


@given(logs(), windows)
def test_counting_in_blocks_changes_nothing(log, n):
    whole = count_windows(log, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows_module, "_BLOCK", 3)
        assert count_windows(log, n) == whole


def test_alphabets_beyond_64_bit_keys_are_exact():
    labels = [f"a{i}" for i in range(3000)]  # 3001 ** 9 is about 2 ** 104
    log = EventLog.from_traces([labels, labels[::-1], labels])
    assert as_dict(count_windows(log, 9)) == oracle.window_counts(log.traces(), 9)


@given(traces(), st.integers(12, 60))
def test_windows_longer_than_any_case_are_counted_as_defined(given_traces, n):
    assert as_dict(count_windows(EventLog.from_traces(given_traces), n)) == oracle.window_counts(given_traces, n)


def test_only_logs_are_counted():
    with pytest.raises(ActalikeError, match="read_log"):
        count_windows([["a"]], 3)


def test_an_activity_named_like_a_sign_is_not_pad():
    counts = count_windows(EventLog.from_traces([["."], ["", "-1", "PAD", "None"]]), 3)
    assert (counts.windows == PAD).sum() == 4
    assert [PAD, counts.activities.index("."), PAD] in counts.windows.tolist()


def test_even_windows_have_the_longer_side_on_the_right():
    counts = count_windows(EventLog.from_traces([["a", "b", "c"]]), 4)
    assert counts.left == 1
    assert counts.windows.tolist() == [[-1, 0, 1, 2], [0, 1, 2, -1], [1, 2, -1, -1]]


@pytest.mark.parametrize("wrong", [0, -3, 2.5, "3", True, None])
def test_a_wrong_window_is_an_error(wrong):
    with pytest.raises(ActalikeError, match="window"):
        count_windows(EventLog.from_traces([["a"]]), wrong)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("n", [1, 2, 3, 127])
def test_numpy_integers_are_windows_too(kind, n):
    log = EventLog.from_traces([["a", "b", "c"]])
    assert count_windows(log, kind(n)) == count_windows(log, n)
    assert count_windows(log, 127).marginal(kind(n)) == count_windows(log, n)
    frame = pl.DataFrame({"case": [1, 1, 1], "activity": ["a", "b", "c"], "at": [1, 2, 3]})
    assert count_windows(frame, kind(n), order="at") == count_windows(log, n)


@pytest.mark.parametrize("wide", [MOST_SYMBOLS + 1, np.uint64(2**63), 10**100])
def test_a_window_is_as_wide_as_files_hold_at_most(wide):
    log = EventLog.from_traces([["a", "b"]])
    assert count_windows(log, MOST_SYMBOLS).marginal(3) == count_windows(log, 3)
    with pytest.raises(ActalikeError, match=r"symbols is too wide: it has at most 10,000"):
        count_windows(log, wide)
