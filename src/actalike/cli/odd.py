"""The command odd: which events do not belong in their company, and what was expected instead."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, print_note
from actalike.cli.odd_output import case_facts, print_case, print_left_out, print_odd_events, print_oddest_case
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_attribute_options
from actalike.cli.shell import quoted
from actalike.cli.sources import JsonOption, LogArgument, TopOption, read_facts
from actalike.io import SOURCE
from actalike.log import EventLog
from actalike.oddities import KINDS, SCORE_WORDS, cases_called, check_kind, odd_counts, odd_facts, odd_summary, write_odd_events
from actalike.oddities import odd as find_odd
from actalike.support.progress import tracked

_SAYS_NOTHING = "nearly every event has another value of it, or all have the same, or it is a copy of another attribute"


@with_attribute_options
def odd(
    log: LogArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write all odd events, not only the --top ones, to an odd.csv; with --explain, what is shown of the case.",
        ),
    ] = None,
    top: TopOption = 20,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="|".join(KINDS), help="Show and write the odd events of one kind only."),
    ] = None,
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
    check_kind(kind)
    outputs = [] if output is None else [output]
    check_outputs(outputs, reading.inputs(log, *outputs), overwrite)
    source = reading.read(log, attributes="people")
    cases = None if explain is None else cases_called(source, explain)
    with tracked("looking for odd events"):
        result = find_odd(source, _attributes(source, reading))
        listed = result.most(None)
        events = listed if cases is None else [one for number in cases for one in result.explain(number)]
        events = [one for one in events if kind in (None, one.kind)]
        counted = events if cases is None else [one for one in listed if one.case_number in cases and kind in (None, one.kind)]
    for name in result.ignored:
        print_note(f"{name} is not looked at: {_SAYS_NOTHING}.")
    if output is not None:
        with writing(overwrite):
            write_odd_events(events, source, output)
    if as_json:
        about = {} if cases is None else {"cases": case_facts(result, cases)}
        found = {"summary": odd_summary(counted), "found": odd_counts(counted), "score": SCORE_WORDS}
        left_out = {"left_out": {"same_time": result.left_out_same_time, "unseen": result.left_out_unseen}}
        looked_at = {"attributes": result.attributes, "ignored": result.ignored, "names": source.names}
        written = {"output": None if output is None else str(output), "read": read_facts(source.reading)}
        print_json({**found, **left_out, **about, "odd": odd_facts(events[:top], source), **looked_at, **written})
        return
    if cases is None:
        print_odd_events(events, listed, source, top)
        if kind is None:
            print_left_out(result)
        if not listed:
            print_oddest_case(result)
    else:
        for number in cases:
            print_case(result, number, kind, top)
    print(SCORE_WORDS)
    if output is not None:
        rows = "1 row" if len(events) == 1 else f"{len(events):,} rows"
        content = odd_summary(events) if cases is None else f"what is shown here: {rows}"
        print(plain(f"{quoted(str(output))} has {content}."))


def _attributes(log: EventLog, reading: ReadingOptions) -> list[str]:
    """Return the attributes that are looked at: all that were read, but for the file of each event."""
    return [name for name in log.attributes if name != SOURCE or name in (reading.attributes or ())]
