"""Find the variants of events that come row by row: of frames, files, and databases that cannot list the events of a case.

Batches of rows are checked and their labels coded. What fits is held in memory. Otherwise each event is written to one of several
partitions on disk, by a hash of its case; a partition that does not fit is partitioned again. Each is sorted by itself, once, as
integers if they fit: faster than any query of DuckDB that was tried.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array

from actalike.counting.engines.columns import (
    AnyFrame,
    EventColumns,
    Period,
    Ties,
    check_nothing_missing,
    reject_ties,
)
from actalike.counting.engines.errors import first_line
from actalike.counting.engines.open import quoted, spill_folder
from actalike.errors import EngineError, LogError
from actalike.io import attribute_column, label_column, take_columns
from actalike.log import Variants, first_equal_cases, joined, merged, recoded, use_tables
from actalike.support.arrays import sort_with_places

AT_ONCE = 1 << 27  # bytes of columns that are held at a time; sorting and counting them takes some times as many
_PARTS = 64
_BATCH = 1 << 19  # rows
_DAY = 86_400_000_000  # in microseconds
_WIDE = (nw.Int128, nw.UInt128)
_CODED = ("case", "code", "time", "stratum", "file")  # the columns of coded events that do not order them, nor are values
VALUE = "value:"


class LabelCodes:
    """Number labels in the order of their first appearance, across any number of batches."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def encode(self, texts: pl.Series) -> NDArray[np.int32]:
        """Return the codes of a column, -1 for null; new labels get the next codes."""
        distinct = texts.drop_nulls().unique(maintain_order=True)
        codes = [self.known.setdefault(label, len(self.known)) for label in distinct.to_list()]
        places = texts.cast(pl.Enum(distinct)).to_physical().fill_null(len(codes)).to_numpy()
        return np.array([*codes, -1], dtype=np.int32)[places]

    def ranks(self) -> NDArray[np.int64]:
        """Return for each code the rank of its label in alphabetical order."""
        ranks = np.empty(len(self.known), dtype=np.int64)
        ranks[[self.known[label] for label in sorted(self.known)]] = np.arange(len(self.known))
        return ranks


class SortedEvents(NamedTuple):
    """Hold the codes of events case by case, the offsets of the cases, and the rows that tie with the one before them.

    ``rows`` are the rows that the events come from, None if they were not needed.
    """

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    tied: NDArray[np.int64]
    rows: NDArray[np.int64] | None = None


def variants_of_frame(frame: AnyFrame, columns: EventColumns, ties: Ties, uses: bool = False) -> Variants:
    """Return the variants of a frame of this process; a lazy one is computed batch by batch.

    >>> events = nw.from_native(pl.DataFrame({"case": [1, 2, 1], "activity": ["b", "a", "a"], "at": [5, 1, 2]}))
    >>> variants_of_frame(events, EventColumns("the DataFrame", "case", "activity", ("at",)), "error").traces()
    [['a', 'b'], ['a']]
    """
    if isinstance(frame, nw.LazyFrame):
        return variants_of_batches(polars_batches(frame.select(columns.names).to_native(), columns.source), columns, ties, uses)
    with label_errors(columns):
        batch = take_columns(frame, columns.names)
    return variants_of_batches(iter([batch]), columns, ties, uses, at_once=None)


def variants_of_batches(
    batches: Iterable[pl.DataFrame],
    columns: EventColumns,
    ties: Ties,
    uses: bool = False,
    *,
    at_once: int | None = 0,
    spill: Path | None = None,
    has_rows: bool = True,
) -> Variants:
    """Return the variants of events that come in batches of rows. Errors are raised at the end if not before.

    What is larger than ``at_once`` bytes is put on disk, in the folder ``spill``; with None everything is held.
    """
    coding = Coding(columns, uses)
    return variants_of_events(coding.events(batches), coding, ties, at_once, spill, has_rows)


def variants_of_events(
    events: Iterator[pl.DataFrame],
    coding: "Coding",
    ties: Ties,
    at_once: int | None = 0,
    spill: Path | None = None,
    has_rows: bool = True,
) -> Variants:
    """Return the variants of coded events."""
    found: list[Variants] = []
    for part, cases in _sorted_parts(events, coding, ties, at_once, spill, has_rows):
        found.append(coding.variants(part, cases))
        while len(found) > 1 and found[-2].n_variants < 2 * found[-1].n_variants:  # so large ones are added seldom
            found[-2:] = [joined(found[-2:])]
    return coding.named(joined(found))


