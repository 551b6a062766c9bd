"""Hold, read and write decisions: which labels of a log a person has taken for one step, and which not.

The report's page saves them as ``decisions.json`` and reads them again. docs/file_formats.md describes the file, which is one for
groups of labels, pairs across two logs (:mod:`actalike.two_logs.decisions`), and splits of a label.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from actalike.errors import ActalikeError, FileFormatError, shortened
from actalike.io import CutOff, read_pieces
from actalike.labels.mapping import small_content
from actalike.labels.relations import AT_LEAST
from actalike.support.files import write_atomically
from actalike.support.saved import json_fault

FORMAT: Literal["actalike decisions"] = "actalike decisions"
VERSION: Literal[2] = 2
_FIRST_PAIRS = "actalike matching decisions"  # what version 1 called decisions about two logs
_SAVED_ON = ("", "the page of a report", "the page of two logs")

_Label = Annotated[str, msgspec.Meta(max_length=1 << 24)]
_Note = Annotated[str, msgspec.Meta(max_length=100_000)]
_Probability = Annotated[float, msgspec.Meta(ge=0.001, le=1)]
_Members = Annotated[list[_Label], msgspec.Meta(max_length=10_000_000)]
_Number = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
Decision = Literal["accepted", "rejected", "undecided"]
Decider = Literal["person", "actalike"]  # who decided last


class StoredLog(msgspec.Struct, forbid_unknown_fields=True):
    """Describe in a file which log the decisions were made for."""

    digest: Annotated[str, msgspec.Meta(max_length=64)]
    name: Annotated[str, msgspec.Meta(max_length=65_536)]
    activities: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class _FirstGroup(msgspec.Struct, forbid_unknown_fields=True):
    decision: Decision
    by: Decider
    name: _Label
    activities: _Members
    note: _Note
    proposed: _Members | None

    def __post_init__(self) -> None:
        for members in (self.activities, self.proposed or ()):
            if len(set(members)) < len(members):
                raise ValueError("a group has a label twice")


class _StoredGroup(_FirstGroup, forbid_unknown_fields=True, kw_only=True):
    number: _Number


class StoredPair(msgspec.Struct, forbid_unknown_fields=True):
    """Describe in a file what was decided about a label of each of two logs."""

    decision: Decision
    by: Decider
    a: _Label | None
    b: _Label | None
    note: _Note


class _StoredPart(msgspec.Struct, forbid_unknown_fields=True):
    name: _Label
    contexts: Annotated[list[tuple[_Label | None, _Label | None]], msgspec.Meta(max_length=100_000)]


class _StoredSplit(msgspec.Struct, forbid_unknown_fields=True):
    decision: Decision
    by: Decider
    activity: _Label
    parts: Annotated[list[_StoredPart], msgspec.Meta(min_length=2, max_length=1000)]
    note: _Note


_Groups = Annotated[list[_StoredGroup], msgspec.Meta(max_length=80_000)]
_Pairs = Annotated[list[StoredPair], msgspec.Meta(max_length=400_000)]


class StoredDecisions(msgspec.Struct, forbid_unknown_fields=True):
    """Describe a file of decisions of version 2: about one log, or about two, which have pairs in place of groups."""

    format: Literal["actalike decisions"]
    version: Literal[2]
    logs: Annotated[list[StoredLog], msgspec.Meta(min_length=1, max_length=2)]
    note: _Note
    at_least: _Probability
    groups: _Groups
    pairs: _Pairs
    splits: Annotated[list[_StoredSplit], msgspec.Meta(max_length=80_000)]

    def __post_init__(self) -> None:
        if len(self.logs) == 1 and self.pairs:
            raise ValueError("pairs are of two logs, and there is one")
        if len(self.logs) == 2 and (self.groups or self.splits):
            raise ValueError("groups and splits are of one log, and there are two")
        numbers = [group.number for group in self.groups]
        if len(set(numbers)) < len(numbers):
            raise ValueError("two groups have the same number")


class _FirstDecisions(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["actalike decisions"]
    version: Literal[1]
    log: StoredLog
    note: _Note
    at_least: _Probability
    groups: Annotated[list[_FirstGroup], msgspec.Meta(max_length=80_000)]

    def upgraded(self) -> StoredDecisions:
        groups = [_StoredGroup(**msgspec.structs.asdict(group), number=k) for k, group in enumerate(self.groups, 1)]
        return StoredDecisions(FORMAT, VERSION, [self.log], self.note, self.at_least, groups, [], [])


class _FirstPairs(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["actalike matching decisions"]
    version: Literal[1]
    a: StoredLog
    b: StoredLog
    note: _Note
    at_least: _Probability
    pairs: _Pairs

    def upgraded(self) -> StoredDecisions:
        return StoredDecisions(FORMAT, VERSION, [self.a, self.b], self.note, self.at_least, [], self.pairs, [])


@dataclass(frozen=True)
class DecidedGroup:
    """Hold a group of labels and what was decided about it.

    ``by`` is who decided last: a proposal that nobody has touched is decided by actalike. ``proposed`` has the members of the
    proposal that the group came from; None if a person made it. An accepted group of one label is a renaming. ``number`` is what
    the page calls the group; None gives it the next free one.
    """

    name: str
    activities: tuple[str, ...]
    decision: Decision = "accepted"
    by: Decider = "person"
    note: str = ""
    proposed: tuple[str, ...] | None = None
    number: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Raise an error if the decision is unknown, or the labels are one string."""
        if self.decision not in get_args(Decision):
            raise ActalikeError(f"decision={self.decision!r} is not one of {', '.join(map(repr, get_args(Decision)))}.")
        given: Any = self.activities
        if isinstance(given, str):
            raise ActalikeError(f"activities={given!r} is one string: give a tuple of labels.")


