"""Find the attributes of a piece of XES by their keys. Those with an unusual layout are read one by one."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.io.xml_tags import Tags, attributes, begins, word

PREFIXES = [f'<{kind} key="'.encode() for kind in ("string", "date", "int", "float", "boolean", "id", "list", "container")]
_ROUNDS = 32  # keys of more than 8 times so many bytes are taken one by one
_ESCAPED = re.compile(rb"[&\t\r\n]")
_QUOTES, _AMPERSANDS, _SPACES, _LOW, _HIGH, _ALL = (
    np.uint64(int.from_bytes(bytes([byte]) * 8, "little")) for byte in (*b'"& ', 0x01, 0x80, 0xFF)
)


class KeyedTags(NamedTuple):
    """Hold where the keys of a piece's tags start; those that have to be parsed have their keys in ``parsed_keys``."""

    tags: Tags
    usual: NDArray[np.int64]  # tags with the usual layout, <string key="..." ...
    key_at: NDArray[np.int64]  # for each tag of the piece, where its key starts; -1 if it is not a usual one
    first_of_key: NDArray[np.uint64]  # for each usual tag, the first eight bytes of its key
    parsed: NDArray[np.int64]  # tags with another layout
    parsed_keys: NDArray[np.object_]

    def with_key(self, key: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the tags with a key and a value, and where the values start (-1 for a tag with an unusual layout)."""
        tags, text = self.tags, key.encode()
        hits = self.usual[(self.first_of_key & word(b"\xff" * len(text))) == word(text)]
        hits = hits[begins(tags.words, self.key_at[hits], text + b'"')]
        after_key = self.key_at[hits] + len(text) + 1
        value_at = np.where(begins(tags.words, after_key, b' value="'), after_key + 8, -1)
        others = self.parsed[self.parsed_keys == key]
        if len(others):
            hits, value_at = np.concatenate([hits, others]), np.concatenate([value_at, np.full(len(others), -1)])
            order = np.argsort(hits)
            hits, value_at = hits[order], value_at[order]
        has_value = value_at >= 0
        for i in np.flatnonzero(~has_value).tolist():
            has_value[i] = "value" in attributes(tags, int(hits[i]))
        return hits[has_value], value_at[has_value]

    def distinct_keys(self, chosen: NDArray[np.bool_]) -> set[str]:
        """Return the keys of some tags, given as a mask over all tags of the piece."""
        keys = {key for key, tag in zip(self.parsed_keys.tolist(), self.parsed.tolist(), strict=True) if chosen[tag]}
        start = self.key_at[chosen & (self.key_at >= 0)]
        at = start
        prefix = np.zeros(len(at), dtype=np.int64)  # a number for the bytes before ``at``: equal for equal bytes
        for _ in range(_ROUNDS):  # eight bytes of each key a round: few are distinct, even where there are many tags
            if not len(at):
                break
            words = self.tags.words[at]
            quotes = _equal_bytes(words, _QUOTES)
            ends = quotes != 0
            words = np.where(ends, words & (quotes ^ (quotes - np.uint64(1))), words)  # what follows the quote does not count
            distinct, number = np.unique(words, return_inverse=True)
            _, first, prefix = np.unique(prefix * len(distinct) + number, return_index=True, return_inverse=True)
            for i in first[ends[first]].tolist():
                keys.add(self._key(int(start[i])))
            start, at, prefix = start[~ends], at[~ends] + 8, prefix[~ends]
        return keys | set(map(self._key, start.tolist()))

    def _key(self, start: int) -> str:
        return self.tags.text[start : self.tags.text.index(b'"', start)].decode()


def find_keys(tags: Tags, first_bytes: NDArray[np.uint64], is_container: NDArray[np.bool_]) -> KeyedTags:
    """Find the keys of all tags of a piece; ``is_container`` marks traces and events, which have none."""
    key_at = np.full(len(tags.start), -1, dtype=np.int64)  # where the key of a tag starts
    for prefix in PREFIXES:
        hits = np.flatnonzero(first_bytes == word(prefix))
        places = tags.start[hits] + len(prefix)
        usual = tags.words[places - 8] == word(prefix[-8:])
        key_at[hits[usual]] = places[usual]
    key_at[_tags_with_escaped_key(tags, key_at)] = -1
    parsed = np.flatnonzero((key_at < 0) & ~tags.closing & ~is_container & (tags.level >= 2) & (tags.level <= 3))
    parsed_keys = np.array([attributes(tags, tag).get("key", "") for tag in parsed.tolist()], dtype=object)
    usual = np.flatnonzero(key_at >= 0)
    return KeyedTags(tags, usual, key_at, tags.words[key_at[usual]], parsed, parsed_keys)


def _tags_with_escaped_key(tags: Tags, key_at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tags whose key has a reference (``&#58;``) or white space that XML changes: its bytes are not its text.

    Only attributes of traces and events are looked at: others, of which some have long keys, are not read.
    """
    tag = np.flatnonzero((key_at >= 0) & (tags.level >= 2) & (tags.level <= 3))
    at = key_at[tag]
    has_references = b"&" in tags.text
    escaped = []
    for _ in range(_ROUNDS):  # eight bytes of each key a round
        if not len(at):
            break
        words = tags.words[at]
        marks = (words - _SPACES) & ~words & _HIGH  # its lowest bit is in the first byte below the space
        if has_references:
            marks |= _equal_bytes(words, _AMPERSANDS)
        before_mark, before_quote = _bits_below_lowest(marks), _bits_below_lowest(_equal_bytes(words, _QUOTES))
        is_escaped = before_mark < before_quote
        escaped.append(tag[is_escaped])
        goes_on = ~is_escaped & (before_quote == _ALL)
        tag, at = tag[goes_on], at[goes_on] + 8
    ends = (tags.text.index(b'"', place) for place in at.tolist())
    are_escaped = [_ESCAPED.search(tags.text, *span) is not None for span in zip(at.tolist(), ends, strict=True)]
    return np.concatenate([*escaped, tag[np.array(are_escaped, dtype=bool)]])


def _equal_bytes(words: NDArray[np.uint64], byte: np.uint64) -> NDArray[np.uint64]:
    """Return words whose lowest bit is in the first byte that equals one, given eight times; 0 if none does."""
    differs = words ^ byte
    return (differs - _LOW) & ~differs & _HIGH


def _bits_below_lowest(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return ones below the lowest bit of each word; all ones for 0."""
    return (words & (~words + np.uint64(1))) - np.uint64(1)
