"""Read an XML file as a stream, strictly: one that is not well-formed or not complete is an error.

The standard library's expat ensures that the XML is well-formed and complete, has the declared encoding, and contains no DTD, and
it calls the functions that the reader of a format gives it.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from xml.parsers import expat

from actalike.errors import LogError
from actalike.io.files import CutOff, Progress, peek, read_pieces, to_utf8

LONGEST_TAG = 1 << 22  # bytes of a tag or comment: it has to be in memory, and is scanned again with each piece

_ENDS_EARLY = {  # expat's errors for a file that stops in the middle
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}
_DECLARATION = re.compile(  # the XML declaration, and nothing else that begins with <?xml
    r"<\?xml\s+version\s*=\s*(?:\"[^\"]*\"|'[^']*')(?:\s+encoding\s*=\s*(?:\"([^\"]*)\"|'([^']*)'))?[^?>]*\?>"
)
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8"}  # byte order marks, and what they show


class XmlText:
    """Parse the text of an XML file with ``parser``, which calls the handlers that are set there.

    ``where`` describes the position after the last tag whose handlers were called, for errors. ``encoding`` and ``mark``
    (byte order mark) are known once a piece has been read.
    """

    encoding = "utf-8"
    mark = b""

    def __init__(self, path: Path, max_bytes: int, progress: Progress | None, where: Callable[[], str]) -> None:
        self.path = path
        self.n_bytes = 0  # of the text so far, in UTF-8
        self.parser = expat.ParserCreate("UTF-8")  # the text is converted to UTF-8, whatever is declared
        self.parser.StartDoctypeDeclHandler = self._reject_doctype
        self.parser.StartCdataSectionHandler = lambda: self._note_cdata(begins=True)
        self.parser.EndCdataSectionHandler = lambda: self._note_cdata(begins=False)
        self._max_bytes, self._progress, self._where = max_bytes, progress, where
        self._in_cdata = False
        self._given = 0  # bytes that the parser has got

    def pieces(self) -> Iterator[bytes]:
        """Parse all of the file; yield its text piece by piece, each after the handlers were called for its tags."""
        pending = b""
        for text in self.texts():
            self.parse(text)
            pending += text
            n_done = len(pending) - self.unfinished
            yield pending[:n_done]
            pending = pending[n_done:]
        self.finish()
        yield pending

    def texts(self, at_least: int = 0) -> Iterator[bytes]:
        """Yield the text in UTF-8, unparsed, in pieces of so many bytes or more; the caller passes it to :meth:`parse`."""
        try:
            for text in self._utf8(at_least):
                self.n_bytes += len(text)
                yield text
        except CutOff as cut:
            raise self._cut_off(f"byte {cut.byte:,}") from None

    def parse(self, text: bytes, is_last: bool = False) -> None:
        """Parse the next part of the text."""
        self._given += len(text)
        try:
            self.parser.Parse(text, is_last)
        except expat.ExpatError as error:
            if error.code in _ENDS_EARLY:
                raise self._cut_off(f"line {error.lineno:,}") from None
            raise LogError(
                f"{self.path}, line {error.lineno:,} ({self._where()}): the XML is ill-formed "
                f"({expat.errors.messages[error.code]}). Correct the file or get an intact copy; nothing was read."
            ) from None
        if self.unfinished > LONGEST_TAG:
            raise LogError(
                f"{self.path} has a tag of more than {LONGEST_TAG:,} bytes {self._where()}: no log has such a tag; "
                "nothing was read."
            )

    def finish(self) -> None:
        """Raise an error unless the document is complete."""
        if not self.n_bytes:
            raise LogError(f"{self.path} is empty: it has no bytes.")
        self.parse(b"", is_last=True)

    @property
    def unfinished(self) -> int:
        """Return how many bytes at the end of the text belong to a tag or comment that is not parsed yet."""
        return self._given - max(self.parser.CurrentByteIndex, 0)

    @property
    def is_between_tags(self) -> bool:
        """Return whether all of the text is parsed, and what follows is not in a comment or CDATA section."""
        return not self._in_cdata and not self.unfinished

    def _note_cdata(self, begins: bool) -> None:
        self._in_cdata = begins

    def _reject_doctype(self, *_: object) -> None:
        raise LogError(
            f"{self.path} has a DOCTYPE, which event logs do not use and which can be harmful: remove it; nothing was read."
        )

    def _cut_off(self, place: str) -> LogError:
        return LogError(
            f"{self.path} ends {self._where()} ({place}): the file is cut off. Get a complete copy; nothing was read."
        )

    def _utf8(self, at_least: int) -> Iterator[bytes]:
        """Yield the file in UTF-8 without a byte order mark; the mark and the XML declaration tell its encoding."""
        first, rest = peek(read_pieces(self.path, self._max_bytes, self._progress, at_least))
        self.mark = next((mark for mark in _MARKS if first.startswith(mark)), b"")
        if b"\0\0" in first[:4] or (not self.mark and b"\0" in first[:2]):
            raise LogError(
                f"{self.path} has NUL bytes at its beginning, as UTF-32, and UTF-16 without a byte order mark, do: save it as "
                "UTF-8; nothing was read."
            )
        declaration = _DECLARATION.match(first[:1024].decode("ascii", errors="replace"))
        declared = (declaration[1] or declaration[2] or "").lower() if declaration else ""
        self.encoding = _MARKS.get(self.mark) or declared or "utf-8"  # a byte order mark takes precedence over the declaration
        if self.encoding in ("utf-8", "utf8"):
            yield from chain([first.removeprefix(self.mark)], rest)
        else:
            yield from to_utf8(self.path, chain([first], rest), self.encoding)  # its decoder takes the mark
