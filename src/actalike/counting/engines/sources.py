"""Tell what an engine is given: Parquet, CSV files or a database, and by which paths."""

import glob
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from actalike.errors import LogError
from actalike.io import KINDS, log_kind, refuse_spreadsheet

DATABASES = (".duckdb", ".ddb", ".db")


def local_name(source: str) -> str:
    """Return the path that an address of a local file stands for, and a path without a slash at its end; others as they are.

    >>> local_name("FILE:///data/my%20log.parquet"), local_name("log.parquet/"), local_name("s3://bucket/log.parquet")
    ('/data/my log.parquet', 'log.parquet', 's3://bucket/log.parquet')
    """
    if re.match("file:", source, re.IGNORECASE):
        return unquote(urlsplit(source).path)
    return source if "://" in source else str(Path(source))


def is_database(source: str) -> bool:
    """Return whether a source is a DuckDB database, by its name."""
    return source.lower().endswith(DATABASES)


def is_pattern(source: str) -> bool:
    """Return whether a source is a pattern for several files. A file that exists is never one, whatever its name.

    >>> is_pattern("events/*.parquet"), is_pattern("events.parquet")
    (True, False)
    """
    return bool(re.search(r"[*?\[{]", source)) and not Path(source).exists()


def check_source(source: str) -> None:
    """Raise an error if a source does not exist, or is a file that no engine reads; addresses are left to the engine."""
    if "://" in source:
        return
    if not is_pattern(source) and not Path(source).exists():
        raise LogError(f"{source} cannot be read: No such file or directory.")
    refuse_spreadsheet(Path(source))
    kind = KINDS.get(log_kind(source) or "")
    if kind is not None and not kind.is_counted:
        raise LogError(
            f"{source}: an engine reads Parquet, CSV or a database; leave --engine out for {kind.words}. Nothing was read."
        )
    if source.lower().endswith(".actalike"):
        raise LogError(f"{source} is no log: it was counted or embedded already, so leave --engine out.")


def csv_files(source: str) -> list[Path] | None:
    """Return the CSV files that a source names, sorted; None if it names something else."""
    if "://" in source or Path(source).is_dir():
        return None
    if not is_pattern(source):
        return [Path(source)] if log_kind(source) == "csv" else None
    matches = matching_files(source)
    tables = [match for match in matches if log_kind(match) == "csv"]
    if not tables and log_kind(source) == "csv":
        raise LogError(f"{source}: no file matches the pattern; nothing was read.")
    if tables and len(tables) < len(matches):
        other = next(match for match in matches if match not in tables)
        raise LogError(f"{source} matches CSV files and others, such as {other}: name one kind of them; nothing was read.")
    return tables or None


def alternatives(pattern: str) -> list[str]:
    """Return a pattern with each of the alternatives in its braces, which glob does not know.

    >>> alternatives("{may,june}/*.csv")
    ['may/*.csv', 'june/*.csv']
    """
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [variant for word in braces[1].split(",") for variant in alternatives(f"{before}{word}{after}")]


def matching_files(pattern: str) -> list[Path]:
    """Return the files that match a pattern, sorted. Engines understand patterns in different ways, so they are given files."""
    matches = {match for variant in alternatives(pattern) for match in glob.glob(variant, recursive=True)}
    return sorted(path for match in matches if (path := Path(match)).is_file())


def parquet_files(source: str) -> list[Path]:
    """Return the Parquet files of this machine that a source names: a file, all files of a folder, or those of a pattern."""
    if Path(source).is_dir():
        files = sorted(path for path in Path(source).rglob("*.parquet") if path.is_file())
    else:
        files = matching_files(source) if is_pattern(source) else [Path(source)]
    if not files:
        kind = "no file matches the pattern" if is_pattern(source) else "the folder has no .parquet file"
        raise LogError(f"{source}: {kind}; nothing was read.")
    return files


def escaped(path: Path) -> str:
    """Return a path as Spark takes it literally."""
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", str(path))