class CaseTraces(NamedTuple):
    """Hold the ids of some cases, and their activities: positions in ``labels``, case by case."""

    cases: pl.Series
    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    labels: list[str]


def cases_of_events(
    events: Iterator[pl.DataFrame],
    coding: "Coding",
    ties: Ties,
    at_once: int | None = 0,
    spill: Path | None = None,
    has_rows: bool = True,
) -> Iterator[CaseTraces]:
    """Yield the cases of coded events, part by part."""
    coding.needs_rows = True
    for part, cases in _sorted_parts(events, coding, ties, at_once, spill, has_rows):
        assert cases.rows is not None  # they were asked for
        ids = part["case"].gather(cases.rows[cases.offsets[:-1]]).cast(pl.String)
        yield CaseTraces(ids, cases.codes, cases.offsets, list(coding.activities.known))


def numbered_cases(found: CaseTraces, variants: Variants, source: str) -> pl.DataFrame:
    """Return which of the variants each case follows, by its position: the columns ``case`` and ``variant``."""
    known = {label: i for i, label in enumerate(variants.activities)}
    place = np.array([known.get(label, -1) for label in found.labels], dtype=np.int32)
    codes = np.concatenate([variants.codes, place[found.codes]]).astype(np.int32)
    offsets = np.concatenate([variants.offsets, variants.offsets[-1] + found.offsets[1:]])
    number = first_equal_cases(codes, offsets)[variants.n_variants :]
    if (number >= variants.n_variants).any():
        raise LogError(
            f"{source} has cases that follow none of the variants: it has changed, or was read with other options. Read both "
            "again."
        )
    return pl.DataFrame({"case": found.cases, "variant": number})


def _sorted_parts(
    events: Iterator[pl.DataFrame], coding: "Coding", ties: Ties, at_once: int | None, spill: Path | None, has_rows: bool
) -> Iterator[tuple[pl.DataFrame, SortedEvents]]:
    """Yield coded events part by part, each with its cases in order; after ties, which are an error at the end, nothing more."""
    tied, case = 0, None
    at_once = None if at_once is None else at_once or AT_ONCE
    with ExitStack() as stack:
        for part in _parts(events, stack, level=0, at_once=at_once, spill=spill):
            order = [nw.from_native(part[key], series_only=True) for key in coding.order_of(part)]
            ranks = coding.activities.ranks() if ties == "activity" else None
            files = part["file"].to_numpy() if "file" in part.columns else None
            cases = sort_events(part["case"], part["code"].to_numpy(), order, ties, ranks, coding.needs_rows, files)
            if len(cases.tied):
                case = case if tied else part["case"][int(cases.tied[0])]
                tied += len(cases.tied)
            if not tied:
                yield part, cases
            del part
    if tied:
        coding.refuse(case, tied, has_rows)


