"""Relabel a frame of pandas, Polars or pyarrow: keep its rows, columns, types and notes, and add a column at the end."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.io import ReadOptions, find_columns, is_frame, read_frame, take_columns, to_eager
from actalike.labels.relabelling.plan import ORIGINAL, Plan, check_earlier, make_plan


class NewColumns(NamedTuple):
    """Hold what relabelling makes of a frame's rows: their new labels, as codes, their original labels, and which rows stay."""

    activity: str
    labels: Sequence[str | None]  # the last is that of an event without one
    codes: NDArray[np.int64]
    originals: list[str | None]
    kept: NDArray[np.bool_]

    def texts(self) -> list[str | None]:
        """Return the new label of each row."""
        return [self.labels[code] for code in self.codes.tolist()]

    def rows(self, start: int, end: int) -> "NewColumns":
        """Return those of some rows."""
        part = slice(start, end)
        return self._replace(codes=self.codes[part], originals=self.originals[part], kept=self.kept[part])

    def with_earlier(self, earlier: pl.Series, source: str) -> "NewColumns":
        """Return them with the original labels of an earlier relabelling: the first label stays."""
        check_earlier(source, earlier.dtype)
        both = zip(earlier.cast(pl.String), self.originals, strict=True)
        return self._replace(originals=[now if before is None else before for before, now in both])


def relabel_frame(
    frame: Any,
    mapping: Mapping[str, str],
    collapse: bool,
    options: ReadOptions,
) -> Any:
    """Return a frame of the same library with the new labels; the given one is not changed.

    A class derived from a frame of pandas stays what it is, if it makes new frames of its own kind as pandas asks it to.
    """
    if isinstance(frame, pl.LazyFrame):
        computed = to_eager(frame, "the LazyFrame").to_native()
        return relabel_frame(computed, mapping, collapse, options).lazy()
    known = {"pandas": _rewrite_pandas, "polars": _rewrite_polars, "pyarrow": rewrite_pyarrow}
    libraries = [base.__module__.partition(".")[0] for base in type(frame).__mro__] if is_frame(frame) else []
    rewrite = next((known[library] for library in libraries if library in known), None)
    if rewrite is None:
        raise ActalikeError(
            f"relabel takes an EventLog or a frame of pandas, Polars or pyarrow, not {type(frame).__name__}: convert it, or use "
            "actalike.read_log(...) first."
        )
    return rewrite(frame, _new_columns(frame, mapping, collapse, options))


def _new_columns(frame: Any, mapping: Mapping[str, str], collapse: bool, options: ReadOptions) -> NewColumns:
    events = read_frame(frame, options)
    plan = make_plan(events, mapping, collapse, options, options.order or events.default_order)
    columns = _column_names(frame)
    new = new_columns(find_columns(events.source, columns, **options.columns).activity, plan)
    if ORIGINAL not in columns:
        return new
    earlier = take_columns(to_eager(frame, events.source), [ORIGINAL], events.source)[ORIGINAL]
    return new.with_earlier(earlier, events.source)


def new_columns(activity: str, plan: Plan) -> NewColumns:
    """Return what a plan makes of the rows of a log whose activity is in this column."""
    renamed = [old if name is None else name for old, name in zip(plan.labels, plan.names, strict=True)]
    stays = ~(plan.renamed | plan.dropped) & (plan.codes >= 0)  # some events keep a label that others lose
    kept = [plan.labels[code] for code in np.unique(plan.codes[stays]).tolist()]
    position = {name: i for i, name in enumerate(dict.fromkeys([*renamed, *kept]))}
    new, old = (np.array([*(position.get(name, 0) for name in names), len(position)]) for names in (renamed, plan.labels))
    codes = np.where(stays, old[plan.codes], new[plan.codes])
    labels = [*plan.labels, None]
    originals = [labels[code] if is_renamed else None for code, is_renamed in zip(plan.codes.tolist(), plan.renamed, strict=True)]
    return NewColumns(activity, [*position, None], codes, originals, ~plan.dropped)


def _column_names(frame: Any) -> list[str]:
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def _rewrite_polars(frame: pl.DataFrame, new: NewColumns) -> pl.DataFrame:
    old = frame.schema[new.activity]
    labels = pl.Series(new.labels, dtype=pl.String).gather(new.codes)
    originals = pl.Series(ORIGINAL, new.originals, dtype=pl.String)
    dtype = old if old == pl.Categorical else pl.String  # other types cannot hold every name
    return frame.with_columns(originals, labels.cast(dtype).alias(new.activity)).filter(pl.Series(new.kept))


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
    names = [str(new.labels[first_rows[i]] if i in first_rows else kind) for i, kind in enumerate(kinds.tolist())]
    place = {name: i for i, name in enumerate(dict.fromkeys([*names, *(name for name in new.labels if name is not None)]))}
    codes = np.array([-1 if name is None else place[name] for name in new.labels], dtype=np.int64)[new.codes]
    dtype = kinds.dtype if kinds.dtype == np.dtype(object) or pd.api.types.is_string_dtype(kinds.dtype) else texts
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(place), dtype=dtype), ordered=column.cat.ordered)


def rewrite_pyarrow(table: Any, new: NewColumns) -> Any:
    """Return a table of pyarrow with the new labels, and the original ones in a column at its end."""
    import pyarrow as pa

    number = table.column_names.index(new.activity)
    field = table.schema.field(number)
    old = field.type
    values = old.value_type if pa.types.is_dictionary(old) else old
    if any(key.startswith(b"_PL_ENUM") for key in field.metadata or ()):  # of Polars, and cannot hold every name
        old, field = values, field.remove_metadata()
    text = values if values in (pa.string(), pa.large_string(), pa.string_view()) else pa.string()
    short = pa.large_string() if text == pa.string_view() else text  # pyarrow takes no rows of a string_view
    labels = pa.array(new.labels, short).take(pa.array(new.codes)).cast(text)
    if pa.types.is_dictionary(old):
        codes = pa.array(new.codes, mask=new.codes == len(new.labels) - 1)
        try:
            codes = codes.cast(old.index_type)
        except pa.ArrowInvalid:
            raise ActalikeError(
                f"The column {new.activity!r} is a dictionary with indices of type {old.index_type}, and its "
                f"{len(new.labels) - 1:,} labels are too many for them: cast it to strings, or to indices of type int32. "
                "Nothing was relabelled."
            ) from None
        labels = pa.DictionaryArray.from_arrays(codes, pa.array(new.labels[:-1], text), ordered=old.ordered)
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
