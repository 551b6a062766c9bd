"""Check the Parquet files that an engine counts, as those that are read in memory are checked: an engine looks less closely."""

from collections.abc import Sequence
from pathlib import Path

from actalike.errors import LogError
from actalike.io import Footer, check_pages, read_footer

_ANY_SIZE = 1 << 62  # an engine reads files of any size


def check_stored(source: str, files: Sequence[Path], columns: Sequence[str]) -> int:
    """Return the rows of the files, or raise an error unless they are sound in these columns and agree in their types.

    A column that is also the name of a folder (``activity=x``) is an error, because engines read different ones.
    """
    footers = [read_footer(file, limit=None) for file in files]
    for file, footer in zip(files, footers, strict=True):
        _check_folders(file, footer, columns, source)
        check_pages(file, [chunk for chunk in footer.chunks if chunk.leaf.column in columns], _ANY_SIZE)
        for column in columns:
            if (column in footer.texts) != (column in footers[0].texts):
                raise LogError(
                    f"{source}: the column {column!r} holds texts in one of {files[0]} and {file} and numbers in the other. "
                    "Write all files with one type, because 01 and 1 are two texts and one number; nothing was counted."
                )
    return sum(footer.rows for footer in footers)


def check_counted(source: str, stored: int, counted: int) -> None:
    """Raise an error if an engine counted another number of events than its files have rows.

    >>> check_counted("events/*.parquet", 10, 10)
    """
    if stored != counted:
        raise LogError(
            f"{source}: {counted:,} events were counted, but its Parquet files have {stored:,} rows by their own account: one of "
            "them is damaged. Get complete copies; nothing was counted."
        )


def _check_folders(file: Path, footer: Footer, columns: Sequence[str], source: str) -> None:
    if file == Path(source):
        return
    for folder in file.parent.parts:
        column, mark, _ = folder.partition("=")
        if mark and column in columns and column in footer.columns:
            raise LogError(
                f"{source}: {column!r} is a column of {file}, and the name of its folder {folder!r} says it too: rename one; "
                "nothing was counted."
            )
