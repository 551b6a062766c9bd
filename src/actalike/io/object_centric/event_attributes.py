"""Collect the attributes of the events of an object-centric log: those asked for, or a sample of all."""

from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np

from actalike.errors import LogError, shortened
from actalike.io.attribute_columns import float_text
from actalike.io.columns import WantedAttributes, no_attribute
from actalike.io.text_codes import require_values
from actalike.log import Attribute, names_people

_MOST_NAMES = 100_000  # of attributes that are remembered, to name them in an error
_MOST_PEOPLE = 100  # attributes of people
_SHOWN_CHARACTERS = 200  # of a value, in a look at a file
_VALUES_AT_A_TIME = 1 << 14  # new ones between two looks at the memory


class EventAttributes:
    """Hold the values of the wanted attributes read so far. ``second_name`` is read as one of them."""

    is_strict = True  # a value that is no text is an error

    def __init__(self, path: Path, wanted: WantedAttributes, second_name: str | None = None) -> None:
        self.path, self.wanted, self.second_name = path, wanted, second_name
        names = [] if wanted is None or wanted == "people" else list(wanted)
        self._required = list(dict.fromkeys([*names, *([] if second_name is None else [second_name])]))
        self._values = {name: _Values(path, name) for name in self._required}
        self._seen: dict[str, bool] = {}  # each name of the file so far, and whether it is wanted

    @property
    def are_wanted(self) -> bool:
        """Return whether any attribute is to be read."""
        return self.wanted is not None or self.second_name is not None

    def wants(self, name: str) -> bool:
        """Return whether an attribute is to be read; its name is remembered."""
        known = self._seen.get(name)
        if known is not None:
            return known
        wanted = name in self._values
        if not wanted and self.wanted == "people" and names_people(name):
            wanted = True
            self._values[name] = _Values(self.path, name)
            if len(self._values) > _MOST_PEOPLE:
                raise LogError(
                    f"{self.path} has more than {_MOST_PEOPLE} attributes whose names are usual for people: name those to read "
                    "in attributes=... (--attributes); nothing was read."
                )
        if len(self._seen) < _MOST_NAMES:
            self._seen[name] = wanted
        return wanted

    def add(self, event: int, name: str, value: str) -> None:
        """Add a value of an attribute that is wanted, of the event with a number."""
        self._values[name].add(event, value)

    def attributes(self, n_events: int, place: Callable[[int], str]) -> dict[str, Attribute]:
        """Return the attributes of all events; one that no event has is an error, unless all of people are wanted.

        Of these, one that an event has twice is left out.
        """
        attributes = {}
        for name in sorted(self._values) if self.wanted == "people" else self._required:
            values, is_required = self._values[name], name in self._required
            if is_required and name not in self._seen:
                given = "as name" if name == self.second_name else "as an attribute"
                raise no_attribute(str(self.path), name, sorted(self._seen), "event attribute", given)
            repeated = values.first_repeated()
            if repeated is not None and is_required:
                raise LogError(f"{self.path}: {place(repeated)} has {name!r} twice: remove one; nothing was read.")
            if repeated is None and (is_required or values.owners):
                attributes[name] = values.attribute(n_events)
        return attributes


class SampledAttributes:
    """Hold the attributes of the first events, for a look at a file: of each value as much as can be shown."""

    are_wanted = True
    is_strict = False

    def __init__(self, most_events: int, most_names: int) -> None:
        self.events: dict[int, dict[str, str]] = {}
        self.names: dict[str, None] = {}
        self.left_out: set[str] = set()  # names that are too many
        self._most_events, self._most_names = most_events, most_names

    def wants(self, name: str) -> bool:
        """Return whether an attribute is one of the first by its name."""
        if name in self.names:
            return True
        if len(self.names) < self._most_names:
            self.names[name] = None
            return True
        if len(self.left_out) < _MOST_NAMES:
            self.left_out.add(name)
        return False

    def add(self, event: int, name: str, value: str) -> None:
        """Keep a value if the event is one of the first."""
        if event < self._most_events:
            self.events.setdefault(event, {}).setdefault(name, shortened(value, _SHOWN_CHARACTERS))


class _Values:
    """Hold the values of one attribute as codes."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.owners, self.codes = array("i"), array("i")
        self._known: dict[str, int] = {}
        self._characters, self._next_look = 0, _VALUES_AT_A_TIME

    def add(self, event: int, value: str) -> None:
        known = len(self._known)
        code = self._known.setdefault(value, known)
        if code == known:
            self._characters += len(value)
            if len(self._known) >= self._next_look or self._characters > self._next_look << 10:
                self._next_look = len(self._known) + (self._characters >> 10) + _VALUES_AT_A_TIME
                require_values(str(self.path), self.name, len(self._known), self._characters)
        self.owners.append(event)
        self.codes.append(code)

    def first_repeated(self) -> int | None:
        owners = np.sort(np.array(self.owners, dtype=np.int64))
        repeated = np.flatnonzero(np.diff(owners) == 0)
        return int(owners[repeated[0]]) if len(repeated) else None

    def attribute(self, n_events: int) -> Attribute:
        codes = np.full(n_events, -1, dtype=np.int32)
        codes[np.array(self.owners, dtype=np.int64)] = np.array(self.codes, dtype=np.int32)
        return Attribute(list(self._known), codes)


def value_text(value: object, where: str, is_strict: bool = True) -> str | None:
    """Return a value of JSON or SQLite as a text, None if it is missing.

    A list, or anything else without a text, is an error that begins with ``where``; if that is not strict, it counts as missing.

    >>> value_text(17.0, ""), value_text(True, ""), value_text(None, ""), value_text([1], "", is_strict=False)
    ('17', 'true', None, None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    if not is_strict:
        return None
    raise LogError(
        f"{where} is of the type {type(value).__name__}, which cannot be an attribute: write it as a text or a number, or "
        "give another attribute or none; nothing was read."
    )
