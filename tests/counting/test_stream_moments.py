"""A stream that is interrupted anywhere: it is as it was before the call, or as it is after it."""

import itertools
import random
import signal
import sys
from copy import deepcopy
from pathlib import Path

import pytest

import actalike
from actalike import LogError, StreamCounter
from actalike.counting import open_cases as open_cases_module
from actalike.counting import streams as streams_module
from tests.helpers.event_streams import counted, grouped

COUNTING = str(Path(actalike.__file__).parent / "counting")


class Interruption(BaseException):
    """What no code catches, as KeyboardInterrupt; raised by the test itself, so that Ctrl-C still ends the tests."""


def interrupted(action, at, event):
    """Do something, and interrupt it at a line, or an instruction, of the counting code. Return whether it went so far."""
    left = at

    def trace(frame, kind, _):
        nonlocal left
        if not frame.f_code.co_filename.startswith(COUNTING):
            return None
        frame.f_trace_opcodes = event == "opcode"
        if kind == event:
            left -= 1
            if left < 0:
                raise Interruption
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    except Interruption:
        return True
    finally:
        sys.settrace(before)
    return False


def known(counter):
    """All that one can see of a counter. It is asked of a copy: looking must not mend."""
    numbers = counter.n_events, counter.open_cases, counter.revision, repr(counter)
    state = deepcopy(counter).state()
    cases = sorted(zip(state.cases, state.tails.tolist(), state.lengths.tolist(), strict=True))
    return numbers, state.activities, state.windows.tolist(), state.counts.tolist(), cases, state.n_events


def refused(counter):
    """Add what is refused after names were looked up."""
    with pytest.raises(LogError):
        counter.add(["new", "1", "newer"], ["x", "y", None])


ACTIONS = {
    "add": lambda counter, folder: counter.add(["new", "1", "newer", "2"], ["x", "a", "0", "b"]),
    "add numbers": lambda counter, folder: counter.add([7, 1, 8], ["x", "a", "0"]),
    "add what is refused": lambda counter, folder: refused(counter),
    "close": lambda counter, folder: counter.close(["1", "3", "4"]),
    "close the same twice": lambda counter, folder: counter.close(["1", "1"]),
    "close most": lambda counter, folder: (counter.close([str(case) for case in range(2, 9)]), counter.counts()),
    "counts": lambda counter, folder: counter.counts(),
    "save": lambda counter, folder: counter.save(folder / "stream.actalike"),
    "forget": lambda counter, folder: counter.forget(counted([["z", "a"]], 3)),
    "copy": lambda counter, folder: deepcopy(counter),
}


def streams_before():
    """Streams with events that wait and a case that is closed after them: as many as are processed next, and fewer."""
    for by_number, n in ((False, 11), (False, 9), (True, 9)):
        counter = StreamCounter(3)
        counter.add(["0", "0"], ["z", "a"])
        counter.close("0")
        counter.counts()
        name = int if by_number else str
        counter.add([name(1 + i % 8) for i in range(n)], ["dcbahgfei"[i % 9] for i in range(n)])
        counter.close([name(8)])
        counter.add([name(8)], ["z"])
        yield counter


def go_on(counter):
    """Go on with names that are known, new ones and closed ones, so that whatever is mixed up inside shows."""
    counter.add(["1"], ["b"])
    counter.close("1")
    for start in range(30):
        counter.add([str(case) for case in range(start, start + 3)], ["a", "q", "b"])
        if start % 4 == 3:
            counter.close([str(start), str(start - 1)])
    return known(counter)


def interrupt_everywhere(action, folder, event, step):
    """Interrupt an action at many of its places, one after the other; at odd ones also what is done next. Return how many."""
    n = 0
    for original in streams_before():
        before, after = known(original), deepcopy(original)
        action(after, folder)
        may_be = [before, known(after)]
        goal = go_on(after)
        for at in itertools.count(0, step):
            counter = deepcopy(original)
            if not interrupted(lambda: action(counter, folder), at, event):  # noqa: B023
                break
            n += 1
            if at % 2:
                interrupted(counter.state, at % 61, event)
            seen = known(counter)
            assert seen in may_be, at
            if seen == before != may_be[1]:
                action(counter, folder)
            assert go_on(counter) == goal, at
    return n


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(streams_module, "_BLOCK", 10)
    monkeypatch.setattr(open_cases_module, "_SPARE", 2)


@pytest.mark.campaign
@pytest.mark.parametrize("name", ACTIONS)
def test_a_stream_interrupted_at_many_lines_is_as_before_or_as_after(small_blocks, tmp_path, name):
    assert interrupt_everywhere(ACTIONS[name], tmp_path, "line", step=3) > 10


@pytest.mark.campaign
@pytest.mark.parametrize("name", ACTIONS)
def test_a_stream_interrupted_at_many_instructions_is_as_before_or_as_after(small_blocks, tmp_path, name):
    assert interrupt_everywhere(ACTIONS[name], tmp_path, "opcode", step=7) > 50


def wide_stream(n):
    """Events of many cases in turns, and the place of the last event of each."""
    chance = random.Random(1)
    cases = [str(place // 900 * 300 + chance.randrange(300)) for place in range(n)]
    return cases, [f"L{chance.randrange(40)}" for _ in range(n)], {case: place for place, case in enumerate(cases)}


def read_on(counter, cases, labels, last):
    """Read a source to its end, from the place that the counter names."""
    ended = [case for case in counter.state().cases if last[case] < counter.n_events]
    if ended:
        counter.close(ended)
    while (start := counter.n_events) < len(cases):
        end = start + 700
        counter.add(cases[start:end], labels[start:end])
        counter.close([case for case in dict.fromkeys(cases[start:end]) if last[case] < end])
        counter.counts()


def interrupt_by_signals(least):
    """Read streams while signals interrupt them at random times, and go on after each, until there were enough signals."""
    cases, labels, last = wide_stream(20_000)
    whole = counted(list(grouped(zip(cases, labels, strict=True)).values()), 9)
    chance, n_interrupted = random.Random(2), 0
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)  # what Ctrl-C does, at a time of our choice
    try:
        while n_interrupted < least:
            counter = StreamCounter(9)
            while counter.n_events < len(cases):
                try:
                    signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0005, 0.01))
                    read_on(counter, cases, labels, last)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except KeyboardInterrupt:
                    n_interrupted += 1
                    if counter.n_events:
                        assert counter.counts().n_events == counter.n_events
            assert counter.counts() == whole
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that sends signals")
def test_streams_interrupted_by_signals_go_on_where_they_were():
    interrupt_by_signals(40)


@pytest.mark.campaign
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that sends signals")
def test_streams_interrupted_by_many_signals_go_on_where_they_were():
    interrupt_by_signals(1_500)


def test_memory_that_ends_while_windows_are_counted_costs_no_event(monkeypatch, tmp_path):
    counter = StreamCounter(3)
    counter.add(["x"] * 1000, ["a", "b"] * 500)
    count_line = open_cases_module.count_line

    def end_of_memory(*_):
        monkeypatch.setattr(open_cases_module, "count_line", count_line)
        raise MemoryError

    monkeypatch.setattr(open_cases_module, "count_line", end_of_memory)
    with pytest.raises(MemoryError):
        counter.save(tmp_path / "stream.actalike")
    counter.save(tmp_path / "stream.actalike")
    assert actalike.load(tmp_path / "stream.actalike").counts() == counter.counts() == counted([["a", "b"] * 500], 3)
