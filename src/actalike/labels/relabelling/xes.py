"""Relabel an XES file: copy every byte except the labels that change.

``<string key="concept:name" value="Verify"/>`` of an event becomes
``<string key="actalike:original" value="Verify"/><string key="concept:name" value="Check"/>``, with the white space that stood
before it repeated between the two. The log's extensions, globals and classifiers, the traces, all other attributes (nested ones
too) and comments stay as they are.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from actalike.errors import LogError, shortened
from actalike.io import ReadOptions, XesReader, escape, read_xes
from actalike.labels.relabelling.plan import ORIGINAL, Bools, Plan, Relabelled, make_plan
from actalike.labels.relabelling.writing import Encoder, changed_meanwhile, write_pieces

_SPACE = b" \t\r\n"
_ATTRIBUTE = re.compile(rb"\s([^\s=<>]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")  # of a tag that a parser has accepted

Edit = tuple[int, int, bytes]  # start and end in a piece, and the bytes to put there instead


def relabel_xes(
    path: Path,
    output: Path,
    mapping: Mapping[str, str],
    collapse: bool,
    options: ReadOptions,
) -> Relabelled:
    """Read the log to make a plan, then copy the file with the new labels."""
    # the original label of an event is read in the place of its transition: which events have one already
    events = read_xes(path, replace(options, lifecycle="append", transition=ORIGINAL))
    plan = make_plan(events, mapping, collapse, options, options.order or "file")
    transitions = (
        events.frame["transition"] if "transition" in events.frame.columns else pl.repeat(None, len(plan.codes), eager=True)
    )
    has_original = transitions.is_not_null().to_numpy()

    def pieces() -> Iterator[bytes]:
        rewriting = _Rewriting(path, options, plan, has_original)
        xml = rewriting.xml
        encoder = None
        for piece in rewriting.pieces():
            if encoder is None:
                encoder = Encoder(path, xml.mark, xml.encoding, "xmlcharrefreplace")  # only new labels can need that
                yield xml.mark
            yield encoder.encode(rewriting.rewrite(piece))
        if rewriting.n_events != len(plan.codes):
            raise changed_meanwhile(path)

    write_pieces(output, pieces())
    return plan.result


class _Rewriting(XesReader):
    """Read the file a second time, note where its events and labels are, and replace the labels.

    Places are counted from the beginning of the text in UTF-8.
    """

    def __init__(self, path: Path, options: ReadOptions, plan: Plan, has_original: Bools) -> None:
        super().__init__(path, options)
        self.plan, self.has_original = plan, has_original
        self.names = [None if name is None else escape(name).encode() for name in plan.names]
        self.n_done = 0  # bytes that were rewritten
        self.dropped_from: int | None = None  # where the event that is open begins, if it is dropped
        self.drops: list[tuple[int, int]] = []  # where dropped events begin and end
        self.labels: list[tuple[int, int, str, str]] = []  # event, where its label's tag begins, its element and its text

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note where an event begins, or its label."""
        n_events = self.n_events
        super().start(name, attributes)
        if self.n_events > len(self.plan.codes):
            raise changed_meanwhile(self.path)
        event, place = self.n_events - 1, self.xml.parser.CurrentByteIndex
        if self.n_events > n_events:
            self.dropped_from = place if self.plan.dropped[event] else None
        elif self.in_event and self.depth == 4 and self.plan.renamed[event]:
            key, label = attributes.get("key"), attributes.get("value")
            if key == self.activities.key and label is not None:
                self.labels.append((event, place, name, label))

    def end(self, name: str) -> None:
        """Note where a dropped event ends."""
        super().end(name)
        if self.depth == 2 and self.dropped_from is not None:
            self.drops.append((self.dropped_from, self.xml.parser.CurrentByteIndex))
            self.dropped_from = None

    def rewrite(self, piece: bytes) -> bytes:
        """Return a piece with its new labels, without the events that are dropped.

        The first dropped event may have begun in an earlier piece, and the last may end in a later one.
        """
        before = self.n_done
        self.n_done += len(piece)
        edits = []
        for start, end in self.drops:
            end -= before
            end = piece.index(b">", end) + 1 if piece.startswith(b"</event", end) else end  # expat: behind an empty tag
            edits.append((_before_space(piece, max(start - before, 0)), end, b""))
        if self.dropped_from is not None:
            edits.append((_before_space(piece, max(self.dropped_from - before, 0)), len(piece), b""))
        for event, place, name, label in self.labels:
            edits += self._renames(piece, event, place - before, name, label)
        self.drops, self.labels = [], []
        return _edited(piece, edits)

    def _renames(self, piece: bytes, event: int, start: int, element: str, label: str) -> Iterator[Edit]:
        """Yield the edits that rename one event: the attribute with its original label, and the new label."""
        if element != "string":
            raise LogError(
                f"{self.path} has the label {shortened(label)!r} as <{shortened(element)}>, and only a <string> can hold any "
                "name: correct the log. Nothing was written."
            )
        first, last = _value_span(piece, start)
        quote = piece[first - 1 : first]
        if not self.has_original[event]:
            gap = piece[_before_space(piece, start) : start]
            yield start, start, b'<string key="%s" value=%s%s%s/>%s' % (ORIGINAL.encode(), quote, piece[first:last], quote, gap)
        name = self.names[self.plan.codes[event]] or b""
        yield first, last, name.replace(b"'", b"&apos;") if quote == b"'" else name


def _value_span(piece: bytes, tag: int) -> tuple[int, int]:
    """Return where the ``value`` of the tag at a place starts and ends, without its quotes."""
    value = next(match for match in _ATTRIBUTE.finditer(piece, tag) if match[1] == b"value")
    return value.span(2) if value[2] is not None else value.span(3)


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
