"""Relabelling XES: every byte is copied but for the labels that change.

``<string key="concept:name" value="Verify"/>`` of an event becomes
``<string key="actalike:original" value="Verify"/><string key="concept:name" value="Check"/>``, with the white space before it
between the two. What the log says of itself (extensions, globals, classifiers), the traces, all other attributes, nested ones
too, and comments stay as they are.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from actalike.errors import LogError
from actalike.io import (
    Order,
    Piece,
    Progress,
    Tags,
    Values,
    XesReading,
    XmlText,
    escape,
    is_element,
    read_xes,
    value_of,
    value_span,
)
from actalike.labels.relabelling.plan import ORIGINAL, Bools, Plan, Relabelled, make_plan
from actalike.labels.relabelling.writing import Encoder, changed_meanwhile, write_pieces

_SPACE = b" \t\r\n"

Edit = tuple[int, int, bytes]  # from where to where in a piece, and what comes instead


def relabel_xes(
    path: Path,
    output: Path,
    mapping: Mapping[str, str],
    collapse: bool,
    names: Mapping[str, str | None],
    order: Order,
    max_bytes: int,
    progress: Progress | None,
) -> Relabelled:
    """Read the log, then copy it with new labels."""
    keys = {
        "case": (names["case"] or "concept:name").removeprefix("case:"),
        "activity": names["activity"] or "concept:name",
        "timestamp": names["timestamp"] or "time:timestamp",
        "transition": ORIGINAL,  # who has an original label already
    }
    events = read_xes(path, **keys, max_bytes=max_bytes, progress=progress)
    plan = make_plan(events, mapping, collapse, order)
    has_original = np.zeros(len(events.codes), dtype=bool) if events.transitions is None else events.transitions >= 0

    def pieces() -> Iterator[bytes]:
        text = XmlText(path, max_bytes, progress)
        rewriting = _Rewriting(path, keys, plan, has_original)
        encoder = None
        for piece in text.pieces(rewriting.where):
            if encoder is None:
                encoder = Encoder(path, text.mark, text.encoding, "xmlcharrefreplace")  # only new labels can need that
                yield text.mark
            yield encoder.encode(rewriting.rewrite(piece))
        if rewriting.n_events != len(plan.codes):
            raise changed_meanwhile(path)

    write_pieces(output, pieces())
    return plan.result


class _Located(Values):
    """Where the labels of a piece are, instead of what they are."""

    _found: tuple[Tags, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None = None

    def add(self, tags: Tags, owner: NDArray[np.int64], tag: NDArray[np.int64], value_at: NDArray[np.int64]) -> None:
        """Note the places."""
        self._found = tags, owner, tag, value_at

    def pop(self) -> tuple[Tags, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
        """The places that were noted; None for a piece without any tags."""
        found, self._found = self._found, None
        return found


class _Rewriting(XesReading):
    """Finds the labels of the events once more, and puts others in their place."""

    activities: _Located

    def __init__(self, path: Path, keys: Mapping[str, str], plan: Plan, has_original: Bools) -> None:
        super().__init__(path, keys["case"], keys["activity"], None, None)
        self.activities = _Located(keys["activity"])
        self.plan, self.has_original = plan, has_original
        self.names = [None if name is None else escape(name).encode() for name in plan.names]
        self.n_closed = 0  # events that have ended

    def rewrite(self, piece: Piece) -> bytes:
        """A piece with its new labels, and without the events that are dropped."""
        before = self.n_events
        self.take(piece.text)
        if self.n_events > len(self.plan.codes):
            raise changed_meanwhile(self.path)
        found = self.activities.pop()
        if found is None:
            return b"" if self.n_closed < before and self.plan.dropped[before - 1] else piece.raw
        tags, owner, tag, value_at = found
        edits = self._drops(piece.raw, tags, before)
        mine = self.plan.renamed[owner]
        for event, number, at in zip(owner[mine].tolist(), tag[mine].tolist(), value_at[mine].tolist(), strict=True):
            edits += self._renames(piece.raw, tags, event, number, at)
        return _edited(piece.raw, edits)

    def _drops(self, raw: bytes, tags: Tags, before: int) -> list[Edit]:
        """The events that go, with the white space before them; the first may have begun, and the last may end, elsewhere."""
        first_bytes = tags.words[tags.start]
        middle = tags.level == 2
        starts = tags.start[middle & is_element(first_bytes, b"<event")]
        ends = tags.end[middle & is_element(first_bytes, b"</event")] + 1
        edits = []
        for event in (self.n_closed + np.flatnonzero(self.plan.dropped[self.n_closed : self.n_events])).tolist():
            place = event - self.n_closed
            start = _before_space(raw, int(starts[event - before])) if event >= before else 0
            edits.append((start, int(ends[place]) if place < len(ends) else len(raw), b""))
        self.n_closed += len(ends)
        return edits

    def _renames(self, raw: bytes, tags: Tags, event: int, tag: int, value_at: int) -> Iterator[Edit]:
        start = int(tags.start[tag])
        kind = re.split(rb"[\s/>]", raw[start + 1 : start + 100], maxsplit=1)[0].decode(errors="replace")
        if kind != "string":
            label = value_of(tags, tag, value_at)
            raise LogError(
                f"{self.path} has the label {label!r} as <{kind}>, and only a <string> can hold any name: mend the log. "
                "Nothing was written."
            )
        first, last = value_span(tags, tag, value_at)
        quote = raw[first - 1 : first]
        if not self.has_original[event]:
            gap = raw[_before_space(raw, start) : start]
            yield start, start, b'<string key="%s" value=%s%s%s/>%s' % (ORIGINAL.encode(), quote, raw[first:last], quote, gap)
        name = self.names[self.plan.codes[event]] or b""
        yield first, last, name.replace(b"'", b"&apos;") if quote == b"'" else name


def _before_space(raw: bytes, place: int) -> int:
    """Where the white space before a place begins."""
    while place and raw[place - 1] in _SPACE:
        place -= 1
    return place


def _edited(raw: bytes, edits: list[Edit]) -> bytes:
    parts, at = [], 0
    for start, end, instead in sorted(edits, key=lambda edit: edit[:2]):
        parts += [raw[at:start], instead]
        at = end
    return b"".join([*parts, raw[at:]])
