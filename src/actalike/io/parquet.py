"""Read events from a Parquet file with Polars, which must return as many rows as the footer declares.

Polars does not verify checksums (docs/reading.md).
"""

import base64
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from polars.exceptions import PanicException, PolarsError

from actalike.errors import LogError
from actalike.io.columns import SAMPLE_ROWS, find_attributes, find_columns, look_hint
from actalike.io.frame import Events, ReadOptions, columns_to_read, events_from_columns, unused_columns
from actalike.support.files import cannot_read

_BYTES_A_ROW = 24  # of memory while a file is read; rows times this is compared with max_bytes
_ARROW_SCHEMA = "ARROW:schema"  # the key of the metadata with Arrow's types, such as time zones
_ZONE = re.compile(rb"[\w+-]+(?:[/:][\w+-]+)*(?=\0)")


@dataclass(frozen=True)
class ParquetFile:
    """Hold the metadata of a Parquet file: its rows and columns. The values are read later."""

    path: Path
    rows: int
    schema: pl.Schema
    _scan: pl.LazyFrame

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return self.schema.names()

    def read(self, names: Sequence[str]) -> pl.DataFrame:
        """Return all rows of some columns; another number than the footer declares is an error."""
        with _polars_reading(self.path):
            frame = self._scan.select(pl.selectors.by_name(*names)).collect()
        if frame.height != self.rows:
            raise _unreadable(self.path, f"{frame.height:,} of {self.rows:,} rows can be read")
        return frame

    def first_rows(self, names: Sequence[str]) -> tuple[pl.DataFrame, dict[str, LogError]]:
        """Return the first rows of columns, without those that cannot be read, and the errors of these."""
        columns, faults = [], {}
        for name in names:
            try:
                with _polars_reading(self.path):
                    columns.append(self._scan.select(pl.selectors.by_name(name)).head(SAMPLE_ROWS).collect())
            except LogError as error:
                faults[name] = error
        return pl.concat(columns, how="horizontal") if columns else pl.DataFrame(), faults


def open_parquet(path: Path, max_bytes: int | None = None) -> ParquetFile:
    """Read the metadata of a file, and check that its rows fit into ``max_bytes`` of memory."""
    try:
        path.open("rb").close()
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    with _polars_reading(path):
        scan = _scan(path)
        rows = scan.select(pl.len()).collect().item()
        schema = scan.collect_schema()
    if max_bytes is not None and rows * _BYTES_A_ROW > max_bytes:
        raise LogError(
            f"{path} holds {rows:,} rows, too many for {max_bytes:,} bytes of memory. If this is intended, allow more "
            "with max_bytes=... (--max-bytes); nothing was read."
        )
    return ParquetFile(path, rows, schema, scan)


def read_parquet(path: Path, options: ReadOptions) -> Events:
    """Read the events of a Parquet file."""
    source = str(path)
    file = open_parquet(path, options.max_bytes)
    try:
        columns = find_columns(source, file.columns, **options.columns)
    except LogError as error:
        raise LogError(f"{error}{look_hint(path)}") from None
    attributes = find_attributes(source, file.columns, columns, options.attributes, options.name)
    if options.attributes == "people":
        unreadable = file.first_rows(attributes)[1]
        attributes = [name for name in attributes if name == options.name or name not in unreadable]
    frame = file.read(columns_to_read(columns, options, attributes))
    has_time = columns.timestamp is not None or options.timestamp is not None
    others = [name for name in file.columns if not has_time or name == columns.transition]  # each costs time
    unused = unused_columns(others, columns, options, lambda names: file.first_rows(names)[0])
    return events_from_columns(source, frame, columns, options, attributes, unused, n_bytes=file.rows * _BYTES_A_ROW)


def _scan(path: Path) -> pl.LazyFrame:
    """Open a file with Polars.

    Polars panics at time zones that it does not know, such as ``+05:30``. Parquet stores timestamps in UTC, and the name of the
    zone in metadata for Arrow. So such a file is read from a copy in memory in which that key is renamed.
    """
    note = pl.read_parquet_metadata(path).get(_ARROW_SCHEMA, "")
    if not any(map(_is_unknown_zone, set(_ZONE.findall(base64.b64decode(note))))):
        scan = pl.scan_parquet(path, glob=False)
        try:
            scan.collect_schema()
            return scan
        except PanicException as error:
            if "time zone" not in str(error):
                raise
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    renamed = content[footer:].replace(_ARROW_SCHEMA.encode(), b"arrow-schema")
    return pl.scan_parquet(io.BytesIO(content[:footer] + renamed))


def _is_unknown_zone(word: bytes) -> bool:
    """Return whether a word of Arrow's metadata looks like a time zone that Polars does not know.

    >>> _is_unknown_zone(b"+05:30"), _is_unknown_zone(b"Europe/Berlin"), _is_unknown_zone(b"case")
    (True, False, False)
    """
    if b"/" not in word and not word.startswith((b"+", b"-")):
        return False
    try:
        pl.Series(dtype=pl.Datetime("us", word.decode(errors="replace")))
    except PolarsError:
        return True
    return False


@contextmanager
def _polars_reading(path: Path) -> Iterator[None]:
    """Turn every way in which Polars fails into one error about the file. Polars reports a panic on standard error too."""
    try:
        yield
    except (PolarsError, PanicException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise _unreadable(path, reason.rpartition("out of specification: ")[2][:200]) from None


def _unreadable(path: Path, reason: str) -> LogError:
    return LogError(
        f"{path} cannot be read as Parquet ({reason}): it is damaged, or written in a way that is not supported. Get a complete "
        "copy, or write it again; nothing was read."
    )
