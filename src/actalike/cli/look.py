"""The command look: what is in a file of unknown layout, and with which options it can be read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import command_line, in_options, plain, print_json, print_table, quoted, several
from actalike.cli.options import JsonOption, ReadingOptions, called, name_of_log, with_reading_options
from actalike.cli.outputs import STANDARD
from actalike.errors import ActalikeError, shortened
from actalike.io import KINDS, LogFiles, Look, Proposal, log_files
from actalike.io import look as look_at

_ENOUGH_FILES = 100  # of a folder
_UNUSED = ("lifecycle", "missing", "order", "name", "also", "cases", "quiet")


@with_reading_options
def look(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file (.xes, .csv, .tsv, .parquet, .xlsx; .gz too; OCEL 2.0), or a folder.")
    ],
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Look at a file: its columns, what would be read, what is doubtful.

    Only the first 10,000 rows (of a folder: of each file) are looked at, and nothing is said of what comes after them; of an
    object-centric log, all events are. Options that would settle what is doubtful are proposed, and never used by themselves.

    Examples:

    actalike look orders.csv

    actalike look orders.csv --case OrderId --encoding cp1252

    actalike look orders.xlsx --sheet Events --skip 3

    actalike look orders.jsonocel --object-type order
    """
    reading.reject(_UNUSED, "has no effect here: look shows what is in the file")
    options = {name: value for name, value in reading.arguments().items() if name not in _UNUSED}
    files = log_files(file)
    if files is None:
        with reading.opened(file) as opened:
            seen = look_at(opened, **options)
        if file == STANDARD:
            seen = replace(
                seen,
                path=name_of_log(file),
                reading=called(seen.reading, file),
                proposed_reading=called(seen.proposed_reading, file),
                error=None if seen.error is None else seen.error.replace(str(opened), name_of_log(file)),
            )
        if as_json:
            print_json({"schema": "actalike/look/1", **seen.as_dict()})
        else:
            _print_look(seen, _given(reading), file)
        return
    looks = [_look_or_error(path, options) for path in files.paths[:_ENOUGH_FILES]]
    if as_json:
        facts = [each.as_dict() if isinstance(each, Look) else {"error": each} for each in looks]
        known = [(name, each) for name, each in zip(files.names, looks, strict=False) if isinstance(each, Look)]
        proposals = [proposal._asdict() for proposal in folder_proposals(known)[0]]
        numbers = {"files_in_all": len(files.paths), "other_files": files.others}
        print_json(
            {"schema": "actalike/look-at-folder/1", "folder": str(file), "files": facts, **numbers, "proposals": proposals}
        )
        return
    print_folder(file, files, looks, _given(reading))


def _look_or_error(path: Path, options: dict[str, Any]) -> Look | str:
    try:
        return look_at(path, **options)
    except ActalikeError as error:
        return str(error)


def _print_look(seen: Look, given: dict[str, object], file: Path) -> None:
    print(plain(f"{seen.path}: {kind_words(seen)}."))
    print(f"{_looked_at(seen)}\n")
    rows = [
        [
            column.name,
            *([f"of the {column.scope}"] if _has_attributes(seen) else []),
            column.type,
            f"{100 * column.filled:.0f} %",
            f"{column.values:,}",
            " | ".join(column.examples),
            "" if column.role is None else f"{column.role}: {column.why}",
        ]
        for column in seen.columns
    ]
    scope = ["attribute", ""] if _has_attributes(seen) else ["column"]
    print_table([*scope, "type", "filled", "values", "examples", "taken for"], rows, right=(len(scope) + 1, len(scope) + 2))
    if seen.columns_left_out:
        print(f"({seen.columns_left_out:,} more, not looked at)")
    print_first_rows(seen)
    print_object_types(seen)
    print()
    where = "" if seen.is_whole else " (of the rows that were looked at)"
    if seen.reading is not None:
        print(plain(f"Would be read{where}: {seen.reading}"))
    else:
        print(plain(f"Cannot be read as it is: {in_options(str(seen.error))}"))
    for remark in seen.remarks:
        print(plain(f"  ?  {in_options(remark)}"))
    print_proposals(seen.proposals)
    if seen.proposed_reading is not None and seen.options() and not seen.object_types:  # types are rivals with other figures
        print(plain(f"With these, it would be read as: {seen.proposed_reading}"))
    print_next(file, seen.proposals if seen.proposed_reading is not None else None, given)


