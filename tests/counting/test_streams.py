"""Streams: what is added, closed and forgotten, by whom, in what order, and what an interruption does."""

import itertools
import os
import pickle
import sys
import tracemalloc
from copy import copy, deepcopy
from enum import Enum
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

import actalike
from actalike import ActalikeError, LogError, StreamCounter, count_windows, load
from actalike.counting import streams as streams_module
from tests import oracle
from tests.helpers.event_streams import add, at_once, counted, grouped, state
from tests.helpers.examples import examples
from tests.helpers.strategies import ODD_LABELS, any_text, traces, windows

COUNTING = str(Path(actalike.__file__).parent / "counting")
ODD_CASES = ["1", "2", "", " ", "PAD", "-1", "📄", "a,b", 'case "x"', 7, 10**20]


def as_dict(counts):
    symbols = [*counts.activities, oracle.PAD]  # PAD = -1 takes the last
    return {tuple(symbols[c] for c in w): n for w, n in zip(counts.windows.tolist(), counts.counts.tolist(), strict=True)}


class AnyStream(RuleBasedStateMachine):
    """Whatever is done to a stream, in any order: its counts are those of the log that it should now be."""

    looks = True  # what waits is processed when somebody looks, so sometimes nobody does until the end

    @initialize(window=windows, block=st.sampled_from([1, 5, 1 << 16]), looks=st.booleans())
    def begin(self, window, block, looks):
        self.looks = looks
        self.window, self.counter = window, StreamCounter(window)
        self.open, self.closed, self.n_events = {}, [], 0
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(streams_module, "_BLOCK", block)

    def teardown(self):
        if hasattr(self, "patch"):
            self.the_counts_are_those_of_the_log_so_far()
            self.patch.undo()

    @rule(events=st.lists(st.tuples(st.sampled_from(ODD_CASES), st.sampled_from(ODD_LABELS) | any_text), max_size=12))
    def add(self, events):
        add(self.counter, events)
        for case, activity in events:
            self.open.setdefault(str(case), []).append(activity)
        self.n_events += len(events)

    @rule(events=st.lists(st.tuples(st.integers(-3, 9), st.sampled_from(ODD_LABELS)), max_size=12), wide=st.booleans())
    def add_numbers(self, events, wide):
        cases = np.array([case for case, _ in events], dtype=np.int64 if wide else np.int8)
        self.counter.add(cases, [activity for _, activity in events])
        for case, activity in events:
            self.open.setdefault(str(case), []).append(activity)
        self.n_events += len(events)

    @rule(
        event=st.tuples(st.sampled_from(ODD_CASES), st.sampled_from(ODD_LABELS)),
        wrong=st.sampled_from([None, 1.5, True, [], b"x"]),
    )
    def add_what_is_wrong(self, event, wrong):
        for events in ([event, (wrong, "new label")], [event, ("new case", wrong)], [(wrong, "new label"), event]):
            with pytest.raises(LogError, match="added"):
                add(self.counter, events)
        with pytest.raises(LogError):
            self.counter.close([*self.open, wrong])

    @precondition(lambda self: any(case.lstrip("-").isdecimal() for case in self.open))
    @rule(data=st.data())
    def close_numbers(self, data):
        numbers = sorted(int(case) for case in self.open if case.lstrip("-").isdecimal())
        gone = data.draw(st.lists(st.sampled_from(numbers), min_size=1))
        self.counter.close(gone if len(gone) > 1 else gone[0])
        self.closed += [self.open.pop(str(case)) for case in dict.fromkeys(gone)]

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def close(self, data):
        gone = data.draw(st.lists(st.sampled_from(sorted(self.open)), min_size=1))
        self.counter.close(gone if len(gone) > 1 else gone[0])
        self.closed += [self.open.pop(case) for case in dict.fromkeys(gone)]

    @precondition(lambda self: self.closed)
    @rule(data=st.data())
    def forget(self, data):
        old = data.draw(st.lists(st.sampled_from(range(len(self.closed))), min_size=1, unique=True))
        self.counter.forget(counted([self.closed[i] for i in old], self.window))
        self.closed = [case for i, case in enumerate(self.closed) if i not in old]

    @rule()
    def copy(self):
        before = self.counter
        self.counter = deepcopy(before)
        before.add(["in the other one only"], ["z"])

    @rule()
    def restart(self):
        path = os.path.join(self.folder, "stream.actalike")
        self.counter.save(path)
        self.counter = load(path)

    @invariant()
    def the_sizes_are_known_at_once(self):
        if hasattr(self, "counter"):
            assert (self.counter.n_events, self.counter.open_cases) == (self.n_events, len(self.open))

    @precondition(lambda self: self.looks)
    @invariant()
    def the_counts_are_those_of_the_log_so_far(self):
        if not hasattr(self, "counter"):
            return
        state = self.counter.state()
        assert dict(zip(state.cases, state.lengths.tolist(), strict=True)) == {case: len(self.open[case]) for case in self.open}
        cases = self.closed + list(self.open.values())
        if cases:
            assert self.counter.counts() == counted(cases, self.window)
        else:
            with pytest.raises(LogError, match="compare"):
                self.counter.counts()


