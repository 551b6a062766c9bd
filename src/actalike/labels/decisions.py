"""Hold, read and write decisions: which labels of a log a person has taken for one step, and which not.

The report's page saves them as ``decisions.json`` and reads them again. docs/file_formats.md describes the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from actalike.errors import ActalikeError, shortened
from actalike.labels.decision_files import (
    Decider,
    Decision,
    DecisionFormat,
    Note,
    Probability,
    StoredLabel,
    StoredLog,
    content_fault,
    plain_number,
    read_content,
    unsound,
    write_content,
)
from actalike.labels.groups import AT_LEAST

_FORMAT = DecisionFormat("actalike decisions", 1, "the page of a report")
_Members = Annotated[list[StoredLabel], msgspec.Meta(max_length=10_000_000)]


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
        problem = content_fault(decisions_content(self), _StoredDecisions) or _contradiction(self.groups)
        if problem:
            raise ActalikeError(f"These are no decisions: {problem}.")

    def mapping(self) -> dict[str, str]:
        """Return the new name of each label of an accepted group; :func:`actalike.relabel` takes a blank one for none."""
        accepted = (group for group in self.groups if group.decision == "accepted")
        return {label: group.name for group in accepted for label in group.activities}


def write_decisions(decisions: Decisions, path: str | Path) -> None:
    """Write decisions as a JSON file, whole or not at all. The same decisions give the same bytes, here and on the page."""
    write_content(decisions_content(decisions), path)


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
    content = read_content(path, _FORMAT, _StoredDecisions)
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
