"""The logs of a benchmark run: by name, wherever they lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actalike import datasets
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.io import read_log
from actalike.log import EventLog

_ENDINGS = (".xes", ".xes.gz", ".csv", ".csv.gz", ".parquet")


@dataclass(frozen=True)
class LogFiles:
    """Names and files; calling it with a name reads that log, as the benchmarks do: in file order, names only."""

    files: tuple[tuple[str, Path], ...]
    left_out: tuple[str, ...] = ()

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
    """The logs at some places: files, or folders.

    A log of the paper goes by its name there; any other by the name of its file. Of a folder with logs of the paper, those are
    taken that belong to the benchmark, of any other folder all; what is left out is named.
    """
    found: dict[str, Path] = {}
    left_out: list[str] = []
    for place in places:
        if not place.exists():
            raise ActalikeError(f"{place} does not exist.")
        for path in _logs_of_folder(place, benchmark, left_out) if place.is_dir() else [place]:
            name, _ = name_of(path)
            if name in found and found[name].resolve() != path.resolve():
                raise ActalikeError(f"{found[name]} and {path} are both called {name}: rename one.")
            found[name] = path
    if not found:
        raise ActalikeError(
            f"There is no log at {', '.join(map(str, places))}: give files or folders of .xes, .csv or .parquet."
            + (f" {', '.join(left_out)} does not belong to this benchmark: name the file itself to take it." if left_out else "")
        )
    return LogFiles(tuple(sorted(found.items())), tuple(left_out))


def _logs_of_folder(folder: Path, benchmark: str, left_out: list[str]) -> list[Path]:
    files = [path for path in sorted(folder.iterdir()) if path.name.lower().endswith(_ENDINGS)]
    entries = {path: name_of(path)[1] for path in files}
    if not any(entries.values()):
        return files
    taken = [path for path, entry in entries.items() if entry and getattr(entry, benchmark)]
    left_out += [path.name for path in files if path not in taken]
    return taken


def name_of(path: Path) -> tuple[str, PaperLog | None]:
    """A log's name, and which of the paper's it is, if any."""
    stem = path.name
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if stem.lower().endswith(ending):
            stem = stem[: -len(ending)]
            break
    try:
        entry = datasets.paper_log(stem)
    except ActalikeError:
        return stem, None
    return entry.name, entry
