"""Lazy frames of Polars that do not fit into memory. That they are counted as others are is tested with all engines."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EngineError, EventLog, LogError, count_windows
from actalike.counting.engines import frames as lazy_frames
from tests.helpers.engine_frames import NAMES, events_of
from tests.helpers.examples import examples
from tests.helpers.interrupts import interrupt_when, write_many_events
from tests.helpers.strategies import logs, windows

TWO_CASES = EventLog.from_traces([["a", "b", "c"] * 5, ["b"] * 7])


@given(logs(), windows, st.integers(0, 9), st.integers(1, 400), st.integers(1, 9), st.integers(1, 3))
@examples(20)
def test_however_little_memory_there_is_the_counts_are_the_same(log, window, seed, at_once, batch, parts):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("AT_ONCE", at_once), ("_BATCH", batch), ("_PARTS", parts)):
            patch.setattr(lazy_frames, name, value)
        assert count_windows(events_of(log, seed).lazy(), window, **NAMES) == count_windows(log, window)


def test_what_is_put_on_disk_is_removed(no_memory):
    seen = []
    spill_folder = lazy_frames.spill_folder

    def noting(given):
        seen.append(given)
        return spill_folder(given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy_frames, "spill_folder", noting)
        count_windows(events_of(TWO_CASES, 1).lazy(), 3, **NAMES)
    assert seen
    assert list(no_memory.iterdir()) == []


def test_what_fits_is_not_put_on_disk(no_memory, monkeypatch):
    monkeypatch.setattr(lazy_frames, "AT_ONCE", 1 << 20)
    monkeypatch.setattr(lazy_frames, "spill_folder", None)
    assert count_windows(events_of(TWO_CASES, 1).lazy(), 3, **NAMES) == count_windows(TWO_CASES, 3)


def test_a_query_that_fails_on_the_way_leaves_nothing_on_disk(no_memory):
    index = pl.col("index").map_batches(lambda rows: 1 / 0 if rows.max() == 21 else rows, return_dtype=pl.Int64)
    events = events_of(TWO_CASES, None).lazy().with_columns(index)
    with pytest.raises(LogError, match="computed"):
        count_windows(events, 3, **{**NAMES, "order": ["index"]})
    assert list(no_memory.iterdir()) == []


def test_a_temporary_file_that_is_gone_is_an_error_with_a_remedy(no_memory, monkeypatch):
    deal = lazy_frames._deal

    def deal_and_lose(pieces, folder, level):
        sizes = deal(pieces, folder, level)
        for file in folder.iterdir():
            file.unlink()
            file.mkdir()
        return sizes

    monkeypatch.setattr(lazy_frames, "_deal", deal_and_lose)
    with pytest.raises(EngineError, match="TMPDIR"):
        count_windows(events_of(TWO_CASES, 1).lazy(), 3, **NAMES)


def test_of_ties_in_several_parts_the_first_is_named(no_memory):
    events = pl.DataFrame({"c": [1, 1, 2, 2, 3, 3], "a": list("xyxyxy"), "t": [1] * 6})
    with pytest.raises(LogError, match="3") as of_all:
        count_windows(events, 3, case="c", activity="a", order="t", ties="error")
    with pytest.raises(LogError) as of_parts:
        count_windows(events.lazy(), 3, case="c", activity="a", order="t", ties="error")
    assert (
        of_parts.value.args[0].replace("LazyFrame", "DataFrame").partition("case")[0] == of_all.value.args[0].partition("case")[0]
    )


@pytest.mark.parametrize("lazy", [False, True])
def test_numbers_of_128_bits_are_cases_and_an_order(no_memory, lazy):
    far = 2**100
    events = pl.DataFrame(
        {"c": pl.Series([-far, 5, -far], dtype=pl.Int128), "a": ["y", "x", "x"], "t": pl.Series([far, 1, 1], dtype=pl.Int128)}
    )
    counted = count_windows(events.lazy() if lazy else events, 3, case="c", activity="a", order="t")
    assert counted == count_windows(EventLog.from_traces([["x", "y"], ["x"]]), 3)


def test_ctrl_c_leaves_nothing_on_disk(no_memory, monkeypatch, tmp_path_factory):
    path = tmp_path_factory.mktemp("events") / "events.parquet"
    write_many_events(path)
    monkeypatch.setattr(lazy_frames, "AT_ONCE", 1 << 20)
    monkeypatch.setattr(lazy_frames, "_BATCH", 1 << 14)
    events = pl.scan_parquet(path)
    with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: any(no_memory.glob("*.spill/*"))):
        count_windows(events, 3, case="case", activity="activity", order="at")
    assert list(no_memory.iterdir()) == []


def test_batches_that_end_before_the_last_row_are_refused(monkeypatch):
    """As those of Polars 2.1 do where it panics at a damaged file."""
    events = pl.LazyFrame({"case": [1, 1, 2], "activity": ["a", "b", "a"], "at": [1, 2, 3]})
    collect = pl.LazyFrame.collect_batches
    monkeypatch.setattr(pl.LazyFrame, "collect_batches", lambda lazy, **options: collect(lazy.head(2), **options))
    with pytest.raises(LogError, match="2 of its 3 rows"):
        count_windows(events, 5, case="case", activity="activity", order="at")
