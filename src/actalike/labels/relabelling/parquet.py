"""Relabel a Parquet file: keep all columns, their types and notes, and add a column at the end.

pyarrow copies, because it keeps what it and pandas see: types that Polars does not have, columns that must have values, the index
and attrs of a pandas frame. It verifies checksums on the way, and writes them.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from actalike.errors import LogError
from actalike.io import ReadOptions, find_columns, read_parquet
from actalike.labels.relabelling.frames import NewColumns, new_columns, rewrite_pyarrow
from actalike.labels.relabelling.plan import ORIGINAL, Relabelled, make_plan
from actalike.labels.relabelling.writing import changed_meanwhile
from actalike.support.extras import Extra
from actalike.support.files import write_atomically

_FORM = {"compression": "zstd", "write_page_checksum": True}


def relabel_parquet(path: Path, output: Path, mapping: Mapping[str, str], collapse: bool, options: ReadOptions) -> Relabelled:
    """Read the log's columns to make a plan, then copy all columns, one group of rows after the other."""
    pq = Extra("parquet", "pyarrow").load("pyarrow.parquet", "Relabelling a Parquet file")
    events = read_parquet(path, options)
    plan = make_plan(events, mapping, collapse, options, options.order or events.default_order)

    def copy(part: Path) -> None:
        with _pyarrow_errors(path, OSError):
            file = pq.ParquetFile(path, page_checksum_verification=True)
            columns = file.schema_arrow.names
        if file.metadata.num_rows != len(plan.codes):
            raise changed_meanwhile(path)
        new = new_columns(find_columns(str(path), columns, **options.columns).activity, plan)
        end = 0
        with _pyarrow_errors(path), part.open("wb") as opened, pq.ParquetWriter(opened, _schema(file, new), **_FORM) as writer:
            for number in range(file.num_row_groups):
                with _pyarrow_errors(path, OSError):
                    group = file.read_row_group(number)
                start, end = end, end + len(group)
                rows = new.rows(start, end)
                if ORIGINAL in columns:
                    rows = rows.with_earlier(pl.Series(group[ORIGINAL]), str(path))
                copied = rewrite_pyarrow(group, rows)
                if len(copied):
                    writer.write_table(copied.cast(writer.schema), row_group_size=len(copied))
        if end != len(plan.codes):
            raise changed_meanwhile(path)

    write_atomically(output, copy)
    return plan.result


def _schema(file: Any, new: NewColumns) -> Any:
    """Return the columns and notes of the copy."""
    source = file.schema_arrow
    schema = rewrite_pyarrow(source.empty_table(), new.rows(0, 0)).schema
    notes = (file.metadata.metadata or {}) | (schema.metadata or {})
    notes.pop(b"ARROW:schema", None)  # pyarrow writes it
    if b"pandas" in notes and schema.field(new.activity).type != source.field(new.activity).type:
        notes[b"pandas"] = _pandas_note(notes[b"pandas"], [new.activity])
    return schema.with_metadata(notes)


@contextmanager
def _pyarrow_errors(path: Path, *further: type[Exception]) -> Iterator[None]:
    """Turn the errors of pyarrow, and further ones where nothing is written, into one about the file that is copied."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, *further) as error:
        raise LogError(
            f"{path} cannot be copied as Parquet ({str(error).splitlines()[0][:200]}): it is damaged, or written in a way that "
            "is not supported. Get a complete copy, or write it again; nothing was written."
        ) from None


def _pandas_note(note: bytes, now_strings: Collection[str]) -> bytes:
    """Return the note of pandas with the type of strings for some columns; unchanged if it is not written as pandas does.

    >>> _pandas_note(b'{"columns": [{"field_name": "a", "pandas_type": "int64", "numpy_type": "Int64"}]}', ["a"])
    b'{"columns": [{"field_name": "a", "pandas_type": "unicode", "numpy_type": "object"}]}'
    """
    try:
        content = json.loads(note)
        for column in content["columns"]:
            if column["field_name"] in now_strings:
                column.update(pandas_type="unicode", numpy_type="object")
        return json.dumps(content).encode()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return note
