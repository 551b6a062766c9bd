"""Tables of windows: marginals, sums, files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, load
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
