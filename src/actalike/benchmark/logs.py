"""The logs of a benchmark run: by name, wherever they lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actalike import datasets
from actalike.errors import ActalikeError
from actalike.io import read_log
from actalike.log import EventLog

_ENDINGS = (".xes", ".xes.gz", ".csv", ".csv.gz", ".parquet")


@dataclass(frozen=True)
class LogFiles:
    """Names and files; calling it with a name reads that log, as the benchmarks do: in file order, names only."""

    files: tuple[tuple[str, Path], ...]

    def __call__(self, name: str) -> EventLog:
        """Read a log."""
        path = dict(self.files)[name]
        try:
            entry = datasets.paper_log(name)
        except ActalikeError:
            return read_log(path, order="file")
        return datasets.read_as_published(entry, path)

    @property
    def names(self) -> list[str]:
        """The names of the logs."""
        return [name for name, _ in self.files]


def find_logs(places: Sequence[Path], benchmark: str) -> LogFiles:
    """The logs at some places: files, or folders, of which those logs are taken that belong to the benchmark.

    A log of the paper goes by its name there; any other by the name of its file. Of a folder that holds none of the paper's
    logs, all are taken.
    """
    found: dict[str, Path] = {}
    for place in places:
        for name, path in _logs_at(place, benchmark).items():
            if name in found and found[name] != path:
                raise ActalikeError(f"{found[name]} and {path} are both called {name}: rename one.")
            found[name] = path
    if not found:
        raise ActalikeError(f"There is no log at {', '.join(map(str, places))}: give files or folders of .xes, .csv or .parquet.")
    return LogFiles(tuple(sorted(found.items())))


def _logs_at(place: Path, benchmark: str) -> dict[str, Path]:
    if place.is_dir():
        known = datasets.find(place)
        if known:
            return {name: path for name, path in known.items() if getattr(datasets.paper_log(name), benchmark)}
        files = [path for path in sorted(place.iterdir()) if path.name.lower().endswith(_ENDINGS)]
    elif place.exists():
        files = [place]
    else:
        raise ActalikeError(f"{place} does not exist.")
    return {_name_of(path): path for path in files}


def _name_of(path: Path) -> str:
    stem = path.name
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if stem.lower().endswith(ending):
            stem = stem[: -len(ending)]
            break
    try:
        return datasets.paper_log(stem).name
    except ActalikeError:
        return stem
