"""Read and write what files of decisions have in common: JSON of one format and version, as a schema says."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import FileFormatError
from actalike.io import CutOff, read_pieces
from actalike.labels.label_tables import small_content
from actalike.support.atomic_files import write_atomically
from actalike.support.bounded_json import parse_json
from actalike.support.json_schema import schema, violation


class DecisionFormat(NamedTuple):
    """Name a format of decisions: its ``format`` in the file, the version that is read, the schema, and where it is saved."""

    name: str
    version: int
    schema: str
    saved_on: str


def read_content(path: Path, kind: DecisionFormat) -> dict[str, Any]:
    """Return the content of a file of decisions that its schema allows; anything else is an error."""
    try:
        content = parse_json(_text_of(path))
    except ValueError as error:
        raise unsound(path, str(error)) from None
    if not isinstance(content, dict) or content.get("format") != kind.name:
        raise FileFormatError(
            f"{path} holds no decisions: its 'format' is not {kind.name!r}. Save them on {kind.saved_on}; nothing was read."
        )
    version = content.get("version")
    if isinstance(version, int) and version > kind.version:
        raise FileFormatError(
            f"{path} has version {version}, and this version of actalike reads up to {kind.version}: pip install --upgrade "
            "actalike; nothing was read."
        )
    if problem := violation(content, schema(kind.schema), "it"):
        raise unsound(path, problem)
    return content


def write_content(content: dict[str, Any], path: str | Path) -> None:
    """Write the content of decisions as a JSON file, whole or not at all."""
    text = (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
    write_atomically(path, lambda part: part.write_bytes(text))


def unsound(path: Path, problem: str) -> FileFormatError:
    """Return the error that says why a file cannot be used as decisions."""
    return FileFormatError(f"{path} cannot be used as decisions: {problem}. Save them again on the page; nothing was read.")


def begins_as_json(path: Path) -> bool:
    """Return whether a file is called ``.json``, or its first character, after a byte order mark, begins a JSON object."""
    if path.name.lower().endswith(".json"):
        return True
    try:
        begin = next(iter(read_pieces(path, sys.maxsize)), b"")
    except CutOff:
        return False
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        begin = begin.removeprefix(mark)
    return begin.lstrip(b" \t\r\n\0")[:1] == b"{"


def format_of(path: Path) -> str:
    """Return the ``format`` that a JSON file names, an empty text if it names none."""
    try:
        content = parse_json(_text_of(path))
    except ValueError:
        return ""
    return str(content.get("format", "")) if isinstance(content, dict) else ""


def plain_number(value: float) -> float:
    """Return a probability as the page writes it: 1, not 1.0."""
    return 1 if value == 1.0 else value


def _text_of(path: Path) -> str:
    try:
        return small_content(path).decode("utf-8-sig")
    except CutOff:
        raise unsound(path, "it is an unfinished gzip") from None
    except UnicodeDecodeError as error:
        raise unsound(path, f"byte {error.start:,} is not UTF-8") from None