def test_whatever_is_done_to_a_stream_its_counts_are_those_of_the_log_so_far(tmp_path):
    machine = type("Machine", (AnyStream,), {"folder": tmp_path})
    run_state_machine_as_test(machine, settings=examples(40, stateful_step_count=25))


@given(traces(), traces(), windows)
def test_what_is_forgotten_was_never_there(old, new, window):
    counter = StreamCounter(window)
    for name, cases in (("old", old), ("new", new)):
        add(counter, [(f"{name} {i}", activity) for i, case in enumerate(cases) for activity in case])
    counter.close([f"old {i}" for i, case in enumerate(old) if case])
    counter.forget(counted(old, window))
    assert counter.counts() == counted(new, window)
    assert counter.n_events == sum(map(len, old + new))


@pytest.mark.parametrize("duplicate", [copy, deepcopy, lambda counter: pickle.loads(pickle.dumps(counter))])
def test_a_copy_goes_its_own_way(duplicate):
    counter = StreamCounter(3)
    counter.add(["x", "y"], ["a", "b"])
    counter.close("y")
    other = duplicate(counter)
    other.add(["x", "z"], ["c", "d"])
    other.close("x")
    counter.add(["x"], ["a"])
    assert (counter.n_events, counter.open_cases, other.n_events, other.open_cases) == (3, 1, 4, 1)
    assert counter.counts() == counted([["a", "a"], ["b"]], 3)
    assert other.counts() == counted([["a", "c"], ["b"], ["d"]], 3)


def test_an_event_of_a_closed_case_begins_a_new_case():
    counter = StreamCounter(3)
    for activity in "ab":
        counter.add([1], [activity])
        counter.close(1)
    assert counter.counts() == counted([["a"], ["b"]], 3)


def test_a_whole_number_is_the_case_of_that_name():
    counter = StreamCounter(2)
    counter.add([7, "7", np.int64(7)], ["a", "b", "c"])
    assert counter.open_cases == 1
    counter.close(np.int64(7))
    assert counter.counts() == counted([["a", "b", "c"]], 2)


@pytest.mark.parametrize(
    "column",
    [
        tuple,
        np.array,
        lambda values: np.array(values, dtype=object),
        pl.Series,
        lambda values: pl.Series(values).cast(pl.Categorical) if isinstance(values[0], str) else pl.Series(values),
        pd.Series,
        lambda values: pd.Series(values, dtype="category"),
        pa.array,
        lambda values: pa.chunked_array([values[:1], values[1:]]),
    ],
)
@pytest.mark.parametrize("cases", [["x", "y", "x"], [4, 5, 4]])
def test_columns_of_any_library_are_taken(column, cases):
    counter = StreamCounter(3)
    counter.add(column(cases), column(["a", "b", "c"]))
    counter.close(column(cases))
    assert counter.counts() == counted([["a", "c"], ["b"]], 3)


def test_texts_of_other_classes_are_the_same_texts():
    label = Enum("label", {"A": "a", "B": "b"}, type=str)
    counter = StreamCounter(3)
    counter.add(["x", np.str_("x"), "x"], [label.A, "b", np.str_("a")])
    counter.add([np.str_("x")], [label.B])
    counter.close(np.str_("x"))
    assert counter.counts() == counted([["a", "b", "a", "b"]], 3)
    assert all(type(text) is str for text in counter.counts().activities)


def test_a_number_that_cannot_be_written_is_an_error():
    counter = StreamCounter(3)
    counter.add([2**64, 10**20], ["a", "b"])
    with pytest.raises(LogError, match="large"):
        counter.add([1, 10**5000], ["a", "b"])
    assert (counter.n_events, counter.open_cases) == (2, 2)
    counter.close(str(2**64))
    assert counter.state().cases == [str(10**20)]


NOTHING = [None, "b", None]


