"""The commands group and relabel: which labels are likely one step, and a log with fewer of them."""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import command_line, plain, print_json, print_note, quoted, with_name
from actalike.cli.help import EVIDENCE, OUTPUT
from actalike.cli.options import (
    ByOption,
    JsonOption,
    LogArgument,
    ReadingOptions,
    SourceArgument,
    SourceOptions,
    called,
    read_facts,
    with_attribute_options,
    with_reading_options,
)
from actalike.cli.outputs import STANDARD, OverwriteOption, check_outputs, is_printed, writing, written_to
from actalike.errors import ActalikeError, shortened
from actalike.grouping import group as find_groups
from actalike.io import KINDS, log_kind, stem_of
from actalike.labels import (
    AT_LEAST,
    RELATIONS,
    Decisions,
    Group,
    Relabelled,
    Relation,
    Translation,
    check_probability,
    in_words,
    learned_words,
    mapping_of,
    read_decisions,
    reason_words,
    relabel_file,
    relabel_files,
    strongest_reasons,
    verdict_words,
    write_mapping,
)
from actalike.two_logs import DecidedLog, MatchingDecisions, namesakes_words, read_names

_SHOWN_MEMBERS = 8  # of a group, in the terminal; --json has all
_SHOWN_EXAMPLES = 3  # of labels with a pattern
_SHOWN: tuple[Relation, ...] = ("synonyms", "alternatives")  # without --all
_WRITTEN: tuple[Relation, ...] = ("synonyms",)  # without --all
NO_ENGINE = "relabel renames the labels in a file: where the events are, join the mapping to them, by the label."

NO_STANDARD = "relabel copies a log, and this one came from standard input: save it as a file, and relabel that."
NO_APPENDED = "relabel renames the labels in the file, so to use these names there, read the log without --lifecycle append."
NO_EXCEL = "relabel renames the labels in the file, and a sheet of Excel cannot be copied so: save it as CSV, and relabel that."

NO_COPY = (
    "relabel renames the labels in the file, and files of {} cannot be copied so: in Python, "
    "actalike.write_log(actalike.relabel(log, mapping), 'relabelled.xes') writes the cases as they were read."
)

# the reading options that relabel has too; it keeps every transition
_RELABEL_OPTIONS = (
    "--case",
    "--activity",
    "--timestamp",
    "--order",
    "--separator",
    "--encoding",
    "--timestamp-format",
    "--skip",
    "--skip-last",
    "--max-bytes",
    "--cases",
    "--missing",
)


