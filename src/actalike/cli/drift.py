"""The command drift: what changed between two logs, or two parts of a log."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, print_note
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.second_names import with_name
from actalike.cli.sources import JsonOption, TopOption, read_facts
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.two_logs import (
    ChangedActivity,
    Drift,
    change_sizes,
    change_words,
    drift_headline,
    drift_limits,
    first_side,
    moment_of,
    presence_groups,
    presence_words,
    replacement_words,
    sides_words,
)
from actalike.two_logs import drift as find_drift


@with_reading_options
def drift(
    before: Annotated[
        Path, typer.Argument(metavar="BEFORE", help="A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder.")
    ],
    after: Annotated[
        Path | None, typer.Argument(metavar="AFTER", help="The log to compare with it; not with --at and --by.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="DATE",
            help="Divide one log: the cases that begin before this date, and the others. In UTC, unless it has an offset: "
            "2024-01-01T00:00+02:00.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Divide one log by a column or attribute with two values, one a case. XES traces: case:NAME.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the shuffles that show what chance does.")] = 0,
    top: TopOption = 10,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Find what changed between two logs, or two parts of a log.

    First come labels that took the place of others: a new name alone is no change. Then come the activities whose company
    changed, with what came and what went: after and before which steps they stand now, and stood before. At last come labels
    that appeared, vanished, or are in more or fewer cases.
    Everything is tested against chance, by shuffling cases between the two sides: if nothing changed, nothing is shown. The
    reading options are those of both logs.

    Examples:

    actalike drift orders_2023.xes.gz orders_2024.xes.gz

    actalike drift orders.xes.gz --at 2024-01-01

    actalike drift orders.csv --by region --json
    """
    logs = _read(before, after, at, by, reading)
    result = find_drift(*logs, at=at, by=by, seed=seed)
    names = {**result.before.names, **result.after.names}
    if as_json:
        facts = result.as_dict()
        facts["changed"] = [
            {**fact, "words": change_words(one, first_side(result))}
            for fact, one in zip(facts["changed"], result.changed, strict=True)
        ]
        words = {"verdict": drift_headline(result), "limits": drift_limits(result)}
        print_json({**words, **facts, "names": names, "read": [read_facts(log.reading) for log in logs]})
        return
    print_drift(result, names, top)


def _read(before: Path, after: Path | None, at: str | None, by: str | None, reading: ReadingOptions) -> list[EventLog]:
    """Read one log or two, with the attribute that divides it."""
    given = [name for name, value in (("AFTER", after), ("--at", at), ("--by", by)) if value is not None]
    if len(given) != 1:
        what = "no second log, date or column was given" if not given else f"{' and '.join(given)} cannot go together"
        raise ActalikeError(
            f"{what}: give two logs (actalike drift BEFORE AFTER), or one log and --at DATE, or one log and --by COLUMN; nothing "
            "was read."
        )
    if at is not None:
        moment_of(at)  # a wrong date is an error before anything is read
    if after is not None:
        reading.refuse(("also", "cases"), "cannot go with two logs: which of them would it belong to? Give a folder for each")
    is_source = by == "source" and reading.takes_several(before)  # every log of several files has it
    attributes = None if by is None or is_source else [by]
    return [reading.read(path, attributes) for path in (before, after) if path is not None]


def print_drift(result: Drift, names: Mapping[str, str], top: int) -> None:
    """Print what changed, the largest change first, then the labels that came and went."""
    print(plain(drift_headline(result)))
    print(plain(sides_words(result)))
    if result.replaced:
        print("\nReplaced (old and new are compared as one step, under the old label)")
        for pair in result.replaced[:top]:
            print(f"  {plain(replacement_words(pair, result))}")
        _print_more(len(result.replaced) - top)
    for one in result.changed[:top]:
        print()
        _print_changed(one, result, names)
    _print_more(len(result.changed) - top)
    for title, group in presence_groups(result):
        print(f"\n{plain(title)}")
        for presence in group[:top]:
            print(f"  {plain(with_name(presence.activity, names))}: {plain(presence_words(presence, result))}")
        _print_more(len(group) - top)
    for sentence in drift_limits(result):
        print_note(sentence)


def _print_changed(one: ChangedActivity, result: Drift, names: Mapping[str, str]) -> None:
    change, by_chance = change_sizes(one)
    print(f"{plain(with_name(one.activity, names))}   changed by {change} of 1 (by chance: up to {by_chance})")
    for line in change_words(one, first_side(result)):
        print(f"  {plain(line)}")


def _print_more(number: int) -> None:
    if number > 0:
        print(f"  and {number:,} more: --top")
