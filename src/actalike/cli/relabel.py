"""The command relabel: a log with fewer activities."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, print_note
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.sources import JsonOption, LogArgument, read_facts
from actalike.errors import ActalikeError, shortened
from actalike.labels import Decisions, Relabelled, Translation, relabel_file, relabel_files
from actalike.two_logs import DecidedLog, MatchingDecisions, namesakes_words, read_names


@with_reading_options
def relabel(
    log: LogArgument,
    mapping: Annotated[
        Path,
        typer.Argument(
            metavar="MAPPING",
            help="A CSV with the columns activity and group, matching.csv of match, or decisions.json of a page.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="PLACE", help="The new log, of the same kind as the old; for a folder, a new folder."
        ),
    ],
    collapse: Annotated[
        bool,
        typer.Option("--collapse", help="Leave out an event if renaming gave it the label of the event before it in the case."),
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Write a copy of a log with its activities renamed by a mapping, or by decisions.

    Everything else in the log stays as it is. The old label of a renamed event is kept in its attribute (or column)
    actalike:original. Activities that the mapping leaves out, or gives an empty name, keep their names; a label of the mapping
    that the log does not have is an error. Decisions about two logs give the second log the names of the first. The files of a
    folder are copied, each under its own name, into a new folder.

    Examples:

    actalike relabel orders.xes.gz mapping.csv -o simpler.xes.gz

    actalike relabel orders.xes.gz decisions.json -o simpler.xes.gz

    actalike relabel orders.csv mapping.csv -o simpler.csv --collapse --case OrderId --activity Step

    actalike relabel theirs.xes.gz matching.csv -o theirs-in-our-words.xes.gz

    actalike relabel logs/ mapping.csv -o simpler/
    """
    check_outputs([output], [*reading.inputs(log, output), mapping], overwrite)
    reading.refuse(("lifecycle", "transition"), "means nothing here: relabel keeps every transition")
    reading.refuse(("name",), "means nothing here: relabel keeps every column")
    reading.refuse(("object_type",), "means nothing here: an object-centric log cannot be relabelled in its file")
    reading.refuse(("sheet",), "means nothing here: an Excel file cannot be relabelled; save the sheet as CSV")
    several = reading.takes_several(log)
    unused = ("lifecycle", "transition", "name", "object_type", "sheet", *([] if several else ["cases"]))
    options = {name: value for name, value in reading.arguments().items() if name not in unused}
    if not several:
        reading.refuse(("cases",), "is for several files, or a folder, and there is one file")
    if several and collapse:
        raise ActalikeError("--collapse is for one file, because a case may go on in the next: relabel each file by itself.")
    names = read_names(mapping)
    with writing(overwrite):
        if several:
            done = relabel_files([log, *(reading.also or ())], names, output, **options)
        else:
            done = relabel_file(log, names, output, collapse=collapse, **options)
    # relabel keeps every transition, so what reading says about pairs of them is no advice here
    understood = None if done.reading is None else replace(done.reading, paired=0.0)
    reading.say(understood)
    if not reading.quiet:
        if isinstance(names, Decisions):
            made_for = DecidedLog(names.log_digest, names.log_name, names.log_activities)
            _note_other_log(mapping, made_for, log, done, "in none of its accepted groups")
        elif isinstance(names, MatchingDecisions):
            _note_other_log(mapping, names.log_b, log, done, "in none of its accepted pairs")
        elif isinstance(names, Translation):
            _note_names(mapping, names)
    if as_json:
        print_json({**done.as_dict(), "output": str(output), "read": read_facts(understood)})
        return
    left_out = f", {done.dropped:,} left out" if collapse else ""
    number = "1 label keeps its name" if done.unnamed == 1 else f"{done.unnamed:,} labels keep their names"
    unnamed = f" {number} because {plain(str(mapping))} gives an empty one." if done.unnamed else ""
    print(
        f"{plain(str(output))}: {done.events:,} events, {done.renamed:,} of them renamed{left_out}; "
        f"{done.activities_before:,} activities became {done.activities:,}.{unnamed}"
    )


def _note_other_log(mapping: Path, made_for: DecidedLog, log: Path, done: Relabelled, others: str) -> None:
    """Note that decisions were made for a log of another name, or with another number of labels.

    Other cases alone are not worth a note: the report may have read the same file in another way (--lifecycle complete).
    """
    if made_for.digest in ("", done.digest):
        return  # without a digest, nobody knows
    if (made_for.name, made_for.activities) == (log.name, done.activities_before):
        return
    print_note(
        f"{mapping} was made for {made_for.name or 'a log'} with {_activities(made_for.activities)}, and this is "
        f"{log.name or log} with {_activities(done.activities_before)}: labels that are {others} keep their names."
    )


def _note_names(mapping: Path, names: Translation) -> None:
    """Note which names may not be what a matching means: those of labels without a partner that A has too, and new ones."""
    if names.namesakes:
        print_note(namesakes_words(names.namesakes))
    if names.new_names:
        first = ", ".join(map(repr, map(shortened, names.new_names[:3])))
        number = "1 name" if len(names.new_names) == 1 else f"{len(names.new_names):,} names"
        print_note(f"{mapping} gives {number} that log A does not have: {first}{', ...' if len(names.new_names) > 3 else ''}.")


def _activities(number: int) -> str:
    return "1 activity" if number == 1 else f"{number:,} activities"