@dataclass(frozen=True)
class DecidedSplit:
    """Hold a label that means several steps, and what was decided about it.

    Each of the ``parts`` is the name of a step with its contexts: the labels directly before and after, None at an end of the
    case. No command makes splits yet; files of later versions may hold them, and they are kept.
    """

    activity: str
    parts: tuple[tuple[str, tuple[tuple[str | None, str | None], ...]], ...]
    decision: Decision = "accepted"
    by: Decider = "person"
    note: str = ""


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
    splits: tuple[DecidedSplit, ...] = ()

    def __post_init__(self) -> None:
        """Raise an error if the decisions contradict each other, or are none."""
        object.__setattr__(self, "groups", _numbered(self.groups))
        problem = stored_fault(decisions_content(self)) or _contradiction(self.groups)
        if problem:
            raise ActalikeError(f"These are no decisions: {problem}.")

    def mapping(self) -> dict[str, str]:
        """Return the new name of each label of an accepted group; :func:`actalike.relabel` takes a blank one for none."""
        if split := next((split for split in self.splits if split.decision == "accepted"), None):
            raise ActalikeError(
                f"The decisions split {shortened(split.activity)!r} into several steps; this actalike cannot: "
                "pip install --upgrade actalike. Nothing was relabelled."
            )
        accepted = (group for group in self.groups if group.decision == "accepted")
        return {label: group.name for group in accepted for label in group.activities}


def write_decisions(decisions: Decisions, path: str | Path) -> None:
    """Write decisions as a JSON file, whole or not at all. The same decisions give the same bytes, here and on the page."""
    write_stored(decisions_content(decisions), path)


def read_decisions(path: str | Path) -> Decisions:
    """Read decisions from a file that the page or :func:`write_decisions` has written, also one of version 1.

    >>> import tempfile
    >>> decisions = Decisions((DecidedGroup("Check", ("Check", "Verify")),), note="Asked Sue.")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_decisions(decisions, f"{folder}/decisions.json")
    ...     read_decisions(f"{folder}/decisions.json") == decisions
    True
    """
    path = Path(path)
    content = read_stored(path, 1)
    groups = tuple(_group(group) for group in content.groups)
    if problem := _contradiction(groups):
        raise unsound(path, problem)
    (log,) = content.logs
    splits = tuple(
        DecidedSplit(
            split.activity,
            tuple((part.name, tuple(part.contexts)) for part in split.parts),
            split.decision,
            split.by,
            split.note,
        )
        for split in content.splits
    )
    return Decisions(groups, content.note, log.digest, log.name, log.activities, content.at_least, splits)


def decisions_content(decisions: Decisions) -> dict[str, Any]:
    """Return the content of the file, with the keys in their order."""
    groups = [
        {
            "number": group.number,
            "decision": group.decision,
            "by": group.by,
            "name": group.name,
            "activities": list(group.activities),
            "note": group.note,
            "proposed": list(group.proposed) if isinstance(group.proposed, tuple) else group.proposed,
        }
        for group in decisions.groups
    ]
    splits = [
        {
            "decision": split.decision,
            "by": split.by,
            "activity": split.activity,
            "parts": [{"name": name, "contexts": [list(context) for context in contexts]} for name, contexts in split.parts],
            "note": split.note,
        }
        for split in decisions.splits
    ]
    log = {"digest": decisions.log_digest, "name": decisions.log_name, "activities": decisions.log_activities}
    return stored_content([log], decisions.note, decisions.at_least, groups=groups, splits=splits)


