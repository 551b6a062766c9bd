"""The command look: what is in a file of unknown layout, and with which options it can be read."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import plain, print_json, print_table
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.shell import command_line, quoted
from actalike.cli.sources import JsonOption
from actalike.errors import ActalikeError
from actalike.io import Look, log_files
from actalike.io import look as look_at

_ENOUGH_FILES = 100  # of a folder
_SHOWN_COLUMNS = 12  # of the first rows
_UNUSED = ("lifecycle", "order", "name", "also", "cases", "quiet")


@with_reading_options
def look(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file (.xes, .csv, .tsv, .parquet; .gz too), or a folder.")],
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Look at a file: its columns, what would be read, what is doubtful.

    Only the first 10,000 rows (of a folder: of each file) are looked at, and nothing is said of what comes after them. Options
    that would settle what is doubtful are proposed, and never used by themselves.

    Examples:

    actalike look orders.csv

    actalike look orders.csv --case OrderId --encoding cp1252
    """
    reading.refuse(_UNUSED, "means nothing here: look shows what is in the file")
    options = {name: value for name, value in reading.arguments().items() if name not in _UNUSED}
    files = log_files(file)
    if files is None:
        seen = look_at(file, **options)
        if as_json:
            print_json(seen.as_dict())
        else:
            _print_look(seen, reading)
        return
    looks = [_look_or_error(path, options) for path in files.paths[:_ENOUGH_FILES]]
    if as_json:
        facts = [each.as_dict() if isinstance(each, Look) else {"error": each} for each in looks]
        print_json({"folder": str(file), "files": facts, "files_in_all": len(files.paths), "other_files": files.others})
        return
    _print_folder(file, files.names, looks, files.others)


def _look_or_error(path: Path, options: dict[str, Any]) -> Look | str:
    try:
        return look_at(path, **options)
    except ActalikeError as error:
        return str(error)


def _print_look(seen: Look, reading: ReadingOptions) -> None:
    print(plain(f"{seen.path}: {_layout(seen)}."))
    print(f"{_looked_at(seen)}\n")
    shown = [column for column in seen.columns if column.scope != "case"]
    rows = [
        [
            column.name,
            *([f"of the {column.scope}"] if seen.kind == "xes" else []),
            column.type,
            f"{100 * column.filled:.0f} %",
            f"{column.values:,}",
            " | ".join(column.examples),
            "" if column.role is None else f"{column.role}: {column.why}",
        ]
        for column in seen.columns
    ]
    scope = ["attribute", ""] if seen.kind == "xes" else ["column"]
    print_table([*scope, "type", "filled", "values", "examples", "taken for"], rows, right=(len(scope) + 1, len(scope) + 2))
    if seen.columns_left_out:
        print(f"({seen.columns_left_out:,} more, not looked at)")
    print("\nThe first rows:\n" if seen.kind != "xes" else "\nThe first events:\n")
    rows = [[cell or "" for cell in row[:_SHOWN_COLUMNS]] for row in seen.first_rows]
    print_table([column.name for column in shown[:_SHOWN_COLUMNS]], rows)
    if len(shown) > _SHOWN_COLUMNS:
        print(f"(and {len(shown) - _SHOWN_COLUMNS:,} more columns: --json has {'these' if seen.columns_left_out else 'all'})")
    print()
    where = "" if seen.is_whole else " (of the rows that were looked at)"
    if seen.reading is not None:
        print(plain(f"Would be read{where}: {seen.reading}"))
    else:
        print(plain(f"Cannot be read as it is: {seen.error}"))
    for remark in seen.remarks:
        print(plain(f"  ?  {remark}"))
    _print_proposals(seen, reading)


def _print_proposals(seen: Look, reading: ReadingOptions) -> None:
    """Print the options that would settle what is doubtful, with a command to copy."""
    if not seen.proposals:
        return
    print("\nProposed, not used:")
    for proposal in seen.proposals:
        print(f"  {proposal.option} {quoted(proposal.value)}: {plain(proposal.why)}{'' if proposal.needed else ' (optional)'}")
    if seen.proposed_reading is not None and seen.options():
        print(plain(f"With these, it would be read as: {seen.proposed_reading}"))
    given = [option for option in reading.changed() if option.removeprefix("--") not in _UNUSED]
    options = {option: str(getattr(reading, option.removeprefix("--").replace("-", "_"))) for option in given}
    print(f"\nNext: {command_line('group', Path(seen.path), options={**options, **seen.options()})}")


def _layout(seen: Look) -> str:
    """Return in words of which kind a file is."""
    parts = [seen.kind.upper() if seen.kind != "parquet" else "Parquet", f"{seen.size:,} bytes"]
    if seen.encoding is not None:
        parts.append(seen.encoding)
    if seen.separator is not None:
        line = ", as its first line says" if seen.separator_line else ""
        parts.append(f"separated by {'tabs' if seen.separator == chr(9) else repr(seen.separator)}{line}")
    return ", ".join(parts)


def _looked_at(seen: Look) -> str:
    noun = "events" if seen.kind == "xes" else "rows"
    if seen.is_whole:
        return f"All of its {seen.looked_at:,} {noun} were looked at." if seen.looked_at > 1 else f"It has 1 {noun[:-1]}."
    of_all = "" if seen.rows is None else f" of {seen.rows:,}"
    return f"The first {seen.looked_at:,} {noun}{of_all} were looked at."


def _print_folder(folder: Path, names: list[str], looks: list[Look | str], others: tuple[str, ...]) -> None:
    """Print the files of a folder, and whether their columns agree."""
    print(
        plain(f"{folder}: a folder, {len(names):,} file{'' if len(names) == 1 else 's'} that would be read as one log"),
        end="\n\n",
    )
    rows = []
    for name, seen in zip(names, looks, strict=False):
        if isinstance(seen, str):
            rows.append([name, "", "", seen])
            continue
        taken = ", ".join(
            f"{column.role} = {column.name}" for column in seen.columns if column.role in ("case", "activity", "timestamp")
        )
        rows.append([name, _layout(seen), f"{len(seen.columns):,}", taken if seen.reading is not None else str(seen.error)])
    print_table(["file", "kind", "columns", "taken for"], rows, right=(2,))
    if len(names) > len(looks):
        print(f"({len(names) - len(looks):,} more files were not looked at)")
    for name in others:
        print(plain(f"  ?  {name} is no log by its name, and would not be read"))
    print(f"\n{plain(_agreement(names, looks))}")


def _agreement(names: list[str], looks: list[Look | str]) -> str:
    """Return in words whether all files have the same columns, with the first difference."""
    known = [(name, each) for name, each in zip(names, looks, strict=False) if isinstance(each, Look)]
    seen = [(name, {column.name for column in each.columns}) for name, each in known]
    if len(seen) < 2:
        return "There are no two files to compare."
    count = Counter(column for _, columns in seen for column in columns)
    unequal = [column for column in count if count[column] < len(seen)]
    if not unequal:
        return "All files that can be read have the same columns."
    where = "" if all(each.is_whole or each.kind != "xes" for _, each in known) else " in the events that were looked at"
    lines = []
    for column in sorted(unequal)[:5]:
        without = [name for name, columns in seen if column not in columns]
        lines.append(f"{column!r} is not in {', '.join(without[:3])}{', ...' if len(without) > 3 else ''}")
    return f"The columns differ{where}: {'; '.join(lines)}{'; ...' if len(unequal) > 5 else ''}."
