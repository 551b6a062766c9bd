"""Checkpoints: the state of a stream in a file, whole or refused, whatever happens to the process."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, FileFormatError, StreamCounter, count_windows, load
from actalike.demo.loan_desk import loan_desk
from tests.helpers.damaged_files import contents, write_unchecked
from tests.helpers.event_streams import add, counted, cut, grouped, state, streams
from tests.helpers.event_streams import in_time as in_time_by_definition
from tests.helpers.examples import LONG
from tests.helpers.strategies import any_text, windows


@given(streams(), windows, st.data())
def test_the_saved_bytes_do_not_depend_on_the_batches(tmp_path_factory, events, window, data):
    folder = tmp_path_factory.mktemp("streams")
    closed = data.draw(st.lists(st.sampled_from(sorted(grouped(events))), unique=True))
    bytes_of = set()
    for batches in (data.draw(cut(events)), [events]):
        counter = StreamCounter(window)
        for batch in batches:
            add(counter, batch)
        counter.close(closed)
        bytes_of.add(state(counter, folder / "stream.actalike"))
    assert len(bytes_of) == 1


@given(streams(any_text), windows)
def test_a_restored_stream_saves_the_same_bytes(tmp_path_factory, events, window):
    path = tmp_path_factory.mktemp("streams") / "stream.actalike"
    counter = StreamCounter(window)
    add(counter, events)
    before = state(counter, path)
    assert state(load(path), path) == before


WORKER = """
import json, sys
from pathlib import Path
from actalike import StreamCounter, load

path, events, options = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()), json.loads(sys.argv[3])
counter = load(path) if path.exists() else StreamCounter(5, **options)
while sys.stdin.readline() and (batch := events[counter.n_events : counter.n_events + 40]):
    assert counter.offsets.get("events-0", 0) == counter.n_events
    cases, activities, last, times = zip(*batch)
    counter.add(cases, activities, *[times] * bool(options))
    if not options:
        counter.close([case for case, ends in zip(cases, last) if ends])
    counter.save(path, offsets={"events-0": counter.n_events})
    print(counter.n_events, flush=True)