@pytest.mark.parametrize(
    ("cases", "activities", "cause"),
    [
        (["x", None], ["a", "b"], "missing"),
        (["x", float("nan")], ["a", "b"], "missing"),
        (["x"] * 3, NOTHING, "missing"),
        (["x"] * 3, pl.Series(NOTHING), "missing"),
        (["x"] * 3, pd.Series(NOTHING), "missing"),
        (["x"] * 3, pa.array(NOTHING), "missing"),
        (pd.Series([1, None], dtype="Int64"), ["a", "b"], "missing"),
        (np.ma.array([1, 2], mask=[0, 1]), ["a", "b"], "missing"),
        (np.array("xy"), ["a", "b"], "dimensions"),
        (np.array([["x"], ["y"]]), ["a", "b"], "dimensions"),
        (["x", "y"], ["a"], "2 cases and 1 activities"),
        (["x"], [1], "strings"),
        ([1.5], ["a"], "float"),
        ([True], ["a"], "bool"),
        ([b"x"], ["a"], "bytes"),
        ("x", ["a"], "str"),
        (["x"], "a", "str"),
        (["x"], iter(["a"]), "list_iterator"),
        (["x"], pl.DataFrame({"activity": ["a"]}), "DataFrame"),
        (["x\ud800"], ["a"], "surrogate"),
        (["x"], ["a\udfff"], "surrogate"),
    ],
)
def test_wrong_events_are_an_error_and_nothing_is_taken(tmp_path, cases, activities, cause):
    counter = StreamCounter(3)
    counter.add(["x", "new"], ["a", "b"])
    before = state(counter, tmp_path / "stream.actalike")
    with pytest.raises(LogError, match=cause):
        counter.add(cases, activities)
    assert state(counter, tmp_path / "stream.actalike") == before


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        ("3", "close"),
        (["1", "3", 4], "close"),
        (["1", None], "missing"),
        (1.0, "float"),
        (np.array("12"), "dimensions"),
    ],
)
def test_closing_a_case_that_is_not_open_is_an_error_and_closes_none(wrong, cause):
    counter = StreamCounter(3)
    counter.add(["1", "2"], ["a", "b"])
    with pytest.raises(LogError, match=cause):
        counter.close(wrong)
    assert counter.open_cases == 2


@pytest.mark.parametrize(
    ("old", "cause"),
    [
        ([["a", "b"], ["a", "b"]], "2 windows more often than they are there"),
        ([["a", "c"]], "windows more often than they are there"),  # of a case that is still open
        ([["d"]], "the activity 'd', which is not there"),
    ],
)
def test_forgetting_more_than_is_there_is_an_error_and_changes_nothing(tmp_path, old, cause):
    counter = StreamCounter(3)
    counter.add([1, 1, 2, 2], ["a", "b", "a", "c"])
    counter.close(1)
    before = state(counter, tmp_path / "stream.actalike")
    with pytest.raises(ActalikeError, match=cause):
        counter.forget(counted(old, 3))
    assert state(counter, tmp_path / "stream.actalike") == before


def test_forgetting_what_leaves_neighbours_without_events_is_an_error_and_changes_nothing(tmp_path):
    """All windows of the table are there, but those of (b) belong to a case that began with a."""
    counter = StreamCounter(2)
    counter.add([1, 1], ["a", "b"])
    counter.close(1)
    before = state(counter, tmp_path / "stream.actalike")
    with pytest.raises(ActalikeError, match="still"):
        counter.forget(counted([["b"]], 2))
    assert state(counter, tmp_path / "stream.actalike") == before


def test_settled_windows_of_open_cases_cannot_be_forgotten_away_from_their_neighbours():
    counter = StreamCounter(3)
    counter.add([1, 1], ["a", "b"])
    old = counted([["a", "b"]], 3)
    only_a = type(old)(old.activities, old.windows[:1], old.counts[:1])
    assert only_a.windows.tolist() == [[-1, 0, 1]]
    with pytest.raises(ActalikeError, match="all events of 'a'"):
        counter.forget(only_a)
    assert counter.counts() == old


def test_only_tables_of_the_same_window_are_forgotten():
    counter = StreamCounter(3)
    counter.add([1], ["a"])
    counter.close(1)
    with pytest.raises(ActalikeError, match="Windows"):
        counter.forget(counted([["a"]], 5))
    with pytest.raises(ActalikeError, match="WindowCounts"):
        counter.forget([["a"]])


def test_windows_wider_than_any_case_over_a_large_alphabet_are_counted():
    labels = [f"a{i}" for i in range(100)]
    counter = StreamCounter(21)
    counter.add(labels, labels)  # nothing is settled
    assert counter.counts() == counted([[label] for label in labels], 21)


