"""Relabel a frame of pandas, Polars or pyarrow: keep its rows, columns, types and notes, and add a column at the end."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.io import Events, Order, find_columns, is_frame, order_of_columns, read_frame, take_columns, to_eager
from actalike.labels.relabelling.plan import ORIGINAL, check_earlier, make_plan


class NewColumns(NamedTuple):
    """Hold what relabelling makes of a frame's rows: their new labels, as codes, their original labels, and which rows stay."""

    activity: str
    labels: Sequence[str]
    codes: NDArray[np.int64]
    originals: list[str | None]
    kept: NDArray[np.bool_]

    def texts(self) -> list[str]:
        """Return the new label of each row."""
        return [self.labels[code] for code in self.codes.tolist()]


def relabel_frame(
    frame: Any,
    mapping: Mapping[str, str],
    collapse: bool,
    names: dict[str, str | None],
    order: Order | None,
    timestamp_format: str | None,
) -> Any:
    """Return a frame of the same library with the new labels; the given one is not changed.

    A class derived from a frame of pandas stays what it is, if it makes new frames of its own kind as pandas asks it to.
    """
    if isinstance(frame, pl.LazyFrame):
        computed = to_eager(frame, "the LazyFrame").to_native()
        return relabel_frame(computed, mapping, collapse, names, order, timestamp_format).lazy()
    known = {"pandas": _rewrite_pandas, "polars": _rewrite_polars, "pyarrow": _rewrite_pyarrow}
    libraries = [base.__module__.partition(".")[0] for base in type(frame).__mro__] if is_frame(frame) else []
    rewrite = next((known[library] for library in libraries if library in known), None)
    if rewrite is None:
        raise ActalikeError(
            f"relabel takes an EventLog or a frame of pandas, Polars or pyarrow, not {type(frame).__name__}: convert it, or use "
            "actalike.read_log(...) first."
        )
    events = read_frame(frame, names, False, timestamp_format, None)
    return rewrite(frame, _new_columns(frame, events, mapping, collapse, names, order))


def _new_columns(
    frame: Any,
    events: Events,
    mapping: Mapping[str, str],
    collapse: bool,
    names: dict[str, str | None],
    order: Order | None,
) -> NewColumns:
    plan = make_plan(events, mapping, collapse, order or order_of_columns(events))
    renamed = [old if name is None else name for old, name in zip(events.labels, plan.names, strict=True)]
    position = {name: i for i, name in enumerate(dict.fromkeys(renamed))}
    codes = np.array([position[name] for name in renamed], dtype=np.int64)[plan.codes]
    old = [None if name is None else label for label, name in zip(events.labels, plan.names, strict=True)]
    originals = [old[code] for code in plan.codes.tolist()]
    columns = _column_names(frame)
    if ORIGINAL in columns:  # of an earlier relabelling: the first label stays
        earlier = take_columns(to_eager(frame, events.source), [ORIGINAL], events.source)[ORIGINAL]
        check_earlier(events.source, earlier.dtype)
        originals = [now if before is None else before for before, now in zip(earlier.cast(pl.String), originals, strict=True)]
    activity = find_columns(events.source, columns, **names).activity
    return NewColumns(activity, list(position), codes, originals, ~plan.dropped)


def _column_names(frame: Any) -> list[str]:
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def _rewrite_polars(frame: pl.DataFrame, new: NewColumns) -> pl.DataFrame:
    old = frame.schema[new.activity]
    labels = pl.Series(new.activity, new.labels, dtype=pl.String).gather(new.codes)
    originals = pl.Series(ORIGINAL, new.originals, dtype=pl.String)
    dtype = old if old == pl.Categorical else pl.String  # other types cannot hold every name
    return frame.with_columns(originals, labels.cast(dtype)).filter(pl.Series(new.kept))


def _rewrite_pandas(frame: Any, new: NewColumns) -> Any:
    import pandas as pd

    texts = pd.Series(["a text"]).dtype  # how this version of pandas keeps texts
    old = frame[new.activity].dtype
    if isinstance(old, pd.CategoricalDtype):
        labels = _pandas_categories(frame[new.activity], new, texts)
    else:
        texts = old if old == np.dtype(object) or pd.api.types.is_string_dtype(old) else texts
        labels = pd.Series(new.texts(), frame.index, texts)
    result = frame.copy()
    result[new.activity] = labels
    result[ORIGINAL] = pd.Series(new.originals, frame.index, texts)
    return result if new.kept.all() else result[new.kept]


def _pandas_categories(column: Any, new: NewColumns, texts: Any) -> Any:
    """Return the new labels as categories, in the order of the old ones; categories without rows keep their names."""
    import pandas as pd

    kinds = column.cat.categories
    first_rows = dict(zip(*(values[::-1].tolist() for values in (column.cat.codes.to_numpy(), new.codes)), strict=True))
    names = [new.labels[first_rows[i]] if i in first_rows else str(kind) for i, kind in enumerate(kinds.tolist())]
    place = {name: i for i, name in enumerate(dict.fromkeys(names))}
    codes = np.array([place[name] for name in new.labels], dtype=np.int64)[new.codes]
    dtype = kinds.dtype if kinds.dtype == np.dtype(object) or pd.api.types.is_string_dtype(kinds.dtype) else texts
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(place), dtype=dtype), ordered=column.cat.ordered)


def _rewrite_pyarrow(table: Any, new: NewColumns) -> Any:
    import pyarrow as pa

    number = table.column_names.index(new.activity)
    field = table.schema.field(number)
    old = field.type
    values = old.value_type if pa.types.is_dictionary(old) else old
    text = values if values in (pa.string(), pa.large_string(), pa.string_view()) else pa.string()
    short = pa.large_string() if text == pa.string_view() else text  # pyarrow takes no rows of a string_view
    labels = pa.array(new.labels, short).take(pa.array(new.codes)).cast(text)
    if pa.types.is_dictionary(old):
        codes = pa.array(new.codes).cast(old.index_type)
        labels = pa.DictionaryArray.from_arrays(codes, pa.array(new.labels, text), ordered=old.ordered)
    result = table.set_column(number, field.with_type(labels.type), labels)
    originals = pa.array(new.originals, text)
    if ORIGINAL in table.column_names:
        place = table.column_names.index(ORIGINAL)
        result = result.set_column(place, table.schema.field(place).with_type(text), originals)
    else:
        result = result.append_column(pa.field(ORIGINAL, text), originals)
    return result if new.kept.all() else _filter_pyarrow(result, new.kept)


def _filter_pyarrow(table: Any, kept: NDArray[np.bool_]) -> Any:
    """Return the rows to keep; views of texts and bytes, of which pyarrow takes no rows, are converted there and back."""
    import pyarrow as pa

    kinds = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    other = pa.schema([field.with_type(kinds.get(field.type, field.type)) for field in table.schema], table.schema.metadata)
    return table.cast(other).filter(pa.array(kept)).cast(table.schema) if other != table.schema else table.filter(pa.array(kept))
