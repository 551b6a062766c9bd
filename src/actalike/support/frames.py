"""Convert Polars frames to those of other libraries, and write them to files with the errors of the operating system.

Polars is imported where it is used: it takes time to load, and most of the package does without it.
"""

import importlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from actalike.errors import ActalikeError, MissingExtraError
from actalike.support.files import write_atomically
from actalike.support.text import escape_formula

if TYPE_CHECKING:
    import polars as pl

FrameKind = Literal["polars", "pandas", "pyarrow"]


def as_kind(frame: "pl.DataFrame", kind: FrameKind) -> Any:
    """Convert a Polars frame to a frame of pandas or pyarrow, or raise an error that says how to install the library."""
    if kind == "polars":
        return frame
    if kind not in ("pandas", "pyarrow"):
        raise ActalikeError(f"kind={kind!r} must be 'polars', 'pandas' or 'pyarrow'.")
    library = _library(kind)
    if library is None:
        raise MissingExtraError(f"A {kind} frame needs {kind}: pip install {kind}.")
    arrow = library if kind == "pyarrow" else _library("pyarrow")
    if arrow is None:  # pandas works without it, 50 times slower
        return library.DataFrame({name: frame[name].to_list() for name in frame.columns})
    import polars as pl

    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    plain = [column.with_type(arrow.string()) if column.type == arrow.large_string() else column for column in table.schema]
    table = table.cast(arrow.schema(plain))
    return table if kind == "pyarrow" else table.to_pandas()


def write_frame(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file whole or not at all; ``write`` has Polars write a frame to the open file it is given.

    Polars is given an open file and not its name, because it takes only names that are UTF-8.

    >>> import polars as pl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_frame(f"{folder}/x.csv", pl.DataFrame({"a": [1, 2]}).write_csv)
    ...     Path(f"{folder}/x.csv").read_text()
    'a\\n1\\n2\\n'
    """
    import polars as pl

    def fill(part: Path) -> None:
        try:
            with part.open("wb") as file:
                write(file)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise _plain_error(error, part, path) from None

    write_atomically(path, fill)


def for_spreadsheets(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return a frame whose strings and column names no spreadsheet runs as formulas.

    >>> import polars as pl
    >>> for_spreadsheets(pl.DataFrame({"activity": ["Check", "=1+1"], "-x": [-1.0, 0.5]})).write_csv()
    "activity,'-x\\nCheck,-1.0\\n'=1+1,0.5\\n"
    """
    import polars as pl

    texts = [
        pl.Series(name, [None if text is None else escape_formula(text) for text in frame[name]], dtype=pl.String)
        for name in frame.columns
        if frame.schema[name] == pl.String
    ]
    return frame.with_columns(texts).rename({name: escape_formula(name) for name in frame.columns})


def _library(name: str) -> Any:
    """Return a library if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _full_disk(part: Path) -> OSError | None:
    """Return the error of the operating system if a file that is being written cannot grow, else None.

    Polars does not always report a full disk as such ("transport error"): if it is full, another block does not fit either.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _full_disk(Path(f"{folder}/x.parquet"))
    """
    try:
        with part.open("ab") as file:
            file.write(bytes(1 << 12))
    except OSError as cause:
        return cause
    return None


def _plain_error(error: Exception, part: Path, path: str | Path) -> Exception:
    """Return the error of the operating system behind an error of Polars; else one with the first line of its message."""
    number = re.search(r"\(os error (\d+)\)", str(error))
    if number:
        return OSError(int(number[1]), os.strerror(int(number[1])))
    if isinstance(error, OSError):
        return error
    return _full_disk(part) or ActalikeError(f"{path} cannot be written: {str(error).splitlines()[0]}. Nothing was written.")
