"""Read, write and check mappings: which activity gets which name. An analyst edits them as a CSV file."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.io import CutOff, read_pieces
from actalike.labels.groups import Group
from actalike.support.atomic_files import write_atomically
from actalike.support.spreadsheets import escape_formula, restore_formula

COLUMNS = ["activity", "group"]
_MAX_BYTES = 1 << 26  # no log has so many labels


def mapping_of(groups: Iterable[Group]) -> dict[str, str]:
    """Return the mapping that gives every member of a group the name of its most frequent member.

    >>> from actalike import EventLog, group
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "a", "y"]] * 20)
    >>> mapping_of(group(log))
    {'a': 'a', 'b': 'a'}
    """
    return {label: group.activities[0] for group in groups for label in group.activities}


def write_mapping(mapping: Mapping[str, str], activities: Sequence[str], path: str | Path) -> None:
    """Write a CSV file with the columns ``activity,group`` and a row for each activity.

    The activities of the mapping come first, then all others, which keep their names. A label that a spreadsheet would run as a
    formula gets an apostrophe in front, which :func:`read_mapping` removes.
    """
    rows = {**mapping, **{label: label for label in activities if label not in mapping}}
    content = "".join(f"{_cell(label)},{_cell(name)}\n" for label, name in (COLUMNS, *rows.items())).encode()
    write_atomically(path, lambda part: part.write_bytes(content))


def _cell(text: str) -> str:
    """Return a text as a CSV cell, in quotes only if it needs them."""
    text = escape_formula(text)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[,"\r\n]', text) else text


def read_mapping(path: str | Path) -> dict[str, str]:
    """Read a mapping from a CSV file in UTF-8. Other columns than ``activity`` and ``group`` are ignored.

    Cells are separated by commas, or by ``;`` or tabs, which some spreadsheets write. Activities that are not in the file keep
    their names.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_mapping({"b": "a", "a": "a"}, ["a", "b", "c"], f"{folder}/mapping.csv")
    ...     read_mapping(f"{folder}/mapping.csv")
    {'b': 'a', 'a': 'a', 'c': 'c'}
    """
    path = Path(path)
    try:
        text = b"".join(read_pieces(path, _MAX_BYTES)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ActalikeError(f"{path} is not UTF-8: byte {error.start:,} does not fit. Save it as CSV in UTF-8.") from None
    except CutOff:
        raise ActalikeError(f"{path} is an unfinished gzip: the file is cut off. Get a complete copy.") from None
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row]
    except csv.Error as error:
        raise ActalikeError(f"{path} is not valid CSV ({error}): write a new mapping with 'actalike group'.") from None
    if not rows or any(name not in rows[0] for name in COLUMNS):
        raise ActalikeError(f"{path} is no mapping: its first line must name the columns activity and group ('activity,group').")
    activity_column, group_column = (rows[0].index(name) for name in COLUMNS)
    mapping: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(rows[0]):
            raise ActalikeError(
                f"{path}, row {number:,} has {len(row)} fields and the header {len(rows[0])}: put texts in quotes."
            )
        label, name = restore_formula(row[activity_column]), restore_formula(row[group_column])
        if mapping.setdefault(label, name) != name:
            raise ActalikeError(f"{path} gives {label!r} two names, {mapping[label]!r} and {name!r} (row {number:,}): keep one.")
    return mapping


def changes(mapping: Mapping[str, str], activities: Collection[str]) -> dict[str, str]:
    """Return the labels that a mapping changes, with their new names, after checking it against the activities of the log.

    Each label is looked up once. A chain such as a -> b -> c is refused: only the analyst knows whether a should become c.

    >>> changes({"a": "a", "b": "a"}, ["a", "b", "c"])
    {'b': 'a'}
    """
    for text in (*mapping, *mapping.values()):
        if not isinstance(text, str):
            raise ActalikeError(f"A mapping is from label to label, and {text!r} is not a text.")
    known = set(activities)
    unknown = [label for label in mapping if label not in known]
    if unknown:
        named = [f"{label!r}.{did_you_mean(label, activities)}" for label in unknown[:3]]
        more = f" {len(unknown):,} labels of the mapping are unknown in all." if len(unknown) > 1 else ""
        raise UnknownActivityError(f"The log has no activity {' And none '.join(named)}{more} Nothing was relabelled.")
    new_names = {label: name for label, name in mapping.items() if label != name}
    for label, name in new_names.items():
        if name in new_names:
            raise ActalikeError(
                f"The mapping renames {label!r} to {name!r}, and {name!r} in turn to {new_names[name]!r}: "
                f"give both the name {new_names[name]!r}, or do not rename {name!r}. Nothing was relabelled."
            )
    return new_names
