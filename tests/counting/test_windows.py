"""Windows: counting them, tables of them, the directly-follows graph."""

from collections import Counter
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import PAD, ActalikeError, EventLog, FileFormatError, LogError, WindowCounts, count_windows, embed, load
from actalike.counting import directly_follows
from actalike.counting import windows as windows_module
from actalike.support.saved import MOST_SYMBOLS
from tests import oracle
from tests.helpers.damaged_files import write_unchecked
from tests.helpers.examples import examples
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
    with pytest.raises(ActalikeError, match="wide"):
        count_windows(log, wide)


@pytest.mark.parametrize("kind", [pl.DataFrame, pl.LazyFrame, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_events_at_the_same_time_stay_in_the_order_of_the_rows_counted_or_embedded(kind):
    frame = pl.DataFrame({"case": [1, 2, 1, 1], "activity": ["b", "b", "a", "c"], "time": ["2024-02-29"] * 4})
    frame = frame.with_columns(pl.col("time").str.to_datetime())
    log = EventLog.from_traces([["b", "a", "c"], ["b"]])
    given_frame = frame.lazy() if kind is pl.LazyFrame else kind(frame)
    assert count_windows(given_frame, 3) == count_windows(log, 3)
    with pytest.raises(LogError, match="order"):
        count_windows(given_frame, 3, ties="error")
    if kind is not pl.LazyFrame:
        assert embed(given_frame, "ac-sequence-raw-w3").activities == log.activities
        assert (embed(given_frame, "ac-sequence-raw-w3").distances() == embed(log, "ac-sequence-raw-w3").distances()).all()


@given(logs(), st.data())
def test_smaller_windows_are_marginals_of_larger_ones(log, data):
    large = data.draw(windows)
    small = data.draw(st.integers(1, large))
    assert count_windows(log, large).marginal(small) == count_windows(log, small)


@given(traces(), traces(), windows)
def test_tables_add(a, b, n):
    apart = count_windows(EventLog.from_traces(a), n) + count_windows(EventLog.from_traces(b), n)
    assert apart == count_windows(EventLog.from_traces(a + b), n)


@given(logs(), windows)
def test_a_saved_table_comes_back(tmp_path_factory, log, n):
    path = tmp_path_factory.mktemp("counts") / "counts.actalike"
    counts = count_windows(log, n)
    counts.save(path)
    assert load(path) == counts


def test_tables_can_be_summed():
    logs = [EventLog.from_traces([[a, "x"]]) for a in "abc"]
    assert sum(count_windows(log, 3) for log in logs) == count_windows(
        EventLog.from_traces([["a", "x"], ["b", "x"], ["c", "x"]]), 3
    )


def test_what_a_table_does_not_hold_is_an_error():
    small, large = (count_windows(EventLog.from_traces([["a", "b"]]), n) for n in (3, 5))
    with pytest.raises(ActalikeError, match="count_windows"):
        small.marginal(5)
    with pytest.raises(ActalikeError, match=r"\.marginal\(3\)"):
        small + large


def is_sound(activities, windows, counts):
    """The definition of a sound table, row by row."""
    left = (len(windows[0]) - 1) // 2
    for window in windows:
        inside = [i for i, code in enumerate(window) if code != PAD]
        if left not in inside or inside != list(range(inside[0], inside[-1] + 1)):
            return False
        if any(not PAD <= code < len(activities) for code in window):
            return False
    keys = [(*window[:left], *window[left + 1 :], window[left]) for window in windows]
    return keys == sorted(set(keys)) and all(count >= 1 for count in counts) and sum(counts) < 2**53


tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(-2, 2), min_size=width, max_size=width), min_size=1, max_size=4)
)


@examples(100)
@given(tables, st.booleans(), st.sampled_from([1, 1, 1, 0, -1, 2**52, 2**62]))
def test_a_table_is_loaded_if_it_is_sound_row_by_row(windows, ordered, count):
    if ordered:
        left = (len(windows[0]) - 1) // 2
        windows = sorted(windows, key=lambda window: (*window[:left], *window[left + 1 :], window[left]))
    counts = [count] * len(windows)
    problem = windows_module.contradiction(["a", "b"], np.array(windows, dtype=np.int32), np.array(counts))
    assert (problem is None) == is_sound(["a", "b"], windows, counts)


def test_windows_beyond_the_bounds_of_a_file_are_neither_saved_nor_loaded(tmp_path):
    wide = WindowCounts(["a"], np.zeros((1, 10_001), dtype=np.int32), np.ones(1, dtype=np.int64))
    long = WindowCounts(["a" * 1_000_000], np.zeros((1, 17), dtype=np.int32), np.ones(1, dtype=np.int64))
    for table, words in (
        (wide, "10,001 symbols, and at most 10,000"),
        (long, "a window may have more than 16,777,216 characters"),
    ):
        with pytest.raises(ActalikeError, match=words):
            table.save(tmp_path / "x.actalike")
        header = {"format": 1, "kind": "window-counts", "activities": table.activities}
        write_unchecked(tmp_path / "x.actalike", header, {"windows": table.windows, "counts": table.counts})
        with pytest.raises(FileFormatError, match=words):
            load(tmp_path / "x.actalike")


@given(logs())
def test_pairs_starts_and_ends_are_those_of_the_traces(log):
    graph = directly_follows(log)
    traces = [trace for trace in log.traces() if trace]
    pairs = Counter(pair for trace in traces for pair in pairwise(trace))
    assert {(a, b): n for a, b, n in graph.pairs()} == pairs
    assert dict(zip(graph.activities, graph.starts.tolist(), strict=True)) == _over(log, (trace[0] for trace in traces))
    assert dict(zip(graph.activities, graph.ends.tolist(), strict=True)) == _over(log, (trace[-1] for trace in traces))


@given(logs())
def test_the_most_frequent_pair_comes_first_and_equals_are_in_order(log):
    found = directly_follows(log).pairs()
    assert found == sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


@given(logs())
def test_any_table_of_windows_will_do(log):
    expected = directly_follows(log)
    for window in (2, 3, 9):
        found = directly_follows(count_windows(log, window))
        assert found.pairs() == expected.pairs()
        assert found.starts.tolist() == expected.starts.tolist()
        assert found.ends.tolist() == expected.ends.tolist()


def test_of_a_log_only_an_activity_and_the_one_after_it_are_counted(monkeypatch):
    counted = []
    monkeypatch.setattr(windows_module, "count_windows", lambda log, window: counted.append(window) or count_windows(log, window))
    directly_follows(EventLog.from_traces([["a", "b", "c"]]))
    assert counted == [2]


def test_windows_without_neighbours_are_refused():
    log = EventLog.from_traces([["a", "b"]])
    with pytest.raises(ActalikeError, match="count again"):
        directly_follows(count_windows(log, 1))
    with pytest.raises(ActalikeError, match="WindowCounts"):
        directly_follows([["a", "b"]])


def _over(log, labels):
    return {**dict.fromkeys(log.activities, 0), **Counter(labels)}
