"""The logs of a benchmark run: by name, wherever they lie."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from actalike import datasets
from actalike.benchmark.folders import NO_LOG_NAMES
from actalike.benchmark.record import Warn
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.io import WantedAttributes, is_log, is_object_centric, read_log, stem_of
from actalike.log import EventLog

COMPLEX = 0.9  # variants per case above which the paper calls a log complex


@dataclass(frozen=True)
class LogFiles:
    """The files of some logs, by name, and the files of a folder that were left out.

    Calling it with a name reads that log, as the benchmarks do: in file order, attributes of events only if they are asked for.
    """

    files: tuple[tuple[str, Path], ...]
    left_out: tuple[str, ...] = ()

    def __call__(self, name: str, attributes: WantedAttributes = None) -> EventLog:
        """Read a log."""
        path = dict(self.files)[name]
        try:
            entry = datasets.paper_log(name)
        except ActalikeError:
            return read_log(path, order="file", attributes=attributes)
        return datasets.read_as_published(entry, path, attributes)

    @property
    def names(self) -> list[str]:
        """The names of the logs."""
        return [name for name, _ in self.files]


def find_logs(places: Sequence[str | Path], takes_log: Callable[[PaperLog], bool], warn: Warn | None = None) -> LogFiles:
    """Find the logs at some places: files, or folders.

    A log of the paper goes by its name there; any other by the name of its file. Of a folder with logs of the paper, those are
    taken that belong to the benchmark, of any other folder all; ``warn`` gets a sentence about those left out.
    """
    files: dict[str, Path] = {}
    left_out: list[str] = []
    for place in map(Path, places):
        if not place.exists():
            raise ActalikeError(f"{place} does not exist.")
        for path in _logs_of_folder(place, takes_log, left_out) if place.is_dir() else [place]:
            if is_object_centric(path):
                raise ActalikeError(
                    f"{path} is an object-centric log, and a benchmark takes cases: write them to a file first, with "
                    "actalike.write_log(actalike.read_log(path, object_type='...'), 'cases.xes')."
                )
            name, _ = name_of(path)
            if name.lower() in NO_LOG_NAMES:
                raise ActalikeError(
                    f"{path}: the results of this log would be in a folder called {name!r}, which is reserved: rename the file. "
                    "Nothing was written."
                )
            if name in files and os.path.realpath(files[name]) != os.path.realpath(path):
                raise ActalikeError(f"{files[name]} and {path} are both called {name}: rename one.")
            files[name] = path
    if not files:
        raise ActalikeError(
            f"There is no log at {', '.join(map(str, places))}: give files or folders of .xes, .csv or .parquet."
            + (f" {', '.join(left_out)} does not belong to this benchmark: name the file itself to take it." if left_out else "")
        )
    if left_out and warn:
        warn(
            "left out, because the folder holds logs of the paper and these are not of its benchmark: "
            f"{', '.join(left_out)}. To take one, name its file."
        )
    return LogFiles(tuple(sorted(files.items())), tuple(left_out))


def _logs_of_folder(folder: Path, takes_log: Callable[[PaperLog], bool], left_out: list[str]) -> list[Path]:
    files = [path for path in sorted(folder.iterdir()) if is_log(path)]
    entries = {path: name_of(path)[1] for path in files}
    if not any(entries.values()):
        return files
    taken = [path for path, entry in entries.items() if entry and takes_log(entry)]
    left_out += [path.name for path in files if path not in taken]
    return taken


def name_of(path: Path) -> tuple[str, PaperLog | None]:
    """Return a log's name, and which of the paper's it is, if any."""
    stem = stem_of(path)
    try:
        entry = datasets.paper_log(stem)
    except ActalikeError:
        return stem, None
    return entry.name, entry


def say_how_read(name: str, log: EventLog, warn: Warn) -> None:
    """Say how a log was understood. A log of the paper is read as it was published, so there is nothing to say."""
    try:
        datasets.paper_log(name)
    except ActalikeError:
        if log.reading is not None:
            warn(f"read {log.reading}")