def _has_attributes(seen: Look) -> bool:
    """Return whether a file holds events with attributes, and no table."""
    return seen.kind == "xes" or bool(seen.object_types)


def _given(reading: ReadingOptions) -> dict[str, object]:
    """Return the options that were given, which the next command needs too."""
    return {option: getattr(reading, option.removeprefix("--").replace("-", "_")) for option in reading.changed()}


def _looked_at(seen: Look) -> str:
    noun = "events" if _has_attributes(seen) else "rows"
    if seen.is_whole:
        return f"All of its {seen.looked_at:,} {noun} were looked at." if seen.looked_at > 1 else f"It has 1 {noun[:-1]}."
    of_all = "" if seen.rows is None else f" of {seen.rows:,}"
    return f"The first {seen.looked_at:,} {noun}{of_all} were looked at."


_OBJECT_CENTRIC = {
    "ocel-json": "object-centric (OCEL 2.0, JSON)",
    "ocel-xml": "object-centric (OCEL 2.0, XML)",
    "ocel-sqlite": "object-centric (OCEL 2.0, SQLite)",
}
_SHOWN_TYPES = 30
_SHOWN_COLUMNS = 12  # of the first rows


def kind_words(seen: Look) -> str:
    """Return in words of which kind a file is."""
    is_tsv = seen.path.lower().removesuffix(".gz").endswith(".tsv")
    if seen.kind == "excel":
        return f"Excel, sheet {seen.sheet!r}, {seen.size:,} bytes"
    parts = ["TSV" if is_tsv else _OBJECT_CENTRIC.get(seen.kind, KINDS[seen.kind].words), f"{seen.size:,} bytes"]
    if seen.encoding is not None:
        parts.append(seen.encoding)
    if seen.separator is not None:
        line = ", as its first line says" if seen.separator_line else ""
        parts.append(f"separated by {'tabs' if seen.separator == chr(9) else repr(seen.separator)}{line}")
    return ", ".join(parts)


def print_first_rows(seen: Look, of: str = "") -> None:
    """Print the first rows of a file, with its first columns; ``of`` names the file, if there are several."""
    shown = [column for column in seen.columns if column.scope != "case"]
    print(f"\nThe first {'events' if seen.kind == 'xes' else 'rows'}{plain(of)}:\n")
    rows = [[cell or "" for cell in row[:_SHOWN_COLUMNS]] for row in seen.first_rows]
    print_table([column.name for column in shown[:_SHOWN_COLUMNS]], rows)
    if len(shown) > _SHOWN_COLUMNS:
        print(f"(and {len(shown) - _SHOWN_COLUMNS:,} more columns: --json has {'these' if seen.columns_left_out else 'all'})")


def print_object_types(seen: Look) -> None:
    """Print the types of objects of an object-centric log with their figures; nothing for any other."""
    if not seen.object_types:
        return
    print("\nIts types of objects, each of which could be the case:")
    types = sorted(seen.object_types, key=lambda each: -each.relations)
    rows = [
        [each.name, *(f"{number:,}" for number in (each.objects, each.with_events, each.events, each.relations)),
         f"{each.events_per_object:.1f}"]
        for each in types[:_SHOWN_TYPES]
    ]  # fmt: skip
    headings = ["object type", "objects", "with events", "events", "relations", "events a case"]
    print_table(headings, rows, right=(1, 2, 3, 4, 5))
    if len(types) > _SHOWN_TYPES:
        print(f"(and {len(types) - _SHOWN_TYPES:,} more types: --json has all)")


