"""Look at an object-centric log: its types of objects, the attributes of its events, and which type to choose."""

from pathlib import Path

import numpy as np
import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.assemble import assemble
from actalike.io.column_facts import ColumnFacts, describe_column
from actalike.io.look_data import Look
from actalike.io.look_proposals import Proposal
from actalike.io.object_centric.content import Content, as_array
from actalike.io.object_centric.event_attributes import SampledAttributes
from actalike.io.object_centric.flattening import COLUMNS, flatten, read_content, refuse_columns
from actalike.io.object_centric.object_types import ObjectTypeFacts, choose_type, facts_of_types
from actalike.io.unused_columns import SAMPLE_ROWS
from actalike.log import EventLog, names_people

_SHOWN_ROWS = 5
_PROPOSED = 5  # types
_MOST_COLUMNS = 500


def look_at_types(path: Path, kind: str, names: dict[str, str | None], object_type: str | None, max_bytes: int) -> Look:
    """Look at all of a file: what is said of its types must be true. Values of attributes are those of the first events."""
    refuse_columns(path, names)
    sample = SampledAttributes(SAMPLE_ROWS, _MOST_COLUMNS)
    content, _ = read_content(path, kind, sample, max_bytes, None)
    facts = facts_of_types(content)
    columns, left_out, rows = _columns(content, kind, sample)
    log, error = _read(content, kind, object_type)
    proposals = [] if log is not None else _proposals(facts)
    reading = None if log is None else log.reading
    proposed = log
    if log is None and proposals:
        proposed, _ = _read(content, kind, proposals[0].value)
    return Look(
        str(path), kind, path.stat().st_size, None, None, False, len(content.events), True, len(content.events), tuple(columns),
        left_out, rows, reading, error, () if reading is None else tuple(reading.remarks()), tuple(proposals),
        None if proposed is None else proposed.reading,
        sampled_cases=frozenset() if proposed is None else frozenset(proposed.case_ids),
        object_types=tuple(facts),
    )  # fmt: skip


def _read(content: Content, kind: str, object_type: str | None) -> tuple[EventLog | None, str | None]:
    """Flatten by a type, and return the log, or why that fails."""
    try:
        return assemble(flatten(content, kind, choose_type(content, object_type), {}), "ignore", "time"), None
    except LogError as error:
        return None, str(error)


def _proposals(facts: list[ObjectTypeFacts]) -> list[Proposal]:
    """Propose the types with the most events for each object. Those with a single case come last: a log has several."""
    usable = sorted(
        (each for each in facts if each.with_events),
        key=lambda each: (each.with_events == 1, -each.events_per_object, -each.relations),
    )
    return [
        Proposal(
            "--object-type", each.name, f"{_cases(each.with_events)} with {each.events_per_object:.1f} events on average", True
        )
        for each in usable[:_PROPOSED]
    ]


def _columns(
    content: Content, kind: str, sample: SampledAttributes
) -> tuple[list[ColumnFacts], int, tuple[tuple[str | None, ...], ...]]:
    """Return what the activity, the time and the attributes of the first events are like, and the first rows."""
    n_events = min(len(content.events), SAMPLE_ROWS)
    activity, time = COLUMNS[kind]
    labels = list(content.event_types)
    times = np.datetime_as_string(content.times()[:n_events].view("datetime64[us]"), unit="s").tolist()
    first = [labels[code] for code in as_array(content.type_of_event)[:n_events].tolist()]
    columns = [
        describe_column(pl.Series(activity, first, dtype=pl.String), "event", "activity", "the type of an event is its activity"),
        describe_column(pl.Series(time, times, dtype=pl.String), "event", "timestamp", "every event has one"),
    ]
    for name in sample.names:
        values = [sample.events.get(event, {}).get(name) for event in range(n_events)]
        role = ("resource or organisation", "its name is usual for one") if names_people(name) else (None, None)
        columns.append(describe_column(pl.Series(name, values, dtype=pl.String), "event", *role))
    rows = [
        (first[event], times[event], *(sample.events.get(event, {}).get(name) for name in sample.names))
        for event in range(min(n_events, _SHOWN_ROWS))
    ]
    shown = tuple(tuple(None if cell is None else shortened(cell, 40) for cell in row) for row in rows)
    return columns, len(sample.left_out), shown


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number:,} cases"
