"""The campaign: attack every path into and out of the package, and print what became of each attempt.

    python -m tests.attacks [MODULE.py ...]

Each module of ``tests/attacks/`` (or each that is named) runs in a process of its own, two at a time, and gets a share of
the time. A module that aborts, or an attempt that hangs, is one "wrong", and the module goes on. The files of "wrong" attempts
are kept. The exit status is 1 if anything is wrong, 130 after Ctrl-C, otherwise 0.

- ``ATTACK_SECONDS`` (1800): how long all of it takes. Every attack makes at least one attempt, so that a little more is possible.
- ``ATTACK_SEED`` (0): repeats a run, up to the number of attempts that fit into the time.
- ``ATTACK_WORKERS`` (2): how many modules run at a time.
- ``CI``: an attack that cannot run is an error.
"""

import ast
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.attacks._process import VERDICTS, AttackProcess

WEIGHTS = {"xes_files": 2.0, "csv_files": 2.0, "parquet_files": 2.0, "saved_files": 2.0, "engines": 2.0}  # all others 1
SHOWN = 10  # wrong attempts of an attack that are printed
_PROGRESS_EVERY = 10.0  # seconds


@dataclass
class Row:
    """Hold one line of the table: what became of the attempts of one attack."""

    module: Path
    title: str
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    seconds: float = 0.0
    missing: str | None = None
    details: list[str] = field(default_factory=list)

    @property
    def weight(self) -> float:
        return WEIGHTS.get(self.module.stem, 1.0)

    @property
    def tried(self) -> int:
        return sum(self.counts.values())


def main(arguments: Sequence[str]) -> int:
    seconds = float(os.environ.get("ATTACK_SECONDS", "1800"))
    seed = os.environ.get("ATTACK_SEED", "0")
    workers = int(os.environ.get("ATTACK_WORKERS", "2"))
    modules = [Path(name).resolve() for name in arguments] or sorted(Path(__file__).parent.glob("[!_]*.py"))
    rows = [Row(module, title_of(module)) for module in modules]
    kept = Path(tempfile.mkdtemp(prefix="actalike-attack-wrong-"))
    print(f"{len(rows)} attacks, {seconds:g} seconds, {workers} at a time, ATTACK_SEED={seed}", file=sys.stderr, flush=True)
    interrupted = False
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: the processes of the attacks end with this one
    try:
        run(rows, seconds, seed, workers, kept)
    except KeyboardInterrupt:
        interrupted = True
        print("interrupted: this is what was done until then", file=sys.stderr)
    print_table(rows)
    if any(kept.iterdir()):
        print(f"\nThe files of wrong attempts are in {kept}")
    else:
        kept.rmdir()
    if any(row.counts["wrong"] for row in rows) or absent_in_ci(rows):
        return 1
    return 130 if interrupted else 0


def title_of(module: Path) -> str:
    """Return a module's ``TITLE`` without importing the module, which could abort this process too."""
    try:
        for statement in ast.parse(module.read_bytes()).body:
            if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "TITLE" for t in statement.targets):
                return str(ast.literal_eval(statement.value))
    except (SyntaxError, ValueError, OSError):
        pass  # the process that imports it will say what is wrong with it
    return module.stem


def share(waiting: Sequence[Row], seconds: float, free: float) -> float:
    """Return the share of the first of the waiting attacks in the ``free`` seconds of all workers, of which each has ``seconds``."""
    return max(0.0, min(seconds, free * waiting[0].weight / sum(row.weight for row in waiting)))


def run(rows: Sequence[Row], seconds: float, seed: str, workers: int, kept: Path) -> None:
    """Run the attacks, the heaviest first, until the time is over or Ctrl-C ends it."""
    waiting = sorted(rows, key=lambda row: -row.weight)
    running: list[tuple[Row, AttackProcess]] = []
    started = shown = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="actalike-attack-", dir=_fast_folder()) as place:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    left = seconds - (time.monotonic() - started)
                    free = workers * left - sum(attack.seconds_left for _, attack in running)
                    time_of_row = share(waiting, left, free)
                    row = waiting.pop(0)
                    running.append((row, AttackProcess(row.module, seed, time_of_row, Path(place), kept)))
                for row, attack in list(running):
                    going_on = attack.look()
                    row.counts, row.seconds = attack.counts, attack.seconds
                    row.missing, row.details = attack.missing, attack.details
                    if not going_on:
                        running.remove((row, attack))
                        print(f"{row.title}: done, {row.tried:,} tried, {row.counts['wrong']} wrong", file=sys.stderr, flush=True)
                if time.monotonic() - shown > _PROGRESS_EVERY:
                    shown = time.monotonic()
                    now = ", ".join(f"{row.title} {row.tried:,}" for row, _ in running)
                    print(f"{shown - started:.0f} of {seconds:g} s: {now}", file=sys.stderr, flush=True)
                time.sleep(0.05)
        finally:
            for row, attack in running:
                attack.stop()
                row.seconds = attack.seconds


def _fast_folder() -> str | None:
    """Return a folder in memory, if there is one with room: the attempts write many small files."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 30 else None


def print_table(rows: Sequence[Row]) -> None:
    width = max([len("attack"), *(len(row.title) for row in rows)]) + 2
    print(f"{'attack':<{width}}{'tried':>11}" + "".join(f"{verdict:>11}" for verdict in VERDICTS) + f"{'seconds':>9}")
    for row in rows:
        if row.missing is not None:
            print(f"{row.title:<{width}}  not run: {row.missing}")
        else:
            counts = row.counts
            numbers = "".join(f"{counts[verdict]:>11,}" for verdict in VERDICTS)
            print(f"{row.title:<{width}}{row.tried:>11,}{numbers}{row.seconds:>9,.0f}")
    for row in rows:
        for detail in row.details[:SHOWN]:
            print(f"\nwrong: {row.title}: {plain(detail)}")
    for row in absent_in_ci(rows):
        print(f"\n{row.title} did not run, and in CI it must: {row.missing}")


def plain(text: str) -> str:
    """Return a text that a terminal can safely show: a detail quotes what the attack has made."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def absent_in_ci(rows: Sequence[Row]) -> list[Row]:
    """Return the attacks that could not run although this is CI, where they must."""
    return [row for row in rows if row.missing is not None and "CI" in os.environ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
