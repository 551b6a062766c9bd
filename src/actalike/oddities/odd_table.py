"""Put odd events into a table for a person to look through: a row for each, with the reason in words."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from actalike.labels import table_bytes
from actalike.log import EventLog
from actalike.oddities.odd_data import Expected, Kind, OddEvent
from actalike.oddities.odd_words import odd_sentence
from actalike.support.files import write_atomically

_DECIMALS = 4  # of scores and shares in a file


class OddRow(NamedTuple):
    """Hold a row of the table of odd events. Unlike in an OddEvent, cases and events count from 1, as a person does.

    ``expected`` is the most frequent of ``alternatives``, which are what usually stands there.
    """

    score: float
    case: str
    event: int
    kind: Kind
    activity: str | None
    reason: str
    before: str | None
    after: str | None
    seam: int | None
    context: list[str | None]
    times: int
    total: int
    expected: str | None
    missing: list[str]
    belongs_before: int | None
    attribute: str | None
    value: str | None
    events: list[int]
    alternatives: list[Expected]
    case_number: int
    occurs: list[int]
    same_time: bool


def odd_rows(events: Iterable[OddEvent], log: EventLog) -> Iterator[OddRow]:
    """Yield a row for each odd event."""
    for one in events:
        yield OddRow(
            score=one.score,
            case=one.case,
            event=one.position + 1,
            kind=one.kind,
            activity=one.activity,
            reason=odd_sentence(one, log),
            before=one.before,
            after=one.after,
            seam=None if one.kind == "attribute" else one.seam + 1,
            context=list(one.context),
            times=one.times,
            total=one.total,
            expected=one.expected[0].value if one.expected else None,
            missing=list(one.missing),
            belongs_before=None if one.belongs is None else one.belongs + 1,
            attribute=one.attribute,
            value=one.value,
            events=[position + 1 for position in one.events],
            alternatives=list(one.expected),
            case_number=one.case_number + 1,
            occurs=list(one.occurs or ()),
            same_time=one.same_time,
        )


def odd_facts(events: Iterable[OddEvent], log: EventLog) -> list[dict[str, Any]]:
    """Return the rows of the table as plain values by the names of their columns."""
    return [
        {**row._asdict(), "alternatives": [expected._asdict() for expected in row.alternatives]} for row in odd_rows(events, log)
    ]


def odd_frame(events: Iterable[OddEvent], log: EventLog) -> pl.DataFrame:
    """Return the table of odd events as a frame."""
    return pl.DataFrame(odd_facts(events, log), schema=_SCHEMA, orient="row")


def write_odd_events(events: Iterable[OddEvent], log: EventLog, path: str | Path) -> None:
    """Write the table of odd events as a CSV file (docs/file_formats.md), whole or not at all."""
    rows = ([_cell(value) for value in row] for row in odd_rows(events, log))
    content = table_bytes((OddRow._fields, *rows))
    write_atomically(path, lambda part: part.write_bytes(content))


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "score": pl.Float64,
    "case": pl.String,
    "event": pl.Int64,
    "kind": pl.String,
    "activity": pl.String,
    "reason": pl.String,
    "before": pl.String,
    "after": pl.String,
    "seam": pl.Int64,
    "context": pl.List(pl.String),
    "times": pl.Int64,
    "total": pl.Int64,
    "expected": pl.String,
    "missing": pl.List(pl.String),
    "belongs_before": pl.Int64,
    "attribute": pl.String,
    "value": pl.String,
    "events": pl.List(pl.Int64),
    "alternatives": pl.List(pl.Struct({"value": pl.String, "times": pl.Int64, "share": pl.Float64})),
    "case_number": pl.Int64,
    "occurs": pl.List(pl.Int64),
    "same_time": pl.Boolean,
}


def _cell(value: object) -> str:
    """Return a value as the text of a cell; a list as JSON, because labels may have any separator in them."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.{_DECIMALS}f}"
    if isinstance(value, list):
        items = [{**one._asdict(), "share": round(one.share, _DECIMALS)} if isinstance(one, Expected) else one for one in value]
        return json.dumps(items, ensure_ascii=False) if items else ""
    return "" if value is None else str(value)
