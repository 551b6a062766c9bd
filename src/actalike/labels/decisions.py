"""Hold, read and write decisions: which labels of a log a person has taken for one step, and which not.

The report's page saves them as ``decisions.json`` and reads them again. docs/file_formats.md describes the file, and
``support/schemas/decisions.json`` its structure.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from actalike.errors import ActalikeError, FileFormatError, shortened
from actalike.io import CutOff, read_pieces
from actalike.labels.groups import AT_LEAST
from actalike.labels.mapping import read_mapping
from actalike.support.atomic_files import write_atomically
from actalike.support.bounded_json import parse_json
from actalike.support.json_schema import schema, violation

Decision = Literal["accepted", "rejected", "undecided"]
Decider = Literal["person", "actalike"]

FORMAT = "actalike decisions"
VERSION = 1
_MAX_BYTES = 1 << 26  # as of a mapping: no log has so many labels


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
        problem = violation(decisions_content(self), schema("decisions"), "it") or _contradiction(self.groups)
        if problem:
            raise ActalikeError(f"These are no decisions: {problem}.")

    def mapping(self) -> dict[str, str]:
        """Return the new name of each label of an accepted group."""
        accepted = (group for group in self.groups if group.decision == "accepted")
        return {label: group.name for group in accepted for label in group.activities}


def write_decisions(decisions: Decisions, path: str | Path) -> None:
    """Write decisions as a JSON file, whole or not at all. The same decisions give the same bytes, here and on the page."""
    content = (json.dumps(decisions_content(decisions), indent=2, ensure_ascii=False) + "\n").encode()
    write_atomically(path, lambda part: part.write_bytes(content))


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
    try:
        content = parse_json(_text_of(path))
    except ValueError as error:
        raise _unsound(path, str(error)) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileFormatError(
            f"{path} holds no decisions: its 'format' is not {FORMAT!r}. Save them on the page of a report; nothing was read."
        )
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        raise FileFormatError(
            f"{path} has version {version}, and this version of actalike reads up to {VERSION}: pip install --upgrade actalike; "
            "nothing was read."
        )
    if problem := violation(content, schema("decisions"), "it"):
        raise _unsound(path, problem)
    groups = tuple(_group(group) for group in content["groups"])
    if problem := _contradiction(groups):
        raise _unsound(path, problem)
    log = content["log"]
    return Decisions(groups, content["note"], log["digest"], log["name"], log["activities"], content["at_least"])


def read_names(path: str | Path) -> dict[str, str] | Decisions:
    """Read what relabels a log: decisions if the file's name ends in ``.json`` or its content is JSON, else a mapping as CSV."""
    path = Path(path)
    return read_decisions(path) if path.name.lower().endswith(".json") or _begins_as_json(path) else read_mapping(path)


def _begins_as_json(path: Path) -> bool:
    try:
        return next(iter(read_pieces(path, _MAX_BYTES)), b"").removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"
    except CutOff:
        return False


def _text_of(path: Path) -> str:
    try:
        return b"".join(read_pieces(path, _MAX_BYTES)).decode("utf-8-sig")
    except CutOff:
        raise _unsound(path, "it is an unfinished gzip") from None
    except UnicodeDecodeError as error:
        raise _unsound(path, f"byte {error.start:,} is not UTF-8") from None


def _unsound(path: Path, problem: str) -> FileFormatError:
    return FileFormatError(f"{path} cannot be used as decisions: {problem}. Save them again on the page; nothing was read.")


def decisions_content(decisions: Decisions) -> dict[str, Any]:
    """Return the content of the file, with the keys in their order."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "log": {"digest": decisions.log_digest, "name": decisions.log_name, "activities": decisions.log_activities},
        "note": decisions.note,
        "at_least": 1 if decisions.at_least == 1.0 else decisions.at_least,  # the page writes no 1.0
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


def _group(content: dict[str, Any]) -> DecidedGroup:
    proposed = content["proposed"]
    return DecidedGroup(
        content["name"],
        tuple(content["activities"]),
        content["decision"],
        content["by"],
        content["note"],
        None if proposed is None else tuple(proposed),
    )


def _contradiction(groups: Iterable[DecidedGroup]) -> str | None:
    """Return what is wrong with the groups taken together, None if they agree."""
    names: dict[str, str] = {}
    for group in groups:
        if not group.name.strip():
            return f"the name of the group {_shown(group.activities[:3])} is blank"
        for label in group.activities if group.decision == "accepted" else ():
            if label in names:
                both = f"{shortened(names[label])!r} and {shortened(group.name)!r}"
                return f"{shortened(label)!r} is in two accepted groups, {both}"
            names[label] = group.name
    return None


def _shown(labels: Iterable[str]) -> str:
    return ", ".join(repr(shortened(label)) for label in labels) or "without labels"
