"""Measuring a method in a process of its own, which is ended with everything that it started when its time is up."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

from actalike.benchmark.folders import error_text
from actalike.log import EventLog
from actalike.methods import Method


def measure(name: str, method: Method, log: EventLog, repeats: int, limit: float) -> dict[str, Any]:
    """Return sizes, memory and times of a method on a log, or its error, from a fresh process that gets so many seconds."""
    from cloudpickle import dumps  # of the extra benchmark: tables of results do without it

    try:
        sent = dumps((name, method, (log.activities, log.codes, log.offsets), repeats, limit))
    except (Exception, SystemExit) as error:  # a method may be anybody's
        return {"error": error_text(error)}
    output, code = _in_a_process(sent, limit)
    lines = output.decode().splitlines(keepends=True)
    facts = [json.loads(line) for line in lines if line.endswith("\n")]  # a process that was ended may leave half a line
    if facts and "error" in facts[-1]:
        return {"error": facts[-1]["error"]}
    if not facts and code is None:
        return {"error": f"more than {limit:g} s", "more_than": limit}
    if not facts or code:
        return {"error": f"its process ended with {_ending(code)}"}
    first, *rounds = facts
    return {"size": first["size"], "memory": first["memory"], "rounds": rounds or [first["first"]]}


def _in_a_process(sent: bytes, limit: float) -> tuple[bytes, int | None]:
    """Return what a fresh process writes, and its exit code; None if it had to be ended because time was up."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "actalike.benchmark.efficiency.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(place or os.getcwd() for place in sys.path)},
        start_new_session=True,  # so that it can be ended with all processes that it may start
    )
    feed, process.stdin = process.stdin, None  # stays open to the end: when it closes, the process knows that we are gone
    assert feed is not None
    try:
        with suppress(BrokenPipeError):
            feed.write(sent)
            feed.flush()
        return process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
        _end(process)
        return process.communicate()[0], None
    finally:
        _end(process)
        process.wait()
        with suppress(BrokenPipeError):
            feed.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that we started, and those that it started, if it still runs."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int | None) -> str:
    if code == -signal.SIGKILL:
        return "signal 9, which is how a system ends a process that takes too much memory"
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
