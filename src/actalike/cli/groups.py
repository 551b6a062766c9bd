"""The commands that make a log simpler: group proposes which labels are one step, relabel writes the log with fewer names."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import fitting_progress, plain, print_json, reading_progress
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.errors import ActalikeError
from actalike.labels import (
    DEFAULT_BOLDNESS,
    Group,
    check_boldness,
    in_words,
    mapping_of,
    read_mapping,
    relabel_file,
    shared_neighbours_words,
    write_mapping,
)
from actalike.labels import group as find_groups
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD

LogFile = Annotated[Path, typer.Argument(metavar="LOG", help="A log (.xes, .csv, .tsv, .parquet; .gz too).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.")]


@with_reading_options
def group(
    log: LogFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a mapping.csv to look through, change, and relabel by."),
    ] = None,
    boldness: Annotated[
        float,
        typer.Option("--boldness", "-b", metavar="B", help="From 0, only what cannot be told apart, to 1, the nearest of all."),
    ] = DEFAULT_BOLDNESS,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help=f"A method's name. [{DEFAULT_METHOD}]", metavar="NAME")
    ] = None,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Propose groups of activities that are likely the same step, or interchangeable, the most convincing first.

    The members of a group are nearer to each other than to all other activities; at boldness 0.4, 2.5 times as near or more. Each
    group comes with what its members have in common, and with cautions.

    Examples:

    actalike group orders.xes.gz

    actalike group orders.xes.gz -o mapping.csv --boldness 0.3

    actalike relabel orders.xes.gz mapping.csv -o simpler.xes.gz
    """
    check_boldness(boldness)
    source = reading.read(log)
    method = method or DEFAULT_METHOD
    with fitting_progress(method):
        groups = find_groups(source, method, boldness)
    if output is not None:
        write_mapping(mapping_of(groups), source.activities, output)
    if as_json:
        facts = [{**one._asdict(), **_in_words(one)} for one in groups]
        print_json({"method": method, "boldness": boldness, "groups": facts, "output": None if output is None else str(output)})
        return
    for one in groups:
        _show(one, source)
    members = sum(len(one.activities) for one in groups)
    n = len(source.activities)
    noun = "group" if len(groups) == 1 else "groups"
    found = f"{len(groups):,} {noun} with {members:,} of {n:,} activities" if groups else f"No groups among {n:,} activities"
    print(
        f"{found} ({method}, boldness {boldness:g}){f'; {n - members + len(groups):,} activities would be left' * bool(groups)}."
    )
    if output is not None:
        print(f"Next: look through {plain(str(output))}, then: actalike relabel {plain(str(log))} {plain(str(output))} -o ...")


def _in_words(one: Group) -> dict[str, Any]:
    """Return the sentences of a group, as a mapping that can be printed."""
    return {
        "cautions": [in_words(caution) for caution in one.cautions],
        "evidence": [{"words": shared_neighbours_words(context), "counts": context.counts} for context in one.evidence],
    }


def _show(one: Group, log: EventLog) -> None:
    counts = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    for i, label in enumerate(one.activities):
        print(f"{'  + ' if i else ''}{plain(label)} ({counts[label]:,})")
    company = {
        "alternatives": "never in the same case",
        "parallel": "always in the same cases",
        "mixed": f"two or more in {one.together:.0%} of their cases",
    }
    print(f"    alike by {one.similarity:.3f}, from boldness {one.boldness:.2f}, {company[one.relation]}")
    for context in one.evidence:
        print(f"    {plain(in_words(context))}")
    for caution in one.cautions:
        print(f"    Caution: {plain(in_words(caution))}")
    print()


@with_reading_options
def relabel(
    log: LogFile,
    mapping: Annotated[Path, typer.Argument(metavar="MAPPING", help="A CSV with the columns activity and group.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The new log, of the same kind as the old.")],
    collapse: Annotated[
        bool, typer.Option("--collapse", help="Leave out events that come to repeat the one before: once other, now the same.")
    ] = False,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Write a log anew with each activity called as a mapping says, and everything else in it as it is.

    The old label of an event that is renamed is kept in its attribute (or column) actalike:original. Activities that the mapping
    leaves out keep their names; a label in it that the log does not have is an error.

    Examples:

    actalike relabel orders.xes.gz mapping.csv -o simpler.xes.gz

    actalike relabel orders.csv mapping.csv -o simpler.csv --collapse --case OrderId --activity Step
    """
    unused = [option for option in reading.changed() if option in ("--lifecycle", "--transition")]
    if unused:
        raise ActalikeError(f"relabel keeps every transition, so {' and '.join(unused)} means nothing here.")
    options: dict[str, Any] = {
        field.name: getattr(reading, field.name) for field in fields(reading) if field.name not in ("lifecycle", "transition")
    }
    with reading_progress(log.name) as progress:
        done = relabel_file(log, read_mapping(mapping), output, collapse=collapse, progress=progress, **options)
    if as_json:
        print_json({**done.as_dict(), "output": str(output)})
        return
    left_out = f", {done.dropped:,} left out" if collapse else ""
    print(
        f"{plain(str(output))}: {done.events:,} events, {done.renamed:,} of them renamed{left_out}; "
        f"{done.activities_before:,} activities became {done.activities:,}."
    )
