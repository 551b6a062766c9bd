"""Mappings: which activity gets which name, and the file ``mapping.csv`` in which an analyst decides on it."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.io import CutOff, read_pieces
from actalike.labels.groups import Group
from actalike.support.atomic_files import write_atomically

COLUMNS = ["activity", "group"]
_LARGEST = 1 << 26  # bytes: no log has so many labels


def mapping_of(groups: Iterable[Group]) -> dict[str, str]:
    """The mapping that gives every member of a group the name of its most frequent one.

    >>> from actalike import EventLog, group
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "a", "y"]] * 20)
    >>> mapping_of(group(log))
    {'a': 'a', 'b': 'a'}
    """
    return {label: found.activities[0] for found in groups for label in found.activities}


def write_mapping(mapping: Mapping[str, str], activities: Sequence[str], path: str | Path) -> None:
    """Write a CSV with a row for each activity, ``activity,group``: first those of the mapping, then all others, unchanged."""
    rows = {**mapping, **{label: label for label in activities if label not in mapping}}
    content = "".join(f"{_cell(label)},{_cell(name)}\n" for label, name in (COLUMNS, *rows.items())).encode()
    write_atomically(path, lambda part: part.write_bytes(content))


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if re.search(r'[,"\r\n]', text) else text


def read_mapping(path: str | Path) -> dict[str, str]:
    """Read a mapping: UTF-8, separated by commas (or ``;`` or tabs, as spreadsheets may leave it), further columns ignored.

    Activities that it leaves out keep their names.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_mapping({"b": "a", "a": "a"}, ["a", "b", "c"], f"{folder}/mapping.csv")
    ...     read_mapping(f"{folder}/mapping.csv")
    {'b': 'a', 'a': 'a', 'c': 'c'}
    """
    path = Path(path)
    try:
        text = b"".join(read_pieces(path, _LARGEST)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ActalikeError(f"{path} is not UTF-8: byte {error.start:,} does not fit. Save it as CSV in UTF-8.") from None
    except CutOff:
        raise ActalikeError(f"{path} is an unfinished gzip: the file is cut off. Get a complete copy.") from None
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row]
    except csv.Error as error:
        raise ActalikeError(f"{path} is not sound CSV ({error}): write a mapping anew with 'actalike group'.") from None
    if not rows or any(name not in rows[0] for name in COLUMNS):
        raise ActalikeError(f"{path} is no mapping: its first line must name the columns activity and group ('activity,group').")
    first, second = (rows[0].index(name) for name in COLUMNS)
    mapping: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(rows[0]):
            raise ActalikeError(
                f"{path}, row {number:,} has {len(row)} fields and the header {len(rows[0])}: put texts in quotes."
            )
        label, name = row[first], row[second]
        if mapping.setdefault(label, name) != name:
            raise ActalikeError(f"{path} gives {label!r} two names, {mapping[label]!r} and {name!r} (row {number:,}): leave one.")
    return mapping


def changes(mapping: Mapping[str, str], activities: Collection[str]) -> dict[str, str]:
    """The labels that a mapping changes, and to what; checked against the activities of the log.

    Each label is looked up once. A mapping that gives a new name to something that others are to be called is refused: whether
    a -> b -> c means that a becomes c, only the analyst knows.

    >>> changes({"a": "a", "b": "a"}, ["a", "b", "c"])
    {'b': 'a'}
    """
    for text in (*mapping, *mapping.values()):
        if not isinstance(text, str):
            raise ActalikeError(f"A mapping is from label to label, and {text!r} is no text.")
    known = set(activities)
    unknown = [label for label in mapping if label not in known]
    if unknown:
        named = [f"{label!r}.{did_you_mean(label, activities)}" for label in unknown[:3]]
        more = f" {len(unknown):,} labels of the mapping are unknown in all." if len(unknown) > 1 else ""
        raise UnknownActivityError(f"The log has no activity {' And none '.join(named)}{more} Nothing was relabelled.")
    found = {label: name for label, name in mapping.items() if label != name}
    for label, name in found.items():
        if name in found:
            raise ActalikeError(
                f"The mapping calls {label!r} {name!r}, and {name!r} in turn {found[name]!r}: name {found[name]!r} for both, "
                f"or leave {name!r} as it is. Nothing was relabelled."
            )
    return found
