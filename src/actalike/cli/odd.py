"""The command odd: which events do not belong in their company, and what was expected instead."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import plain, print_json, print_note, query_progress
from actalike.cli.odd_output import case_facts, print_case, print_odd_events
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_attribute_options
from actalike.cli.shell import quoted
from actalike.cli.sources import JsonOption, LogArgument, TopOption, read_facts
from actalike.io import SOURCE
from actalike.log import EventLog
from actalike.oddities import SCORE_WORDS, OddEvent, cases_called, odd_rows, odd_summary, write_odd_events
from actalike.oddities import odd as find_odd


class KindChoice(StrEnum):
    """The kinds of odd events."""

    skipped = "skipped"
    inserted = "inserted"
    repeated = "repeated"
    early = "early"
    late = "late"
    attribute = "attribute"


@with_attribute_options
def odd(
    log: LogArgument,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write all odd events, not only the --top ones, to an odd.csv."),
    ] = None,
    top: TopOption = 20,
    kind: Annotated[KindChoice | None, typer.Option("--kind", help="Show and write the odd events of one kind only.")] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="ID", help="Show one case, event by event, with what is odd about it.")
    ] = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Find odd events: what does not belong in its company, and what was expected instead.

    The oddest come first: steps that were skipped, inserted or repeated, that come too early or too late, and attributes with
    an unusual value. Each has a reason with counts that you can check in the log. Rare is not wrong: look at the case before
    you judge it.

    Examples:

    actalike odd orders.xes.gz

    actalike odd orders.xes.gz -o odd.csv --attributes org:resource

    actalike odd orders.xes.gz --kind skipped --top 5

    actalike odd orders.xes.gz --explain 4711
    """
    check_csv(output, "odd.csv")
    outputs = [] if output is None else [output]
    check_outputs(outputs, reading.inputs(log, *outputs), overwrite)
    source = reading.read(log, attributes="people")
    cases = None if explain is None else cases_called(source, explain)
    with query_progress("looking for odd events", lambda: None):
        result = find_odd(source, _attributes(source, reading))
        if cases is None:
            events = result.most(None, None if kind is None else kind.value)
        else:
            explained = [one for number in cases for one in result.explain(number)]
            events = [one for one in explained if kind is None or one.kind == kind.value]
    for name in result.ignored:
        print_note(f"{name} is not looked at: nearly every event has another value of it, or all have the same.")
    if output is not None:
        with writing(overwrite):
            write_odd_events(events, source, output)
    if as_json:
        about = {} if cases is None else {"cases": case_facts(result, cases)}
        found = {"summary": odd_summary(events), "score": SCORE_WORDS, **about, "odd": _facts(events[:top], source)}
        looked_at = {"attributes": result.attributes, "ignored": result.ignored, "names": source.names}
        written = {"output": None if output is None else str(output), "read": read_facts(source.reading)}
        print_json({**found, **looked_at, **written})
        return
    if cases is None:
        print_odd_events(events, source, top)
        if not events:
            oddest = source.case_ids[int(result.case_scores().argmax())]
            print(plain(f"The oddest case is {oddest}: --explain {quoted(oddest)}"), end="\n\n")
    else:
        for number in cases:
            print_case(result, number, [one for one in events if one.case_number == number], top)
    print(SCORE_WORDS)
    if output is not None:
        print(plain(f"{quoted(str(output))} has {odd_summary(events)}."))


def _attributes(log: EventLog, reading: ReadingOptions) -> list[str]:
    """Return the attributes that are looked at: all that were read, but for the file of each event."""
    return [name for name in log.attributes if name != SOURCE or name in (reading.attributes or ())]


def _facts(events: list[OddEvent], log: EventLog) -> list[dict[str, Any]]:
    """Return odd events for JSON: the rows of the table."""
    return [
        {**row._asdict(), "alternatives": [expected._asdict() for expected in row.alternatives]} for row in odd_rows(events, log)
    ]
