"""Tables of windows: marginals, sums, files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import PAD, ActalikeError, EventLog, FileFormatError, WindowCounts, count_windows, load
from actalike.counting.window_counts import contradiction
from tests.helpers.damaged_files import write_unchecked
from tests.helpers.examples import examples
from tests.helpers.strategies import logs, traces, windows


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
    with pytest.raises(ActalikeError, match=r"count_windows\(log, window=5\)"):
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
    problem = contradiction(["a", "b"], np.array(windows, dtype=np.int32), np.array(counts))
    assert (problem is None) == is_sound(["a", "b"], windows, counts)


def test_windows_beyond_the_bounds_of_a_file_are_neither_saved_nor_loaded(tmp_path):
    wide = WindowCounts(["a"], np.zeros((1, 10_001), dtype=np.int32), np.ones(1, dtype=np.int64))
    long = WindowCounts(["a" * 1_000_000], np.zeros((1, 17), dtype=np.int32), np.ones(1, dtype=np.int64))
    for table, words in (
        (wide, "10,001 symbols, and at most 10,000"),
        (long, "a window may have more than 16,777,216 characters"),
    ):
        with pytest.raises(ActalikeError, match=f"cannot be written: .*{words}.*Nothing was written"):
            table.save(tmp_path / "x.actalike")
        header = {"format": 1, "kind": "window-counts", "activities": table.activities}
        write_unchecked(tmp_path / "x.actalike", header, {"windows": table.windows, "counts": table.counts})
        with pytest.raises(FileFormatError, match=f"not a sound table of windows: .*{words}"):
            load(tmp_path / "x.actalike")
