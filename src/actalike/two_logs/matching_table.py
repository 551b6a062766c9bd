"""Put a matching into a table for a person to review: a row for each pair, and for each label without a partner."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from actalike.errors import ActalikeError
from actalike.labels import KNOWN, MATCHED, ORIGINAL, table_bytes
from actalike.log import EventLog
from actalike.support.files import write_atomically
from actalike.support.text import percent
from actalike.two_logs.matching_data import MatchingData, SideName, Split
from actalike.two_logs.matching_words import MatchingWords

_DECIMALS = 4  # of probabilities in a file


class MatchingRow(NamedTuple):
    """Hold a row of the table of a matching. A label without a partner has None in place of it.

    ``probability`` is that of the pair; of a label without a partner, that it has none. ``candidate`` is its most likely
    partner. ``name_a`` and ``name_b`` are second names.
    """

    label_a: str | None
    label_b: str | None
    probability: float
    known: bool
    events_a: int | None
    events_b: int | None
    name_a: str | None
    name_b: str | None
    candidate: str | None
    reason: str


def matching_rows(matching: MatchingData, at_least: float = 0.0) -> list[MatchingRow]:
    """Return the rows of a matching: pairs, the most likely first, with further labels of a split step; then the other labels.

    Pairs that are less likely than ``at_least`` are no pairs: each of their labels has its own row, with the other one as its
    candidate.
    """
    return list(_Rows(matching).all(at_least))


def matching_frame(matching: MatchingData) -> pl.DataFrame:
    """Return the table of a matching as a frame; without the columns of second names if there are none."""
    frame = pl.DataFrame(matching_rows(matching), schema=_SCHEMA, orient="row")
    return frame if matching.log_a.names or matching.log_b.names else frame.drop("name_a", "name_b")


def write_matching(matching: MatchingData, path: str | Path, rows: Sequence[MatchingRow] | None = None) -> None:
    """Write a matching as a CSV file, which relabels log b and can be given as known pairs (docs/file_formats.md).

    ``rows`` are those of :func:`matching_rows`, if they are there already.
    """
    for log, labels in (("first", matching.activities_a), ("second", matching.activities_b)):
        if "" in labels:
            raise ActalikeError(
                f"The {log} log has an activity with an empty label, which stands for no partner in {path}: relabel it first. "
                "Nothing was written."
            )
    has_names = bool(matching.log_a.names or matching.log_b.names)
    columns = [name for name in MatchingRow._fields if has_names or name not in ("name_a", "name_b")]
    written = matching_rows(matching) if rows is None else rows
    cells = ([*(_cell(getattr(row, name)) for name in columns), row.label_a or ""] for row in written)
    mark = columns.index(KNOWN)
    rejected = {b for a, b in matching.apart if a == b}
    table = [[*columns, ORIGINAL]]
    for row, of_row in zip(written, cells, strict=True):
        if row.label_a is None and row.label_b in rejected:
            of_row[mark] = "no"  # so that relabelling by the file keeps it apart too
        table.append(of_row)
    content = table_bytes(table)
    write_atomically(path, lambda part: part.write_bytes(content))


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    MATCHED[0]: pl.String,
    MATCHED[1]: pl.String,
    "probability": pl.Float64,
    KNOWN: pl.Boolean,
    "events_a": pl.Int64,
    "events_b": pl.Int64,
    "name_a": pl.String,
    "name_b": pl.String,
    "candidate": pl.String,
    "reason": pl.String,
}


def _cell(value: object) -> str:
    """Return a value as the text of a cell."""
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else f"{value:.{_DECIMALS}f}" if isinstance(value, float) else str(value)


class _Rows:
    """Make the rows of a matching."""

    def __init__(self, matching: MatchingData) -> None:
        self._matching = matching
        self._words = MatchingWords(matching)
        logs: dict[SideName, EventLog] = {"a": matching.log_a, "b": matching.log_b}
        self._events = {side: dict(zip(log.activities, log.activity_counts.tolist(), strict=True)) for side, log in logs.items()}
        self._names = {side: log.names for side, log in logs.items()}
        # how likely a label has no partner: that of a pair has another one, or none
        self._none: dict[SideName, dict[str, float]] = {
            "a": {pair.a: 1 - pair.probability for pair in matching.pairs} | dict(matching.unmatched_a),
            "b": {pair.b: 1 - pair.probability for pair in matching.pairs} | dict(matching.unmatched_b),
        }

    def all(self, at_least: float) -> Iterator[MatchingRow]:
        matching = self._matching
        pairs = [pair for pair in matching.pairs if pair.probability >= at_least or pair.a in matching.known]
        done: dict[SideName, set[str]] = {"a": {pair.a for pair in pairs}, "b": {pair.b for pair in pairs}}
        for pair in pairs:
            yield self._row(pair.a, pair.b, pair.probability, reason=self._words.reason(pair.a, pair.b))
            for split in matching.splits:
                if split.activity == (pair.a if split.side == "a" else pair.b):
                    yield from self._further_parts(split, done)
        sides: tuple[tuple[SideName, list[str]], ...] = (("a", matching.activities_a), ("b", matching.activities_b))
        for side, labels in sides:
            events = self._events[side]
            alone = [label for label in labels if label not in done[side]]
            for label in sorted(alone, key=lambda label: (-events[label], label)):
                yield self._alone(side, label, at_least)

    def _further_parts(self, split: Split, done: dict[SideName, set[str]]) -> Iterator[MatchingRow]:
        """Yield a row for each label of a split step that has none yet. A label of b has one name only, that of its partner."""
        other: SideName = "b" if split.side == "a" else "a"
        parts = f"{' and '.join(map(repr, split.parts))} are {split.activity!r}"
        for part in split.parts:
            if part not in done[other]:
                done[other].add(part)
                reason = f"{other.upper()} splits the step: {parts} ({percent(split.probability)})"
                if other == "b":
                    yield self._row(split.activity, part, split.probability, reason=reason)
                else:
                    yield self._row(part, None, split.probability, candidate=split.activity, reason=reason)

    def _alone(self, side: SideName, label: str, at_least: float) -> MatchingRow:
        a, b = (label, None) if side == "a" else (None, label)
        reason = self._words.of_unmatched(side, label, at_least)
        return self._row(a, b, self._none[side][label], candidate=self._words.candidate(side, label), reason=reason)

    def _row(self, a: str | None, b: str | None, probability: float, *, reason: str, candidate: str | None = None) -> MatchingRow:
        sides = ((a, self._events["a"], self._names["a"]), (b, self._events["b"], self._names["b"]))
        (events_a, name_a), (events_b, name_b) = (
            (None, None) if label is None else (events[label], names.get(label)) for label, events, names in sides
        )
        known = a is not None and b is not None and self._matching.known.get(a) == b
        return MatchingRow(a, b, probability, known, events_a, events_b, name_a, name_b, candidate, reason)
