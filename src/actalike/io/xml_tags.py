"""Finding the tags of well-formed XML, all at once, by looking for ``<`` and ``>`` with numpy.

Only for text that an XML parser has vouched for. Then it is safe: no ``<`` lies inside a tag, and comments, CDATA sections and
processing instructions are blanked out first. Tags are compared eight bytes at a time.
"""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_OPENERS = re.compile(rb"<!--|<!\[CDATA\[|<\?")
_CLOSERS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_TAG = re.compile(rb"<[^\s/>]+((?:\s+[^\s=]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(rb"([^\s=]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));")
_TO_DECODE = re.compile(rb"[&\t\r\n]")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENDS_NAME = np.isin(np.arange(256), list(b">/ \t\r\n"))


def blank_comments(text: bytes) -> bytes:
    """The text with spaces for comments, CDATA sections and processing instructions, up to one that goes on after the text.

    >>> blank_comments(b"<a><!-- <b> --></a><!-- and")
    b'<a>            </a>'
    """
    after = np.frombuffer(text, dtype=np.uint8)
    after = after[np.flatnonzero(after[:-1] == ord("<")) + 1]  # faster than a search where most of the text is tags
    if not ((after == ord("!")) | (after == ord("?"))).any():
        return text
    kept, at = [], 0
    while opener := _OPENERS.search(text, at):
        kept.append(text[at : opener.start()])
        closer = _CLOSERS[opener.group()]
        end = text.find(closer, opener.end())
        if end < 0:
            return b"".join(kept)
        at = end + len(closer)
        kept.append(b" " * (at - opener.start()))
    return b"".join([*kept, text[at:]])


class Tags(NamedTuple):
    """The tags of a piece: where they start and end (at ``<`` and ``>``), and how deep they lie; the root is level 0."""

    text: bytes
    octets: NDArray[np.uint8]
    words: NDArray[np.uint64]  # the eight bytes from each place on, as one number
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    closing: NDArray[np.bool_]
    level: NDArray[np.int64]
    depth: int  # after the last tag


def find_tags(text: bytes, depth: int) -> Tags:
    """Find the tags of a text that holds whole tags only and starts at this depth."""
    text += bytes(64)  # so that words can be read past the end
    octets = np.frombuffer(text, dtype=np.uint8)
    words = np.ndarray((len(text) - 7,), dtype="<u8", buffer=text, strides=(1,))
    start = np.flatnonzero(octets == ord("<"))
    end = np.flatnonzero(octets == ord(">"))
    if len(start) != len(end) or (start > end).any() or (end[:-1] > start[1:]).any():
        end = _ends_with_strays(text, start, end)
    closing = octets[start + 1] == ord("/")
    opening = ~closing & (octets[end - 1] != ord("/"))
    after = depth + np.cumsum(opening.astype(np.int64) - closing)
    return Tags(text, octets, words, start, end, closing, after - opening, int(after[-1]) if len(after) else depth)


def _ends_with_strays(text: bytes, start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where tags end if there are more ``>`` than tags: a value or the text between tags may contain some."""
    next_end = np.searchsorted(end, start)
    in_segment = np.searchsorted(end, np.append(start[1:], len(text))) - next_end
    ends = end[next_end.clip(max=len(end) - 1)]
    for tag in np.flatnonzero(in_segment != 1).tolist():
        match = _TAG.match(text, start[tag])
        if match is not None:  # closing tags cannot contain a ">"
            ends[tag] = match.end() - 1
    return ends


def word(text: bytes) -> np.uint64:
    """The first eight bytes of a text as one number."""
    return np.uint64(int.from_bytes(text[:8].ljust(8, b"\0"), "little"))


def begins(words: NDArray[np.uint64], places: NDArray[np.int64], text: bytes) -> NDArray[np.bool_]:
    """Whether the bytes at each place begin with ``text``."""
    same = np.ones(len(places), dtype=bool)
    for done in range(0, len(text), 8):
        part = text[done : done + 8]
        mask = word(b"\xff" * len(part))
        candidates = np.flatnonzero(same)
        same[candidates] = (words[places[candidates] + done] & mask) == word(part)
    return same


def is_element(first_bytes: NDArray[np.uint64], opening: bytes) -> NDArray[np.bool_]:
    """Whether tags, given by their first eight bytes, open the element ``opening`` (``b"<trace"``)."""
    mask = word(b"\xff" * len(opening))
    next_byte = ((first_bytes >> np.uint64(8 * len(opening))) & np.uint64(0xFF)).astype(np.intp)
    return ((first_bytes & mask) == word(opening)) & _ENDS_NAME[next_byte]


def attributes(tags: Tags, tag: int) -> dict[str, str]:
    """The XML attributes of one tag, by the rules of XML."""
    text = tags.text[tags.start[tag] : tags.end[tag] + 1]
    return {
        decode(name): decode(double if double is not None else single)
        for name, double, single in (found.groups() for found in _ATTRIBUTE.finditer(text))
    }


def value_of(tags: Tags, tag: int, value_at: int) -> str:
    """The text of a tag's ``value``, which starts at ``value_at`` or, if that is -1, has to be looked for."""
    if value_at >= 0:
        return decode(tags.text[value_at : tags.text.index(b'"', value_at)])
    return attributes(tags, tag)["value"]


def value_span(tags: Tags, tag: int, value_at: int) -> tuple[int, int]:
    """From where to where a tag's ``value`` goes, without the quotes; ``value_at`` is as in :func:`value_of`."""
    if value_at >= 0:
        return value_at, tags.text.index(b'"', value_at)
    found = _ATTRIBUTE.finditer(tags.text, tags.start[tag], tags.end[tag])
    value = next(one for one in found if one[1] == b"value")
    return value.span(2) if value[2] is not None else value.span(3)


def decode(raw: bytes) -> str:
    """An attribute's text: white space becomes spaces, references what they stand for."""
    text = raw.decode()
    if not _TO_DECODE.search(raw):
        return text
    text = re.sub(r"\r\n|[\t\r\n]", " ", text)
    return _REFERENCE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else chr(int(found[2])) if found[2] else _ENTITIES[found[3]],
        text,
    )
