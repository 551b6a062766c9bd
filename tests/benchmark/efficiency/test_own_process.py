"""What a process of its own says, and how it ends, is the result of a method on a log."""

import json
import signal
import time

import pytest

from actalike.benchmark.efficiency import own_process
from actalike.benchmark.efficiency.child import measure as measure_here
from actalike.benchmark.efficiency.own_process import measure
from actalike.demo.loan_desk import loan_desk
from actalike.methods import make_method

FIRST = {"first": {"seconds": 1.0}, "size": {"rows": 3}, "memory": None}


@pytest.fixture
def process(monkeypatch):
    """Let a process write these lines and end with this code; None if it is ended because its time is up."""

    def ends(lines, code):
        monkeypatch.setattr(own_process, "_in_a_process", lambda sent, limit: ("".join(lines).encode(), code))
        return measure("one-hot", make_method("one-hot"), loan_desk(5), repeats=2, limit=8)

    return ends


def line(facts):
    return json.dumps(facts) + "\n"


@pytest.mark.parametrize("code", [0, None])
def test_the_rounds_that_were_finished_count(process, code):
    rounds = [{"seconds": 0.5}, {"seconds": 0.6}]
    found = process([line(FIRST), *map(line, rounds), '{"seconds": 0.'], code)
    assert found == {"size": {"rows": 3}, "memory": None, "rounds": rounds}


@pytest.mark.parametrize("code", [0, None])
def test_without_a_round_the_first_call_counts(process, code):
    assert process([line(FIRST)], code)["rounds"] == [{"seconds": 1.0}]


@pytest.mark.parametrize(
    ("lines", "code", "result"),
    [
        ([], None, {"error": "more than 8 s", "more_than": 8}),
        ([line(FIRST), line({"error": "RuntimeError: no luck"})], 0, {"error": "RuntimeError: no luck"}),
        ([], 7, {"error": "its process ended with exit code 7"}),
        ([], 0, {"error": "its process ended with exit code 0"}),
        ([line(FIRST)], -signal.SIGSEGV, {"error": "its process ended with signal 11"}),
    ],
)
def test_a_process_that_fails_has_its_error_as_result(process, lines, code, result):
    assert process(lines, code) == result


def test_a_process_that_the_system_kills_wanted_too_much_memory(process):
    assert "ends a process that takes too much memory" in process([line(FIRST)], -signal.SIGKILL)["error"]


def test_a_method_that_cannot_be_sent_fails():
    class Unsendable:
        def __reduce__(self):
            raise RuntimeError("not for export")

    found = measure("unsendable", Unsendable(), loan_desk(5), repeats=1, limit=8)
    assert found == {"error": "RuntimeError: not for export"}


def test_a_process_of_its_own_measures_what_this_one_does():
    log = loan_desk(20)
    found = measure("kin-w5", make_method("kin-w5"), log, repeats=2, limit=600)
    assert len(found["rounds"]) == 2
    arrays = log.activities, log.codes, log.offsets
    (here,) = measure_here("kin-w5", make_method("kin-w5"), arrays, 3, time.monotonic())
    assert found["size"] == here["size"]
