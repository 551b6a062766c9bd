"""The paper's 29 public logs by name: what they must contain, where they are published, and whether a folder has them."""

import csv
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from actalike.errors import ActalikeError, did_you_mean
from actalike.io import is_log, read_log, stem_of
from actalike.log import EventLog


@dataclass(frozen=True)
class PaperLog:
    """A public log and its statistics. None where a figure is not known exactly."""

    name: str
    paper_name: str
    aliases: tuple[str, ...]
    doi: str | None
    cases: int
    events: int | None
    activities: int
    variants: int | None
    variants_per_case: float
    min_length: int
    mean_length: float
    max_length: int
    intrinsic: bool  # takes part in the intrinsic benchmark
    next_activity: bool  # takes part in the next-activity benchmark
    efficiency: bool  # the paper has run times of it
    strip_after: str | None  # the published figures are of labels cut at this mark

    def as_dict(self) -> dict[str, Any]:
        """The entry as plain data."""
        return asdict(self)

    def differences(self, log: EventLog) -> list[str]:
        """How a log differs from what this one must contain, in words; nothing if it does not."""
        found = log.statistics()
        exact = {name: getattr(self, name) for name in ("cases", "events", "activities", "variants", "min_length", "max_length")}
        wrong = [
            f"{name.replace('_', ' ')} {found[name]:,} instead of {expected:,}"
            for name, expected in exact.items()
            if expected is not None and found[name] != expected
        ]
        rounded = {"variants_per_case": self.variants_per_case, "mean_length": self.mean_length}
        wrong += [
            f"{name.replace('_', ' ')} {found[name]:.3f} instead of {expected}"
            for name, expected in rounded.items()
            if abs(found[name] - expected) > 0.0075  # the published figures have two digits, some of them cut, not rounded
        ]
        return wrong


@dataclass(frozen=True)
class Check:
    """What became of one log in a folder."""

    name: str
    file: str | None
    verdict: str
    failed: bool

    def as_dict(self) -> dict[str, Any]:
        """The check as plain data."""
        return asdict(self)


@cache
def paper_logs() -> tuple[PaperLog, ...]:
    """The 29 logs, in the paper's order.

    >>> len(paper_logs()), paper_logs()[0].name
    (29, 'BPIC12')
    """
    text = (files("actalike") / "datasets" / "paper_logs.csv").read_text(encoding="utf-8")
    return tuple(_entry(row) for row in csv.DictReader(text.splitlines()))


def _entry(row: dict[str, str]) -> PaperLog:
    def whole(name: str) -> int | None:
        return int(row[name]) if row[name] else None

    return PaperLog(
        row["name"],
        row["paper_name"],
        tuple(alias.strip() for alias in row["aliases"].split(";") if alias.strip()),
        row["doi"] or None,
        int(row["cases"]),
        whole("events"),
        int(row["activities"]),
        whole("variants"),
        float(row["variants_per_case"]),
        int(row["min_length"]),
        float(row["mean_length"]),
        int(row["max_length"]),
        row["intrinsic"] == "1",
        row["next_activity"] == "1",
        row["efficiency"] == "1",
        row["strip_after"] or None,
    )


def paper_log(name: str) -> PaperLog:
    """A log by its name or one of its other names; case and punctuation do not matter.

    >>> paper_log("env permit").name
    'Env_Permit'
    """
    for entry in paper_logs():
        if _plain(name) in {_plain(known) for known in (entry.name, *entry.aliases)}:
            return entry
    raise ActalikeError(f"No log of the paper is called {name!r}.{did_you_mean(name, [e.name for e in paper_logs()])}")


def find(folder: str | Path) -> dict[str, Path]:
    """The paper's logs in a folder: name to file."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ActalikeError(f"{folder} is not a folder.")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if not is_log(path):
            continue
        try:
            entry = paper_log(stem_of(path))
        except ActalikeError:
            continue  # another log: none of the paper's
        if entry.name in found:
            raise ActalikeError(f"{found[entry.name]} and {path} are both {entry.name}: remove one.")
        found[entry.name] = path
    return found


def load(name: str, folder: str | Path) -> EventLog:
    """Read one of the paper's logs as the benchmarks use it: file order, name only, merged lifecycle suffixes stripped."""
    entry = paper_log(name)
    path = find(folder).get(entry.name)
    if path is None:
        raise ActalikeError(f"{folder} has no file called {entry.name}.xes.gz (or .xes, .csv, .parquet).")
    return read_as_published(entry, path)


def read_as_published(entry: PaperLog, path: Path) -> EventLog:
    """Read a file as one of the paper's logs: in file order, by name only, a merged lifecycle suffix stripped."""
    log = read_log(path, order="file")
    if entry.strip_after:
        log = log.relabel(lambda label: label.rpartition(str(entry.strip_after))[0] or label)
    return log


def check_folder(folder: str | Path) -> Iterator[Check]:
    """Compare every log of the paper that is in a folder with what it must contain, one after the other."""
    found = find(folder)
    for entry in paper_logs():
        path = found.get(entry.name)
        if path is None:
            yield Check(entry.name, None, "not there", failed=False)
            continue
        try:
            wrong = entry.differences(read_as_published(entry, path))
        except ActalikeError as error:
            yield Check(entry.name, path.name, f"unreadable: {error}", failed=True)
            continue
        yield Check(entry.name, path.name, f"differs: {'; '.join(wrong)}" if wrong else "ok", failed=bool(wrong))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())
