"""Hold, read and write decisions: which labels of a log a person has taken for one step, and which not.

The report's page saves them as ``decisions.json`` and reads them again. docs/file_formats.md describes the file. What is strict
about it (:class:`DecisionFormat`) holds for the decisions about two logs as well.
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from actalike.errors import ActalikeError, FileFormatError, shortened
from actalike.io import CutOff, read_pieces
from actalike.labels.mapping import small_content
from actalike.labels.relations import AT_LEAST
from actalike.support.files import write_atomically
from actalike.support.saved import json_fault

Stored = TypeVar("Stored", bound=msgspec.Struct)

StoredLabel = Annotated[str, msgspec.Meta(max_length=1 << 24)]
Note = Annotated[str, msgspec.Meta(max_length=100_000)]
Decision = Literal["accepted", "rejected", "undecided"]
Decider = Literal["person", "actalike"]  # who decided last
Probability = Annotated[float, msgspec.Meta(ge=0.001, le=1)]
_Members = Annotated[list[StoredLabel], msgspec.Meta(max_length=10_000_000)]


class StoredLog(msgspec.Struct, forbid_unknown_fields=True):
    """Describe in a file which log the decisions were made for."""

    digest: Annotated[str, msgspec.Meta(max_length=64)]
    name: Annotated[str, msgspec.Meta(max_length=65_536)]
    activities: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


@dataclass(frozen=True)
class DecisionFormat(Generic[Stored]):
    """Describe a format of decisions: its ``format`` in the file, the version that is read, where it is saved, its content."""

    name: str
    version: int
    saved_on: str
    content: type[Stored]

    def read(self, path: Path) -> Stored:
        """Return the content of a file of decisions that is as described; anything else is an error."""
        content = _content(path)
        try:
            named = _named(content)
        except (msgspec.DecodeError, RecursionError) as error:
            raise unsound(path, json_fault(error)) from None
        if named.format != self.name:
            raise FileFormatError(
                f"{path} holds no decisions: its 'format' is not {self.name!r}. Save them on {self.saved_on}; nothing was read."
            )
        if isinstance(named.version, int) and named.version > self.version:
            raise FileFormatError(
                f"{path} has version {named.version}, and this version of actalike reads up to {self.version}: pip install "
                "--upgrade actalike; nothing was read."
            )
        try:
            decisions = msgspec.json.decode(content, type=self.content)
            json.loads(content, object_pairs_hook=_distinct_keys)  # of equal keys, msgspec keeps the last
        except (ValueError, RecursionError) as error:
            raise unsound(path, json_fault(error)) from None
        return decisions

    def write(self, content: dict[str, Any], path: str | Path) -> None:
        """Write the content of decisions as a JSON file, whole or not at all."""
        text = (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
        write_atomically(path, lambda part: part.write_bytes(text))

    def fault(self, content: dict[str, Any]) -> str | None:
        """Return why a content is not as described, None if it is."""
        try:
            msgspec.json.decode(json.dumps(content, ensure_ascii=False).encode(), type=self.content)
        except (ValueError, TypeError) as error:
            return json_fault(error)
        return None


class _StoredGroup(msgspec.Struct, forbid_unknown_fields=True):
    decision: Decision
    by: Decider
    name: StoredLabel
    activities: _Members
    note: Note
    proposed: _Members | None

    def __post_init__(self) -> None:
        for members in (self.activities, self.proposed or ()):
            if len(set(members)) < len(members):
                raise ValueError("a group has a label twice")


class _StoredDecisions(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["actalike decisions"]
    version: Literal[1]
    log: StoredLog
    note: Note
    at_least: Probability
    groups: Annotated[list[_StoredGroup], msgspec.Meta(max_length=80_000)]


_FORMAT = DecisionFormat("actalike decisions", 1, "the page of a report", _StoredDecisions)


@dataclass(frozen=True)
class DecidedGroup:
    """Hold a group of labels and what was decided about it.

    ``by`` is who decided last: a proposal that nobody has touched is decided by actalike. ``proposed`` has the members of the
    proposal that the group came from; None if a person made it. An accepted group of one label is a renaming.
    """

    name: str
    activities: tuple[str, ...]
    decision: Decision = "accepted"
    by: Decider = "person"
    note: str = ""
    proposed: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Decisions:
    """Hold the decisions about the labels of a log, and which log it was.

    ``at_least`` is the probability from which on actalike accepted synonyms that nobody had decided about.

    >>> groups = DecidedGroup("Check", ("Check", "Verify")), DecidedGroup("Pay", ("Pay", "Refund"), "rejected")
    >>> Decisions(groups).mapping()
    {'Check': 'Check', 'Verify': 'Check'}
    """

    groups: tuple[DecidedGroup, ...] = ()
    note: str = ""
    log_digest: str = ""  # EventLog.digest
    log_name: str = ""
    log_activities: int = 0
    at_least: float = AT_LEAST

    def __post_init__(self) -> None:
        """Raise an error if the decisions contradict each other, or are none."""
        problem = _FORMAT.fault(decisions_content(self)) or _contradiction(self.groups)
        if problem:
            raise ActalikeError(f"These are no decisions: {problem}.")

    def mapping(self) -> dict[str, str]:
        """Return the new name of each label of an accepted group; :func:`actalike.relabel` takes a blank one for none."""
        accepted = (group for group in self.groups if group.decision == "accepted")
        return {label: group.name for group in accepted for label in group.activities}


def write_decisions(decisions: Decisions, path: str | Path) -> None:
    """Write decisions as a JSON file, whole or not at all. The same decisions give the same bytes, here and on the page."""
    _FORMAT.write(decisions_content(decisions), path)


def read_decisions(path: str | Path) -> Decisions:
    """Read decisions from a file that the page or :func:`write_decisions` has written.

    >>> import tempfile
    >>> decisions = Decisions((DecidedGroup("Check", ("Check", "Verify")),), note="Asked Sue.")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_decisions(decisions, f"{folder}/decisions.json")
    ...     read_decisions(f"{folder}/decisions.json") == decisions
    True
    """
    path = Path(path)
    content = _FORMAT.read(path)
    groups = tuple(_group(group) for group in content.groups)
    if problem := _contradiction(groups):
        raise unsound(path, problem)
    log = content.log
    return Decisions(groups, content.note, log.digest, log.name, log.activities, content.at_least)


def decisions_content(decisions: Decisions) -> dict[str, Any]:
    """Return the content of the file, with the keys in their order."""
    return {
        "format": _FORMAT.name,
        "version": _FORMAT.version,
        "log": {"digest": decisions.log_digest, "name": decisions.log_name, "activities": decisions.log_activities},
        "note": decisions.note,
        "at_least": plain_number(decisions.at_least),
        "groups": [
            {
                "decision": group.decision,
                "by": group.by,
                "name": group.name,
                "activities": list(group.activities),
                "note": group.note,
                "proposed": list(group.proposed) if isinstance(group.proposed, tuple) else group.proposed,
            }
            for group in decisions.groups
        ],
    }


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


def unsound(path: Path, problem: str) -> FileFormatError:
    """Return the error that says why a file cannot be used as decisions."""
    return FileFormatError(f"{path} cannot be used as decisions: {problem}. Save them again on the page; nothing was read.")


class _Named(msgspec.Struct):
    format: Any = ""
    version: Any = 0


def _named(content: str) -> _Named:
    try:
        return msgspec.json.decode(content, type=_Named)
    except msgspec.ValidationError:  # it is JSON, but no object
        return _Named()


def _content(path: Path) -> str:
    try:
        return small_content(path).decode("utf-8-sig")
    except CutOff:
        raise unsound(path, "it is an unfinished gzip") from None
    except UnicodeDecodeError as error:
        raise unsound(path, f"byte {error.start:,} is not UTF-8") from None


def _distinct_keys(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("an object has a key twice")


def _group(stored: _StoredGroup) -> DecidedGroup:
    proposed = None if stored.proposed is None else tuple(stored.proposed)
    return DecidedGroup(stored.name, tuple(stored.activities), stored.decision, stored.by, stored.note, proposed)


def _contradiction(groups: Iterable[DecidedGroup]) -> str | None:
    """Return what is wrong with the groups taken together, None if they agree."""
    names: dict[str, str] = {}
    for group in groups:
        for label in group.activities if group.decision == "accepted" else ():
            if label in names:
                both = f"{shortened(names[label])!r} and {shortened(group.name)!r}"
                return f"{shortened(label)!r} is in two accepted groups, {both}"
            names[label] = group.name
    return None
