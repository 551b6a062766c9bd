"""Write Polars frames to files, whole or not at all, with the errors of the operating system instead of Polars' own."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO

import polars as pl

from actalike.errors import ActalikeError
from actalike.support.files import write_atomically
from actalike.support.text import escape_formula


def write_frame(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file whole or not at all; ``write`` has Polars write a frame to the open file it is given.

    Polars is given an open file and not its name, because it takes only names that are UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_frame(f"{folder}/x.csv", pl.DataFrame({"a": [1, 2]}).write_csv)
    ...     Path(f"{folder}/x.csv").read_text()
    'a\\n1\\n2\\n'
    """

    def fill(part: Path) -> None:
        try:
            with part.open("wb") as file:
                write(file)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise _plain_error(error, part, path) from None

    write_atomically(path, fill)


def for_spreadsheets(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose texts, and names of columns, no spreadsheet runs as formulas.

    >>> for_spreadsheets(pl.DataFrame({"activity": ["Check", "=1+1"], "-x": [-1.0, 0.5]})).write_csv()
    "activity,'-x\\nCheck,-1.0\\n'=1+1,0.5\\n"
    """
    texts = [
        pl.Series(name, [None if text is None else escape_formula(text) for text in frame[name]], dtype=pl.String)
        for name in frame.columns
        if frame.schema[name] == pl.String
    ]
    return frame.with_columns(texts).rename({name: escape_formula(name) for name in frame.columns})


def full_disk(part: Path) -> OSError | None:
    """Return the error of the operating system if a file that is being written cannot grow, else None.

    Polars does not always say that the disk is full ("transport error"): if it is, another block will not fit either.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     full_disk(Path(f"{folder}/x.parquet"))
    """
    try:
        with part.open("ab") as file:
            file.write(bytes(1 << 12))
    except OSError as cause:
        return cause
    return None


def _plain_error(error: Exception, part: Path, path: str | Path) -> Exception:
    """Return the error of the operating system that is behind an error of Polars; else one with the first line of its words."""
    number = re.search(r"\(os error (\d+)\)", str(error))
    if number:
        return OSError(int(number[1]), os.strerror(int(number[1])))
    if isinstance(error, OSError):
        return error
    return full_disk(part) or ActalikeError(f"{path} cannot be written: {str(error).splitlines()[0]}. Nothing was written.")
