"""Find whole traces of the plainest XES in a piece of text, by numpy: they are certainly well-formed, without an XML parser.

Plain are traces without nested attributes, comments and numbered references, in which every attribute is written as
``<string key="..." value="..."/>``. Most logs have hardly anything else, and a parser would take half of the time of reading.
"""

import numpy as np
from numpy.typing import NDArray

from actalike.io.xes_keys import PREFIXES
from actalike.io.xml_pieces import Part
from actalike.io.xml_tags import word

_CONTAINERS = (b"<trace>", b"</trace>", b"<event>", b"</event>")
_MAY_FOLLOW = np.zeros((4, 4), dtype=bool)  # which container tag may be next after which, numbered as in _CONTAINERS
for _pair in ((0, 1), (0, 2), (1, 0), (2, 3), (3, 1), (3, 2)):
    _MAY_FOLLOW[_pair] = True
_REFERENCES = (b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&apos;")
_EXCLUDED = ("\ufffe".encode(), "\uffff".encode())
_FIRST_OF_EXCLUDED = _EXCLUDED[0][0]  # of both: a single byte is searched for in a fiftieth of the time


def plain_part(text: bytes) -> Part | None:
    """Return the part of a text from its first whole trace to its last one, if all of it is plain; otherwise None.

    The part is balanced: it closes every element that it opens. So a parser that is between two tags may go on behind it.

    >>> text = b'</trace> <trace> <event><int key="a" value="1"/></event> </trace> <trace>'
    >>> part = plain_part(text)
    >>> text[part.start : part.end]
    b'<trace> <event><int key="a" value="1"/></event> </trace>'
    >>> plain_part(text.replace(b'"1"', b'"1')) is None
    True
    """
    start, end = text.find(b"<trace>"), text.rfind(b"</trace>") + len(b"</trace>")
    if start < 0 or end <= start:
        return None
    part = text[start:end]
    octets = np.frombuffer(part, dtype=np.uint8)
    words: NDArray[np.uint64] = np.ndarray((len(part) + 1,), "<u8", part + bytes(8), strides=(1,))
    if not _has_valid_characters(part, octets, words):
        return None
    opens, closes = np.flatnonzero(octets == ord("<")), np.flatnonzero(octets == ord(">"))
    # Every ">" ends a tag: so there is neither "]]>", which XML excludes, nor a ">" in a value, which is allowed and rare.
    if len(opens) != len(closes) or (opens > closes).any() or (closes[:-1] > opens[1:]).any():
        return None
    return Part(start, end) if _is_plain(octets, words, opens, closes) else None


def _has_valid_characters(part: bytes, octets: NDArray[np.uint8], words: NDArray[np.uint64]) -> bool:
    """Return whether a text is UTF-8, without the characters that XML excludes, and has no but the usual references."""
    if np.count_nonzero(octets < ord(" ")) > sum(np.count_nonzero(octets == white) for white in b"\t\n\r"):
        return False
    if b"&" in part:
        references = words[np.flatnonzero(octets == ord("&"))]
        if len(references) > sum(np.count_nonzero(_begin(references, text)) for text in _REFERENCES):
            return False
    if part.isascii():
        return True
    try:
        part.decode()
    except UnicodeDecodeError:
        return False
    return _FIRST_OF_EXCLUDED not in part or not any(character in part for character in _EXCLUDED)


def _is_plain(octets: NDArray[np.uint8], words: NDArray[np.uint64], opens: NDArray[np.int64], closes: NDArray[np.int64]) -> bool:
    """Return whether all tags, from ``opens`` to ``closes``, are containers in their order or attributes in the usual layout."""
    first_bytes = words[opens]
    container = np.full(len(opens), -1, dtype=np.int8)
    for number, tag in enumerate(_CONTAINERS):
        container[_begin(first_bytes, tag)] = number  # with its ">", so this is all of the tag
    order = container[container >= 0]
    if order[0] != 0 or order[-1] != 1 or not _MAY_FOLLOW[order[:-1], order[1:]].all():
        return False
    key_at = np.zeros(len(opens), dtype=np.int64)  # the length of "<string key=", up to the first quote
    for prefix in PREFIXES:
        hits = np.flatnonzero(first_bytes == word(prefix))
        hits = hits[words[opens[hits] + len(prefix) - 8] == word(prefix[-8:])]
        key_at[hits] = len(prefix) - 1
    is_attribute = key_at > 0
    if (is_attribute == (container >= 0)).any():
        return False
    opens, closes = opens[is_attribute], closes[is_attribute]
    quotes = np.flatnonzero(octets == ord('"'))
    if len(quotes) != 4 * len(opens):
        return False
    quote = quotes.reshape(-1, 4)
    return bool(
        (quote[:, 0] == opens + key_at[is_attribute]).all()
        and (words[quote[:, 1]] == word(b'" value=')).all()
        and (quote[:, 2] == quote[:, 1] + 8).all()
        and (quote[:, 3] == closes - 2).all()
        and (octets[closes - 1] == ord("/")).all()
    )


def _begin(words: NDArray[np.uint64], text: bytes) -> NDArray[np.bool_]:
    """Return which words begin with a text of up to eight bytes."""
    return (words & word(b"\xff" * len(text))) == word(text)