"""


@pytest.mark.campaign
@pytest.mark.parametrize("options", [{}, {"lateness": 86_400 * 2, "idle": 86_400 * 20}], ids=["plain", "timed"])
def test_a_stream_killed_again_and_again_loses_nothing(tmp_path, options):
    log = loan_desk(400 if LONG else 120)
    in_time = np.argsort(log.timestamps, kind="stable")
    cases = np.repeat(np.array(log.case_ids), log.lengths)[in_time].tolist()
    last = {case: i for i, case in enumerate(cases)}
    times = (log.timestamps[in_time].astype("datetime64[s]").astype(np.int64)).tolist()
    events = [
        (case, log.activities[log.codes[i]], last[case] == at, times[at])
        for at, (case, i) in enumerate(zip(cases, in_time, strict=True))
    ]
    if options:  # some come after later ones, by up to a day
        delay = np.random.default_rng(3).integers(0, 86_400, len(events))
        events = [events[i] for i in np.argsort(np.array(times) + delay, kind="stable").tolist()]
    path, given_events, random = tmp_path / "stream.actalike", tmp_path / "events.json", np.random.default_rng(1)
    given_events.write_text(json.dumps(events))
    kills = 0
    while not path.exists() or load(path).n_events < len(events):
        program = [sys.executable, "-c", WORKER, path, given_events, json.dumps(options)]
        with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
            batches = random.integers(4, 12)
            worker.stdin.write("go\n" * batches)
            worker.stdin.flush()
            said = [worker.stdout.readline() for _ in range(batches - 1)]
            time.sleep(random.uniform(0, 0.005))  # so that it is somewhere in adding, closing or saving
            worker.kill()
            kills += worker.wait() == -signal.SIGKILL
        restored = load(path)
        assert restored.n_events >= int(said[-1] or len(events)), "a state that was saved is lost"
        assert restored.offsets == {"events-0": restored.n_events}, "the offsets of another state"
        so_far = events[: restored.n_events]
        if options:
            timed = [(at, case, activity) for case, activity, _, at in so_far]
            closed, opened, _, _ = in_time_by_definition(timed, **options)
            assert restored.counts() == counted([*closed, *opened.values()], 5)
        else:
            assert restored.counts() == counted(list(grouped(event[:2] for event in so_far).values()), 5)
    assert kills >= 3
    uninterrupted = StreamCounter(5, **options)
    columns = list(zip(*events, strict=True))
    uninterrupted.add(columns[0], columns[1], *[columns[3]] * bool(options))
    if not options:
        assert restored.open_cases == 0
        assert restored.counts() == count_windows(log, 5)
        uninterrupted.close(sorted(last))
    assert state(restored, path) == state(uninterrupted, path)


@pytest.mark.parametrize("offsets", [{}, {"orders-0": 4711}, {"é": [1, 2.5, None, True, {"x": "y"}]}, {"": -(2**62)}])
def test_offsets_come_back_with_the_state(tmp_path, offsets):
    path = tmp_path / "stream.actalike"
    counter = StreamCounter(3)
    counter.save(path, offsets)
    assert load(path).offsets == counter.offsets == offsets
    load(path).save(path)
    assert load(path).offsets == {}, "offsets of an older state are not those of a newer one"


@pytest.mark.parametrize("offsets", [{"x": object()}, {1: 2}, {"x": float("nan")}, {"x": (1,)}, [1], 7, "x", {"x": "y" * 70_000}])
def test_what_is_no_small_dict_of_json_values_is_not_saved(tmp_path, offsets):
    with pytest.raises(ActalikeError, match="offsets"):
        StreamCounter(3).save(tmp_path / "stream.actalike", offsets)
    assert not list(tmp_path.iterdir())


def a_state(path, window=5):
    """A stream with settled windows, open cases shorter than a tail and of its length, and odd names."""
    counter = StreamCounter(window)
    counter.add([1, 1, "é", 1, "é", "📄", 1, 2], ["a", "b", "b", "a", "c", "", "b", "d"])
    counter.add([3] * 4, ["a", "b", "c", ""])
    counter.close([2, 3])
    counter.save(path)
    return counter


def a_timed_state(path):
    """A stream that holds events back, and closes cases that are idle."""
    counter = StreamCounter(3, lateness=5, idle=100, late="skip")
    counter.add(["x", "y", "x", "é", "x"], ["a", "b", "b", "c", "a"], [10, 11, 14, 19, 1])
    counter.save(path, {"x": 1})
    return counter


def replaced(place, value):
    """An array with other values in some places."""

    def replace(array):
        array = array.copy()
        array[place] = value
        return array

    return replace


@pytest.mark.parametrize("window", [1, 3, 6])
def test_a_state_cut_off_anywhere_is_an_error(tmp_path, window):
    path = tmp_path / "stream.actalike"
    a_state(path, window)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(FileFormatError, match=r"stream\.actalike"):
            load(path)


def test_a_damaged_state_is_an_error_or_still_a_sound_state(tmp_path):
    path = tmp_path / "stream.actalike"
    a_state(path)
    whole = path.read_bytes()
    for at, bit in enumerate(np.random.default_rng(1).integers(0, 8, len(whole)).tolist()):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        path.write_bytes(bytes(damaged))
        try:
            counter = load(path)
        except ActalikeError:
            continue
        assert isinstance(counter, StreamCounter)
        counter.add(["new", "1"], ["a", "z"])
        counter.counts().save(path)
        assert load(path) == counter.counts(), "its counts are no sound table"
        counter.save(path)
        assert load(path).counts() == counter.counts()


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"n_events": 11}, {}),  # fewer than are counted
        ({"n_events": 2**52 + 1}, {}),
        ({"activities": ["", "a", "b", "d", "c"]}, {}),
        ({"activities": ["", "a", "b", "c", "d", "e"]}, {}),  # one that does not occur
        ({}, {"windows": lambda w: w[::-1]}),
        ({}, {"windows": replaced(1, [-1, -1, 4, -1, -1])}),  # a window twice
        ({}, {"windows": lambda w: w + 9}),
        ({}, {"windows": replaced((0, 0), -2)}),
        ({}, {"windows": replaced((0, 2), 3)}),  # no d any more
        ({}, {"counts": lambda n: n - 1}),
        ({}, {"counts": lambda n: n[:-1]}),
        ({}, {"tails": replaced((0, 0), 5)}),
        ({}, {"tails": replaced((0, 1), -1)}),  # PAD behind an activity
        ({}, {"tails": replaced(2, -1)}),  # a case without events
        ({}, {"case_events": lambda n: n[:-1]}),
        ({}, {"case_events": lambda n: n - 1}),  # fewer than in the tail
        ({}, {"case_events": replaced(1, 3)}),  # more, where the tail has room for them
        ({}, {"case_events": replaced(0, 11)}),  # more than all events
        ({}, {"case_texts": lambda b: b[:-1]}),
        ({}, {"case_texts": lambda b: b | 0x80}),
        ({}, {"case_lengths": lambda n: n[::-1]}),
        ({}, {"case_lengths": lambda n: np.array([-7, 8, 6])}),  # would give sorted texts
        ({}, {"case_texts": lambda b: b[[0, 0, 3, 4, 5, 6]], "case_lengths": replaced(1, 1)}),  # a case twice
        ({}, {"case_texts": lambda b: b[[1, 2, 0, 3, 4, 5, 6]], "case_lengths": lambda n: n[[1, 0, 2]]}),  # cases not sorted
    ],
)
def test_contradictory_parts_of_a_state_are_an_error(tmp_path, header, arrays):
    path = tmp_path / "stream.actalike"
    a_state(path)
    described, stored = contents(path)
    changed = stored | {name: np.ascontiguousarray(change(stored[name])) for name, change in arrays.items()}
    write_unchecked(path, described | header, changed)
    with pytest.raises(FileFormatError, match="stream"):
        load(path)


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"late": "never"}, {}),
        ({"offsets": "[1]"}, {}),
        ({"n_events": 4}, {}),
        ({}, {"clock": replaced(0, -1)}),
        ({}, {"clock": replaced(3, -1)}),
        ({}, {"clock": replaced(2, np.iinfo(np.int64).min)}),  # no latest event
        ({}, {"clock": replaced(2, 18 * 10**9)}),  # an event that is held back comes after it
        ({}, {"case_times": lambda t: t[:-1]}),
        ({}, {"case_times": lambda t: t + 10 * 10**9}),
        ({}, {"held_times": lambda t: t[:-1]}),
        ({}, {"held_times": lambda t: t - 10 * 10**9}),  # should have been released
    ],
)
def test_contradictory_parts_of_a_state_with_times_are_an_error(tmp_path, header, arrays):
    path = tmp_path / "stream.actalike"
    a_timed_state(path)
    described, stored = contents(path)
    changed = stored | {name: np.ascontiguousarray(change(stored[name])) for name, change in arrays.items()}
    write_unchecked(path, described | header, changed)
    with pytest.raises(FileFormatError, match="stream"):
        load(path)


def test_a_stream_of_too_wide_windows_is_neither_saved_nor_loaded(tmp_path):
    """Without windows and cases, the size takes no space in the file, and the first event would take it all."""
    path = tmp_path / "stream.actalike"
    StreamCounter(1000).save(path)
    assert load(path).window == 1000
    with pytest.raises(ActalikeError, match="stored"):
        StreamCounter(1001).save(path)
    header, arrays = contents(path)
    for window in (1001, 65_536):
        shapes = {"windows": np.zeros((0, window), dtype=np.int32), "tails": np.zeros((0, window - 1), dtype=np.int32)}
        write_unchecked(path, header, arrays | shapes)
        with pytest.raises(FileFormatError, match="windows"):
            load(path)
