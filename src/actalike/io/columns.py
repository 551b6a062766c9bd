"""Recognise the columns of case, activity, timestamp, lifecycle transition and people by their usual names."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from actalike.errors import ActalikeError, LogError, did_you_mean, shortened
from actalike.log import names_people, plain_name

WantedAttributes = Sequence[str] | Literal["people"] | None  # the attributes to read: by name, or all that name people

# names are compared in lower case, letters and digits only; the most likely name comes first
_USUAL = {
    "case": [
        "case:concept:name", "case id", "case", "case name", "case number", "case key", "trace id", "trace", "trace name",
        "process instance", "process instance id", "concept:name:case",
    ],
    "activity": [
        "concept:name", "activity", "activity name", "activity id", "activity label", "event name", "event", "event type", "task",
        "task name", "action", "step",
    ],
    "timestamp": [
        "time:timestamp", "timestamp", "complete timestamp", "completion timestamp", "complete time", "end timestamp", "end time",
        "event time", "event timestamp", "date time", "time", "date", "start timestamp", "start time",
    ],
    "transition": ["lifecycle:transition", "lifecycle", "lifecycle transition", "transition"],
}  # fmt: skip


_PLAIN = {role: {plain_name(name) for name in names} for role, names in _USUAL.items()}
_PLAIN_OF_ANY = set().union(*_PLAIN.values())


class Columns(NamedTuple):
    """Hold the names of the columns to read."""

    case: str
    activity: str
    timestamp: str | None
    transition: str | None


def find_columns(
    source: str,
    present: Sequence[str],
    case: str | None,
    activity: str | None,
    timestamp: str | None,
    transition: str | None,
) -> Columns:
    """Return the columns that the user named, and recognise the others by their names.

    >>> find_columns("log.csv", ["Case ID", "Activity", "Complete Timestamp"], None, None, None, None)
    Columns(case='Case ID', activity='Activity', timestamp='Complete Timestamp', transition=None)
    """
    given = {"case": case, "activity": activity, "timestamp": timestamp, "transition": transition}
    for role, name in given.items():
        if name and name not in present:
            raise LogError(
                f"{source} has no column {_quoted(name)} (given as {role}).{did_you_mean(name, present)} {listing(present)}"
            )
    taken = {name for name in given.values() if name is not None}
    free = [name for name in present if name not in taken]
    by_plain_name: dict[str, list[str]] = {}
    for name in free:
        by_plain_name.setdefault(plain_name(name), []).append(name)
    columns = {role: name if name is not None else _recognise(source, role, by_plain_name) for role, name in given.items()}
    columns |= {role: columns[role] or None for role in ("timestamp", "transition")}  # '' leaves a column out
    for role in ("case", "activity"):
        if not columns[role]:
            raise LogError(
                f"{source}: no column is recognised as the {role}. Name it with {role}=... (--{role}). {listing(present)}"
            )
    return Columns(str(columns["case"]), str(columns["activity"]), columns["timestamp"], columns["transition"])


def is_usual(role: str, name: str) -> bool:
    """Return whether a name is usual for a role.

    >>> is_usual("case", "Case_ID"), is_usual("case", "Order")
    (True, False)
    """
    return plain_name(name) in _PLAIN[role]


def is_usual_for_any(name: str) -> bool:
    """Return whether a name is usual for any of the roles."""
    return plain_name(name) in _PLAIN_OF_ANY


def _recognise(source: str, role: str, by_plain_name: dict[str, list[str]]) -> str | None:
    """Return the column with the most likely name for a role, None if there is none, or raise an error if two match."""
    for usual in _USUAL[role]:
        matches = by_plain_name.get(plain_name(usual), [])
        exact = [name for name in matches if name == usual]
        if len(exact) == 1:
            return exact[0]
        if len(matches) > 1:
            names = " and ".join(map(_quoted, matches[:3]))
            raise LogError(f"{source}: {names} could both be the {role}. Choose one with {role}=... (--{role}).")
        if matches:
            return matches[0]
    return None


def check_wanted(wanted: WantedAttributes) -> None:
    """Raise an error unless attributes are asked for in one of the ways there are."""
    if isinstance(wanted, str):
        if wanted != "people":
            raise ActalikeError(f"attributes={wanted!r} is a text: give a list of names, or 'people'.")
    elif not all(isinstance(name, str) and name for name in wanted or ()):
        raise ActalikeError(f"attributes={shortened(repr(wanted))} has a name that is not a text, or an empty one.")


def find_attributes(
    source: str, present: Sequence[str], columns: Columns, wanted: WantedAttributes, name: str | None = None
) -> list[str]:
    """Return the columns to read as attributes of the events, in the order they are asked for; for people in that of the source.

    ``name`` is the column of the second names, which comes last.

    >>> columns = Columns("Case ID", "Activity", None, None)
    >>> find_attributes("log.csv", ["Case ID", "Activity", "Amount", "User", "Team"], columns, "people")
    ['User', 'Team']
    """
    taken = {columns.case: "case", columns.activity: "activity", columns.timestamp: "timestamp"}
    if wanted == "people":
        names = [each for each in present if names_people(each) and each not in taken]
    else:
        names = list(dict.fromkeys(wanted or ()))
        for each in names:
            if each not in present:
                raise no_attribute(source, each, present, "column")
            refuse_taken(source, each, taken.get(each))
    if name is None:
        return names
    if name not in present:
        raise no_attribute(source, name, present, "column", "as name")
    refuse_as_name(source, name, taken.get(name))
    return list(dict.fromkeys([*names, name]))


def refuse_taken(source: str, name: str, role: str | None) -> None:
    """Raise an error if an attribute is read in another role already."""
    if role is not None:
        raise LogError(
            f"{source}: {_quoted(name)} is the {role} of the log, which is read anyway, so it cannot be an attribute too: give "
            f"another attribute or none, or name another {role} with {role}=... (--{role}); nothing was read."
        )


def refuse_as_name(source: str, name: str, role: str | None) -> None:
    """Raise an error if the column of the second names is read in another role already."""
    if role is not None:
        raise LogError(
            f"{source}: {_quoted(name)} is the {role} of the log, so it is no second name: give another column as name=... "
            "(--name), or leave it out; nothing was read."
        )


def no_attribute(source: str, name: str, present: Sequence[str], noun: str, given: str = "as an attribute") -> LogError:
    """Return the error about an attribute that is not in the source; ``noun`` is what attributes are called there."""
    return LogError(
        f"{source} has no {noun} {_quoted(name)} (given {given}).{did_you_mean(name, present)} {listing(present, noun)}"
    )


def _quoted(name: str) -> str:
    return repr(shortened(name))


def listing(present: Sequence[str], noun: str = "column") -> str:
    """Return the columns, or attributes, that a source has, for an error."""
    names = ", ".join(map(_quoted, present[:20])) + (", ..." if len(present) > 20 else "")
    return f"Its {noun}s: {names}."
