"""Read events from a Parquet file: all its rows, or an error."""

import errno
import io
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.assemble import Events
from actalike.io.attribute_columns import take_attributes
from actalike.io.columns import WantedAttributes, find_attributes, find_columns
from actalike.io.frames import ColumnReader
from actalike.io.parquet_footer import Footer, not_whole, read_footer
from actalike.io.parquet_pages import check_pages
from actalike.io.unused_columns import SAMPLE_ROWS, Unread, worth_a_look
from actalike.support.frame_files import full_disk
from actalike.support.native_panics import NativePanic, catch_panics
from actalike.support.places import cannot_read

_BYTES_A_ROW = 24  # of memory while a file is read; rows times this is compared with max_bytes


def read_parquet(
    path: Path,
    names: dict[str, str | None],
    needs_transition: bool,
    timestamp_format: str | None,
    max_bytes: int,
    attributes: WantedAttributes = None,
    second_name: str | None = None,
) -> Events:
    """Read the events of a Parquet file from the columns that ``names`` gives or that are recognised, with these attributes.

    The column ``second_name`` is read as one of them.
    """
    footer = check_parquet(path, max_bytes)
    columns = find_columns(str(path), footer.columns, **names)
    reader = ColumnReader(str(path), columns, timestamp_format, needs_transition)
    further = find_attributes(str(path), footer.columns, columns, attributes, second_name)
    to_read = list(dict.fromkeys([*reader.names, *further]))
    check_pages(path, [chunk for chunk in footer.chunks if chunk.leaf.column in to_read], max_bytes)
    with native_reading(path):
        frame = scan_parquet(path).select(pl.selectors.by_name(*to_read)).collect()
    if frame.height != footer.rows:
        raise not_whole(path, f"{frame.height:,} rows can be read of the {footer.rows:,} that its footer says")
    may_have_time = columns.timestamp is None and names["timestamp"] is None
    others = footer.columns if may_have_time else [columns.transition] if columns.transition is not None else []
    names_to_see = worth_a_look([name for name in others if name not in reader.names], columns.transition)
    reader.unread = Unread(first_rows_of(path, footer, names_to_see, max_bytes)[0], may_have_time)
    required = [second_name] if attributes == "people" else further
    reader.take(frame, take_attributes(frame, further, str(path), required))
    return replace(reader.events(), n_bytes=footer.rows * _BYTES_A_ROW)


def first_rows_of(path: Path, footer: Footer, names: list[str], max_bytes: int) -> tuple[pl.DataFrame, dict[str, LogError]]:
    """Return the first rows of columns that are only looked at, without those that cannot be read, and why these cannot."""
    columns, faults = [], {}
    for name in names:
        try:
            check_pages(path, [chunk for chunk in footer.chunks if chunk.leaf.column == name], max_bytes)
            with native_reading(path):
                columns.append(scan_parquet(path).select(pl.selectors.by_name(name)).head(SAMPLE_ROWS).collect())
        except LogError as error:
            faults[name] = error
    return pl.concat(columns, how="horizontal") if columns else pl.DataFrame(), faults


def check_parquet(path: Path, max_bytes: int) -> Footer:
    """Read and check the footer of a file, and that its rows fit into so many bytes of memory."""
    footer = read_footer(path)
    if footer.rows * _BYTES_A_ROW > max_bytes:
        raise LogError(
            f"{path} holds {footer.rows:,} rows, too many for {max_bytes:,} bytes of memory. If this is intended, allow more "
            "with max_bytes=... (--max-bytes); nothing was read."
        )
    if len(set(footer.columns)) < len(footer.columns):
        twice = shortened(Counter(footer.columns).most_common(1)[0][0])
        raise LogError(f"{path} has two columns of the same name ({twice!r}): rename one; nothing was read.")
    return footer


def scan_parquet(path: Path, to_copy: bool = False) -> pl.LazyFrame:
    """Open a Parquet file with Polars, to be read within :func:`native_reading`.

    Polars panics at zones that it does not know, even at ``+05:30``. Parquet keeps the timestamps of every zone in UTC, and the
    name of the zone in a note for Arrow. So such a file is read from a copy in memory in which that note has another name. The
    note tells other types too, so a file that is read ``to_copy`` all of its columns is refused.
    """
    frame = pl.scan_parquet(path, glob=False)
    try:
        with catch_panics():
            frame.collect_schema()
    except NativePanic as error:
        if "time zone" not in str(error):
            raise
        if to_copy:
            raise LogError(
                f"{path} has timestamps in a time zone that cannot be copied as it is: write them in UTC, or in a zone such as "
                "Europe/Berlin; nothing was written."
            ) from None
        content = path.read_bytes()
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        renamed = content[footer:].replace(b"ARROW:schema", b"arrow-schema")
        return pl.scan_parquet(io.BytesIO(content[:footer] + renamed))
    return frame


@contextmanager
def native_reading(path: Path, output: Path | None = None) -> Iterator[None]:
    """Turn every way in which the native reader can fail into one error about the file.

    If it writes an ``output`` at the same time, an error of the system is raised as OSError, because it is about that file.
    """
    try:
        with catch_panics():
            yield
    except FileNotFoundError:
        raise LogError(cannot_read(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))) from None
    except (pl.exceptions.PolarsError, NativePanic, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        if output and (number := re.search(r"\(os error (\d+)\)", reason)):
            raise OSError(int(number[1]), os.strerror(int(number[1]))) from None
        if output and (full := full_disk(output)):
            raise full from None
        raise LogError(
            f"{path} cannot be read as Parquet ({reason[:200]}): it is damaged, or written in a way that is not supported. Get a "
            "complete copy, or write it again; nothing was read."
        ) from None
