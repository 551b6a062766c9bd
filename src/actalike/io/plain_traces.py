"""Find whole traces of the plainest XES in a piece of text, by numpy: they are certainly well-formed, without an XML parser.

Plain are traces without nested attributes, comments and numbered references, in which every attribute is written as
``<string key="..." value="..."/>``. Most logs have hardly anything else, and a parser would take half of the time of reading.
Once they are found to be plain, it is known where their keys and values are.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.io.xes_keys import PREFIXES
from actalike.io.xml_pieces import Part
from actalike.io.xml_tags import begins, word

_CONTAINERS = (b"<trace>", b"</trace>", b"<event>", b"</event>")
_TRACE, _TRACE_END, _EVENT, _EVENT_END = range(4)
_MAY_FOLLOW = np.zeros((4, 4), dtype=bool)  # which container tag may be next after which, numbered as in _CONTAINERS
for _pair in ((0, 1), (0, 2), (1, 0), (2, 3), (3, 1), (3, 2)):
    _MAY_FOLLOW[_pair] = True
_REFERENCES = (b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&apos;")
_EXCLUDED = ("\ufffe".encode(), "\uffff".encode())
_FIRST_OF_EXCLUDED = _EXCLUDED[0][0]  # of both: a single byte is searched for in a fiftieth of the time


class PlainAttributes(NamedTuple):
    """Hold attributes: how many traces and events begin before each, the kind of tag before it, and where its value is."""

    n_traces: NDArray[np.int64]
    n_events: NDArray[np.int64]
    after: NDArray[np.int8]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    def of_events(self) -> "PlainAttributes":
        """Return those of events."""
        return self._chosen(self.after == _EVENT)

    def of_traces(self) -> "PlainAttributes":
        """Return those of traces, before, between or after the events."""
        return self._chosen((self.after == _TRACE) | (self.after == _EVENT_END))

    def _chosen(self, chosen: NDArray[np.bool_]) -> "PlainAttributes":
        n_traces, n_events, after, start, end = self
        return PlainAttributes(n_traces[chosen], n_events[chosen], after[chosen], start[chosen], end[chosen])


@dataclass(frozen=True)
class PlainTraces(Part):
    """Hold a part of a text that is plain, with its tags, and the quotes around keys and values.

    >>> text = b'<trace><event><int key="a" value="12"/></event> </trace>'
    >>> found = plain_part(text).with_key("a").of_events()
    >>> text[found.start[0] : found.end[0]], found.n_traces.tolist(), found.n_events.tolist()
    (b'12', [1], [1])
    """

    text: bytes  # the part, and what follows it
    octets: NDArray[np.uint8]  # of the part
    words: NDArray[np.uint64]  # for each position, the eight bytes from there on as one number
    containers: NDArray[np.int8]  # the tags of traces and events in their order, numbered as in _CONTAINERS
    n_before: NDArray[np.int64]  # for each attribute, the number of such tags before it
    quotes: NDArray[np.int64]  # the four quotes of each attribute

    @property
    def n_traces(self) -> int:
        """Return the number of traces."""
        return int(self._traces_so_far[-1])

    def traces_of_events(self) -> NDArray[np.int64]:
        """Return for each event which trace it is in."""
        return self._traces_so_far[self.containers == _EVENT] - 1

    def has_escaped_keys(self) -> bool:
        """Return whether a key has a reference (``&amp;``): its bytes are not its text."""
        references = np.flatnonzero(self.octets == ord("&")) if b"&" in self.text else np.empty(0, dtype=np.int64)
        return bool((np.searchsorted(self.quotes.ravel(), references) % 4 == 1).any())

    def with_key(self, key: str) -> PlainAttributes:
        """Return the attributes with a key that has no white space: others would have to be compared as XML reads them."""
        text = key.encode()
        key_at, key_end, value_at, value_end = self.quotes.T
        hits = np.flatnonzero(key_end - key_at == len(text) + 1)
        hits = hits[begins(self.words, key_at[hits] + 1, text)]
        last = self.n_before[hits] - 1  # the tag before it: there is one, because the part begins with a trace
        return PlainAttributes(
            self._traces_so_far[last], self._events_so_far[last], self.containers[last], value_at[hits] + 1, value_end[hits]
        )

    @cached_property
    def _traces_so_far(self) -> NDArray[np.int64]:
        return np.cumsum(self.containers == _TRACE, dtype=np.int64)

    @cached_property
    def _events_so_far(self) -> NDArray[np.int64]:
        return np.cumsum(self.containers == _EVENT, dtype=np.int64)


def plain_part(text: bytes) -> PlainTraces | None:
    """Return the part of a text from its first whole trace to its last one, if all of it is plain; otherwise None.

    The part is balanced: it closes every element that it opens. So a parser that is between two tags may go on behind it.

    >>> text = b'</trace> <trace> <event><int key="a" value="1"/></event> </trace> <trace>'
    >>> part = plain_part(text)
    >>> text[part.start : part.end]
    b'<trace> <event><int key="a" value="1"/></event> </trace>'
    >>> plain_part(text.replace(b'"1"', b'"1')) is None
    True
    """
    start, last = text.find(b"<trace>"), text.rfind(b"</trace>")
    if start < 0 or last < start:
        return None
    size = last + len(b"</trace>") - start
    padded = text[start:] + bytes(64)  # so that words can be read past the end; few copies, each as large as a processor cache
    octets = np.frombuffer(padded, dtype=np.uint8, count=size)
    words: NDArray[np.uint64] = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))
    if not _has_valid_characters(padded, octets, words):
        return None
    found = _containers_and_quotes(octets, words)
    return PlainTraces(start, start + size, padded, octets, words, *found) if found is not None else None


def _has_valid_characters(text: bytes, octets: NDArray[np.uint8], words: NDArray[np.uint64]) -> bool:
    """Return whether ``octets``, the beginning of a text, are UTF-8 with characters that XML allows and the usual references."""
    if np.count_nonzero(octets < ord(" ")) > sum(np.count_nonzero(octets == white) for white in b"\t\n\r" if white in text):
        return False
    if b"&" in text:
        references = words[np.flatnonzero(octets == ord("&"))]
        if len(references) > sum(np.count_nonzero(_begin(references, reference)) for reference in _REFERENCES):
            return False
    if text.isascii():
        return True
    try:
        part = text[: len(octets)]
        part.decode()
    except UnicodeDecodeError:
        return False
    return _FIRST_OF_EXCLUDED not in part or not any(character in part for character in _EXCLUDED)


def _containers_and_quotes(
    octets: NDArray[np.uint8], words: NDArray[np.uint64]
) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the last fields of PlainTraces; None unless all tags are containers in their order or attributes as usual."""
    opens = np.flatnonzero(octets == ord("<"))
    first_bytes = words[opens]
    container = np.full(len(opens), -1, dtype=np.int8)
    length = np.zeros(len(opens), dtype=np.int64)  # of <trace> and the like; of <string key=" up to the first quote
    for number, tag in enumerate(_CONTAINERS):
        is_tag = _begin(first_bytes, tag)  # with its ">", so this is all of the tag
        container[is_tag], length[is_tag] = number, len(tag)
    is_container = container >= 0
    order = container[is_container]
    if order[0] != _TRACE or order[-1] != _TRACE_END or not _MAY_FOLLOW[order[:-1], order[1:]].all():
        return None
    for prefix in PREFIXES:
        hits = np.flatnonzero(first_bytes == word(prefix))
        hits = hits[words[opens[hits] + len(prefix) - 8] == word(prefix[-8:])]
        length[hits] = len(prefix)
    is_attribute = ~is_container
    all_quotes = np.flatnonzero(octets == ord('"'))
    if not length.all() or len(all_quotes) != 4 * np.count_nonzero(is_attribute):
        return None
    quotes: NDArray[np.int64] = all_quotes.reshape(-1, 4)
    closes = opens + length - 1
    are_usual = (
        (quotes[:, 0] == closes[is_attribute]).all()
        and (words[quotes[:, 1]] == word(b'" value=')).all()
        and (quotes[:, 2] == quotes[:, 1] + 8).all()
    )
    if not are_usual:
        return None
    closes[is_attribute] = quotes[:, 3] + 2
    # Every ">" ends a tag: so there is neither "]]>", which XML excludes, nor a ">" in a value, which is allowed and rare.
    if (closes[:-1] > opens[1:]).any() or closes[-1] >= len(octets) or np.count_nonzero(octets == ord(">")) != len(closes):
        return None
    if (octets[closes] != ord(">")).any() or (octets[quotes[:, 3] + 1] != ord("/")).any():
        return None
    n_before: NDArray[np.int64] = np.cumsum(is_container, dtype=np.int64)[is_attribute]
    return order, n_before, quotes


def _begin(words: NDArray[np.uint64], text: bytes) -> NDArray[np.bool_]:
    """Return which words begin with a text of up to eight bytes."""
    return (words & word(b"\xff" * len(text))) == word(text)
