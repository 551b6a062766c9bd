"""Check that an engine counts every row of its Parquet files: their footers say how many there are."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from actalike.counting.engines.sources import parquet_pattern
from actalike.errors import LogError
from actalike.io import log_kind, read_footer


def stored_rows(frame: Any, source: str) -> int | None:
    """Return how many rows the Parquet files of an engine's frame have; None if it has none, or not all are on this machine."""
    if log_kind(source) == "csv" or "://" in source:
        return None
    files = _files(frame, source)
    if not files or not all(file.is_file() and _is_parquet(file) for file in files):
        return None
    return sum(read_footer(file, limit=None).rows for file in files)


def check_rows_counted(source: str, stored: int | None, counted: int) -> None:
    """Raise an error if an engine counted another number of events than its files have rows.

    >>> check_rows_counted("events/*.parquet", 10, 10)
    """
    if stored not in (None, counted):
        raise LogError(
            f"{source}: {counted:,} events were counted, but its Parquet files have {stored:,} rows by their own account: one of "
            "them is damaged. Get complete copies; nothing was counted."
        )


def _files(frame: Any, source: str) -> list[Path]:
    if hasattr(frame, "inputFiles"):  # Spark
        return [Path(unquote(urlsplit(address).path)) for address in frame.inputFiles()]
    quoted = parquet_pattern(source).replace("'", "''")
    return [Path(name) for (name,) in frame.query("events", f"SELECT file FROM glob('{quoted}')").fetchall()]


def _is_parquet(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == b"PAR1"
