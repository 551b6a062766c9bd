"""Turn frames in memory into an EventLog by sorting them once: faster than a query that shifts within each case."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array

from actalike.counting.engines.columns import AnyFrame, Ties
from actalike.counting.engines.event_columns import EventColumns, check_nothing_missing, check_years, refuse_ties
from actalike.errors import LogError
from actalike.io import FIRST_TIME, LAST_TIME, Codes, compute, take_columns
from actalike.log import EventLog
from actalike.support.row_deduplication import sort_with_places

_WIDE = (nw.Int128, nw.UInt128)


def arrange(frame: AnyFrame, columns: EventColumns, ties: Ties) -> EventLog:
    """Return the events as a log, sorted by case and order. Its case ids are empty, because counting does not use them.

    >>> events = nw.from_native(pl.DataFrame({"case": [1, 2, 1], "activity": ["b", "a", "a"], "at": [5, 1, 2]}))
    >>> arrange(events, EventColumns("the DataFrame", "case", "activity", ("at",)), "error").traces()
    [['a', 'b'], ['a']]
    """
    selected = frame.select(columns.names)
    eager = compute(selected, columns.source) if isinstance(selected, nw.LazyFrame) else selected
    if not len(eager):
        raise LogError(f"{columns.source} is empty: it has no rows.")
    names = [columns.case, columns.activity, *columns.order]
    check_nothing_missing(columns, [_missing(eager[name]) for name in names])
    check_years(columns, [_outside_years(eager[name]) for name in columns.order])
    activities = Codes()
    try:
        labels = take_columns(eager, [columns.case, columns.activity])
        cases = _codes(labels[columns.case])
        codes = activities.encode(labels[columns.activity].cast(pl.String))
    except (pl.exceptions.PolarsError, UnicodeEncodeError) as error:
        reason = str(error).splitlines()[0]
        raise LogError(
            f"{columns.source}: case or activity holds values that cannot be labels ({reason}): convert them."
        ) from error
    keys = [_sortable(eager[name]) for name in columns.order]
    order = _by_case(cases, _by_keys(keys, stable=ties == "row"))
    cases = cases[order]
    starts = np.flatnonzero(np.append(True, cases[1:] != cases[:-1]))
    if ties == "error":
        tied = np.append(False, cases[1:] == cases[:-1])
        for key in keys:
            tied[1:] &= key[order[1:]] == key[order[:-1]]
        if tied.any():
            case = labels[columns.case][int(order[np.flatnonzero(tied)[0]])]
            refuse_ties(columns, case, int(tied.sum()), has_rows=True)
    return EventLog(list(activities.known), codes[order], np.append(starts, len(codes)), [""] * len(starts))


def _missing(column: nw.Series[Any]) -> int:
    """Return the number of rows without a value; NaN counts as missing."""
    missing = column.is_null()
    return int((missing | column.is_nan()).sum() if column.dtype.is_float() else missing.sum())


def _outside_years(column: nw.Series[Any]) -> int:
    """Return the number of times that are outside the years 1 to 9999 in UTC, which no reader of files takes either."""
    if column.dtype != nw.Date and not isinstance(column.dtype, nw.Datetime):
        return 0
    times = column.dt.timestamp("ms")
    return int(((times < FIRST_TIME // 1000) | (times > LAST_TIME // 1000)).sum())


def _codes(cases: pl.Series) -> NDArray[np.int64]:
    """Return a code for each case id: from 0 to at most twice the number of rows, equal for equal ids."""
    if cases.dtype.is_integer():
        minimum, maximum = int(cases.min()), int(cases.max())  # type: ignore[arg-type]
        if maximum - minimum < 2 * len(cases) and maximum < 2**63:
            return cases.cast(pl.Int64).to_numpy() - minimum
        return cases.rank("dense").to_numpy().astype(np.int64) - 1
    return _first_equal_rows(cases.cast(pl.String))


def _first_equal_rows(texts: pl.Series) -> NDArray[np.int64]:
    """Return for each row the first row with the same text.

    Equal texts are found by sorting hashes, which takes a third of the time of a dictionary of texts, and then compared.

    >>> _first_equal_rows(pl.Series(["b", "a", "b"])).tolist()
    [0, 1, 0]
    """
    hashes = texts.hash().to_numpy() >> np.uint64(1 + len(texts).bit_length())  # leaves room for the row
    order, is_first = sort_with_places(hashes.astype(np.int64))
    first = np.empty(len(texts), dtype=np.int64)
    first[order] = order[is_first][np.cumsum(is_first) - 1]
    if (texts.gather(first) == texts).all():
        return first
    return texts.cast(pl.Categorical(pl.Categories.random())).to_physical().to_numpy().astype(np.int64)


def _sortable(column: nw.Series[Any]) -> NDArray[Any]:
    """Return numbers that sort exactly as the values of a column."""
    kind = column.dtype
    if kind in _WIDE:  # numpy has no integers of 128 bits
        return pl.Series(column.to_list()).rank("dense").to_numpy()
    if kind.is_integer() or kind.is_float():
        return column.to_numpy()
    if isinstance(kind, nw.Datetime):
        return column.dt.timestamp(kind.time_unit if kind.time_unit != "s" else "ms").to_numpy()
    return take_columns(column.to_frame(), [column.name])[column.name].rank("dense").to_numpy()


def _by_keys(keys: list[NDArray[Any]], stable: bool) -> NDArray[np.int64] | None:
    """Return the rows sorted by the keys, the first key being the most significant; None if they are sorted already."""
    if not keys:
        return None
    if len(keys) == 1:
        return None if (keys[0][1:] >= keys[0][:-1]).all() else _sorted_by(keys[0], stable)
    return np.lexsort(keys[::-1])


def _sorted_by(key: NDArray[Any], stable: bool) -> NDArray[np.int64]:
    """Return the rows sorted by a key. Whole numbers of few bits (times are often whole seconds) are sorted with their rows.

    >>> _sorted_by(np.array([5_000_000, -1_000_000, 0]), stable=False).tolist()
    [1, 2, 0]
    """
    if key.dtype == np.int64:
        lowest, span = int(key.min()), int(key.max()) - int(key.min())
        unit = 1 if span < 1 << 32 or (key % 1_000_000).any() else 1_000_000
        if (span // unit).bit_length() + len(key).bit_length() < 63:
            return sort_with_places((key - lowest) // unit)[0]
    return np.argsort(key, kind="stable" if stable else None)


def _by_case(cases: NDArray[np.int64], rows: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the rows sorted by case; rows of one case keep their order. Building a CSR array is a counting sort."""
    places = np.arange(len(cases))
    case_of_row = cases if rows is None else cases[rows]
    shape = (int(cases.max()) + 1, len(cases))
    by_case = coo_array((np.ones(len(cases), dtype=np.int8), (case_of_row, places)), shape=shape).tocsr().indices
    return by_case if rows is None else rows[by_case]