def test_the_revision_goes_up_with_each_change_and_with_nothing_else(tmp_path):
    counter, revisions = StreamCounter(3), []
    for change in (
        lambda: counter.add([1, 1], ["a", "b"]),
        lambda: counter.close(1),
        lambda: counter.forget(counted([["a", "b"]], 3)),
        lambda: counter.save(tmp_path / "stream.actalike"),
        lambda: counter.state(),
    ):
        change()
        revisions.append(counter.revision)
    assert revisions == [1, 2, 3, 3, 3]


def test_the_window_is_as_count_windows_has_it():
    for wrong in (0, -3, 2.5, "3", True, None):
        with pytest.raises(ActalikeError, match="window"):
            StreamCounter(wrong)
    assert StreamCounter(np.int64(3)).window == 3


def test_alphabets_beyond_64_bit_keys_are_exact():
    counter = StreamCounter(9)
    labels = [f"a{i}" for i in range(3000)]  # 3001 ** 9 is about 2 ** 104
    for start in range(0, 3000, 500):
        counter.add(["x"] * 500 + ["y"] * 500, labels[start : start + 500] + labels[::-1][start : start + 500])
    assert counter.counts() == counted([labels, labels[::-1]], 9)


@pytest.mark.parametrize("name", ["Helpdesk", "BPIC15_1"])
@pytest.mark.parametrize("window", [2, 5])
def test_a_real_log_replayed_in_the_order_of_time_gives_its_counts(real_log, tmp_path, name, window):
    log = real_log(name)
    in_time = np.argsort(log.timestamps, kind="stable")
    cases, codes = np.repeat(np.arange(log.n_cases), log.lengths)[in_time], log.codes[in_time]
    rest = log.lengths.copy()
    counter, path = StreamCounter(window), tmp_path / "stream.actalike"
    for start in range(0, log.n_events, 1000):
        batch = slice(start, start + 1000)
        counter.add(cases[batch], [log.activities[code] for code in codes[batch].tolist()])
        np.subtract.at(rest, cases[batch], 1)
        touched = np.unique(cases[batch])
        counter.close(touched[rest[touched] == 0])
        if start % 5000 == 0:
            seen = zip(cases[: start + 1000].tolist(), codes[: start + 1000].tolist(), strict=True)
            so_far = grouped((case, log.activities[code]) for case, code in seen)
            assert counter.counts() == counted(list(so_far.values()), window)
            counter.save(path)
            counter = load(path)
    assert counter.open_cases == 0
    assert counter.counts() == count_windows(log, window)


def test_what_several_threads_add_at_once_is_counted_or_refused():
    counter = StreamCounter(3)
    done, errors = at_once([lambda n, name=name: counter.add([f"{name}-{n}"] * 2, ["a", "b"]) for name in "wxyz"])
    assert counter.n_events == counter.counts().n_events == 2 * sum(done)
    assert counter.open_cases == sum(done)
    assert {type(error) for error in errors} == {ActalikeError}
    assert all("another thread" in str(error) for error in errors)


@pytest.mark.parametrize("use", ["save", "counts", "forget", "close", "copy"])
def test_a_counter_that_another_thread_adds_to_is_whole_or_refuses(use, tmp_path):
    counter = StreamCounter(3)
    counter.add(["first", "first"], ["a", "b"])
    counter.close("first")
    counter.add(["second"], ["a"])
    absent = counted([["a"]], 3)  # all cases of a single event are open, so they cannot be forgotten
    uses = {
        "save": lambda _: (counter.save(tmp_path / "x.actalike"), load(tmp_path / "x.actalike").counts()),
        "counts": lambda _: counter.counts(),
        "forget": lambda _: counter.forget(absent),
        "close": lambda _: counter.close("never opened"),
        "copy": lambda _: copy(counter).counts(),
    }
    done, errors = at_once([lambda n: counter.add([f"x-{n}", "second"], ["a", "b"]), uses[use]])
    assert counter.n_events == counter.counts().n_events == 2 * done[0] + 3
    assert {type(error) for error in errors} <= {ActalikeError, LogError}
    assert any("another thread" in str(error) for error in errors)


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


class Interruption(BaseException):
    """What no code catches, as KeyboardInterrupt; raised by the test itself, so that Ctrl-C still ends the tests."""


