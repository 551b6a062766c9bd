"""Turn frames in memory into an EventLog by sorting them once: faster than a query that shifts within each case."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array

from actalike.counting.engines.columns import Ties
from actalike.counting.engines.event_columns import EventColumns, check_nothing_missing, check_years, refuse_ties
from actalike.errors import LogError
from actalike.io import FIRST_TIME, LAST_TIME, label_column, numbered, take_columns
from actalike.log import EventLog
from actalike.support.arrays import sort_with_places

_WIDE = (nw.Int128, nw.UInt128)


class SortedEvents(NamedTuple):
    """Hold the codes of events case by case, the offsets of the cases, and the rows that tie with the one before them."""

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    tied: NDArray[np.int64]

    def log(self, labels: Sequence[str]) -> EventLog:
        """Return the events as a log. Its case ids are empty, because counting does not use them."""
        return EventLog(labels, self.codes, self.offsets, [""] * (len(self.offsets) - 1))


def arrange(frame: nw.DataFrame[Any], columns: EventColumns, ties: Ties) -> EventLog:
    """Return the events as a log, sorted by case and order.

    >>> events = nw.from_native(pl.DataFrame({"case": [1, 2, 1], "activity": ["b", "a", "a"], "at": [5, 1, 2]}))
    >>> arrange(events, EventColumns("the DataFrame", "case", "activity", ("at",)), "error").traces()
    [['a', 'b'], ['a']]
    """
    check_some(columns, len(frame))
    check_nothing_missing(columns, [missing(frame[name]) for name in (columns.case, columns.activity, *columns.order)])
    check_years(columns, [outside_years(frame[name]) for name in columns.order])
    with refuse_labels(columns):
        labels = take_columns(frame, [columns.case, columns.activity])
        cases = case_keys(labels[columns.case], columns.source)
        activities, codes = numbered(label_column(labels[columns.activity], columns.source))
    events = sort_events(cases, codes, [frame[name] for name in columns.order], ties)
    if len(events.tied):
        refuse_ties(columns, cases[int(events.tied[0])], len(events.tied), has_rows=True)
    return events.log(activities)


def sort_events(cases: pl.Series, codes: NDArray[np.int32], order: Sequence[nw.Series[Any]], ties: Ties) -> SortedEvents:
    """Sort events by case and by the columns of their order. Ties are not looked for if rows settle them.

    >>> at = nw.from_native(pl.Series([5, 1, 2]), series_only=True)
    >>> events = sort_events(pl.Series([1, 2, 1]), np.array([1, 0, 0]), [at], "error")
    >>> events.codes.tolist(), events.offsets.tolist(), events.tied.tolist()
    ([0, 1, 0], [0, 2, 3], [])
    """
    numbers = _codes(cases)
    keys = [_sortable(column) for column in order]
    if (events := _sort_whole(numbers, codes, keys)) is not None:
        return events
    rows = _by_case(numbers, _by_keys(keys, stable=ties == "row"))
    numbers = numbers[rows]
    begins = np.append(True, numbers[1:] != numbers[:-1])
    tied = np.empty(0, dtype=np.int64)
    if ties == "error":
        same = ~begins
        for key in keys:
            same[1:] &= key[rows[1:]] == key[rows[:-1]]
        tied = rows[same].astype(np.int64)
    return SortedEvents(codes[rows], np.append(np.flatnonzero(begins), len(codes)), tied)


def check_some(columns: EventColumns, n_events: int) -> None:
    """Raise an error if there are no events."""
    if not n_events:
        raise LogError(f"{columns.source} is empty: it has no rows.")


@contextmanager
def refuse_labels(columns: EventColumns) -> Iterator[None]:
    """Raise an error of ours where values of cases or activities cannot become texts."""
    try:
        yield
    except (pl.exceptions.PolarsError, UnicodeEncodeError) as error:
        reason = str(error).splitlines()[0]
        raise LogError(
            f"{columns.source}: case or activity holds values that cannot be labels ({reason}): convert them."
        ) from error


def case_keys(cases: pl.Series, source: str) -> pl.Series:
    """Return the case ids as whole numbers if they are such, of at most 64 bits, else as texts."""
    is_number = cases.dtype.is_integer() and cases.dtype not in (pl.Int128, pl.UInt128)
    return cases if is_number else label_column(cases, source).cast(pl.String)


def missing(column: nw.Series[Any]) -> int:
    """Return the number of rows without a value; NaN counts as missing."""
    absent = column.is_null()
    return int((absent | column.is_nan()).sum() if column.dtype.is_float() else absent.sum())


def outside_years(column: nw.Series[Any]) -> int:
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
    return _first_equal_rows(cases)


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
        values = column.to_list()
        places = {value: place for place, value in enumerate(sorted(set(values)))}
        return np.array([places[value] for value in values])
    if kind.is_integer() or kind.is_float():
        return column.to_numpy()
    if isinstance(kind, nw.Datetime):
        return column.dt.timestamp(kind.time_unit if kind.time_unit != "s" else "ms").to_numpy()
    return take_columns(column.to_frame(), [column.name])[column.name].rank("dense").to_numpy()


def _sort_whole(numbers: NDArray[np.int64], codes: NDArray[np.int32], keys: list[NDArray[Any]]) -> SortedEvents | None:
    """Sort events as whole numbers made of case, time and code. Then no row has to be looked up, which takes most of the time.

    Return None if they do not fit into 63 bits, or if there are ties: then it matters which rows they are.

    >>> events = _sort_whole(np.array([0, 1, 0]), np.array([1, 0, 0]), [np.array([5_000_000, 1_000_000, 2_000_000])])
    >>> events.codes.tolist(), events.offsets.tolist()
    ([0, 1, 0], [0, 2, 3])
    """
    if len(keys) != 1 or keys[0].dtype != np.int64:
        return None
    lowest, unit, time_bits = _units(keys[0])
    code_bits = int(codes.max()).bit_length()
    if int(numbers.max()).bit_length() + time_bits + code_bits > 63:
        return None
    packed = numbers << time_bits
    packed |= keys[0] - lowest if unit == 1 else (keys[0] - lowest) // unit
    packed <<= code_bits
    packed |= codes
    packed.sort()
    codes = (packed & (1 << code_bits) - 1).astype(np.int32)
    packed >>= code_bits
    if (packed[1:] == packed[:-1]).any():
        return None
    packed >>= time_bits
    begins = np.flatnonzero(np.append(True, packed[1:] != packed[:-1]))
    return SortedEvents(codes, np.append(begins, len(codes)), np.empty(0, dtype=np.int64))


def _units(key: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return the least of some numbers, the unit in which they can be told from it, and the bits that they have then.

    Times are often whole seconds, in microseconds. Where a difference does not fit into 63 bits, the unit is 1: the bits say so.
    """
    lowest, span = int(key.min()), int(key.max()) - int(key.min())
    unit = 1 if span < 1 << 32 or span >= 1 << 63 or (key % 1_000_000).any() else 1_000_000
    return lowest, unit, (span // unit).bit_length()


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
        lowest, unit, bits = _units(key)
        if bits + len(key).bit_length() < 63:
            return sort_with_places((key - lowest) // unit)[0]
    return np.argsort(key, kind="stable" if stable else None)


def _by_case(cases: NDArray[np.int64], rows: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the rows sorted by case; rows of one case keep their order. Building a CSR array is a counting sort."""
    places = np.arange(len(cases))
    case_of_row = cases if rows is None else cases[rows]
    shape = (int(cases.max()) + 1, len(cases))
    by_case = coo_array((np.ones(len(cases), dtype=np.int8), (case_of_row, places)), shape=shape).tocsr().indices
    return by_case if rows is None else rows[by_case]
