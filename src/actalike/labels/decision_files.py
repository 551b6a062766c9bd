"""Read and write what files of decisions have in common: JSON of one format and version, as a structure describes it."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec

from actalike.errors import FileFormatError
from actalike.io import CutOff, read_pieces
from actalike.labels.label_tables import small_content
from actalike.support.files import write_atomically
from actalike.support.saved import json_fault

T = TypeVar("T", bound=msgspec.Struct)

StoredLabel = Annotated[str, msgspec.Meta(max_length=1 << 24)]
Note = Annotated[str, msgspec.Meta(max_length=100_000)]
Decision = Literal["accepted", "rejected", "undecided"]
Decider = Literal["person", "actalike"]  # who decided last
Probability = Annotated[float, msgspec.Meta(ge=0.001, le=1)]


class StoredLog(msgspec.Struct, forbid_unknown_fields=True):
    """Describe in a file which log the decisions were made for."""

    digest: Annotated[str, msgspec.Meta(max_length=64)]
    name: Annotated[str, msgspec.Meta(max_length=65_536)]
    activities: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class DecisionFormat(NamedTuple):
    """Name a format of decisions: its ``format`` in the file, the version that is read, and where it is saved."""

    name: str
    version: int
    saved_on: str


class _Named(msgspec.Struct):
    format: Any = ""
    version: Any = 0


def read_content(path: Path, kind: DecisionFormat, described: type[T]) -> T:
    """Return the content of a file of decisions that is as described; anything else is an error."""
    content = _content(path)
    try:
        named = _named(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise unsound(path, json_fault(error)) from None
    if named.format != kind.name:
        raise FileFormatError(
            f"{path} holds no decisions: its 'format' is not {kind.name!r}. Save them on {kind.saved_on}; nothing was read."
        )
    if isinstance(named.version, int) and named.version > kind.version:
        raise FileFormatError(
            f"{path} has version {named.version}, and this version of actalike reads up to {kind.version}: pip install --upgrade "
            "actalike; nothing was read."
        )
    try:
        decisions = msgspec.json.decode(content, type=described)
        json.loads(content, object_pairs_hook=_distinct_keys)  # of equal keys, msgspec keeps the last
    except (ValueError, RecursionError) as error:
        raise unsound(path, json_fault(error)) from None
    return decisions


def write_content(content: dict[str, Any], path: str | Path) -> None:
    """Write the content of decisions as a JSON file, whole or not at all."""
    text = (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
    write_atomically(path, lambda part: part.write_bytes(text))


def content_fault(content: dict[str, Any], described: type[msgspec.Struct]) -> str | None:
    """Return why a content is not as described, None if it is."""
    try:
        msgspec.json.decode(json.dumps(content, ensure_ascii=False).encode(), type=described)
    except (ValueError, TypeError) as error:
        return json_fault(error)
    return None


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
    """Return the ``format`` that a JSON file names, an empty string if it names none."""
    try:
        return str(_named(_content(path)).format)
    except (msgspec.DecodeError, RecursionError):
        return ""


def plain_number(value: float) -> float:
    """Return a probability as the page writes it: 1, not 1.0."""
    return 1 if value == 1.0 else value


def _named(content: str) -> _Named:
    try:
        return msgspec.json.decode(content, type=_Named)
    except msgspec.ValidationError:  # it is JSON, but no object
        return _Named()


def _distinct_keys(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("an object has a key twice")


def _content(path: Path) -> str:
    try:
        return small_content(path).decode("utf-8-sig")
    except CutOff:
        raise unsound(path, "it is an unfinished gzip") from None
    except UnicodeDecodeError as error:
        raise unsound(path, f"byte {error.start:,} is not UTF-8") from None
