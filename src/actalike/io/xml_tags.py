"""Find all tags of well-formed XML at once, by searching for ``<`` and ``>`` with numpy.

Use it only for text that an XML parser has accepted. Then no ``<`` is inside a tag, once comments, CDATA sections and
processing instructions are blanked out. Tags are compared eight bytes at a time.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_OPENERS = re.compile(rb"<!--|<!\[CDATA\[|<\?")
_CLOSERS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
# No pattern can match a text in two ways or begin in the middle of a name: each takes linear time for any text.
_NAME = re.compile(rb"<[^\s/>]++")
_TAG = re.compile(rb"<[^\s/>]++((?:\s++[^\s=/>]++\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))*+)\s*+/?>")
_ATTRIBUTE = re.compile(rb"(?<=\s)([^\s=]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));")
_TO_DECODE = re.compile(rb"[&\t\r\n]")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENDS_NAME = np.isin(np.arange(256), list(b">/ \t\r\n"))


def blank_comments(text: bytes) -> bytes:
    """Replace comments, CDATA sections and processing instructions by spaces; cut the text before one that is unfinished.

    >>> blank_comments(b"<a><!-- <b> --></a><!-- and")
    b'<a>            </a>'
    """
    if b"!" not in text and b"?" not in text:
        return text
    octets = np.frombuffer(text, dtype=np.uint8)
    after_bracket = octets[np.flatnonzero(octets[:-1] == ord("<")) + 1]  # faster than re where most of the text is tags
    if not ((after_bracket == ord("!")) | (after_bracket == ord("?"))).any():
        return text
    parts, at = [], 0
    while opener := _OPENERS.search(text, at):
        parts.append(text[at : opener.start()])
        closer = _CLOSERS[opener.group()]
        end = text.find(closer, opener.end())
        if end < 0:
            return b"".join(parts)
        at = end + len(closer)
        parts.append(b" " * (at - opener.start()))
    return b"".join([*parts, text[at:]])


class Tags(NamedTuple):
    """Hold the tags of a piece: where they start and end (at ``<`` and ``>``), and their nesting levels; the root is level 0."""

    text: bytes
    octets: NDArray[np.uint8]
    words: NDArray[np.uint64]  # for each position, the eight bytes from there on as one number
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    closing: NDArray[np.bool_]
    level: NDArray[np.int64]
    depth: int  # nesting depth after the last tag


def find_tags(text: bytes, depth: int) -> Tags:
    """Find the tags of a text that holds only whole tags and starts at this nesting depth."""
    text += bytes(64)  # so that words can be read past the end
    octets = np.frombuffer(text, dtype=np.uint8)
    words = np.ndarray((len(text) - 7,), dtype="<u8", buffer=text, strides=(1,))
    start = np.flatnonzero(octets == ord("<"))
    end = np.flatnonzero(octets == ord(">"))
    if len(start) != len(end) or (start > end).any() or (end[:-1] > start[1:]).any():
        end = _ends_with_strays(text, start, end)
    closing = octets[start + 1] == ord("/")
    opening = ~closing & (octets[end - 1] != ord("/"))
    depth_after = depth + np.cumsum(opening.astype(np.int64) - closing)
    last_depth = int(depth_after[-1]) if len(depth_after) else depth
    return Tags(text, octets, words, start, end, closing, depth_after - opening, last_depth)


def _ends_with_strays(text: bytes, start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where tags end if there are more ``>`` than tags: a value or the text between tags may contain some."""
    next_end = np.searchsorted(end, start)
    in_segment = np.searchsorted(end, np.append(start[1:], len(text))) - next_end
    ends = end[next_end.clip(max=len(end) - 1)]
    for tag in np.flatnonzero(in_segment != 1).tolist():
        match = _TAG.match(text, start[tag])
        if match is not None:  # closing tags cannot contain a ">"
            ends[tag] = match.end() - 1
    return ends


@lru_cache(maxsize=256)  # the same few texts are looked for in every piece
def word(text: bytes) -> np.uint64:
    """Return the first eight bytes of a text as one number."""
    return np.uint64(int.from_bytes(text[:8].ljust(8, b"\0"), "little"))


def begins(words: NDArray[np.uint64], places: NDArray[np.int64], text: bytes) -> NDArray[np.bool_]:
    """Return for each place whether the bytes from there on begin with ``text``."""
    same = np.ones(len(places), dtype=bool)
    for done in range(0, len(text), 8):
        part = text[done : done + 8]
        mask = word(b"\xff" * len(part))
        candidates = np.flatnonzero(same)
        same[candidates] = (words[places[candidates] + done] & mask) == word(part)
    return same


def is_element(first_bytes: NDArray[np.uint64], opening: bytes) -> NDArray[np.bool_]:
    """Return for each tag, given by its first eight bytes, whether it opens the element ``opening`` (``b"<trace"``)."""
    mask = word(b"\xff" * len(opening))
    next_byte = ((first_bytes >> np.uint64(8 * len(opening))) & np.uint64(0xFF)).astype(np.intp)
    return ((first_bytes & mask) == word(opening)) & _ENDS_NAME[next_byte]


def attributes(tags: Tags, tag: int) -> dict[str, str]:
    """Parse the XML attributes of one tag."""
    return {
        decode(name): decode(double if double is not None else single)
        for name, double, single in (match.groups() for match in _attribute_matches(tags, tag))
    }


def element_name(tags: Tags, tag: int) -> str:
    """Return the name of the element that a tag opens."""
    return tags.text[tags.start[tag] + 1 : _end_of_name(tags, tag)].decode()


def _end_of_name(tags: Tags, tag: int) -> int:
    match = _NAME.match(tags.text, tags.start[tag])
    return match.end() if match else int(tags.end[tag])


def _attribute_matches(tags: Tags, tag: int) -> Iterator[re.Match[bytes]]:
    """Yield the XML attributes of one tag."""
    return _ATTRIBUTE.finditer(tags.text, _end_of_name(tags, tag), tags.end[tag])


def value_of(tags: Tags, tag: int, value_at: int) -> str:
    """Return the text of a tag's ``value``, which starts at ``value_at``; -1 means that it has to be searched for."""
    if value_at >= 0:
        return decode(tags.text[value_at : tags.text.index(b'"', value_at)])
    return attributes(tags, tag)["value"]


def value_span(tags: Tags, tag: int, value_at: int) -> tuple[int, int]:
    """Return where a tag's ``value`` starts and ends, without its quotes; ``value_at`` is as in :func:`value_of`."""
    if value_at >= 0:
        return value_at, tags.text.index(b'"', value_at)
    value = next(match for match in _attribute_matches(tags, tag) if match[1] == b"value")
    return value.span(2) if value[2] is not None else value.span(3)


def decode(raw: bytes) -> str:
    """Decode the text of an XML attribute: replace references by their characters, and other white space by spaces."""
    text = raw.decode()
    if not _TO_DECODE.search(raw):
        return text
    text = re.sub(r"\r\n|[\t\r\n]", " ", text)
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    """Return the character that a reference stands for."""
    hexadecimal, decimal, entity = reference.groups()
    if entity:
        return _ENTITIES[entity]
    return chr(int(hexadecimal, 16) if hexadecimal else int(decimal.lstrip("0")))  # int() refuses thousands of decimal digits
