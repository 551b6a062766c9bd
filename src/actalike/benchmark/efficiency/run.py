"""Running the efficiency benchmark: a cell is a method on a log, measured in a process of its own, and leaves one small file.

One cell at a time, because cells that share a machine measure each other. What is there is not computed again.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import cloudpickle

from actalike.benchmark import folders
from actalike.benchmark.efficiency.machine import machine, processor, versions
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method


@dataclass(frozen=True)
class Plan:
    """What all results of a folder have in common. Times of different machines do not compare."""

    repeats: int
    processor: str


class Cell(NamedTuple):
    """A piece of work."""

    log: str
    method: str

    def file(self, out: Path) -> Path:
        """Where its result is."""
        return out / self.log / "cells" / f"{self.method}.json"


def make_plan(repeats: int) -> Plan:
    """The plan of a run on this machine."""
    return Plan(repeats, processor())


def open_folder(out: Path, plan: Plan) -> None:
    """Make a result folder, or check that the one that is there belongs to this plan."""
    folders.open_folder(out, {"benchmark": "efficiency", "format": 1, **asdict(plan)})


def read_plan(out: Path) -> Plan:
    """The plan of a result folder."""
    found = folders.read_description(out, "repeats", "processor")
    return Plan(found["repeats"], found["processor"])


def note_request(out: Path, cells: Sequence[Cell]) -> None:
    """Note what is to be computed, so that a table can say what is missing."""
    folders.note_request(out, {"cells": sorted(map(list, cells))})


def requested(out: Path) -> set[Cell]:
    """What was asked for so far."""
    return {Cell(*cell) for request in folders.requests(out, "cells") for cell in request["cells"]}


def read_cell(path: Path, plan: Plan) -> dict[str, Any]:
    """What the file of a cell holds; one from another run (folders may have been copied together) is an error."""
    found = folders.read_json(path, "log", "method", "log_digest", "machine", "asked_repeats")
    digest = folders.read_json(path.parents[1] / "log.json", "log_digest")["log_digest"]
    expected = (digest, plan.repeats, plan.processor)
    if (found["log_digest"], found["asked_repeats"], found["machine"].get("processor")) != expected:
        raise ActalikeError(f"{path} is of another run than its folder: results of different runs do not mix. Remove it.")
    parts = {"seconds", "processor", "items", "as_published"}
    has_figures = (
        {"size", "memory"} <= found.keys() and bool(found.get("rounds")) and all(parts <= one.keys() for one in found["rounds"])
    )
    if "error" not in found and not has_figures:
        raise ActalikeError(f"{path} is not a sound result file: remove it and run again.")
    return found


def missing(cells: Sequence[Cell], plan: Plan, out: Path, retry_failed: bool = False) -> list[Cell]:
    """The cells that have no result yet."""
    return [
        cell for cell in cells if not (path := cell.file(out)).exists() or ("error" in read_cell(path, plan) and retry_failed)
    ]


def run(
    cells: Sequence[Cell],
    logs: Mapping[str, EventLog],
    digests: Mapping[str, str],
    methods: Mapping[str, Method],
    plan: Plan,
    limit: float,
    out: Path,
) -> Iterator[tuple[Cell, str | None]]:
    """Measure cells; yields each when its file is written, with the error with which it failed, if it did."""
    for cell in cells:
        method = methods[cell.method]
        described = {
            "benchmark": "efficiency",
            "log": cell.log,
            "log_digest": digests[cell.log],
            "method": cell.method,
            "parameters": folders.parameters_of(method),
            "asked_repeats": plan.repeats,
            "time_limit": limit,
            "machine": machine(),
            "versions": versions(method),
        }
        found = measure(method, logs[cell.log], plan.repeats, limit)
        path = cell.file(out)
        path.parent.mkdir(parents=True, exist_ok=True)
        folders.write_json(path, {**described, **found})
        yield cell, found.get("error")


def measure(method: Method, log: EventLog, repeats: int, limit: float) -> dict[str, Any]:
    """Sizes, memory and times of a method on a log, or its error, from a fresh process that gets so many seconds."""
    try:
        sent = cloudpickle.dumps((method, (log.activities, log.codes, log.offsets), repeats, limit))
    except (Exception, SystemExit) as error:  # a method may be anybody's
        return {"error": folders.error_text(error)}
    said, code = _in_a_process(sent, limit)
    lines = said.decode().splitlines(keepends=True)
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
    """What a fresh process says, and its exit code; None where it had to be ended because time was up."""
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
