"""Relabel a Parquet file: keep all columns, their types and the file's metadata, and add a column at the end."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO

import polars as pl

from actalike.io import (
    Order,
    check_pages,
    check_parquet,
    find_columns,
    native_reading,
    order_of_columns,
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
    metadata = {key: value for key, value in notes.items() if key != "ARROW:schema"}  # Polars adds it

    def write(file: IO[bytes]) -> None:
        with native_reading(path, Path(file.name)):
            frame.sink_parquet(file, metadata=metadata)
        file.flush()
        if footer.rows != len(events.codes) or read_footer(Path(file.name)).rows != plan.result.events:
            raise changed_meanwhile(path)

    write_frame(output, write)
    return plan.result
