"""Read an object-centric log in JSON: ``eventTypes``, ``objectTypes``, ``events`` and ``objects``, in any order."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from actalike.errors import LogError, shortened
from actalike.io.object_centric.content import Content
from actalike.io.object_centric.event_attributes import value_text
from actalike.io.object_centric.json_text import JsonText
from actalike.io.source import Progress

_MOST_KEYS = 100  # at the top, where OCEL has four
_KEYS_OF_ITEMS = {
    "eventTypes": ("name", "attributes"),
    "objectTypes": ("name", "attributes"),
    "events": ("id", "type", "time", "attributes", "relationships"),
    "objects": ("id", "type", "attributes", "relationships"),
}
_RELATIONS = ("relation", "object", "omap", "objectid")  # words that others have for relationships, as _plain returns them


def read_json(path: Path, content: Content, max_bytes: int, progress: Progress | None) -> int:
    """Read all of a file into ``content``, and return its size, unpacked."""
    text = JsonText(path, max_bytes, progress)
    if text.next_sign() != "{":
        raise _no_log(path, "it is no object with 'events' and 'objects'")
    reading = _JsonReading(text, content)
    takers: dict[str, Callable[[dict[str, Any]], None]] = {
        "eventTypes": reading.take_event_type,
        "objectTypes": reading.take_object_type,
        "events": reading.take_event,
        "objects": reading.take_object,
    }
    seen: set[str] = set()
    for key in text.keys_and_values():
        if key in seen:
            raise LogError(f"{path} has the key {shortened(key)!r} twice: remove one; nothing was read.")
        seen.add(key)
        if len(seen) > _MOST_KEYS:
            raise _no_log(path, f"it has more than {_MOST_KEYS} keys")
        if key in takers:
            for item in text.items(key):
                takers[key](reading.checked(item, key))
        else:
            if key.startswith("ocel:"):
                raise _version_1(path, key)
            _refuse_key(path, key, takers, "at its top")
            if _plain(key) in ("relation", "relationship"):
                raise LogError(
                    f"{path} has a key {shortened(key)!r} at its top, where OCEL has only {', '.join(map(repr, takers))}: put "
                    "the relations into the events; nothing was read."
                )
            text.value()
    text.refuse_more()
    missing = [key for key in takers if key not in seen]
    if missing:
        raise _no_log(path, f"it has no {' and no '.join(map(repr, missing))}")
    return text.n_bytes


class _JsonReading:
    """Take the items of the lists, each of which must be as OCEL 2.0 says."""

    def __init__(self, text: JsonText, content: Content) -> None:
        self.text, self.content = text, content

    def checked(self, item: Any, key: str) -> dict[str, Any]:
        """Return an item that is an object, without a key that seems to hold what is read, or that may hold relations."""
        if not isinstance(item, dict):
            raise self._fault("it is no object")
        known = _KEYS_OF_ITEMS[key]
        for name in item:
            if name not in known:
                _refuse_key(self.content.path, name, known, self.text.where)
                if "relationships" in known and isinstance(item[name], list | dict):
                    raise self._fault(
                        f"its key {shortened(name)!r} holds a list or an object, and OCEL has only {', '.join(map(repr, known))} "
                        "there: rename or remove the key"
                    )
        return item

    def take_event_type(self, item: dict[str, Any]) -> None:
        self.content.add_event_type(self._text_of(item, "name"))

    def take_object_type(self, item: dict[str, Any]) -> None:
        self.content.add_object_type(self._text_of(item, "name"))

    def take_object(self, item: dict[str, Any]) -> None:
        self.content.add_object(self._text_of(item, "id"), self._text_of(item, "type"))

    def take_event(self, item: dict[str, Any]) -> None:
        event = self.content.add_event(*(self._text_of(item, key) for key in ("id", "type", "time")))
        self.content.relate(event, (self._text_of(each, "objectId") for each in self._objects_in(item, "relationships")))
        if not self.content.attributes.are_wanted:
            return
        attributes = self.content.attributes
        for each in self._objects_in(item, "attributes"):
            name = self._text_of(each, "name")
            if attributes.wants(name):
                if "value" not in each:
                    raise self._fault(f"the attribute {shortened(name)!r} has no 'value'")
                where = f"{self.content.path}, {self.text.where}: the value of {shortened(name)!r}"
                value = value_text(each["value"], where, attributes.is_strict)
                if value is not None:
                    attributes.add(event, name, value)

    def _objects_in(self, item: dict[str, Any], key: str) -> Iterable[dict[str, Any]]:
        objects = item.get(key, ())
        if not isinstance(objects, list | tuple) or not all(isinstance(each, dict) for each in objects):
            raise self._fault(f"{key!r} is no list of objects")
        return objects

    def _text_of(self, item: dict[str, Any], key: str) -> str:
        value = item.get(key)
        if not isinstance(value, str):
            raise self._fault(f"it has no {key!r}" if value is None else f"its {key!r} is no text")
        return value

    def _fault(self, why: str) -> LogError:
        return LogError(f"{self.content.path}, {self.text.where}: {why}. Correct the file; nothing was read.")


def _refuse_key(path: Path, key: str, known: Iterable[str], where: str) -> None:
    """Raise an error for ``Relationship``, ``omap`` and the like: what it holds would not be read."""
    for each in known:
        if _plain(key) == _plain(each) or (each == "relationships" and _plain(key) in _RELATIONS):
            raise LogError(f"{path} has a key {shortened(key)!r} {where}: in OCEL it is called {each!r}; nothing was read.")


def _plain(key: str) -> str:
    """Return the letters of a key without capitals and plural."""
    return "".join(filter(str.isalpha, key[:100])).lower().rstrip("s")


def _version_1(path: Path, key: str) -> LogError:
    return LogError(
        f"{path} is an object-centric log of OCEL 1.0, by its key {shortened(key)!r}: convert it to OCEL 2.0 (pm4py reads the "
        "one and writes the other); nothing was read."
    )


def _no_log(path: Path, why: str) -> LogError:
    return LogError(f"{path} is no object-centric log (OCEL 2.0): {why}. Nothing was read.")
