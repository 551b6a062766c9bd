"""The demonstration: the main job on the loan desk's log, start to end."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from actalike.demo.loan_desk import loan_desk
from actalike.io import read_log, write_log
from actalike.labels import Groups, group
from actalike.log import EventLog
from actalike.report.html_report import IN_PYTHON, Relabelling, write_report
from actalike.support.files import make_folder, written_together

ASKED = ("Pay out", "Transfer loan")  # no comparison of the texts would find these two
FILES = ("loan_desk.xes.gz", "report.html")


@dataclass(frozen=True)
class Demo:
    """Hold what the demonstration computed, and where it put its files."""

    log: EventLog
    log_file: Path
    report: Path
    groups: Groups


def run(folder: Path, relabelling: Relabelling = IN_PYTHON) -> Demo:
    """Make the log, propose groups, and write the log and the report, both or neither.

    ``relabelling`` is how the page says to relabel the log.
    """
    make_folder(folder)
    log_file, report = (folder / name for name in FILES)
    log = loan_desk()
    as_read = _read_back(log)
    with written_together():
        write_log(log, log_file)
        write_report(as_read, report, title=log_file.name, relabelling=relabelling, overwrite=True)
    return Demo(log, log_file, report, group(log))


def _read_back(log: EventLog) -> EventLog:
    """Return the log as it is read from its file, so that the page says how it was understood."""
    with TemporaryDirectory() as folder:
        file = Path(folder, FILES[0])
        write_log(log, file)
        return read_log(file, attributes="people")
