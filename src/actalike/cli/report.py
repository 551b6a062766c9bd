"""The command report: a web page about a log."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, working_progress
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_attribute_options
from actalike.cli.relabel_command import page_relabelling
from actalike.cli.sources import JsonOption, LogArgument, MethodOption, read_facts
from actalike.errors import ActalikeError
from actalike.labels import check_probability, read_decisions
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.report.html_report import WrittenReport, write_report
from actalike.report.report_data import STEPS


@with_attribute_options
def report(
    log: LogArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path("report.html"),
    method: MethodOption = None,
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least",
            metavar="P",
            help="The probability that the members of a group are one step, at least (0.5). It wins over that of --decisions.",
        ),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option("--decisions", metavar="FILE", help="Begin with what was decided before: decisions.json, saved on a page."),
    ] = None,
    examples: Annotated[
        bool,
        typer.Option("--examples/--no-examples", help="Whether the page holds example cases (case ids) and names of people."),
    ] = True,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Write a web page about a log: which labels are likely one step, and why.

    The page proposes groups of labels with the probability and its reasons. Synonyms are accepted, everything else is yours to
    decide: accept, reject, rename, move labels, make groups by hand. What you decide can be saved and given to relabel, or to a
    later report. The page is one file to open, send and print; it needs no network. It holds some cases as examples and says who
    does which step: --no-examples leaves out case ids and names of people. docs/report.md explains everything in it.

    Examples:

    actalike report orders.xes.gz -o report.html

    actalike report orders.xes.gz -o second.html --decisions decisions.json

    actalike report orders.csv -o report.html --case OrderId --activity Step --method ac-sequence-pmi-w5
    """
    # first of all: a wrong name should not cost the time of reading
    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The report is an HTML page, so {output} should end in .html.")
    if log.suffix == ".actalike":
        raise ActalikeError(f"{log} does not have the cases any more: a report needs the log itself.")
    check_outputs([output], [*reading.inputs(log, output), *([] if decisions is None else [decisions])], overwrite)
    if at_least is not None:
        check_probability(at_least)
    method = full_name(method or DEFAULT_METHOD)
    make_method(method)
    decided = None if decisions is None else read_decisions(decisions)
    relabelling = page_relabelling(log, reading)
    events = reading.read(log, attributes="people")
    with working_progress("report", STEPS) as advance, writing(overwrite):
        written = write_report(
            events,
            output,
            method,
            title=log.name,
            done=advance,
            at_least=at_least,
            examples=examples,
            decisions=decided,
            relabelling=relabelling,
        )
    if as_json:
        print_json({**written._asdict(), "path": str(written.path), "method": method, "read": read_facts(events.reading)})
        return
    print(
        f"{plain(str(output))}: {written.activities:,} activities, {plain(_proposals(written, decisions))}; "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )


def _proposals(written: WrittenReport, decisions: Path | None) -> str:
    """Return in words how many groups are proposed; with decisions, what is accepted is for the page to say."""
    parts = ["no synonyms"]
    if written.synonyms:
        parts = [f"{_groups(written.synonyms)} of synonyms ({'proposed' if decisions else 'accepted'})"]
    if written.alternatives:
        number = f"{written.alternatives:,}" if written.synonyms else _groups(written.alternatives)
        parts.append(f"{number} of alternatives (you decide)")
    if decisions:
        parts.append(f"decided as in {decisions} where it says so")
    return ", ".join(parts)


def _groups(number: int) -> str:
    return "1 group" if number == 1 else f"{number:,} groups"
