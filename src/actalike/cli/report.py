"""The command that writes the report: one page about a log."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, working_progress
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.errors import ActalikeError
from actalike.methods import DEFAULT_METHOD, make_method
from actalike.report.html_report import write_report
from actalike.report.report_data import STEPS


@with_reading_options
def report(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log (.xes, .csv, .tsv, .parquet; .gz too).")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path("report.html"),
    method: Annotated[
        str | None, typer.Option("--method", "-m", help=f"A method's name. [{DEFAULT_METHOD}]", metavar="NAME")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.")] = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Write a page that shows which activities act alike, proposes groups of them, and gives out the mapping to merge them.

    One file that can be opened, sent and printed; it needs no network. Everything in it is explained in docs/report.md.

    Examples:

    actalike report orders.xes.gz -o report.html

    actalike report orders.csv -o report.html --case OrderId --activity Step --method ac-sequence-pmi-w5
    """
    # first of all: a wrong name should not cost the time of reading
    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The report is an HTML page, so {output} should end in .html.")
    if not output.parent.is_dir():
        raise ActalikeError(f"There is no folder {output.parent} for the report.")
    if log.suffix == ".actalike":
        raise ActalikeError(f"{log} does not have the cases any more: a report needs the log itself.")
    make_method(method or DEFAULT_METHOD)
    read = reading.read(log)
    with working_progress("report", STEPS) as advance:
        written = write_report(read, output, method, title=log.name, done=advance)
    facts = {**written._asdict(), "path": str(written.path), "method": method or DEFAULT_METHOD}
    if as_json:
        print_json(facts)
        return
    groups = "1 group" if written.proposals == 1 else f"{written.proposals:,} groups"
    print(
        f"{plain(str(output))}: {written.activities:,} activities, {groups} proposed ({facts['method']}); "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )
