"""List the paper's 29 public logs: their names, where they are published, and their statistics. Check and read their files."""

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from actalike.errors import ActalikeError, did_you_mean
from actalike.io import WantedAttributes, is_log, read_log, stem_of
from actalike.log import EventLog, plain_name


@dataclass(frozen=True)
class PaperLog:
    """Hold a public log's names and statistics. A figure that is not known exactly is None."""

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
    efficiency: bool  # the paper reports its run times
    strip_after: str | None  # the published figures are for labels that are cut off at the last occurrence of this text

    def as_dict(self) -> dict[str, Any]:
        """Return the entry as a dictionary."""
        return asdict(self)

    def differences(self, log: EventLog) -> list[str]:
        """Return how the statistics of a log differ from this entry, a text for each difference."""
        statistics = log.statistics()
        exact = {name: getattr(self, name) for name in ("cases", "events", "activities", "variants", "min_length", "max_length")}
        wrong = [
            f"{name.replace('_', ' ')} {statistics[name]:,} instead of {expected:,}"
            for name, expected in exact.items()
            if expected is not None and statistics[name] != expected
        ]
        rounded = {"variants_per_case": self.variants_per_case, "mean_length": self.mean_length}
        wrong += [
            f"{name.replace('_', ' ')} {statistics[name]:.3f} instead of {expected}"
            for name, expected in rounded.items()
            if abs(statistics[name] - expected) > 0.0075  # the published figures have two digits, some truncated, not rounded
        ]
        return wrong


@dataclass(frozen=True)
class Check:
    """Hold the result of checking one log in a folder."""

    name: str
    file: str | None
    verdict: str
    failed: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a dictionary."""
        return asdict(self)


@cache
def paper_logs() -> tuple[PaperLog, ...]:
    """Return the 29 logs, in the paper's order.

    >>> len(paper_logs()), paper_logs()[0].name
    (29, 'BPIC12')
    """
    text = (files("actalike") / "datasets" / "paper_logs.csv").read_text(encoding="utf-8")
    return tuple(_entry(row) for row in csv.DictReader(text.splitlines()))


def _entry(row: dict[str, str]) -> PaperLog:
    """Return a row of the table as an entry."""

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
    """Return the entry of a log, given its name or an alias. Upper case and punctuation do not matter.

    >>> paper_log("env permit").name
    'Env_Permit'
    """
    for entry in paper_logs():
        if plain_name(name) in {plain_name(known) for known in (entry.name, *entry.aliases)}:
            return entry
    raise ActalikeError(f"No log of the paper is called {name!r}.{did_you_mean(name, [e.name for e in paper_logs()])}")


def find(folder: str | Path) -> dict[str, Path]:
    """Return the files of the paper's logs in a folder, by the name of the log."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ActalikeError(f"{folder} is not a folder.")
    file_of: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if not is_log(path):
            continue
        try:
            entry = paper_log(stem_of(path))
        except ActalikeError:
            continue  # not a log of the paper
        if entry.name in file_of:
            raise ActalikeError(f"{file_of[entry.name]} and {path} are both {entry.name}: remove one.")
        file_of[entry.name] = path
    return file_of


def load(name: str, folder: str | Path, attributes: WantedAttributes = "people") -> EventLog:
    """Read one of the paper's logs from a folder, as the benchmarks use it (see :func:`read_as_published`), with its people."""
    entry = paper_log(name)
    path = find(folder).get(entry.name)
    if path is None:
        raise ActalikeError(f"{folder} has no file called {entry.name}.xes.gz (or .xes, .csv, .parquet).")
    return read_as_published(entry, path, attributes)


def read_as_published(entry: PaperLog, path: Path, attributes: WantedAttributes = None) -> EventLog:
    """Read the file of one of the paper's logs: events in file order, labels without lifecycle transitions.

    Some files have the transition appended to the label; it is cut off. ``attributes`` are those of :func:`actalike.read_log`.
    """
    log = read_log(path, order="file", attributes=attributes)
    if entry.strip_after:
        log = log.relabel(lambda label: label.rpartition(str(entry.strip_after))[0] or label)
    return log


def check_folder(folder: str | Path) -> Iterator[Check]:
    """Yield, for each log of the paper, whether its file in a folder has the expected statistics."""
    file_of = find(folder)
    for entry in paper_logs():
        path = file_of.get(entry.name)
        if path is None:
            yield Check(entry.name, None, "not there", failed=False)
            continue
        try:
            wrong = entry.differences(read_as_published(entry, path))
        except ActalikeError as error:
            yield Check(entry.name, path.name, f"unreadable: {error}", failed=True)
            continue
        yield Check(entry.name, path.name, f"differs: {'; '.join(wrong)}" if wrong else "ok", failed=bool(wrong))
