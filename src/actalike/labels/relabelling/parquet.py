"""Relabel a Parquet file: keep all columns, their types and notes, and add a column at the end.

The copy is written by Polars. A type that Polars does not have becomes the nearest one: times of day and durations in seconds get
finer units, bytes of a fixed length become bytes, maps get long texts, and columns that must have values become columns that may
have none. The categories of a column are those that occur, in the order in which they do. No value changes.
"""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import polars as pl

from actalike.errors import LogError
from actalike.io import (
    ARROW_SCHEMA,
    Order,
    check_pages,
    check_parquet,
    copied_schema,
    find_columns,
    native_reading,
    order_of_columns,
    pandas_note,
    read_footer,
    read_parquet,
    scan_parquet,
)
from actalike.labels.relabelling.plan import ORIGINAL, Relabelled, check_earlier, make_plan
from actalike.labels.relabelling.writing import changed_meanwhile
from actalike.support.frame_files import write_frame


def relabel_parquet(
    path: Path,
    output: Path,
    mapping: Mapping[str, str],
    collapse: bool,
    names: dict[str, str | None],
    order: Order | None,
    timestamp_format: str | None,
    max_bytes: int,
) -> Relabelled:
    """Read the log's columns to make a plan, then stream all columns into a new file with the new labels."""
    events = read_parquet(path, names, False, timestamp_format, max_bytes)
    plan = make_plan(events, mapping, collapse, order or order_of_columns(events))
    footer = check_parquet(path, max_bytes)
    check_pages(path, footer.chunks, max_bytes)  # of all columns, not only of those that make the plan
    with native_reading(path):
        frame = scan_parquet(path, to_copy=True)
        schema = frame.collect_schema()
        notes = pl.read_parquet_metadata(path)
    label = find_columns(str(path), schema.names(), **names).activity
    old = pl.col(label).cast(pl.String)
    changed = {before: name for before, name in zip(events.labels, plan.names, strict=True) if name is not None}
    original: pl.Expr = pl.when(old.is_in(list(changed))).then(old)
    if ORIGINAL in schema.names():
        check_earlier(str(path), schema[ORIGINAL])
        original = pl.coalesce(pl.col(ORIGINAL).cast(pl.String), original)
    dtype = schema[label] if schema[label] == pl.Categorical else pl.String  # other types cannot hold every name
    if plan.dropped.any():
        dropped = pl.Series(plan.dropped.nonzero()[0])
        frame = frame.filter(~pl.int_range(pl.len(), dtype=pl.Int64).is_in(dropped.implode()))
    frame = frame.with_columns(original.alias(ORIGINAL), old.replace(changed).cast(dtype).alias(label))
    if "pandas" in notes and schema[label] not in (pl.String, pl.Categorical, pl.Enum):
        notes["pandas"] = pandas_note(notes["pandas"], [label])
    metadata = _notes_of_copy(path, notes, frame.collect_schema(), {label, ORIGINAL})

    def write(file: IO[bytes]) -> None:
        with native_reading(path, Path(file.name)):
            frame.sink_parquet(file, metadata=metadata)
        file.flush()
        if footer.rows != len(events.codes) or read_footer(Path(file.name)).rows != plan.result.events:
            raise changed_meanwhile(path)

    write_frame(output, write)
    return plan.result


def _notes_of_copy(path: Path, notes: Mapping[str, str], schema: pl.Schema, changed: set[str]) -> dict[str, str]:
    """Return the notes of a copy: those of the source, with its description of the columns brought up to date."""
    empty = io.BytesIO()
    with native_reading(path):
        pl.DataFrame(schema=schema).lazy().sink_parquet(empty)
    empty.seek(0)
    written = pl.read_parquet_metadata(empty)[ARROW_SCHEMA]
    own = {key: value for key, value in notes.items() if key != ARROW_SCHEMA}
    try:
        return own | {ARROW_SCHEMA: copied_schema(notes.get(ARROW_SCHEMA), written, own, changed)}
    except ValueError as error:
        raise LogError(
            f"{path} has a note {ARROW_SCHEMA} that cannot be copied ({error}): write it again; nothing was written."
        ) from None
