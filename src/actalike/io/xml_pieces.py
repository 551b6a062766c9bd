"""Read an XML file in pieces of whole tags; a file that is not well-formed or not complete is an error.

The standard library's expat parses every piece, without handlers. It ensures that the XML is well-formed and complete, has the
declared encoding, and contains no DTD.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from actalike.errors import LogError
from actalike.io.source import CutOff, Progress, peek, read_pieces, to_utf8
from actalike.io.xml_tags import blank_comments

LONGEST_TAG = 1 << 24  # a longer tag, comment or CDATA section is an error, because all of it would have to be in memory

_ENDS_EARLY = {  # expat's errors for a file that stops in the middle
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}
_ENCODINGS = re.compile(
    r"(utf-?(8|16)|(us-)?ascii|latin-?1|cp125\d|iso-8859-\d+|windows-125\d|gbk|gb2312|gb18030|big5|shift_jis|euc-(jp|kr)|koi8-[ru])"
)

Where = Callable[[bytes], str]  # describes a place in words, given the text between the end of the last piece and the place


class Piece(NamedTuple):
    """Hold a part of the file in UTF-8: ``raw`` as it is, ``text`` with comments, CDATA and processing instructions blanked."""

    raw: bytes
    text: bytes


class XmlText:
    """Read the text of an XML file; ``encoding`` and ``mark`` (byte order mark) are known once a piece has been read."""

    encoding = "utf-8"
    mark = b""

    def __init__(self, path: Path, max_bytes: int, progress: Progress | None) -> None:
        self.path = path
        self._max_bytes, self._progress = max_bytes, progress

    def pieces(self, where: Where) -> Iterator[Piece]:
        """Yield all of the file, piece by piece; an error follows the last piece if the file is not complete."""
        parser = expat.ParserCreate("UTF-8")  # the pieces come in UTF-8, whatever the declaration says
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        pending, taken = b"", 0  # bytes that have not been yielded yet, and how many came before them
        try:
            for piece in chain(filter(None, self._utf8()), [b""]):
                pending += piece
                if not taken + len(pending):
                    raise LogError(f"{self.path} is empty: it has no bytes.")
                parser.Parse(piece, not piece)
                parsed = max(parser.CurrentByteIndex - taken, 0)  # bytes after this belong to an unfinished tag
                text = blank_comments(pending[:parsed])
                yield Piece(pending[: len(text)], text)
                taken += len(text)
                pending = pending[len(text) :]
                if len(pending) > LONGEST_TAG:
                    raise LogError(
                        f"{self.path} has a tag of more than {LONGEST_TAG:,} bytes {where(b'')}: "
                        "no log has such a tag; nothing was read."
                    )
        except CutOff as cut:
            raise LogError(self._cut_off(where(pending), f"byte {cut.byte:,}")) from None
        except expat.ExpatError as error:
            if error.code in _ENDS_EARLY:
                raise LogError(self._cut_off(where(pending), f"line {error.lineno:,}")) from None
            before = pending[: max(0, parser.ErrorByteIndex - taken)]
            raise LogError(
                f"{self.path}, line {error.lineno:,} ({where(before)}): the XML is ill-formed "
                f"({expat.errors.messages[error.code]}). Correct the file or get an intact copy; nothing was read."
            ) from None
        if pending:  # white space after the last tag
            yield Piece(pending, b" " * len(pending))

    def _refuse_doctype(self, *_: object) -> None:
        raise LogError(
            f"{self.path} has a DOCTYPE, which XES does not use and which can be harmful: remove it; nothing was read."
        )

    def _cut_off(self, where: str, place: str) -> str:
        return f"{self.path} ends {where} ({place}): the file is cut off. Get a complete copy; nothing was read."

    def _utf8(self) -> Iterator[bytes]:
        """Yield the file in UTF-8 without a byte order mark; the mark or the XML declaration tells its encoding."""
        first, rest = peek(read_pieces(self.path, self._max_bytes, self._progress))
        if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self.mark, self.encoding = first[:2], "utf-16"
        else:
            self.mark = first[:3] if first[:3] == b"\xef\xbb\xbf" else b""
            first = first.removeprefix(self.mark)
            declared = re.match(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)", first)
            self.encoding = declared[1].decode().lower() if declared else "utf-8"
            if not _ENCODINGS.fullmatch(self.encoding):
                raise LogError(f"{self.path} is in the encoding {self.encoding!r}, which is not supported: convert it to UTF-8.")
        whole = chain([first], rest)
        yield from whole if self.encoding in ("utf-8", "utf8") else to_utf8(self.path, whole, self.encoding)
