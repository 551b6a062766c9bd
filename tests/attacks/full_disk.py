"""Let the disk be full at a random byte of every kind of output: one sentence, exit code 1, nothing left, the old file intact.

The limit on the size of a file stands for a full disk: writing fails in the same calls, at any byte that we choose.
"""

import io
import os
import random as random_module
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from actalike import write_log
from actalike.cli.main import main
from actalike.demo.loan_desk import loan_desk
from tests.attacks import Outcome

TITLE = "Outputs on a full disk"
_OLD = b"an older file\n"
_COMMANDS = {  # the output of each command, and its other words
    "out.actalike": ("embed", "log.csv"),
    "vectors.csv": ("embed", "log.csv"),
    "vectors.parquet": ("embed", "log.csv"),
    "out.vec": ("embed", "log.csv"),
    "counts.actalike": ("count", "log.csv", "-w", "3"),
    "mapping.csv": ("group", "log.csv"),
    "new.csv": ("relabel", "log.csv", "given.csv"),
    "new.csv.gz": ("relabel", "log.csv", "given.csv"),
    "new.xes": ("relabel", "log.xes", "given.csv"),
    "new.xes.gz": ("relabel", "log.xes", "given.csv"),
    "new.parquet": ("relabel", "log.parquet", "given.csv"),
    "page.html": ("report", "log.csv"),
    "zipf.png": ("plot", "zipf", "log.csv"),
    "zipf.svg": ("plot", "zipf", "log.csv"),
    "zipf.pdf": ("plot", "zipf", "log.csv"),
}


def missing() -> str | None:
    """Return why the attack cannot run here."""
    return None if os.name == "posix" else "it needs a limit on the size of files, which POSIX systems have"


def attempts(random: random_module.Random, folder: Path, outputs: tuple[str, ...] = tuple(_COMMANDS)) -> Iterator[Outcome]:
    """Run a command with space for a random number of bytes, over an older file or none."""
    for kind in ("csv", "xes", "parquet"):
        write_log(loan_desk(100), folder / f"log.{kind}")
    (folder / "given.csv").write_text("activity,group\nPay out,Transfer loan\n")
    inputs = _contents(folder)
    whole: dict[str, bytes] = {}
    while True:
        name = random.choice(outputs)
        if name not in whole:
            _run(folder, name)
            whole[name] = (folder / name).read_bytes()
            (folder / name).unlink()
        before = dict(inputs)
        if random.random() < 0.5:
            (folder / name).write_bytes(_OLD)
            before[name] = _OLD
        space = random.randrange(len(whole[name]))
        if random.random() < 0.1:
            space = len(whole[name])  # just enough
        with _space(space):
            code, errors = _run(folder, name)
        after = _contents(folder)
        for path in {*after} - {*inputs}:
            (folder / path).unlink()
        seen = f"{' '.join(_COMMANDS[name])} -o {name} with space for {space:,} of {len(whole[name]):,} bytes: {code} {errors!r}"
        if code == 0:
            right = space >= len(whole[name]) and after == {**before, name: whole[name]}
            yield Outcome("same") if right else Outcome("wrong", seen)
        else:
            sentence = errors.endswith(f"actalike: {folder / name} cannot be written: File too large. Nothing was written.\n")
            yield (
                Outcome("refused") if code == 1 and sentence and after == before else Outcome("wrong", f"{seen} {sorted(after)}")
            )


def _run(folder: Path, name: str) -> tuple[object, str]:
    """Run a command in this process, and return its exit code and what it says on standard error."""
    command = [str(folder / word) if "." in word else word for word in _COMMANDS[name]]
    words = ["actalike", *command, "-o", str(folder / name), "--overwrite"]
    code: object = 0
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors, patch.object(sys, "argv", words):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return code, errors.getvalue()


@contextmanager
def _space(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