class Coding:
    """Check batches of rows, encode them, and label the variants in the end."""

    def __init__(self, columns: EventColumns, uses: bool) -> None:
        self.columns, self.uses = columns, uses
        self.needs_rows = uses or columns.by is not None or columns.period is not None
        self.activities = LabelCodes()
        self.strata = LabelCodes()
        self.values = {name: LabelCodes() for name in columns.attributes}

    def order_of(self, part: pl.DataFrame) -> list[str]:
        """Return the columns of coded events that order them."""
        return [name for name in part.columns if name not in _CODED and not name.startswith(VALUE)]

    def refuse(self, case: object, tied: int, has_rows: bool) -> NoReturn:
        """Raise the error about ties."""
        reject_ties(self.columns, case, tied, has_rows)

    def events(self, batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield the events in batches: their cases, the codes of their activities, and all other columns that are needed.

        When all were seen, an error is raised if there are none, or if values are missing.
        """
        columns = self.columns
        names = [columns.case, columns.activity, *columns.order]
        n_events, absent = 0, [0] * len(names)
        for batch in batches:
            n_events += len(batch)
            found = [_missing(nw.from_native(batch[name], series_only=True)) for name in names]
            absent = [n + more for n, more in zip(absent, found, strict=True)]
            if any(absent):
                continue  # they are only counted now
            with label_errors(columns):
                cases = case_keys(batch[columns.case], columns.source)
                codes = self.activities.encode(label_column(batch[columns.activity], columns.source).cast(pl.String))
            keys = {f"order{place}": batch[name] for place, name in enumerate(columns.order)}
            yield pl.DataFrame({"case": cases, "code": codes, **keys, **self._further(batch)})
        if not n_events:
            raise LogError(f"{columns.source} is empty: it has no rows.")
        check_nothing_missing(columns, absent)

    def _further(self, batch: pl.DataFrame) -> dict[str, Any]:
        columns, further = self.columns, {}
        if columns.time is not None and self.needs_rows:
            further["time"] = microseconds(batch[columns.time])
        if columns.by is not None:
            texts = attribute_column(batch[columns.by], columns.source).cast(pl.String).fill_null("")
            further["stratum"] = pl.Series(self.strata.encode(texts))
        for name, known in self.values.items():
            further[VALUE + name] = pl.Series(known.encode(attribute_column(batch[name], columns.source).cast(pl.String)))
        return further

    def variants(self, part: pl.DataFrame, cases: SortedEvents) -> Variants:
        """Return the variants of a part; their codes are positions in the labels that are known by then."""
        codes, offsets, rows = cases.codes, cases.offsets, cases.rows
        times, values, stratum = None, {}, None
        if rows is not None:
            firsts = rows[offsets[:-1]]
            if "time" in part.columns:
                times = part["time"].to_numpy(writable=True).view("datetime64[us]")[rows]
            if "stratum" in part.columns:
                stratum = part["stratum"].to_numpy()[firsts]
            if self.columns.period is not None and times is not None:
                starts = np.fmin.reduceat(times, offsets[:-1])
                stratum = self.strata.encode(pl.Series(period_texts(starts, self.columns.period)))
            for name, known in self.values.items():
                values[name] = list(known.known), part[VALUE + name].to_numpy()[rows]
        tables = use_tables(codes, offsets, times, values, stratum) if self.uses else None
        if stratum is None:
            found = Variants.of_cases([""] * len(self.activities.known), codes, offsets)
            return Variants([], found.codes, found.offsets, found.weights, tables)
        return merged(Variants([], codes, offsets, np.ones(len(stratum), dtype=np.int64), tables, [""], stratum))

    def named(self, variants: Variants) -> Variants:
        """Return variants with sorted labels, instead of labels in the order in which they were seen."""
        return named_variants(variants, list(self.activities.known), list(self.strata.known))


def named_variants(variants: Variants, labels: list[str], strata: list[str]) -> Variants:
    """Return variants whose codes are positions in ``labels`` and ``strata`` with these sorted."""
    given = Variants(
        labels,
        variants.codes,
        variants.offsets,
        variants.weights,
        variants.uses,
        strata if variants.strata else [],
        variants.stratum,
    )
    return recoded(given, sorted(labels), sorted(strata) if variants.strata else [])


def microseconds(times: pl.Series) -> pl.Series:
    """Return times in microseconds since 1970 in UTC; days begin at midnight. What is missing is numpy's NaT.

    >>> from datetime import date
    >>> microseconds(pl.Series([date(1970, 1, 2), None])).to_list()
    [86400000000, -9223372036854775808]
    """
    numbers = times.cast(pl.Datetime("us")) if times.dtype == pl.Date else times.dt.epoch("us")
    return numbers.cast(pl.Int64).fill_null(np.iinfo(np.int64).min).alias("time")


def period_texts(moments: NDArray[np.datetime64], period: Period) -> list[str]:
    """Return the first day of the period of each moment; nothing if it is not known.

    >>> period_texts(np.array(["2024-05-30", "NaT"], dtype="datetime64[us]"), "quarter")
    ['2024-04-01', '']
    """
    days = moments.astype("datetime64[D]")
    if period == "week":  # they start on Monday, and 1970 began on a Thursday
        days = days - (days.astype(np.int64) + 3) % 7
    elif period == "quarter":
        months = days.astype("datetime64[M]")
        days = (months - months.astype(np.int64) % 3).astype("datetime64[D]")
    elif period != "day":
        days = days.astype(f"datetime64[{period[0].upper()}]").astype("datetime64[D]")
    return ["" if text == "NaT" else text for text in days.astype(str).tolist()]


def sort_events(
    cases: pl.Series,
    codes: NDArray[np.int32],
    order: list[nw.Series[Any]],
    ties: Ties,
    ranks: NDArray[np.int64] | None = None,
    needs_rows: bool = False,
    files: NDArray[np.int32] | None = None,
) -> SortedEvents:
    """Sort events by case and by the columns of their order.

    Ties are looked for if they are an error, or between different ``files``. By the ``ranks`` of labels ties are sorted.

    >>> at = nw.from_native(pl.Series([5, 1, 2]), series_only=True)
    >>> events = sort_events(pl.Series([1, 2, 1]), np.array([1, 0, 0]), [at], "error")
    >>> events.codes.tolist(), events.offsets.tolist(), events.tied.tolist()
    ([0, 1, 0], [0, 2, 3], [])
    """
    numbers = _codes(cases)
    keys = [_sortable(column) for column in order]
    if not needs_rows and (events := _sort_whole(numbers, codes, keys)) is not None:
        return events
    by_label = [] if ranks is None else [ranks[codes]]
    rows = _by_case(numbers, _by_keys([*keys, *by_label], stable=ties == "row"))
    numbers = numbers[rows]
    begins = np.append(True, numbers[1:] != numbers[:-1])
    tied = np.empty(0, dtype=np.int64)
    if ties == "error" or files is not None:
        same = ~begins
        for key in [*keys, *([] if files is None else [files])]:
            is_equal = key[rows[1:]] == key[rows[:-1]]
            same[1:] &= is_equal if key is not files else ~is_equal
        tied = rows[same].astype(np.int64)
    return SortedEvents(codes[rows], np.append(np.flatnonzero(begins), len(codes)), tied, rows)


@contextmanager
def label_errors(columns: EventColumns) -> Iterator[None]:
    """Raise an error of ours where cases or activities cannot become strings."""
    try:
        yield
    except (pl.exceptions.PolarsError, UnicodeEncodeError) as error:
        reason = str(error).splitlines()[0]
        raise LogError(
            f"{columns.source}: case or activity holds values that cannot be labels ({reason}): convert them."
        ) from error


def case_keys(cases: pl.Series, source: str) -> pl.Series:
    """Return the case ids as integers if they are such, of at most 64 bits, else as strings."""
    is_number = cases.dtype.is_integer() and cases.dtype not in (pl.Int128, pl.UInt128)
    return cases if is_number else label_column(cases, source).cast(pl.String)


def _missing(column: nw.Series[Any]) -> int:
    """Return the number of rows without a value; NaN counts as missing."""
    absent = column.is_null()
    return int((absent | column.is_nan()).sum() if column.dtype.is_float() else absent.sum())


def polars_batches(lazy: pl.LazyFrame, source: str) -> Iterator[pl.DataFrame]:
    """Compute a lazy frame, which may be anything from anywhere: a damaged file, or a query that fails.

    Where a file is so damaged that Polars panics, its batches just end (2.1). So the rows are counted, and compared.
    """
    seen = 0
    try:
        batches = iter(lazy.collect_batches(chunk_size=_BATCH, engine="streaming"))
        while (batch := next(batches, None)) is not None:
            seen += len(batch)
            yield batch
        rows = lazy.select(pl.len()).collect(engine="streaming").item()
    except (Exception, pl.exceptions.PanicException) as error:
        raise LogError(
            f"{source} cannot be computed ({first_line(error)}): correct the query, or the file behind it; nothing was read."
        ) from error
    if seen != rows:
        raise LogError(
            f"{source} cannot be computed: {seen:,} of its {rows:,} rows came back, so a file behind it is damaged. Get complete "
            "copies; nothing was read."
        )


def chosen_columns(relation: Any, columns: EventColumns) -> Any:
    """Return the columns of a DuckDB relation; integers of 128 bits, which Arrow does not have, as strings or decimals."""
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    chosen = []
    for name in columns.names:
        wide = ("DECIMAL(38, 0)" if name in columns.order else "VARCHAR") if kinds[name] in ("HUGEINT", "UHUGEINT") else None
        chosen.append(quoted(name) if wide is None else f"CAST({quoted(name)} AS {wide}) AS {quoted(name)}")
    return relation.select(", ".join(chosen))


def duckdb_batches(relation: Any) -> Iterator[pl.DataFrame]:
    """Yield the rows of a DuckDB relation."""
    reader = (relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_record_batch)(_BATCH)
    try:
        for batch in reader:
            yield pl.from_arrow(batch)  # type: ignore[misc]
    finally:
        reader.close()


def _parts(
    frames: Iterator[pl.DataFrame], stack: ExitStack, level: int, at_once: int | None, spill: Path | None
) -> Iterator[pl.DataFrame]:
    """Yield frames of whole cases: all events in one if they fit, else those of each file to which they are dealt.

    The folder of the files is removed when the stack is closed.
    """
    held, is_all = _take(frames, at_once)
    if is_all:
        yield held
        return
    folder = stack.enter_context(spill_folder(spill))
    sizes = _deal(chain([held], _pieces(frames, at_once or 0)), folder, level)
    del held
    for part, size in sizes.items():
        files = sorted(folder.glob(f"{part}-*"))
        if size == sum(sizes.values()):  # all events came to one part again: they are of one case, so it has to fit
            yield pl.concat(_read(files))
        else:
            yield from _parts(_read(files), stack, level + 1, at_once, spill)


def _take(frames: Iterator[pl.DataFrame], at_once: int | None) -> tuple[pl.DataFrame, bool]:
    """Return frames as one, up to a size, and whether these were all."""
    taken, size = [], 0.0
    for frame in frames:
        taken.append(frame)
        size += frame.estimated_size()
        if at_once is not None and size > at_once:
            return pl.concat(taken), False
    return pl.concat(taken) if taken else pl.DataFrame(), True


def _pieces(frames: Iterator[pl.DataFrame], at_once: int) -> Iterator[pl.DataFrame]:
    """Yield the same events in frames that are not too large, and larger than batches are."""
    is_all = False
    while not is_all:
        piece, is_all = _take(frames, at_once)
        yield piece


def _deal(pieces: Iterable[pl.DataFrame], folder: Path, level: int) -> dict[int, int]:
    """Write events to files, by a hash of their case; return the number of events in each part."""
    sizes: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if not len(piece):
            continue
        part = piece["case"].hash(seed=level) % _PARTS
        for (key,), events in piece.with_columns(part=part).partition_by("part", as_dict=True, include_key=False).items():
            with _temporary_files(folder):
                events.write_ipc(folder / f"{key}-{number:08}", compression="lz4")
            sizes[key] = sizes.get(key, 0) + len(events)
    return sizes


def _read(files: Iterable[Path]) -> Iterator[pl.DataFrame]:
    """Yield the frames in files, which are removed."""
    for file in files:
        with _temporary_files(file.parent):
            frame = pl.read_ipc(file.read_bytes())  # not by its name: a file that is mapped cannot be removed everywhere
            file.unlink()
        yield frame


@contextmanager
def _temporary_files(folder: Path) -> Iterator[None]:
    """Raise an error of ours where a temporary file cannot be written, or is gone."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise EngineError(
            f"The temporary files in {folder} could not be used ({first_line(error)}): a frame that is larger than memory is "
            "counted part by part on disk. Free space there, or name another folder with --spill, or with the environment "
            "variable TMPDIR; nothing was counted."
        ) from error


