"""Kill commands in the middle of their work: no file may be half, no input changed, and the next run must end as if undisturbed."""

import contextlib
import os
import random as random_module
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from actalike import write_log
from actalike.demo.loan_desk import loan_desk
from tests.attacks import Outcome

TITLE = "Commands killed at random moments"
_OLD = b"an older file\n"
_SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
_COMMANDS = {  # the words of each command, and its outputs
    "embed .actalike": (("embed", "log.csv", "-o", "out.actalike"), ("out.actalike",)),
    "embed .parquet": (("embed", "log.xes", "-o", "out.parquet"), ("out.parquet",)),
    "embed /": (("embed", "log.parquet", "-o", "out/"), ("out/metadata.tsv", "out/tensors.tsv")),
    "relabel .csv": (("relabel", "log.csv", "mapping.csv", "-o", "out.csv"), ("out.csv",)),
    "relabel .xes": (("relabel", "log.xes", "mapping.csv", "-o", "out.xes.gz"), ("out.xes.gz",)),
    "relabel .parquet": (("relabel", "log.parquet", "mapping.csv", "-o", "out.parquet"), ("out.parquet",)),
    "report": (("report", "log.csv", "-o", "out.html"), ("out.html",)),
    "count": (("count", "log.parquet", "-o", "out.actalike"), ("out.actalike",)),
    "group": (("group", "log.csv", "-o", "out.csv"), ("out.csv",)),
    "plot": (("plot", "zipf", "log.csv", "-o", "out.png"), ("out.png",)),
}


def missing() -> str | None:
    """Return why the attack cannot run here."""
    return None if os.name == "posix" else "it needs the signals of a POSIX system"


def attempts(random: random_module.Random, folder: Path, commands: tuple[str, ...] = tuple(_COMMANDS)) -> Iterator[Outcome]:
    """Run a command, kill it at a random moment, run it again, and compare with an undisturbed run."""
    for kind in ("csv", "xes", "parquet"):
        write_log(loan_desk(), folder / f"log.{kind}")
    (folder / "mapping.csv").write_text("activity,group\nPay out,Transfer loan\n")
    inputs = _contents(folder)
    undisturbed: dict[str, tuple[dict[str, bytes], float]] = {}
    while True:
        name = random.choice(commands)
        words, outputs = _COMMANDS[name]
        if name not in undisturbed:
            started = time.monotonic()
            _start(folder, words).communicate()
            undisturbed[name] = {path: (folder / path).read_bytes() for path in outputs}, time.monotonic() - started
            _remove(folder, outputs)
        expected, seconds = undisturbed[name]
        replacing = random.random() < 0.5
        for path in outputs if replacing else ():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(_OLD)
        options = ("--overwrite",) if replacing else ()
        number, after = random.choice(_SIGNALS), random.uniform(0.2, 1.1) * seconds
        process = _start(folder, (*words, *options))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        process.send_signal(number)
        _, errors = process.communicate()
        fault = _fault(folder, inputs, expected, replacing, number, process.returncode, errors)
        again = _start(folder, (*words, "--overwrite"))
        _, rerun_errors = again.communicate()
        left = _contents(folder)
        if not fault and (again.returncode != 0 or left != {**inputs, **expected}):
            fault = f"the run after it ended with {again.returncode} ({rerun_errors!r}) and left {sorted(left)}"
        _remove(folder, outputs)
        yield Outcome("wrong", f"{name}, signal {number} after {after:.3f} s: {fault}") if fault else Outcome("same")


def _fault(
    folder: Path, inputs: dict[str, bytes], expected: dict[str, bytes], replacing: bool, number: int, code: int, errors: str
) -> str:
    """Return what is wrong after a command was killed; an empty text if nothing is."""
    left = _contents(folder)
    parts = [name for name in left if Path(name).name.startswith(".actalike-")]
    if any(left.get(name) != content for name, content in inputs.items()):
        return "an input was changed"
    if code == 128 + number and parts:  # stopped in order; a process that dies of the signal itself may leave something
        return f"it was stopped in order and left {parts}"
    if "Traceback" in errors and code == 128 + number:
        return f"it said {errors!r}"
    for name in {*left} - {*inputs} - {*parts}:
        if left[name] != expected.get(name) and not (replacing and left[name] == _OLD):
            return f"{name} is neither the old file nor the new one"
    return f"a file that was there is gone: {sorted(left)}" if replacing and any(name not in left for name in expected) else ""


def _start(folder: Path, words: tuple[str, ...]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "actalike", *words]
    return subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _remove(folder: Path, outputs: tuple[str, ...]) -> None:
    for path in outputs:
        (folder / path).unlink(missing_ok=True)
    shutil.rmtree(folder / "out", ignore_errors=True)
