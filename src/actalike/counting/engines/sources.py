"""Tell what an engine is given: Parquet, CSV files or a database, and by which paths."""

import glob
import re
from pathlib import Path

from actalike.errors import LogError
from actalike.io import log_kind, refuse_spreadsheet

DATABASES = (".duckdb", ".ddb", ".db")


def is_database(source: str) -> bool:
    """Return whether a source is a DuckDB database, by its name."""
    return source.lower().endswith(DATABASES)


def is_pattern(source: str) -> bool:
    """Return whether a source is a pattern for several files. A file that exists is never one, whatever its name.

    >>> is_pattern("events/*.parquet"), is_pattern("events.parquet")
    (True, False)
    """
    return bool(re.search(r"[*?\[]", source)) and not Path(source).exists()


def check_source(source: str) -> None:
    """Raise an error if a source does not exist, or is a file that no engine reads; addresses are left to the engine."""
    if "://" in source:
        return
    if not is_pattern(source) and not Path(source).exists():
        raise LogError(f"{source} cannot be read: No such file or directory.")
    refuse_spreadsheet(Path(source))
    if log_kind(source) == "xes":
        raise LogError(f"{source}: an engine reads Parquet, CSV or a database; leave --engine out for XES. Nothing was read.")
    if source.lower().endswith(".actalike"):
        raise LogError(f"{source} is no log: it was counted or embedded already, so leave --engine out.")


def csv_files(source: str) -> list[Path] | None:
    """Return the CSV files that a source names, sorted; None if it names something else."""
    if "://" in source or Path(source).is_dir():
        return None
    if not is_pattern(source):
        return [Path(source)] if log_kind(source) == "csv" else None
    matches = [Path(match) for match in sorted(glob.glob(source, recursive=True))]
    tables = [match for match in matches if log_kind(match) == "csv"]
    if not tables and log_kind(source) == "csv":
        raise LogError(f"{source}: no file matches the pattern; nothing was read.")
    if tables and len(tables) < len(matches):
        other = next(match for match in matches if match not in tables)
        raise LogError(f"{source} matches CSV files and others, such as {other}: name one kind of them; nothing was read.")
    return tables or None


def parquet_pattern(source: str) -> str:
    """Return the pattern by which DuckDB finds the Parquet files of a source; a file or folder that exists is taken literally."""
    if "://" in source or is_pattern(source):
        return source
    return f"{glob.escape(source)}/**/*.parquet" if Path(source).is_dir() else glob.escape(source)


def spark_path(source: str) -> str:
    """Return the path by which Spark finds files; a local file or folder that exists is taken literally."""
    if "://" in source or is_pattern(source):
        return source
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", source)