def print_proposals(proposals: Sequence[Proposal]) -> None:
    """Print the options that would settle what is doubtful."""
    if not proposals:
        return
    print("\nProposed, not used:")
    values = _values(proposals)
    for proposal in proposals:
        optional = "" if proposal.needed or len(values[proposal.option]) > 1 else " (optional)"
        option = " ".join(f"{proposal.option} {quoted(value)}" for value in several(proposal.value))
        print(f"  {option}: {plain(proposal.why)}{optional}")


def print_next(log: Path, proposals: Sequence[Proposal] | None, given: Mapping[str, object]) -> None:
    """Print the command that reads the log with all that is proposed; of an option with several values, one for each.

    ``proposals`` are None if the log cannot be read with them either.
    """
    if proposals is None:
        print("\nNothing that is proposed here would make it readable.")
        return
    values = _values(proposals)
    commands = [
        command_line("report", log, "-o", Path("report.html"), options={**given, **dict(zip(values, chosen, strict=True))})
        for chosen in product(*values.values())
    ]
    if len(commands) == 1:
        print(f"\nNext: {commands[0]}")
    else:
        print("\nNext, one of:", *commands, sep="\n  ")


def _values(proposals: Sequence[Proposal]) -> dict[str, list[object]]:
    """Return the values of each option that is proposed; several are rivals, of which a person chooses one."""
    values: dict[str, list[object]] = {}
    for proposal in proposals:
        values.setdefault(proposal.option, []).append(proposal.value)
    return values


_UNREADABLE = "(cannot be read as it is)"
_SHOWN_REMARKS = 5
_OF_ALL = (
    "--encoding",
    "--case",
    "--activity",
    "--timestamp",
    "--timestamp-format",
    "--skip",
    "--skip-last",
)  # what one file needs, and another cannot be read with


def print_folder(folder: Path, files: LogFiles, looks: Sequence[Look | str], given: Mapping[str, object]) -> None:
    """Print the files of a folder, whether their columns agree, what is proposed, and the next command.

    ``looks`` has what was seen of each of the first files, or why it cannot be looked at.
    """
    names = files.names
    print(
        plain(f"{folder}: a folder, {len(names):,} file{'' if len(names) == 1 else 's'} that would be read as one log"),
        end="\n\n",
    )
    rows = []
    for name, seen in zip(names, looks, strict=False):
        rows.append([name, *(["", "", "", "", _UNREADABLE] if isinstance(seen, str) else _row(seen))])
    print_table(["file", "kind", "columns", "cases", "events", "taken for"], rows, right=(2, 3, 4))
    if len(names) > len(looks):
        print(f"({len(names) - len(looks):,} more files were not looked at)")
    known = [(name, each) for name, each in zip(names, looks, strict=False) if isinstance(each, Look)]
    if any(not seen.is_whole for _, seen in known):
        print("(cases and events: of the rows that were looked at, if a number has a +)")
    if known:
        print_first_rows(known[0][1], f" of {known[0][0]}")
    print()
    for name in files.others:
        print(plain(f"  ?  {name} is not a log by its name, and would not be read"))
    errors = [seen if isinstance(seen, str) else seen.error for seen in looks]
    _print_some([error for error in errors if error])
    _print_some(list(dict.fromkeys(remark for _, seen in known for remark in seen.remarks)))
    print(plain(_agreement(known)))
    proposals, conflict = folder_proposals(known)
    if conflict:
        print(plain(conflict))
    print_proposals(proposals)
    is_readable = not conflict and len(known) == len(looks) and all(seen.proposed_reading for _, seen in known)
    print_next(folder, proposals if is_readable else None, given)


def _print_some(remarks: Sequence[str]) -> None:
    for remark in remarks[:_SHOWN_REMARKS]:
        print(plain(f"  ?  {in_options(remark)}"))
    if len(remarks) > _SHOWN_REMARKS:
        print(f"     (and {len(remarks) - _SHOWN_REMARKS:,} more like these: --json has all)")