@with_attribute_options
def group(
    log: SourceArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write a mapping.csv to review, edit, and relabel with; - prints it."
        ),
    ] = None,
    at_least: Annotated[
        float,
        typer.Option("--at-least", metavar="P", help="How likely the labels of a group must be one step, above 0 and up to 1."),
    ] = AT_LEAST,
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps", metavar="K", min=1, help="Merge until K labels are left, however unlikely the groups are. Implies --all."
        ),
    ] = None,
    by: ByOption = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--decisions",
            metavar="FILE",
            help="Learn from what was decided before: decisions.json, saved on a page. It stays as it was decided.",
            rich_help_panel=EVIDENCE,
        ),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Show all reasons, not only the three strongest of a group.", rich_help_panel=EVIDENCE)
    ] = False,
    excel: Annotated[
        bool,
        typer.Option(
            "--excel", help="Begin the mapping with a byte-order mark, so that Excel reads it as UTF-8.", rich_help_panel=OUTPUT
        ),
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Show and write all groups, also those that are not likely one step.")
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Propose groups of labels that are likely one step, with the reasons.

    Synonyms come first: they behave alike, and there is evidence beyond control flow that they are one step. Alternatives are
    interchangeable, but may be different outcomes of one decision: your call. The mapping has the synonyms only, unless you give
    --all or --steps.

    Examples:

    actalike group orders.xes.gz

    actalike group orders.xes.gz -o mapping.csv --at-least 0.8

    actalike group orders.csv --by site

    actalike group orders.xes.gz --decisions decisions.json

    actalike group - --format csv -o - < orders.csv

    actalike relabel orders.xes.gz mapping.csv -o simpler.xes.gz

    actalike group 'events/*.parquet' --engine duckdb --order at --memory 4GB
    """
    everything = everything or steps is not None  # the mapping has to leave so many labels
    check_probability(at_least)
    if excel and output is None:
        raise ActalikeError("--excel is about the mapping: give -o mapping.csv too. Nothing was read.")
    outputs = [] if output is None else [output]
    printed = is_printed(output, as_json)
    if decisions is not None and steps is not None:
        raise ActalikeError("--steps merges even what was rejected with --decisions: leave one of them out. Nothing was read.")
    check_outputs(outputs, [*reading.inputs(log, *outputs), *([] if decisions is None else [decisions])], overwrite)
    if decisions is not None:
        read_decisions(decisions)  # first of all: a file that holds none should not cost the time of reading the log
    source = reading.read_divided(log, by)
    groups = find_groups(source, at_least, by=by, steps=steps, decisions=decisions)
    accepted = [set(one.activities) for one in groups.learned.accepted] if groups.learned else []
    mapping = mapping_of(groups, RELATIONS if everything else _WRITTEN)
    if output is not None:
        with writing(overwrite), written_to(output) as file:
            write_mapping(mapping, source.activities, file, source.names, groups, excel=excel)
    if printed:
        return
    if as_json:
        written = None if output is None else str(output)
        print_json({**groups.to_dict(), "output": written, "read": read_facts(source.reading)})
        return
    counts = dict(zip(source.activities, source.activity_counts.tolist(), strict=True))
    for proposal in groups:
        if everything or proposal.relation in _SHOWN:
            print_group(proposal, counts, source.names, why, any(one <= set(proposal.activities) for one in accepted))
    if groups.learned is not None:
        print("\n".join(learned_words(groups.learned)) + "\n")
    print(_summary(groups, len(source.activities), everything))
    if output is not None:
        print(_written(output, mapping, groups, source.activities, everything))
        print(_next(Path(log), output, reading))


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
            "--output",
            "-o",
            metavar="PLACE",
            help="The new log, of the same kind as the old; for a folder, a new folder; - prints it.",
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

    gunzip -c orders.csv.gz | actalike relabel - mapping.csv --format csv -o - > simpler.csv
    """
    printed = is_printed(output, as_json)
    check_outputs([output], [*reading.inputs(log, output), mapping], overwrite)
    reading.reject(("lifecycle", "transition"), "has no effect here: relabel keeps every transition")
    reading.reject(("name",), "has no effect here: relabel keeps every column")
    reading.reject(("object_type",), "has no effect here: an object-centric log cannot be relabelled in its file")
    reading.reject(("sheet",), "has no effect here: an Excel file cannot be relabelled; save the sheet as CSV")
    several = reading.takes_several(log)
    unused = ("lifecycle", "transition", "name", "object_type", "sheet", *([] if several else ["cases"]))
    options = {name: value for name, value in reading.arguments().items() if name not in unused}
    if not several:
        reading.reject(("cases",), "is for several files, or a folder, and there is one file")
    if several and collapse:
        raise ActalikeError("--collapse is for one file, because a case may go on in the next: relabel each file by itself.")
    if several and printed:
        raise ActalikeError("-o - prints one file, and there are several: give a folder. Nothing was read.")
    names = read_names(mapping)
    with writing(overwrite):
        if several:
            done = relabel_files([log, *(reading.also or ())], names, output, **options)
        else:
            with reading.opened(log) as file, written_to(output, "".join(file.suffixes[-2:])) as copy:
                done = relabel_file(file, names, copy, collapse=collapse, **options)
    # relabel keeps every transition, so what reading says about pairs of them does not apply here
    understood = None if done.reading is None else replace(done.reading, paired=0.0)
    understood = called(understood, log)
    reading.say(understood)
    if not reading.quiet:
        if isinstance(names, Decisions):
            made_for = DecidedLog(names.log_digest, names.log_name, names.log_activities)
            _note_other_log(mapping, made_for, log, done, "in none of its accepted groups")
        elif isinstance(names, MatchingDecisions):
            _note_other_log(mapping, names.log_b, log, done, "in none of its accepted pairs")
        elif isinstance(names, Translation):
            _note_names(mapping, names)
    if printed:
        return
    if as_json:
        print_json({**done.to_dict(), "output": str(output), "read": read_facts(understood)})
        return
    left_out = f", {done.dropped:,} left out" if collapse else ""
    number = "1 label keeps its name" if done.unnamed == 1 else f"{done.unnamed:,} labels keep their names"
    unnamed = f" {number} because {plain(str(mapping))} gives an empty one." if done.unnamed else ""
    print(
        f"{plain(str(output))}: {done.events:,} events, {done.renamed:,} of them renamed{left_out}; "
        f"{done.activities_before:,} activities became {done.activities:,}.{unnamed}"
    )


def _next(log: Path, mapping: Path, reading: ReadingOptions) -> str:
    """Return what to do next with the mapping, with a command to copy."""
    ending = relabelled_ending(log, reading)
    free = (mapping.with_name(f"relabelled{number}{ending}") for number in chain([""], count(2)))
    relabelled = next(path for path in free if not os.path.lexists(path))
    command = relabel_command(log, mapping, relabelled, reading)
    if command is None:
        return f"Next: {why_no_relabelling(log, reading)}"
    return f"Next: look through {quoted(str(mapping))}, then: {command}"


def print_group(
    group: Group, counts: dict[str, int], names: Mapping[str, str], why: bool = False, is_accepted: bool = False
) -> None:
    """Print a group: the labels with their events, or their pattern and a few of them; the verdict, and the strongest reasons.

    ``why`` prints all of the reasons. ``is_accepted``: a person decided that they are one step.
    """
    n_shown = _SHOWN_MEMBERS if group.pattern is None else _SHOWN_EXAMPLES
    labels = [f"{plain(with_name(label, names))} ({counts[label]:,})" for label in group.activities[:n_shown]]
    if len(group.activities) > n_shown:
        labels.append(f"{len(group.activities) - n_shown:,} more")
    pattern = "" if group.pattern is None else f"{plain(group.pattern)}, {len(group.activities):,} labels: "
    verdict = verdict_words(group.relation, group.probability)
    print(f"{pattern}{' = '.join(labels)}{'.   accepted: ' if is_accepted else '?   '}{verdict}")
    for sign, words in all_reasons(group) if why else strongest_reasons(group):
        print(f"  {sign}  {plain(words)}")
    print()


def all_reasons(group: Group) -> list[tuple[str, str]]:
    """Return everything that speaks for and against one step: reasons with their log-odds, witnesses, cautions, neighbours."""
    reasons = sorted(group.reasons, key=lambda reason: -abs(reason.log_odds))
    found = [(reason.log_odds, f"{reason_words(reason, len(group.activities))} ({reason.log_odds:+.2f})") for reason in reasons]
    return [
        *(("-" if log_odds < 0 else "+", words) for log_odds, words in found),
        *(("+", in_words(witness)) for witness in group.witnesses),
        *(("-", in_words(caution)) for caution in group.cautions),
        *(("+", in_words(context)) for context in group.evidence),
    ]


def _summary(groups: list[Group], activities: int, everything: bool) -> str:
    """Return how many groups there are of each relation, and how to see those that were not shown."""
    number = Counter(group.relation for group in groups)
    among = "1 activity" if activities == 1 else f"{activities:,} activities"
    shown = [f"{number[relation]:,} of {relation}" for relation in _SHOWN if number[relation]]
    hidden = len(groups) - sum(number[relation] for relation in _SHOWN)
    if shown:
        first = f"{_groups(len(groups) - hidden)} among {among}: {', '.join(shown)}."
    else:
        first = f"No synonyms or alternatives among {among}."
    named = number["same name"]
    kinds = "belongs together or is too rare to judge" if hidden == 1 else "belong together or are too rare to judge"
    if named:
        kinds = f"{'is' if hidden == 1 else 'are'} no proposal to merge, {named:,} of them one name for different codes"
    more = f" {_groups(hidden, bool(shown))} {kinds}{'' if everything else ': --all'}."
    return first + more * (hidden > 0)


def _written(output: Path, mapping: dict[str, str], groups: list[Group], activities: list[str], everything: bool) -> str:
    """Return what the mapping does, and what it leaves out."""
    renamed = sum(label != name for label, name in mapping.items())
    left = len({mapping.get(label, label) for label in activities})
    labels = "1 label" if renamed == 1 else f"{renamed:,} labels"
    does = f"{plain(str(output))} renames {labels}: {left:,} of {len(activities):,} activities are left."
    omitted = sum(group.relation not in _WRITTEN for group in groups)
    if everything or not omitted:
        return does
    return f"{does} It leaves out {_groups(omitted)} that may not be one step: --all writes these too."


def _groups(number: int, more: bool = False) -> str:
    return f"{number:,} {'more ' if more else ''}{'group' if number == 1 else 'groups'}"


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


def why_no_relabelling(log: Path, reading: ReadingOptions) -> str:
    """Return why no command relabels a log in its file; nothing if there is one.

    >>> why_no_relabelling(Path("orders.csv"), ReadingOptions())
    ''
    >>> why_no_relabelling(Path("orders.csv"), ReadingOptions(lifecycle="append")) == NO_APPENDED
    True
    """
    if getattr(reading, "engine", None) is not None or log.suffix == ".actalike":
        return NO_ENGINE
    if log == STANDARD:
        return NO_STANDARD
    if reading.lifecycle == "append":
        return NO_APPENDED
    logs = (log, *(reading.also or ()))
    kinds = [KINDS[kind] for kind in map(log_kind, logs) if kind is not None]
    other = next((kind for kind in kinds if not kind.is_relabelled), None)
    if other is None:
        return "" if reading.object_type is None else NO_COPY.format(KINDS["ocel-json"].words)
    return NO_EXCEL if "sheet" in other.options else NO_COPY.format(other.words)


def relabel_command(log: Path, names: Path, output: Path, reading: ReadingOptions) -> str | None:
    """Return the command that relabels a log by a mapping or decisions; None if the file cannot be relabelled so.

    >>> reading = ReadingOptions(case="Order Id", quiet=True)
    >>> relabel_command(Path("my orders.csv"), Path("decisions.json"), Path("simpler.csv"), reading)
    "actalike relabel 'my orders.csv' decisions.json -o simpler.csv '--case=Order Id'"
    """
    if why_no_relabelling(log, reading):
        return None
    given = [option for option in reading.changed() if option in _RELABEL_OPTIONS]
    options = {option: getattr(reading, option.removeprefix("--").replace("-", "_")) for option in given}
    further = [word for path in reading.also or () for word in ("--also", path)]
    return command_line("relabel", log, names, *further, "-o", output, options=options)


def relabelled_place(log: Path, reading: ReadingOptions) -> Path:
    """Return where the relabelled log goes: into the current folder, or beside the folder that is read if that is around it.

    >>> str(relabelled_place(Path("logs", "my orders.csv.gz"), ReadingOptions()))
    'my orders-relabelled.csv.gz'
    """
    here = Path(os.path.realpath("."))
    folders = [Path(os.path.realpath(source)) for source in (log, *(reading.also or ())) if source.is_dir()]
    around = [folder for folder in folders if folder in (here, *here.parents)]
    place = Path(os.path.relpath(min(around, key=lambda folder: len(folder.parts)).parent)) if around else Path()
    named = Path(os.path.realpath(log)) if log.name in ("", "..") else log  # "." has no name
    name = named.name if log.is_dir() else stem_of(named)
    return place / f"{name}-relabelled{relabelled_ending(log, reading)}"


def relabelled_ending(log: Path, reading: ReadingOptions) -> str:
    """Return how the name of the relabelled log ends: as that of the log, and with nothing if it is a folder."""
    return "" if reading.takes_several(log) else log.name[len(stem_of(log)) :]
