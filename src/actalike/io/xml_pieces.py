"""The text of an XML file, in pieces of whole tags: well-formed and complete, or there is an error.

The standard library's expat parses every piece, with no handlers, and so vouches that the XML is well-formed, complete, in its
encoding and without a DTD.
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

LONGEST_TAG = 1 << 24  # a longer tag, comment or CDATA section is refused: it would have to be held in memory whole

_ENDS_EARLY = {  # what expat says when a file stops in the middle
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

Where = Callable[[bytes], str]  # the place reached, in words, given what lies between it and the end of the last piece


class Piece(NamedTuple):
    """A part of the file in UTF-8: as it is, and with comments, CDATA sections and processing instructions blanked out."""

    raw: bytes
    text: bytes


class XmlText:
    """A file of XML. Its encoding, and the mark before the text, if any, are known once a piece has been read."""

    encoding = "utf-8"
    mark = b""

    def __init__(self, path: Path, max_bytes: int, progress: Progress | None) -> None:
        self.path = path
        self._max_bytes, self._progress = max_bytes, progress

    def pieces(self, where: Where) -> Iterator[Piece]:
        """All of the file, one piece after the other; the last is followed by an error if the file is not whole."""
        parser = expat.ParserCreate("UTF-8")  # the pieces come in UTF-8, whatever the declaration says
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        pending, taken = b"", 0  # what no tag has been taken from yet, and how many bytes came before it
        try:
            for piece in chain(filter(None, self._utf8()), [b""]):
                pending += piece
                if not taken + len(pending):
                    raise LogError(f"{self.path} is empty: it has no bytes.")
                parser.Parse(piece, not piece)
                parsed = max(parser.CurrentByteIndex - taken, 0)  # what follows is the beginning of something
                text = blank_comments(pending[:parsed])
                yield Piece(pending[: len(text)], text)
                taken += len(text)
                pending = pending[len(text) :]
                if len(pending) > LONGEST_TAG:
                    raise LogError(
                        f"{self.path} has a tag of more than {LONGEST_TAG:,} bytes {where(b'')}: no log has; nothing was read."
                    )
        except CutOff as cut:
            raise LogError(self._cut_off(where(pending), f"byte {cut.byte:,}")) from None
        except expat.ExpatError as error:
            if error.code in _ENDS_EARLY:
                raise LogError(self._cut_off(where(pending), f"line {error.lineno:,}")) from None
            before = pending[: max(0, parser.ErrorByteIndex - taken)]
            raise LogError(
                f"{self.path}, line {error.lineno:,} ({where(before)}): the XML is ill-formed "
                f"({expat.errors.messages[error.code]}). Mend the file or get an intact copy; nothing was read."
            ) from None
        if pending:  # white space after the last tag
            yield Piece(pending, b" " * len(pending))

    def _refuse_doctype(self, *_: object) -> None:
        raise LogError(f"{self.path} has a DOCTYPE, which XES does not use and which can hide harm: remove it; nothing was read.")

    def _cut_off(self, where: str, place: str) -> str:
        return f"{self.path} ends {where} ({place}): the file is cut off. Get a complete copy; nothing was read."

    def _utf8(self) -> Iterator[bytes]:
        """The file in UTF-8 without a byte order mark; another encoding is taken from the mark or the declaration."""
        first, rest = peek(read_pieces(self.path, self._max_bytes, self._progress))
        if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self.mark, self.encoding = first[:2], "utf-16"
        else:
            self.mark = first[:3] if first[:3] == b"\xef\xbb\xbf" else b""
            first = first.removeprefix(self.mark)
            declared = re.match(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)", first)
            self.encoding = declared[1].decode().lower() if declared else "utf-8"
            if not _ENCODINGS.fullmatch(self.encoding):
                raise LogError(f"{self.path} is in the encoding {self.encoding!r}, which is not read here: convert it to UTF-8.")
        whole = chain([first], rest)
        yield from whole if self.encoding in ("utf-8", "utf8") else to_utf8(self.path, whole, self.encoding)
