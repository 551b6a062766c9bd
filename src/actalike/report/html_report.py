"""Write the report: one page that shows which activities of a log act alike, in a single file that needs nothing else."""

from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError
from actalike.labels import DEFAULT_BOLDNESS
from actalike.log import EventLog
from actalike.report.report_data import Progress, report_data
from actalike.report.single_file import single_file
from actalike.support.atomic_files import write_atomically


class WrittenReport(NamedTuple):
    """Describes a report that was written: its file, its size, and what is in it."""

    path: Path
    bytes: int
    activities: int
    proposals: int


def write_report(
    log: EventLog, path: str | Path, method: str | None = None, title: str = "Event log", done: Progress = lambda step: None
) -> WrittenReport:
    """Write the report of a log as one HTML file; the same log, method and title give the same bytes.

    ``title`` is the name of the log on the page. ``done`` is called after each of the 6 steps with what was done.

    >>> import tempfile
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_report(log, f"{folder}/report.html")
    >>> report.activities, report.bytes < 5_000_000
    (4, True)
    """
    if not isinstance(log, EventLog):
        raise ActalikeError(f"A report is about an EventLog, not {type(log).__name__}: use actalike.read_log(...) first.")
    data = report_data(log, method, done)
    content = single_file("report/page.html", ["shared/page.css"], "report/main.js", data, title).encode()
    write_atomically(path, lambda part: part.write_bytes(content))
    return WrittenReport(Path(path), len(content), len(log.activities), _proposed(data))


def _proposed(data: dict[str, Any]) -> int:
    """Count the groups that the page proposes before the reader moves the slider."""
    return sum(group["boldness"] <= DEFAULT_BOLDNESS for group in data["groups"])
