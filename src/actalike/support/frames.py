"""Convert Polars frames to those of other libraries."""

import importlib
from typing import TYPE_CHECKING, Any, Literal

from actalike.errors import ActalikeError, MissingExtraError

if TYPE_CHECKING:
    import polars as pl

FrameKind = Literal["polars", "pandas", "pyarrow"]


def as_kind(frame: "pl.DataFrame", kind: FrameKind) -> Any:
    """Convert a Polars frame to a frame of pandas or pyarrow, or raise an error that says how to install the library."""
    if kind == "polars":
        return frame
    if kind not in ("pandas", "pyarrow"):
        raise ActalikeError(f"kind={kind!r} is none of 'polars', 'pandas', 'pyarrow'.")
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


def _library(name: str) -> Any:
    """Return a library if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
