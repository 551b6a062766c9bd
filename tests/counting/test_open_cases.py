"""The ends of open cases: as much as they need, and no more."""

import pickle
import tracemalloc

import pytest
from hypothesis import given

from actalike import StreamCounter
from actalike.counting import streams as streams_module
from tests.helpers.event_streams import add, counted, grouped, streams
from tests.helpers.strategies import windows


@pytest.mark.parametrize("window", [1, 4, 9])
def test_what_is_kept_grows_with_open_cases_and_not_with_closed_ones(monkeypatch, window):
    monkeypatch.setattr(streams_module, "_BLOCK", 100)
    counter, sizes = StreamCounter(window), []
    for start in range(0, 6000, 3):
        cases = [f"{case:06}" for case in range(start, start + 3)]
        counter.add(cases * 4, [label for label in "abcd" for _ in cases])
        counter.close(cases)
        sizes.append(len(pickle.dumps(counter)))
    assert max(sizes[1000:]) <= 1.01 * max(sizes[:1000])


def test_batches_that_settle_nothing_leave_nothing_behind():
    counter = StreamCounter(9)
    counter.add([1], ["a"])
    size = len(pickle.dumps(counter))
    for _ in range(100):
        counter.add([], [])
        counter.close([])
    assert len(pickle.dumps(counter)) == size


def test_room_for_many_open_cases_is_given_back():
    many = [str(case) for case in range(50_000)]
    activities = ["a"] * len(many)
    tracemalloc.start()
    try:
        counter = StreamCounter(9)
        counter.add(many, activities)
        large, _ = tracemalloc.get_traced_memory()
        counter.close(many[:-1])
        counter.counts()
        small, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert counter.open_cases == 1
    assert small < large / 20


@given(streams(), windows)
def test_settled_windows_and_those_of_the_last_events_are_the_windows_of_the_cases(events, window):
    counter = StreamCounter(window)
    for event in events:
        add(counter, [event])
    assert counter.counts() == counted(list(grouped(events).values()), window)
