"""Read an XML file in pieces of whole tags; a file that is not well-formed or not complete is an error.

The standard library's expat parses every piece, without handlers. It ensures that the XML is well-formed and complete, has the
declared encoding, and contains no DTD.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from actalike.errors import LogError, shortened
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
_DECLARATION = re.compile(  # the XML declaration, and nothing else that begins with <?xml
    r"<\?xml\s+version\s*=\s*(?:\"[^\"]*\"|'[^']*')(?:\s+encoding\s*=\s*(?:\"([^\"]*)\"|'([^']*)'))?[^?>]*\?>"
)
_LONGEST_DECLARATION = 500  # characters; usual are 40 to 60
_MARKS = {  # byte order marks, the encoding that each shows, and its names in a declaration
    b"\xff\xfe": ("utf-16-le", ("utf-16", "utf16", "utf-16le")),
    b"\xfe\xff": ("utf-16-be", ("utf-16", "utf16", "utf-16be")),
    b"\xef\xbb\xbf": ("utf-8", ("utf-8", "utf8")),
}
_ENCODINGS = re.compile(
    r"(utf-?8|(us-)?ascii|latin-?1|cp125\d|iso-8859-\d+|windows-125\d|gbk|gb2312|gb18030|big5|shift_jis|euc-(jp|kr)|koi8-[ru])"
)

FindPart = Callable[[bytes], "Part | None"]
Where = Callable[[bytes], str]  # describes a place in words, given the text between the end of the last piece and the place


@dataclass(frozen=True)
class Part:
    """Hold where a part of a text starts and ends."""

    start: int
    end: int


class Piece(NamedTuple):
    """Hold a part of the file in UTF-8: ``raw`` as it is, ``text`` with comments, CDATA and processing instructions blanked.

    If the parser was not given all of it, ``skipped`` is what was found there, from ``skipped_at`` on.
    """

    raw: bytes
    text: bytes
    skipped: Part | None = None
    skipped_at: int = 0


class XmlText:
    """Read the text of an XML file; ``encoding`` and ``mark`` (byte order mark) are known once a piece has been read."""

    encoding = "utf-8"
    mark = b""
    skipped = 0  # bytes that the parser was not given
    _given = 0  # bytes that it was given

    def __init__(self, path: Path, max_bytes: int, progress: Progress | None, find_skipped: FindPart | None = None) -> None:
        """``find_skipped`` finds a balanced and certainly well-formed part of a text, which the parser need not be given.

        If anything is skipped, the places in errors are wrong, and elements outside the root may go unnoticed.
        """
        self.path = path
        self._max_bytes, self._progress, self._find_skipped = max_bytes, progress, find_skipped

    def pieces(self, where: Where) -> Iterator[Piece]:
        """Yield all of the file, piece by piece; an error follows the last piece if the file is not complete."""
        parser = expat.ParserCreate("UTF-8")  # the pieces come in UTF-8, whatever the declaration says
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        pending, taken = b"", 0  # bytes that have not been yielded yet, and how many came before them
        held = b""  # what follows a part that was skipped: parsed with the next piece, of which it may be skipped too
        waiting: list[bytes] = []  # pieces after them that the parser has not got yet
        n_waiting = 0
        try:
            for piece in chain(filter(None, self._utf8()), [b""]):
                waiting.append(piece)
                n_waiting += len(piece)
                # An unfinished tag is scanned again from its start. So wait until it is twice as long as before, then the time
                # is proportional to its length. (Usual tags are shorter than a piece, and nothing waits. Python hands text to
                # expat by the megabyte, and expat before 2.6 scans again at each: LONGEST_TAG bounds that.)
                if piece and n_waiting < len(pending) <= LONGEST_TAG:
                    continue
                new = b"".join([held, *waiting])
                waiting, n_waiting = [], 0
                pending += new
                if not taken + len(pending):
                    raise LogError(f"{self.path} is empty: it has no bytes.")
                at = len(pending) - len(new)
                goes_on = at > 0 and pending.startswith((b"<!", b"<?"))  # a comment or CDATA: nothing is skipped before its end
                skipped, held = self._parse(parser, new, not piece, None if goes_on else self._find_skipped)
                pending = pending[: len(pending) - len(held)]
                parsed = max(parser.CurrentByteIndex + self.skipped - taken, 0)  # bytes after this belong to an unfinished tag
                whole = pending[:parsed]
                text = blank_comments(whole)
                place = slice(at + skipped.start, at + skipped.end) if skipped else slice(0, 0)
                if text is not whole and text[place] != whole[place]:
                    skipped = None  # it is in CDATA: what looks like tags there is none
                yield Piece(pending[: len(text)], text, skipped, place.start)
                taken += len(text)
                pending = pending[len(text) :]
                if len(pending) > LONGEST_TAG:
                    raise LogError(
                        f"{self.path} has a tag of more than {LONGEST_TAG:,} bytes {where(b'')}: "
                        "no log has such a tag; nothing was read."
                    )
        except CutOff as cut:
            raise LogError(self._cut_off(where(b"".join([pending, *waiting])), f"byte {cut.byte:,}")) from None
        except expat.ExpatError as error:
            if error.code in _ENDS_EARLY:
                raise LogError(self._cut_off(where(pending), f"line {error.lineno:,}")) from None
            before = pending[: max(0, parser.ErrorByteIndex + self.skipped - taken)]
            raise LogError(
                f"{self.path}, line {error.lineno:,} ({where(before)}): the XML is ill-formed "
                f"({expat.errors.messages[error.code]}). Correct the file or get an intact copy; nothing was read."
            ) from None
        if pending:  # white space after the last tag
            yield Piece(pending, b" " * len(pending))

    def _parse(
        self, parser: expat.XMLParserType, text: bytes, is_last: bool, find_skipped: FindPart | None
    ) -> tuple[Part | None, bytes]:
        """Parse the next text, but for a part that may be skipped if the parser is between two tags there.

        Return that part, and what follows it: unless the text is the last, that is not parsed yet.
        """
        part = find_skipped(text) if find_skipped is not None else None
        held = b""
        if part is not None:
            self._give(parser, text[: part.start])
            if parser.CurrentByteIndex == self._given:  # between two tags (or in CDATA, which ends in none of what is skipped)
                self.skipped += part.end - part.start
                text = text[part.end :]
                if not is_last:
                    text, held = b"", text
            else:
                text, part = text[part.start :], None
        self._give(parser, text, is_last)
        return part, held

    def _give(self, parser: expat.XMLParserType, text: bytes, is_last: bool = False) -> None:
        if text or is_last:
            parser.Parse(text, is_last)
            self._given += len(text)

    def _refuse_doctype(self, *_: object) -> None:
        raise LogError(
            f"{self.path} has a DOCTYPE, which event logs do not use and which can be harmful: remove it; nothing was read."
        )

    def _cut_off(self, where: str, place: str) -> str:
        return f"{self.path} ends {where} ({place}): the file is cut off. Get a complete copy; nothing was read."

    def _utf8(self) -> Iterator[bytes]:
        """Yield the file in UTF-8 without a byte order mark; the mark and the XML declaration tell its encoding."""
        first, rest = peek(read_pieces(self.path, self._max_bytes, self._progress))
        self.mark = next((mark for mark in _MARKS if first.startswith(mark)), b"")
        shown, names = _MARKS.get(self.mark, ("ascii", ()))
        if not self.mark and b"\0" in first[:2]:  # an XML parser would guess UTF-16
            raise LogError(
                f"{self.path} has a NUL byte at its beginning, as UTF-16 without a byte order mark does: convert it to "
                "UTF-8; nothing was read."
            )
        beginning = first[len(self.mark) : 1024].decode(shown, errors="replace")
        if beginning.startswith("\ufeff"):  # the parser would drop it, and the declaration after it would go unnoticed
            raise LogError(f"{self.path} begins with two byte order marks: remove one; nothing was read.")
        declared = self._declared_encoding(beginning)
        if self.mark and declared is not None and declared not in names:
            raise LogError(
                f"{self.path} begins with the byte order mark of {shown.upper()}, but its XML declaration says "
                f"{shortened(declared)!r}: correct one of them; nothing was read."
            )
        if not self.mark and declared is not None and not _ENCODINGS.fullmatch(declared):
            why = "but has no byte order mark" if declared.startswith("utf-16") else "which is not supported"
            raise LogError(
                f"{self.path} is in the encoding {shortened(declared)!r}, {why}: convert it to UTF-8; nothing was read."
            )
        self.encoding = "utf-16" if shown.startswith("utf-16") else declared or "utf-8"
        if self.encoding in ("utf-8", "utf8"):
            yield from chain([first.removeprefix(self.mark)], rest)
        else:
            yield from to_utf8(self.path, chain([first], rest), self.encoding)  # its decoder takes the mark

    def _declared_encoding(self, beginning: str) -> str | None:
        """Return the encoding in the XML declaration, in lower case; None if there is no declaration or it names none."""
        if not re.match(r"<\?xml\s", beginning):
            return None
        declaration = beginning[:_LONGEST_DECLARATION]
        if len(beginning) > _LONGEST_DECLARATION and "?>" not in declaration:
            raise LogError(
                f"{self.path} has an XML declaration of more than {_LONGEST_DECLARATION} characters: shorten it; "
                "nothing was read."
            )
        match = _DECLARATION.match(declaration)  # the parser refuses any other declaration
        return (match[1] or match[2] or "").lower() or None if match else None
