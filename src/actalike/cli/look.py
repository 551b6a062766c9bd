"""The command look: what is in a file of unknown layout, and with which options it can be read."""

from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import plain, print_json, print_table
from actalike.cli.look_folder import folder_proposals, print_folder
from actalike.cli.look_words import kind_words, print_first_rows, print_next, print_object_types, print_proposals
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.sources import JsonOption
from actalike.errors import ActalikeError
from actalike.io import Look, log_files
from actalike.io import look as look_at

_ENOUGH_FILES = 100  # of a folder
_UNUSED = ("lifecycle", "order", "name", "also", "cases", "quiet")


@with_reading_options
def look(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder.")
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

    actalike look orders.jsonocel --object-type order
    """
    reading.refuse(_UNUSED, "means nothing here: look shows what is in the file")
    options = {name: value for name, value in reading.arguments().items() if name not in _UNUSED}
    files = log_files(file)
    if files is None:
        seen = look_at(file, **options)
        if as_json:
            print_json(seen.as_dict())
        else:
            _print_look(seen, _given(reading))
        return
    looks = [_look_or_error(path, options) for path in files.paths[:_ENOUGH_FILES]]
    if as_json:
        facts = [each.as_dict() if isinstance(each, Look) else {"error": each} for each in looks]
        known = [(name, each) for name, each in zip(files.names, looks, strict=False) if isinstance(each, Look)]
        proposals = [proposal._asdict() for proposal in folder_proposals(known)[0]]
        numbers = {"files_in_all": len(files.paths), "other_files": files.others}
        print_json({"folder": str(file), "files": facts, **numbers, "proposals": proposals})
        return
    print_folder(file, files, looks, _given(reading))


def _look_or_error(path: Path, options: dict[str, Any]) -> Look | str:
    try:
        return look_at(path, **options)
    except ActalikeError as error:
        return str(error)


def _print_look(seen: Look, given: dict[str, str]) -> None:
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
        print(plain(f"Cannot be read as it is: {seen.error}"))
    for remark in seen.remarks:
        print(plain(f"  ?  {remark}"))
    print_proposals(seen.proposals)
    if seen.proposed_reading is not None and seen.options() and not seen.object_types:  # types are rivals with other figures
        print(plain(f"With these, it would be read as: {seen.proposed_reading}"))
    print_next(Path(seen.path), seen.proposals if seen.proposed_reading is not None else None, given)


def _has_attributes(seen: Look) -> bool:
    """Return whether a file holds events with attributes, and no table."""
    return seen.kind == "xes" or bool(seen.object_types)


def _given(reading: ReadingOptions) -> dict[str, str]:
    """Return the options that were given, which the next command needs too."""
    return {option: str(getattr(reading, option.removeprefix("--").replace("-", "_"))) for option in reading.changed()}


def _looked_at(seen: Look) -> str:
    noun = "events" if _has_attributes(seen) else "rows"
    if seen.is_whole:
        return f"All of its {seen.looked_at:,} {noun} were looked at." if seen.looked_at > 1 else f"It has 1 {noun[:-1]}."
    of_all = "" if seen.rows is None else f" of {seen.rows:,}"
    return f"The first {seen.looked_at:,} {noun}{of_all} were looked at."
