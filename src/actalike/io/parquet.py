"""Read events from a Parquet file: all its rows, or an error."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from actalike.errors import LogError
from actalike.io.assemble import Events
from actalike.io.columns import find_columns
from actalike.io.frames import ColumnReader
from actalike.io.parquet_footer import Footer, not_whole, read_footer
from actalike.io.parquet_pages import check_pages
from actalike.support.native_panics import NativePanic, catch_panics

_BYTES_A_ROW = 24  # of memory while a file is read; rows times this is compared with max_bytes


def read_parquet(
    path: Path, names: dict[str, str | None], needs_transition: bool, timestamp_format: str | None, max_bytes: int
) -> Events:
    """Read the events of a Parquet file from the columns that ``names`` gives or that are recognised."""
    footer = check_parquet(path, max_bytes)
    columns = find_columns(str(path), footer.columns, **names)
    if not needs_transition:
        columns = columns._replace(transition=None)
    wanted = [name for name in dict.fromkeys(columns) if name is not None]
    check_pages(path, [chunk for chunk in footer.chunks if chunk.leaf.column in wanted], max_bytes)
    reader = ColumnReader(str(path), columns, timestamp_format)
    with native_reading(path):
        frame = pl.scan_parquet(path, glob=False).select(pl.selectors.by_name(*wanted)).collect()
    if frame.height != footer.rows:
        raise rows_differ(path, footer.rows, frame.height)
    reader.take(frame)
    return reader.events()


def check_parquet(path: Path, max_bytes: int) -> Footer:
    """Read and check the footer of a file, and that its rows fit into so many bytes of memory."""
    footer = read_footer(path)
    if footer.rows * _BYTES_A_ROW > max_bytes:
        raise LogError(
            f"{path} holds {footer.rows:,} rows, too many for {max_bytes:,} bytes of memory. If this is intended, allow more with "
            "max_bytes=... (--max-bytes); nothing was read."
        )
    if len(set(footer.columns)) < len(footer.columns):
        twice = next(name for name in footer.columns if footer.columns.count(name) > 1)
        raise LogError(f"{path} has two columns of the same name ({twice!r}): rename one; nothing was read.")
    return footer


@contextmanager
def native_reading(path: Path) -> Iterator[None]:
    """Turn every way in which the native reader can fail into one error about the file."""
    try:
        with catch_panics():
            yield
    except FileNotFoundError:
        raise LogError(f"{path} cannot be read: No such file or directory.") from None
    except (pl.exceptions.PolarsError, NativePanic, OSError) as error:
        lines = str(error).splitlines()
        raise not_whole(path, lines[0] if lines else type(error).__name__) from None


def rows_differ(path: Path, said: int, read: int) -> LogError:
    """Return the error about a file from which other rows come than its footer says."""
    return not_whole(path, f"{read:,} rows can be read of the {said:,} that its footer says")
