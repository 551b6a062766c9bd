"""The command report: a web page about a log."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import SourceOptions, with_attribute_options
from actalike.cli.relabel_command import page_relabelling
from actalike.cli.sources import JsonOption, LogArgument, MethodOption, read_facts
from actalike.cli.two_logs import SecondLogOption, report_two_logs, second_reading
from actalike.errors import ActalikeError
from actalike.labels import check_probability, read_decisions
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.report.html_report import WrittenReport, write_report


@with_attribute_options
def report(
    log: LogArgument,
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="A second log: then the page is about which steps both have.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path("report.html"),
    method: MethodOption = None,
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least",
            metavar="P",
            help="The probability that the members of a group (0.5), or two partners (0.8), are one step, at least. It wins "
            "over that of --decisions.",
        ),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option("--decisions", metavar="FILE", help="Begin with what was decided before: decisions.json, saved on a page."),
    ] = None,
    examples: Annotated[
        bool,
        typer.Option("--examples/--no-examples", help="Whether the page holds example and odd cases, and names of people."),
    ] = True,
    labels: Annotated[
        bool, typer.Option("--labels", help="Of two logs: take the texts of the labels as further evidence.")
    ] = False,
    b: SecondLogOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Write a web page about a log: which labels are likely one step, and why. Or about two logs: which steps both have.

    The page proposes groups of labels with the probability and its reasons. Synonyms are accepted, everything else is yours to
    decide: accept, reject, rename, move labels, make groups by hand. What you decide can be saved and given to relabel, or to a
    later report. The page is one file to open, send and print; it needs no network. It holds some cases as examples, the
    oddest cases, and says who does which step: --no-examples leaves out case ids and names of people. docs/report.md explains
    everything in it. With --engine, or of saved variants (actalike count --variants), it has no example and odd cases, no names,
    no times between events and no timeline: these need the events.

    With a second log, the page has the two vocabularies side by side, with the probability that labels are the same step and its
    reasons, the flows of both logs, and what changed. What you decide there relabels the second log, so that both speak one
    language. The options for reading hold for both logs; where the second needs another one, give it as --b NAME=VALUE.
    docs/two_logs.md explains everything in it.

    Examples:

    actalike report orders.xes.gz -o report.html

    actalike report orders.xes.gz -o second.html --decisions decisions.json

    actalike report orders.csv -o report.html --case OrderId --activity Step --method ac-sequence-pmi-w5

    actalike report ours.xes.gz theirs.xes.gz -o two.html
    """
    # first of all: a wrong name should not cost the time of reading
    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The report is an HTML page, so {output} should end in .html.")
    if other is not None:
        _refuse_for_two_logs(method, examples, reading)
        report_two_logs(log, other, output, at_least, decisions, labels, overwrite, as_json, reading, second_reading(reading, b))
        return
    if b:
        raise ActalikeError("--b is for two logs: it says how the second one is read, and there is one. Leave it out.")
    if labels:
        raise ActalikeError("--labels is for two logs: the labels of one log are always compared by their texts too.")
    check_outputs([output], [*reading.inputs(log, output), *([] if decisions is None else [decisions])], overwrite)
    if at_least is not None:
        check_probability(at_least)
    method = full_name(method or DEFAULT_METHOD)
    make_method(method)
    decided = None if decisions is None else read_decisions(decisions)
    relabelling = page_relabelling(log, reading)
    events = reading.open(log, "people")
    with writing(overwrite):
        written = write_report(
            events,
            output,
            method,
            title=log.name,
            at_least=at_least,
            examples=examples,
            decisions=decided,
            relabelling=relabelling,
            overwrite=overwrite,
        )
    if as_json:
        print_json(
            {
                "schema": "actalike/report/1",
                **written._asdict(),
                "path": str(written.path),
                "method": method,
                "read": read_facts(events.reading),
            }
        )
        return
    print(
        f"{plain(str(output))}: {written.activities:,} activities, {plain(_proposals(written, decisions))}; "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )


def _refuse_for_two_logs(method: str | None, examples: bool, reading: SourceOptions) -> None:
    """Raise an error if an option was given that means nothing for two logs."""
    if method is not None:
        raise ActalikeError("--method is for one log: activities of two logs are matched in one way. Leave it out.")
    if not examples:
        raise ActalikeError("--no-examples is for one log: the page of two logs holds no cases and no people. Leave it out.")
    reading.refuse(("also",), "is for one log: with two, it would be a part of both. Put the files of a log into a folder")
    reading.refuse(("attributes",), "is for one log: the page of two logs uses no attributes. Leave it out")


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