def _row(seen: Look) -> list[str]:
    """Return what the table says of a file: its cases and events are those that were looked at."""
    reading = seen.reading or seen.proposed_reading
    more = "" if seen.is_whole else "+"
    figures = ["", ""] if reading is None else [f"{reading.cases or 0:,}{more}", f"{reading.events:,}{more}"]
    roles = ("case", "activity", "timestamp")
    taken = ", ".join(f"{column.role} = {column.name}" for column in seen.columns if column.role in roles)
    return [kind_words(seen), f"{len(seen.columns):,}", *figures, taken if seen.reading is not None else _UNREADABLE]


def _agreement(known: Sequence[tuple[str, Look]]) -> str:
    """Return in words whether all files have the same columns, with the first difference."""
    columns_of = [(name, {column.name for column in seen.columns}) for name, seen in known]
    if len(columns_of) < 2:
        return "Only one file: nothing to compare."
    count = Counter(column for _, columns in columns_of for column in columns)
    unequal = [column for column in count if count[column] < len(columns_of)]
    if not unequal:
        return f"The columns of all files that could be looked at ({len(columns_of):,}) are the same."
    where = "" if all(seen.is_whole or seen.kind != "xes" for _, seen in known) else " in the events that were looked at"
    lines = []
    for column in sorted(unequal)[:5]:
        without = [name for name, columns in columns_of if column not in columns]
        lines.append(f"{column!r} is not in {', '.join(without[:3])}{', ...' if len(without) > 3 else ''}")
    return f"The columns differ{where}: {'; '.join(lines)}{'; ...' if len(unequal) > 5 else ''}."


def folder_proposals(known: Sequence[tuple[str, Look]]) -> tuple[list[Proposal], str]:
    """Return what is proposed for the files together, and in words which of them need other options than the others, if any."""
    proposals, conflict = _common_proposals(known)
    return [*proposals, *_propose_cases(known)], conflict


def _common_proposals(known: Sequence[tuple[str, Look]]) -> tuple[list[Proposal], str]:
    """Return what is proposed for all files, and in words which of them need other options than the others, if any do.

    An option is for all files. One that has rival values for some files (a layout) keeps those that all of these files have.
    """
    proposed = {name: [(each.option, each.value) for each in seen.proposals] for name, seen in known}
    reasons = {(each.option, each.value): each for _, seen in known for each in seen.proposals}
    common: list[Proposal] = []
    for option in dict.fromkeys(option for option, _ in reasons):
        users = {name: [value for other, value in pairs if other == option] for name, pairs in proposed.items()}
        users = {name: values for name, values in users.items() if values}
        values = [value for other, value in reasons if other == option and all(value in each for each in users.values())]
        others = [name for name in proposed if name not in users]
        if not values or (others and option in _OF_ALL):
            first, values_of_first = next(iter(users.items()))
            other = others[0] if others else next(name for name in users if users[name] != values_of_first)
            return common, f"The files need different options: {option} of {first} does not fit {other}. Read them one by one."
        common += [reasons[option, value]._replace(needed=len(values) == 1 and reasons[option, value].needed) for value in values]
    return common, ""


def _propose_cases(known: Sequence[tuple[str, Look]]) -> list[Proposal]:
    """Propose what a case id means that is in several files, as far as they were looked at."""
    file_of: dict[str, str] = {}
    for name, seen in known:
        shared = sorted(case for case in seen.sampled_cases if case in file_of)
        if shared:
            where = f"the case {shortened(shared[0])!r} is in {file_of[shared[0]]} and in {name}"
            return [
                Proposal("--cases", "joined", f"{where}, if it is one case that continues", True),
                Proposal("--cases", "separate", "if these are different cases of the same id", True),
            ]
        file_of.update(dict.fromkeys(seen.sampled_cases, name))
    return []
