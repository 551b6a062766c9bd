"""Labels that try to drive the terminal: no command prints a control character of a label."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from actalike import EventLog, write_log
from tests.attacks import Outcome
from tests.attacks.hostile_labels import hostile_labels
from tests.helpers.commands import run

TITLE = "escape sequences in labels"
# ESC, CSI, OSC, BEL, backspace, carriage return, shift out, DEL, the C1 codes
ESCAPES = ["\x1b[2J", "\x1b]0;owned\x07", "\x1b]8;;http://127.0.0.1:9/\x1b\\", "\x1bP$q\x1b\\", "\x1bc", "\x9b31m", "\x9d0;owned\x9c", "\x90q\x9c", "\x08" * 9, "\r", "\x0e", "\x7f", "\x85", "\x84"]  # fmt: skip
_CONTROLS = {chr(code) for code in (*range(32), *range(127, 160))} - {"\n"}


def missing() -> str | None:
    """Return None: nothing but the package is needed."""
    return None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Run one command after the other on logs with such labels."""
    while True:
        for path in folder.iterdir():
            path.unlink()
        labels = hostile_labels(random, 4)
        for _ in range(4):
            label = random.choice(labels)
            at = random.randrange(len(label) + 1)
            labels.append(label[:at] + random.choice(ESCAPES) + label[at:])
        traces = [random.sample(labels, len(labels)) for _ in range(8)]
        log = folder / random.choice(["log.parquet", "log.csv"])
        write_log(EventLog.from_traces(traces), log)
        a, b = random.sample(labels, 2)
        one = random.choice(ESCAPES)
        few = ("--resamples", 20)  # what is printed is the same, and more attempts fit into an hour
        for words in (
            ("similar", log), ("similar", log, "--json"), ("similar", log, a), ("similar", log, a, "--method", "kin", *few), ("similar", log, one), ("group", log, "--all"), ("group", log, "--json"),
            ("match", log, log), ("drift", log, log), ("odd", log), ("odd", log, "--explain", "1"), ("odd", log, "--json"), ("look", log),
            ("explain", log, a, b), ("explain", log, a, b, "--json"), ("explain", log, a, b, "--method", "kin", *few), ("explain", log, a, f"{b}{one}"), ("count", log, "-o", folder / "counts.actalike"), ("count", log, "-o", folder / "counts.json.actalike", "--json"),
            ("embed", log, "-o", folder / "embedding.vec"), ("similar", log, "--method", one),
            ("similar", folder / f"no{one.replace('/', '')}.csv"), ("similar", log, "--activity", one), ("relabel", log, folder / "no.csv", "-o", folder / "new.csv"),
        ):  # fmt: skip
            try:
                done = run(*words)
            except Exception as error:
                yield Outcome("wrong", f"actalike {' '.join(map(repr, map(str, words)))}: {error!r}")
                continue
            reached = sorted((set(done.stdout) | set(done.stderr)) & _CONTROLS)
            if reached or "Traceback" in done.stderr or "should not happen" in done.stderr:
                yield Outcome("wrong", f"actalike {' '.join(map(repr, map(str, words)))}: {reached} is printed")
            else:
                yield Outcome("refused" if done.returncode else "same")
