"""Relabel an XES file: copy every byte except the labels that change.

``<string key="concept:name" value="Verify"/>`` of an event becomes
``<string key="actalike:original" value="Verify"/><string key="concept:name" value="Check"/>``, with the white space that stood
before it repeated between the two. The log's extensions, globals and classifiers, the traces, all other attributes (nested ones
too) and comments stay as they are.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io import (
    Order,
    Piece,
    Progress,
    Tags,
    Values,
    XesReading,
    XmlText,
    element_name,
    escape,
    is_element,
    read_xes,
    value_of,
    value_span,
)
from actalike.labels.relabelling.plan import ORIGINAL, Bools, Plan, Relabelled, make_plan
from actalike.labels.relabelling.writing import Encoder, changed_meanwhile, write_pieces

_SPACE = b" \t\r\n"

Edit = tuple[int, int, bytes]  # start and end in a piece, and the bytes to put there instead


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
    """Read the log to make a plan, then copy the file with the new labels."""
    keys = {
        "case": (names["case"] or "concept:name").removeprefix("case:"),
        "activity": names["activity"] or "concept:name",
        "timestamp": names["timestamp"] or "time:timestamp",
        "transition": ORIGINAL,  # read in its place: which events already have an original label
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
    """Collect where the labels of a piece are, instead of the labels."""

    _places: tuple[Tags, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None = None

    def add(self, tags: Tags, owner: NDArray[np.int64], tag: NDArray[np.int64], value_at: NDArray[np.int64]) -> None:
        """Store the places of a piece."""
        self._places = tags, owner, tag, value_at

    def pop(self) -> tuple[Tags, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
        """Return the stored places and forget them; None for a piece without any tags."""
        places, self._places = self._places, None
        return places


class _Rewriting(XesReading):
    """Find the labels of the events a second time and replace them."""

    activities: _Located

    def __init__(self, path: Path, keys: Mapping[str, str], plan: Plan, has_original: Bools) -> None:
        super().__init__(path, keys["case"], keys["activity"], None, None)
        self.activities = _Located(keys["activity"])
        self.plan, self.has_original = plan, has_original
        self.names = [None if name is None else escape(name).encode() for name in plan.names]
        self.n_closed = 0  # events that have ended

    def rewrite(self, piece: Piece) -> bytes:
        """Return a piece with its new labels, without the events that are dropped."""
        before = self.n_events
        self.take(piece.text)
        if self.n_events > len(self.plan.codes):
            raise changed_meanwhile(self.path)
        places = self.activities.pop()
        if places is None:
            return b"" if self.n_closed < before and self.plan.dropped[before - 1] else piece.raw
        tags, owner, tag, value_at = places
        edits = self._drops(piece.raw, tags, before)
        renamed = self.plan.renamed[owner]
        for event, number, at in zip(owner[renamed].tolist(), tag[renamed].tolist(), value_at[renamed].tolist(), strict=True):
            edits += self._renames(piece.raw, tags, event, number, at)
        return _edited(piece.raw, edits)

    def _drops(self, raw: bytes, tags: Tags, before: int) -> list[Edit]:
        """Return the edits that remove the dropped events, with the white space before them.

        The first event may have begun in an earlier piece, and the last may end in a later one.
        """
        first_bytes = tags.words[tags.start]
        is_event_level = tags.level == 2
        starts = tags.start[is_event_level & is_element(first_bytes, b"<event")]
        ends = tags.end[is_event_level & is_element(first_bytes, b"</event")] + 1
        edits = []
        for event in (self.n_closed + np.flatnonzero(self.plan.dropped[self.n_closed : self.n_events])).tolist():
            place = event - self.n_closed
            start = _before_space(raw, int(starts[event - before])) if event >= before else 0
            edits.append((start, int(ends[place]) if place < len(ends) else len(raw), b""))
        self.n_closed += len(ends)
        return edits

    def _renames(self, raw: bytes, tags: Tags, event: int, tag: int, value_at: int) -> Iterator[Edit]:
        """Yield the edits that rename one event: the attribute with its original label, and the new label."""
        start = int(tags.start[tag])
        kind = element_name(tags, tag)
        if kind != "string":
            label = shortened(value_of(tags, tag, value_at))
            raise LogError(
                f"{self.path} has the label {label!r} as <{shortened(kind)}>, and only a <string> can hold any name: correct the "
                "log. Nothing was written."
            )
        first, last = value_span(tags, tag, value_at)
        quote = raw[first - 1 : first]
        if not self.has_original[event]:
            gap = raw[_before_space(raw, start) : start]
            yield start, start, b'<string key="%s" value=%s%s%s/>%s' % (ORIGINAL.encode(), quote, raw[first:last], quote, gap)
        name = self.names[self.plan.codes[event]] or b""
        yield first, last, name.replace(b"'", b"&apos;") if quote == b"'" else name


def _before_space(raw: bytes, place: int) -> int:
    """Return where the white space before a place begins."""
    while place and raw[place - 1] in _SPACE:
        place -= 1
    return place


def _edited(raw: bytes, edits: list[Edit]) -> bytes:
    """Return a piece after its edits, which do not overlap."""
    parts, done = [], 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        parts += [raw[done:start], replacement]
        done = end
    return b"".join([*parts, raw[done:]])