def _codes(cases: pl.Series) -> NDArray[np.int64]:
    """Return a code for each case id: from 0 to at most twice the number of rows, equal for equal ids."""
    if cases.dtype.is_integer():
        minimum, maximum = int(cases.min()), int(cases.max())  # type: ignore[arg-type]
        if maximum - minimum < 2 * len(cases) and maximum < 2**63:
            return cases.cast(pl.Int64).to_numpy() - minimum
        return cases.rank("dense").to_numpy().astype(np.int64) - 1
    return _first_equal_rows(cases)


def _first_equal_rows(texts: pl.Series) -> NDArray[np.int64]:
    """Return for each row the first row with the same string.

    Equal strings are found by sorting hashes, which takes a third of the time of a dictionary, and then compared.

    >>> _first_equal_rows(pl.Series(["b", "a", "b"])).tolist()
    [0, 1, 0]
    """
    hashes = texts.hash().to_numpy() >> np.uint64(1 + len(texts).bit_length())  # leaves bits for the row
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
    """Sort events as integers made of case, time and code. Then no row has to be looked up, which takes most of the time.

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
    """Return the minimum of some numbers, a unit of their differences from it, and the bits of the largest difference.

    Times are often whole seconds, in microseconds. Where a difference does not fit into 63 bits, the unit is 1.
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
    """Return the rows sorted by a key. Integers of few bits (times are often whole seconds) are sorted with their rows.

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
