"""Training parts of the next-activity benchmark, one after another or in several processes, each with one thread.

A part is a log, a model, and some of the methods. Its process writes its result files, and its progress, a byte, into a file that
all parts share. A process whose parent was killed ends after the epoch that it is in; its checkpoint is kept.
"""

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from actalike.benchmark.prediction.cells import Plan
from actalike.benchmark.processes import in_processes
from actalike.benchmark.record import Advance
from actalike.errors import ActalikeError
from actalike.support.extras import Extra

TORCH = Extra("neural", "torch")
STEPS = 100  # of the progress of a part
_LOOK_EVERY = 0.5  # seconds


class Part(NamedTuple):
    """Some methods that are trained at once with a model on a log, and what the training is called in the progress."""

    name: str
    folder: Path
    model: str
    methods: tuple[str, ...]


def choose_jobs(jobs: int | None, device: str) -> int:
    """Return the number of processes: if none is given, one for each core of the CPU. A GPU has one process."""
    if device != "cpu":
        if jobs not in (None, 1):
            raise ActalikeError(f"--jobs {jobs} is for a CPU: a GPU trains all methods at once in one process. Leave it out.")
        return 1
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def training() -> Any:
    """Load the code that trains, which needs torch."""
    TORCH.load(user="The next-activity benchmark")
    from actalike.prediction.training import run

    return run


def train_parts(parts: Sequence[Part], plan: Plan, device: str, jobs: int, advance: Advance) -> None:
    """Train parts in so many processes; each of them advances the progress by 100 steps in the end."""
    if min(jobs, len(parts)) <= 1:
        for part in parts:
            steps = _Steps(part.name, advance)
            training().train_part(part.folder, part.model, part.methods, plan.seeds, device, steps, plan.epochs)
            steps.tell(STEPS)
        return
    with _shared_progress(parts, advance) as file:
        calls = ((number, part, plan, device, file, os.getpid()) for number, part in enumerate(parts))
        for _ in in_processes(_train_in_process, calls, min(jobs, len(parts))):
            pass


class _Steps:
    """Tells the progress of one training; where it ends early, the rest is done at once."""

    def __init__(self, name: str, advance: Advance) -> None:
        self.name, self.advance, self.done = name, advance, 0

    def __call__(self, _: str, done: int, epochs: int) -> None:
        self.tell(_steps(done, epochs))

    def tell(self, done: int) -> None:
        """Tell that so many steps are done."""
        self.advance(self.name, max(done - self.done, 0))
        self.done = max(done, self.done)


def _steps(done: int, epochs: int) -> int:
    return min(done * STEPS // epochs, STEPS - 1)


@contextmanager
def _shared_progress(parts: Sequence[Part], advance: Advance) -> Iterator[Path]:
    """Make a file with a byte for each part, the steps that it has done, and tell the progress that is written there."""
    steps = [_Steps(part.name, advance) for part in parts]
    ended = threading.Event()
    with TemporaryDirectory(prefix="actalike-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "progress"
        file.write_bytes(bytes(len(parts)))

        def look() -> None:
            for of_part, done in zip(steps, file.read_bytes(), strict=True):
                if done > of_part.done:
                    of_part.tell(done)

        def watch() -> None:
            while not ended.wait(_LOOK_EVERY):
                look()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield file
        finally:
            ended.set()
            watcher.join()
            look()


def _train_in_process(number: int, part: Part, plan: Plan, device: str, file: Path, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent ends this one

    def write(done: int) -> None:
        with file.open("r+b") as opened:
            opened.seek(number)
            opened.write(bytes([done]))

    def progress(_: str, done: int, epochs: int) -> None:
        if os.getppid() != parent:
            os._exit(1)
        write(_steps(done, epochs))

    training().train_part(part.folder, part.model, part.methods, plan.seeds, device, progress, plan.epochs)
    write(STEPS)
