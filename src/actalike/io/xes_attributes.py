"""Collect the attributes of XES events that are asked for: by name, or all that name people."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from actalike.errors import LogError
from actalike.io.columns import WantedAttributes, no_attribute, refuse_as_name, refuse_taken
from actalike.io.xes_keys import KeyedTags
from actalike.io.xes_values import AttributeValues, Place
from actalike.log import Attribute, names_people

_MOST_KEYS = 100_000  # of events that are remembered, to name them in an error
_MOST_PEOPLE = 100  # attributes of people


class XesAttributes:
    """Hold the values of the wanted attributes read so far, by key. ``roles`` are keys of events that are read in any case.

    ``second_name`` is the key of the second names, which are read as an attribute.
    """

    def __init__(
        self, path: Path, wanted: WantedAttributes, roles: Mapping[str | None, str], second_name: str | None = None
    ) -> None:
        self.path, self.wanted, self.roles, self.second_name = path, wanted, roles, second_name
        self.values: dict[str, AttributeValues] = {}
        self._keys: set[str] = set()  # those of all events so far
        for name in () if wanted is None or wanted == "people" else wanted:
            refuse_taken(str(path), name, roles.get(name))
            self.values[name] = AttributeValues(path, name)
        if second_name is not None:
            refuse_as_name(str(path), second_name, roles.get(second_name))
            self.values.setdefault(second_name, AttributeValues(path, second_name))

    @property
    def are_wanted(self) -> bool:
        """Return whether any attribute is to be read."""
        return self.wanted is not None or self.second_name is not None

    def note_keys(self, keyed: KeyedTags, of_events: NDArray[np.int64]) -> None:
        """Remember the keys of a piece's events; a new one that names people is an attribute to read, if these are wanted."""
        chosen = np.zeros(len(keyed.tags.start), dtype=bool)
        chosen[of_events] = True
        new = keyed.distinct_keys(chosen) - self._keys
        if len(self._keys) < _MOST_KEYS:
            self._keys |= new
        if self.wanted != "people":
            return
        for key in new:
            if names_people(key) and key not in self.roles and key not in self.values:
                self.values[key] = AttributeValues(self.path, key)
        if len(self.values) > _MOST_PEOPLE:
            raise LogError(
                f"{self.path} has more than {_MOST_PEOPLE} attributes whose names are usual for people: name those to read "
                "in attributes=... (--attributes); nothing was read."
            )

    def attributes(self, n_events: int, place: Place) -> dict[str, Attribute]:
        """Return the attributes of all events; one that no event has is an error, unless all of people are wanted.

        Of these, one that an event has twice is left out.
        """
        attributes = {}
        for name in sorted(self.values) if self.wanted == "people" else self.values:
            values = self.values[name]
            is_second_name = name == self.second_name
            if self.wanted == "people" and not is_second_name and (not values.owners or values.has_repeats()):
                continue
            if not values.owners:
                given = "as name" if is_second_name else "as an attribute"
                raise no_attribute(str(self.path), name, sorted(self._keys - {name}), "event attribute", given)
            attributes[name] = Attribute(values.texts, values.at_most_one_each(self.path, n_events, place))
        return attributes