def interrupted(action, at):
    """Do something, and interrupt it at a line of the counting code. Return whether it went so far."""
    left = at

    def trace(frame, kind, _):
        nonlocal left
        if not frame.f_code.co_filename.startswith(COUNTING):
            return None
        if kind == "line":
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
    """All that one can see of a counter. It is asked of a copy."""
    numbers = counter.n_events, counter.open_cases, counter.revision, repr(counter)
    state = deepcopy(counter).state()
    return numbers, *(part.tolist() if isinstance(part, np.ndarray) else part for part in state)


CHANGES = {
    "add": lambda counter, folder: counter.add(["new", "1", "newer"], ["x", "a", "0"]),
    "add one": lambda counter, folder: counter.add(["new"], ["x"]),
    "add numbers": lambda counter, folder: counter.add(np.array([7, 1, 8]), ["x", "a", "0"]),
    "close": lambda counter, folder: counter.close(["1", "3", "4"]),
    "counts": lambda counter, folder: counter.counts(),
    "save": lambda counter, folder: counter.save(folder / "stream.actalike"),
    "forget": lambda counter, folder: counter.forget(counted([["z", "a"]], 3)),
}
TIMED = {
    "add": lambda counter, folder: counter.add(["new", "1", "newer"], ["x", "a", "0"], [25, 24, 26]),
    "close": lambda counter, folder: counter.close(["1", "3"]),
    "counts": lambda counter, folder: counter.counts(),
}


def a_stream(timed):
    counter = StreamCounter(3, lateness=2, idle=20) if timed else StreamCounter(3)
    counter.add(["0", "0"], ["z", "a"], *[[0, 1]] * timed)
    counter.close("0")
    counter.counts()
    counter.add([str(1 + i % 8) for i in range(11)], ["dcbahgfei"[i % 9] for i in range(11)], *[list(range(1, 12))] * timed)
    counter.close("8")
    counter.add(["8"], ["z"], *[[11]] * timed)
    return counter


@pytest.mark.parametrize(("timed", "name"), [*((False, name) for name in CHANGES), *((True, name) for name in TIMED)])
def test_an_interrupted_counter_is_as_before_or_as_after_or_asks_for_the_checkpoint(monkeypatch, tmp_path, timed, name):
    monkeypatch.setattr(streams_module, "_BLOCK", 10)
    action, refused = (TIMED if timed else CHANGES)[name], 0
    before, after = known(a_stream(timed)), a_stream(timed)
    action(after, tmp_path)
    for at in itertools.count():
        counter = a_stream(timed)
        if not interrupted(lambda: action(counter, tmp_path), at):  # noqa: B023
            break
        try:
            seen = known(counter)
        except ActalikeError:
            refused += 1
            with pytest.raises(ActalikeError, match="checkpoint"):
                counter.counts()
        else:
            assert seen in (before, known(after)), at
    assert 0 < refused < at


def test_an_interrupted_counter_does_nothing_more(monkeypatch, tmp_path):
    counter = StreamCounter(3)
    counter.add(["1", "1"], ["a", "b"])
    monkeypatch.setattr(streams_module, "count_rows", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        counter.counts()
    monkeypatch.undo()
    for call in (
        lambda: counter.add(["1"], ["b"]),
        lambda: counter.add([1], ["b"]),
        lambda: counter.close("1"),
        counter.counts,
        counter.list_open_cases,
        lambda: counter.forget(counted([["a"]], 3)),
        lambda: counter.save(tmp_path / "stream.actalike"),
        lambda: deepcopy(counter),
    ):
        with pytest.raises(ActalikeError, match="checkpoint"):
            call()
    assert not list(tmp_path.iterdir())


def test_open_cases_are_listed_with_what_they_had_last():
    counter = StreamCounter(3)
    counter.add([2, 10, 2, "x"], ["a", "b", "c", "d"])
    counter.close("x")
    assert counter.list_open_cases() == [("10", 1, "b", None), ("2", 2, "c", None)]
    one = StreamCounter(1)
    one.add([2], ["a"])
    assert one.list_open_cases() == [("2", 1, None, None)]


def test_records_are_added_by_their_keys():
    counter = StreamCounter(3)
    counter.add_records([{"case": 1, "activity": "a"}, {"case": "1", "activity": "b", "by": "me"}])
    counter.add_records(iter([{"id": 2, "step": "c"}]), case="id", activity="step")
    assert counter.counts() == counted([["a", "b"], ["c"]], 3)
    for wrong, word in (
        ([{"case": 1}], "activity"),
        ([["case", "activity"]], "Record 1"),
        ([{"case": 1, "activity": None}], "missing"),
    ):
        with pytest.raises(LogError, match=word):
            counter.add_records([{"case": 1, "activity": "z"}, *wrong] if word != "Record 1" else wrong)
    assert counter.n_events == 3
