"""Compare what an engine counts with what its Parquet files say of themselves."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from actalike.errors import LogError
from actalike.io import ParquetFile, open_parquet

_STRINGS = (pl.String, pl.Categorical, pl.Enum)


def check_stored(source: str, files: Sequence[Path], columns: Sequence[str]) -> int:
    """Return the rows of the files by their own account, or raise an error unless they agree in the types of these columns.

    A column that is also the name of a folder (``activity=x``) is an error, because engines read different ones.
    """
    opened = [open_parquet(file) for file in files]
    for file in opened:
        _check_folders(file, columns, source)
        for column in columns:
            if (file.schema.get(column) in _STRINGS) != (opened[0].schema.get(column) in _STRINGS):
                raise LogError(
                    f"{source}: the column {column!r} holds strings in one of {opened[0].path} and {file.path} and numbers in "
                    "the other. Write all files with one type, because 01 and 1 are two strings, but one number; nothing was "
                    "counted."
                )
    return sum(file.rows for file in opened)


def check_counted(source: str, stored: int, counted: int) -> None:
    """Raise an error if an engine counted another number of events than its files have rows.

    >>> check_counted("events/*.parquet", 10, 10)
    """
    if stored != counted:
        raise LogError(
            f"{source}: {counted:,} events were counted, but its Parquet files have {stored:,} rows by their own account: one of "
            "them is damaged. Get complete copies; nothing was counted."
        )


def _check_folders(file: ParquetFile, columns: Sequence[str], source: str) -> None:
    if file.path == Path(source):
        return
    for folder in file.path.parent.parts:
        column, mark, _ = folder.partition("=")
        if mark and column in columns and column in file.columns:
            raise LogError(
                f"{source}: {column!r} is a column of {file.path}, and the name of its folder {folder!r} says it too: rename "
                "one; nothing was counted."
            )
