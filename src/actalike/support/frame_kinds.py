"""Convert Polars frames to those of other libraries."""

import importlib
from typing import Any

import polars as pl

from actalike.errors import ActalikeError, MissingExtraError


def as_kind(frame: pl.DataFrame, kind: str) -> Any:
    """Convert a Polars frame to a frame of pandas or pyarrow, or raise an error that says how to install the library."""
    if kind == "polars":
        return frame
    if kind not in ("pandas", "pyarrow"):
        raise ActalikeError(f"kind={kind!r} is none of 'polars', 'pandas', 'pyarrow'.")
    try:
        library = importlib.import_module(kind)
    except ImportError:
        raise MissingExtraError(f"A {kind} frame needs {kind}: pip install {kind}.") from None
    columns = {name: frame[name].to_list() for name in frame.columns}  # to_list: Polars' own conversions need pyarrow
    return library.DataFrame(columns) if kind == "pandas" else library.table(columns)
