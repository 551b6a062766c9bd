"""The command report: a web page about a log."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, working_progress
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.sources import JsonOption, LogArgument, MethodOption, read_facts
from actalike.errors import ActalikeError
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.report.html_report import write_report
from actalike.report.report_data import STEPS


@with_reading_options
def report(
    log: LogArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path("report.html"),
    method: MethodOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Write a web page about a log: similar activities, and groups of them to merge.

    The page proposes groups and exports the mapping that merges them. It is one file to open, send and print; it needs no
    network. docs/report.md explains everything in it.

    Examples:

    actalike report orders.xes.gz -o report.html

    actalike report orders.csv -o report.html --case OrderId --activity Step --method ac-sequence-pmi-w5
    """
    # first of all: a wrong name should not cost the time of reading
    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The report is an HTML page, so {output} should end in .html.")
    if log.suffix == ".actalike":
        raise ActalikeError(f"{log} does not have the cases any more: a report needs the log itself.")
    check_outputs([output], [log], overwrite)
    method = full_name(method or DEFAULT_METHOD)
    make_method(method)
    events = reading.read(log)
    with working_progress("report", STEPS) as advance, writing(overwrite):
        written = write_report(events, output, method, title=log.name, done=advance)
    if as_json:
        print_json({**written._asdict(), "path": str(written.path), "method": method, "read": read_facts(events.reading)})
        return
    groups = "1 group" if written.proposals == 1 else f"{written.proposals:,} groups"
    print(
        f"{plain(str(output))}: {written.activities:,} activities, {groups} proposed ({method}); "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )
