"""Read an object-centric log in XML: ``<event-types>``, ``<object-types>``, ``<events>`` and ``<objects>``, in any order.

:mod:`actalike.io.xml_pieces` ensures that the file is well-formed and complete and has no DTD; a second parser calls the
functions below for each tag.
"""

from collections.abc import Iterable
from pathlib import Path
from xml.parsers import expat

from actalike.errors import LogError, shortened
from actalike.io.object_centric.content import Content
from actalike.io.source import Progress
from actalike.io.xml_pieces import LONGEST_TAG, XmlText

_ITEMS = {"event-types": "event-type", "object-types": "object-type", "events": "event", "objects": "object"}
_PARTS = ("attributes", "objects")  # of an event
_RELATIONS = ("relationship", "object")  # how a relation is called: by the specification, and by its first schema
_DEEPEST = 100  # elements inside each other; OCEL has five


def read_xml(path: Path, content: Content, max_bytes: int, progress: Progress | None) -> int:
    """Read all of a file into ``content``, and return its size, unpacked."""
    reading = _XmlReading(content)
    n_bytes = 0
    for piece in XmlText(path, max_bytes, progress).pieces(reading.where):
        reading.take(piece.raw)
        n_bytes += len(piece.raw)
    missing = [section for section in _ITEMS if section not in reading.sections]
    if missing:
        raise _no_log(path, f"it has no <{'> and no <'.join(missing)}>")
    return n_bytes


class _XmlReading:
    """Follow the tags of a document: where it is, and what it says there."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.path = content.path
        self.sections: set[str] = set()
        self._trail: list[str] = []  # the elements that are open
        self._event = -1
        self._attribute: str | None = None  # whose text is being read
        self._texts: list[str] = []
        self._length = 0
        self._parser = expat.ParserCreate("UTF-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def take(self, raw: bytes) -> None:
        """Read a piece of the document, which is well-formed up to here."""
        self._parser.Parse(raw, False)

    def where(self, unread: bytes = b"") -> str:
        """Describe in words the place after ``unread``, the text that follows what has been taken."""
        number = len(self.content.events) + unread.count(b"<event ")
        if "events" in self._trail or b"<events" in unread:
            return f"near event {number:,}" if number else "before the first event"
        return (
            f"in <{shortened(self._trail[1])}>"
            if len(self._trail) > 1
            else "near its beginning"
            if not number
            else "near its end"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        trail = self._trail
        depth = len(trail)
        if depth == 2:
            self._start_item(name, attributes)
        elif depth > 2 and trail[1] == "events":
            self._start_in_event(name, attributes)
        elif depth == 1:
            self._start_section(name)
        elif depth == 0 and name != "log":
            raise _no_log(self.path, f"its first element is <{shortened(name)}>, not <log>")
        trail.append(name)
        if depth >= _DEEPEST:
            raise LogError(f"{self.path} has more than {_DEEPEST} elements inside each other, as no log has; nothing was read.")

    def _start_section(self, name: str) -> None:
        if name in ("trace", "extension", "global", "classifier"):
            raise _no_log(self.path, f"it has a <{name}>, so it seems to be XES: name it .xes")
        if name not in _ITEMS:  # another section is skipped wholly, unless it seems to be one that is read
            self._refuse_look_alike(name)
            return
        if name in self.sections:
            raise LogError(f"{self.path} has <{name}> twice: put what they hold into one; nothing was read.")
        self.sections.add(name)

    def _start_item(self, name: str, attributes: dict[str, str]) -> None:
        section = self._trail[1]
        item = _ITEMS.get(section)
        if item is None:
            return
        if name != item:
            raise self._misplaced(name, (item,))
        if section == "events":
            id_, type_, time = (self._given(attributes, name, key) for key in ("id", "type", "time"))
            self._event = self.content.add_event(id_, type_, time.strip())
        elif section == "objects":
            self.content.add_object(self._given(attributes, name, "id"), self._given(attributes, name, "type"))
        elif section == "event-types":
            self.content.add_event_type(self._given(attributes, name, "name"))
        else:
            self.content.add_object_type(self._given(attributes, name, "name"))

    def _start_in_event(self, name: str, attributes: dict[str, str]) -> None:
        """Read a relation or an attribute; anything else in an event is an error, because it may stand for relations."""
        depth = len(self._trail)
        if depth == 3:
            if name not in _PARTS:
                raise self._misplaced(name, _PARTS)
        elif self._trail[3] == "objects":
            if depth > 4:
                raise self._misplaced(name, ())
            if name not in _RELATIONS:
                raise self._misplaced(name, _RELATIONS[:1])
            self.content.relate(self._event, (self._given(attributes, name, "object-id"),))
        elif depth == 4:
            if name != "attribute":
                raise self._misplaced(name, ("attribute",))
            self._start_attribute(self._given(attributes, name, "name"))
        elif self._attribute is not None and self.content.attributes.is_strict:
            raise LogError(
                f"{self.path}, {self.content.place(self._event)}: the attribute {shortened(self._attribute)!r} holds the element "
                f"<{shortened(name)}>, and only a text can be read: leave the attribute out, or correct the file; nothing "
                "was read."
            )

    def _start_attribute(self, name: str) -> None:
        wanted = self.content.attributes
        if wanted.are_wanted and wanted.wants(name):
            self._attribute, self._texts, self._length = name, [], 0

    def _text(self, text: str) -> None:
        if self._attribute is not None:
            self._texts.append(text)
            self._length += len(text)
            if self._length > LONGEST_TAG:
                raise LogError(
                    f"{self.path}, {self.content.place(self._event)}: the attribute {shortened(self._attribute)!r} has more than "
                    f"{LONGEST_TAG:,} characters, as none of a log has; nothing was read."
                )
        elif not text.isspace() and len(self._trail) <= 4 and "events" in self._trail[1:2]:
            raise LogError(
                f"{self.path}, {self.where()}: there is the text {shortened(text.strip())!r} in <{self._trail[-1]}>, where OCEL "
                "has elements. Correct the file; nothing was read."
            )

    def _end(self, name: str) -> None:
        self._trail.pop()
        if self._attribute is not None and len(self._trail) == 4:
            self.content.attributes.add(self._event, self._attribute, "".join(self._texts))
            self._attribute = None

    def _given(self, attributes: dict[str, str], element: str, key: str) -> str:
        value = attributes.get(key)
        if value is None:
            raise LogError(f"{self.path}, {self.where()}: a <{element}> has no {key!r}. Correct the file; nothing was read.")
        return value

    def _refuse_look_alike(self, name: str) -> None:
        """Raise an error for ``<x:events>``, ``<Events>``, ``<relations>`` and the like: what they hold would not be read."""
        meant = name.rpartition(":")[2].lower().rstrip("s")
        for each in _ITEMS:
            if each.rstrip("s") == meant:
                raise self._misplaced(name, (each,))
        if meant in ("relation", "relationship"):
            raise self._misplaced(name, _ITEMS)

    def _misplaced(self, name: str, known: Iterable[str]) -> LogError:
        inside, names = f"<{shortened(self._trail[-1])}>", ", ".join(f"<{each}>" for each in known) or "nothing"
        return LogError(
            f"{self.path}, {self.where()}: there is an element <{shortened(name)}> in {inside}, where OCEL has {names}. "
            "Correct the file; nothing was read."
        )


def _no_log(path: Path, why: str) -> LogError:
    return LogError(f"{path} is no object-centric log (OCEL 2.0): {why}. Nothing was read.")
