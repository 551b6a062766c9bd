"""Write the report: one page that shows which activities of a log act alike, in a single file that needs nothing else."""

from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError
from actalike.labels import AT_LEAST, Relation, check_probability
from actalike.log import EventLog
from actalike.report.report_data import Progress, report_data
from actalike.report.single_file import single_file
from actalike.support.atomic_files import write_atomically


class WrittenReport(NamedTuple):
    """Describe a report that was written: its file, its size, and how many groups of either relation are on the page."""

    path: Path
    bytes: int
    activities: int
    synonyms: int
    alternatives: int


def write_report(
    log: EventLog,
    path: str | Path,
    method: str | None = None,
    title: str = "Event log",
    done: Progress = lambda step: None,
    *,
    at_least: float = AT_LEAST,
) -> WrittenReport:
    """Write the report of a log as one HTML file; the same log and arguments give the same bytes.

    ``method`` says what is similar in the matrix and in the panel; groups are those of :func:`actalike.group`, whose
    members have the mean probability ``at_least``. ``title`` is the name of the log on the page. ``done`` is called after each of
    the 6 steps with what was done.

    >>> import tempfile
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_report(log, f"{folder}/report.html")
    >>> report.activities, report.bytes < 5_000_000
    (4, True)
    """
    if not isinstance(log, EventLog):
        raise ActalikeError(f"A report is about an EventLog, not {type(log).__name__}: use actalike.read_log(...) first.")
    check_probability(at_least)
    data = report_data(log, method, done, at_least=at_least)
    content = single_file("report/page.html", ["shared/page.css", "shared/pictures.css"], "report/main.js", data, title).encode()
    write_atomically(path, lambda part: part.write_bytes(content))
    synonyms, alternatives = (_number(data, relation) for relation in ("synonyms", "alternatives"))
    return WrittenReport(Path(path), len(content), len(log.activities), synonyms, alternatives)


def _number(data: dict[str, Any], relation: Relation) -> int:
    return sum(found["relation"] == relation for found in data["groups"])
