"""Collect the attributes of XES events that are asked for: by name, or all that name people.

An attribute of the traces is asked for with ``case:`` before its key, as pm4py's frames call it. All events of a trace have it.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io.columns import WantedAttributes, listing, no_attribute, refuse_as_name, refuse_taken
from actalike.io.xes_keys import KeyedTags
from actalike.io.xes_values import AttributeValues, Place
from actalike.log import Attribute, names_people

_MOST_KEYS = 100_000  # of events that are remembered, to name them in an error
_MOST_PEOPLE = 100  # attributes of people
_OF_TRACE = "case:"  # before the key of an attribute of the traces


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
        self._trace_keys: set[str] = set()
        for name in () if wanted is None or wanted == "people" else wanted:
            refuse_taken(str(path), name, roles.get(name))
            self.values[name] = AttributeValues(path, name)
        if second_name is not None:
            refuse_as_name(str(path), second_name, roles.get(second_name))
            self.values.setdefault(second_name, AttributeValues(path, second_name))
        of_traces = [name.removeprefix(_OF_TRACE) for name in self.values if name.startswith(_OF_TRACE)]
        self.trace_values = {key: AttributeValues(path, key) for key in of_traces}  # by the key that traces have

    @property
    def are_wanted(self) -> bool:
        """Return whether any attribute is to be read."""
        return self.wanted is not None or self.second_name is not None

    def note_trace_keys(self, keyed: KeyedTags, of_traces: NDArray[np.int64]) -> None:
        """Remember the keys of a piece's traces, to name them in an error."""
        if self.wanted != "people" and len(self._trace_keys) < _MOST_KEYS:
            self._trace_keys |= _distinct_keys(keyed, of_traces)

    def note_keys(self, keyed: KeyedTags, of_events: NDArray[np.int64]) -> None:
        """Remember the keys of a piece's events; a new one that names people is an attribute to read, if these are wanted."""
        new = _distinct_keys(keyed, of_events) - self._keys
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

    def attributes(self, trace_of_event: NDArray[np.int64], n_traces: int, place: Place) -> dict[str, Attribute]:
        """Return the attributes of all events; one that no event has is an error, unless all of people are wanted.

        Of these, one that an event has twice is left out.
        """
        n_events = len(trace_of_event)
        attributes = {}
        for name in sorted(self.values) if self.wanted == "people" else self.values:
            values = self.values[name]
            is_second_name = name == self.second_name
            if self.wanted == "people" and not is_second_name and (not values.owners or values.has_repeats()):
                continue
            if not values.owners and name.startswith(_OF_TRACE):
                of_traces = self.trace_values[name.removeprefix(_OF_TRACE)]
                codes = of_traces.at_most_one_each(self.path, n_traces, lambda trace: f"trace {trace + 1:,}")[trace_of_event]
                if (codes >= 0).any():
                    attributes[name] = Attribute(of_traces.texts, codes)
                    continue
            if not values.owners:
                given = "as name" if is_second_name else "as an attribute"
                error = no_attribute(str(self.path), name, sorted(self._keys - {name}), "event attribute", given)
                raise error if is_second_name else LogError(f"{error}{self._trace_listing(name)}")
            attributes[name] = Attribute(values.texts, values.at_most_one_each(self.path, n_events, place))
        return attributes

    def _trace_listing(self, name: str) -> str:
        """Return the attributes of the traces, for an error about a name that no event has."""
        names = [f"{_OF_TRACE}{key}" for key in sorted(self._trace_keys) if f"{_OF_TRACE}{key}" not in self.roles]
        if f"{_OF_TRACE}{name}" in names:
            return f" It is an attribute of the traces: call it {shortened(_OF_TRACE + name)!r}."
        return f" {listing(names, 'trace attribute')}" if names else ""


def _distinct_keys(keyed: KeyedTags, tags: NDArray[np.int64]) -> set[str]:
    """Return the keys of some tags of a piece."""
    chosen = np.zeros(len(keyed.tags.start), dtype=bool)
    chosen[tags] = True
    return keyed.distinct_keys(chosen)