def stored_content(
    logs: Sequence[dict[str, Any]],
    note: str,
    at_least: float,
    *,
    groups: Sequence[dict[str, Any]] = (),
    pairs: Sequence[dict[str, Any]] = (),
    splits: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return the content of a file of decisions, with the keys in their order."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "logs": list(logs),
        "note": note,
        "at_least": 1 if at_least == 1.0 else at_least,  # as the page writes it: 1, not 1.0
        "groups": list(groups),
        "pairs": list(pairs),
        "splits": list(splits),
    }


def stored_fault(content: dict[str, Any]) -> str | None:
    """Return why a content is not as a file of decisions holds it, None if it is."""
    try:
        msgspec.json.decode(json.dumps(content, ensure_ascii=False).encode(), type=StoredDecisions)
    except (ValueError, TypeError) as error:
        return json_fault(error)
    return None


def write_stored(content: dict[str, Any], path: str | Path) -> None:
    """Write the content of decisions as a JSON file, whole or not at all."""
    text = (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
    write_atomically(path, lambda part: part.write_bytes(text))


def read_stored(path: Path, logs: int) -> StoredDecisions:
    """Return the content of a file of decisions about so many logs; of version 1, as version 2 holds it."""
    content = _content(path)
    try:
        named = _named(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise unsound(path, json_fault(error)) from None
    if named.format not in (FORMAT, _FIRST_PAIRS):
        raise FileFormatError(
            f"{path} holds no decisions: its 'format' is not {FORMAT!r}. Save them on {_SAVED_ON[logs]}; nothing was read."
        )
    if isinstance(named.version, int) and named.version > VERSION:
        raise FileFormatError(
            f"{path} has version {named.version}, and this version of actalike reads up to {VERSION}: pip install --upgrade "
            "actalike; nothing was read."
        )
    first: type[_FirstDecisions | _FirstPairs] = _FirstPairs if named.format == _FIRST_PAIRS else _FirstDecisions
    is_first = named.version == 1 or named.format == _FIRST_PAIRS
    try:
        decisions = msgspec.json.decode(content, type=first).upgraded() if is_first else _decoded(content)
        json.loads(content, object_pairs_hook=_distinct_keys)  # of equal keys, msgspec keeps the last
    except (ValueError, RecursionError) as error:
        raise unsound(path, json_fault(error)) from None
    if len(decisions.logs) != logs:
        number, function = ("two logs", "read_matching_decisions") if logs == 1 else ("one log", "read_decisions")
        raise FileFormatError(f"{path} holds decisions about {number}: actalike.{function} reads them. Nothing was read.")
    return decisions


def is_about_two_logs(path: Path) -> bool:
    """Return whether a JSON file holds decisions about two logs."""
    try:
        named = _named(_content(path))
    except (msgspec.DecodeError, RecursionError):
        return False
    return named.format == _FIRST_PAIRS or (isinstance(named.logs, list) and len(named.logs) == 2)


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


def unsound(path: Path, problem: str) -> FileFormatError:
    """Return the error that says why a file cannot be used as decisions."""
    return FileFormatError(f"{path} cannot be used as decisions: {problem}. Save them again on the page; nothing was read.")


class _Named(msgspec.Struct):
    format: Any = ""
    version: Any = 0
    logs: Any = None


def _named(content: str) -> _Named:
    try:
        return msgspec.json.decode(content, type=_Named)
    except msgspec.ValidationError:  # it is JSON, but no object
        return _Named()


def _decoded(content: str) -> StoredDecisions:
    return msgspec.json.decode(content, type=StoredDecisions)


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
    return DecidedGroup(stored.name, tuple(stored.activities), stored.decision, stored.by, stored.note, proposed, stored.number)


def _numbered(groups: Iterable[DecidedGroup]) -> tuple[DecidedGroup, ...]:
    """Return groups of which each has a number; those without get the smallest ones that are free."""
    groups = tuple(groups)
    taken = {group.number for group in groups}
    free = (number for number in range(1, len(groups) + len(taken) + 1) if number not in taken)
    return tuple(group if group.number is not None else replace(group, number=next(free)) for group in groups)


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
