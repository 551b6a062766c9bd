"""Read CSV files as ``read_log`` does, block by block, for logs that are larger than memory.

There is one reader of CSV, so exactly the events are read that are read in memory, and refused what is refused there. Events with
equal times keep the order of their rows. A column that orders events has one kind, decided over all files: numbers (whole or
decimal) or timestamps. Numbers are exact: a whole part, which rounds down, and the decimals above it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting.engines.columns import PERIODS, EventColumns, check_nothing_missing
from actalike.counting.engines.frames import VALUE, Coding, microseconds
from actalike.errors import LogError, did_you_mean, shortened
from actalike.io import (
    DEFAULT_MAX_BYTES,
    NO_TIME,
    Columns,
    CsvFile,
    Lifecycle,
    Progress,
    ReadOptions,
    RowBlock,
    TimestampFormat,
    WantedAttributes,
    check_layouts,
    columns_to_read,
    describe,
    event_columns,
    find_attributes,
    layout_advice,
    look_at_unread,
    missing_value,
    no_complete_event,
    no_transitions,
    parse_blocks,
    parse_rows,
    parse_series,
    without_transition,
)
from actalike.log import Reading

_NUMBER = r"^(-?)([0-9]{1,18})(?:\.([0-9]{1,18}))?$"
_DECIMALS = 18


@dataclass(frozen=True)
class CsvOptions:
    """Hold the options of :func:`actalike.read_log` for a CSV file; ``order`` may also name columns."""

    case: str | None = None
    activity: str | None = None
    timestamp: str | None = None
    transition: str | None = None
    lifecycle: Lifecycle = "ignore"
    order: Sequence[str] | None = None
    separator: str | None = None
    encoding: str | None = None
    timestamp_format: TimestampFormat = None
    skip: int = 0
    skip_last: int = 0
    max_bytes: int = DEFAULT_MAX_BYTES
    attributes: WantedAttributes = ()


class CsvEvents(Coding):
    """Read the events of CSV files, which are one log. ``source`` is what messages call all of them.

    When all were read, ``columns`` and ``reading`` say how they were understood.
    """

    def __init__(
        self, source: str, paths: Sequence[Path], options: CsvOptions, uses: bool = False, by: str | None = None
    ) -> None:
        self.source, self.paths, self.options = source, paths, options
        order = None if options.order is None else list(options.order)
        self.by_row, self.by_time = order == ["file"], order == ["time"]  # as for read_log; other orders are names of columns
        self.ordered_by = [] if order is None or self.by_row or self.by_time else order
        self.keys = [OrderColumn(source, name, options.timestamp_format) for name in self.ordered_by]
        self.first: tuple[Path, Columns] | None = None
        self.transitions: set[str] = set()
        self.unread_facts: dict[str, Any] = {}
        self.n_rows = self.n_events = 0  # the events that are kept may be fewer
        period = by if by in PERIODS else None
        attributes = self._people(paths[0]) if options.attributes == "people" else options.attributes or ()
        further = EventColumns(source, "", "", (), None, tuple(attributes), None if period else by, period)
        super().__init__(further, uses)
        self.needs_rows |= len(paths) > 1

    def events(self, progress: Progress | None = None) -> Iterator[pl.DataFrame]:  # type: ignore[override]
        """Yield the events as codes, and what orders them."""
        sizes = [path.stat().st_size if path.is_file() else 0 for path in self.paths]
        for number, path in enumerate(self.paths):
            shown = None if progress is None else partial(_shifted, progress, sum(sizes[:number]), sum(sizes))
            yield from self._file(path, number, shown)
        self._finish()

    def order_of(self, part: pl.DataFrame) -> list[str]:
        """Return the columns that order events; few values have decimals."""
        return [name for name in super().order_of(part) if not name.startswith("decimals") or (part[name] != 0).any()]

    def refuse(self, case: object, tied: int, has_rows: bool) -> NoReturn:
        """Raise an error about events of one case that are in different files and that the order does not tell apart."""
        same = f" with the same {' and '.join(map(repr, self.columns.order))}" if self.columns.order else ""
        raise LogError(
            f"{self.source}: the case {str(case)!r} has events{same} in several files, {tied:,} times in all, so their order is "
            "unknown. Name a column that tells them apart with order=[...] (--order), or count one file; nothing was counted."
        )

    def _people(self, path: Path) -> Sequence[str]:
        """Return the columns that name people, by the first line of the first file."""
        file = CsvFile(path, self._read_options(None))
        return find_attributes(self.source, file.present, file.columns, "people")

    def _read_options(self, progress: Progress | None) -> ReadOptions:
        names = {field.name for field in fields(ReadOptions)} - {"order", "attributes"}
        given = {field.name: getattr(self.options, field.name) for field in fields(self.options) if field.name in names}
        if self.ordered_by:
            given["timestamp"] = ""
        return ReadOptions(**given, progress=progress)

    def _file(self, path: Path, number: int, progress: Progress | None) -> Iterator[pl.DataFrame]:
        """Read one file. Errors are those that :func:`actalike.read_log` raises, in the same order."""
        options = self.options
        reading = self._read_options(progress)
        file = CsvFile(path, reading)
        columns = file.columns
        further = [*self.values, *([] if self.columns.by is None else [self.columns.by])]
        self._check_columns(path, columns, file.present, further)
        wanted = columns_to_read(columns, reading, [*self.ordered_by, *further])

        def parse(block: RowBlock) -> tuple[RowBlock, pl.DataFrame, pl.DataFrame]:
            frame = parse_rows(path, block, file.separator, file.present, wanted)
            return block, frame, event_columns(str(path), frame, columns, reading, rows_before=block.rows_before)

        for key in self.keys:
            key.source = str(path)
        gaps = _Gaps(path, columns, sorts=self._sorts_by_time(columns))
        base = self.n_rows
        for block, frame, rows in parse_blocks(file, parse):
            if not number and not block.rows_before:
                self.unread_facts = describe(look_at_unread(file, block, reading), rows["case"], rows["activity"])
            gaps.note(block.rows_before, rows)
            self.n_rows = base + block.rows_before + len(frame)
            yield self._coded(frame, rows, block.rows_before, number)
        gaps.check(options.lifecycle)

    def _finish(self) -> None:
        """Raise an error if something is missing, and say how the files were understood."""
        if not self.n_rows:
            raise LogError(f"{self.source} is empty: it has column names but no rows.")
        assert self.first is not None  # there are rows, so there was a file
        columns = self.first[1]
        order = self.ordered_by or ([columns.timestamp] if columns.timestamp is not None and self._sorts_by_time(columns) else [])
        self.columns = self.columns._replace(case=columns.case, activity=columns.activity, order=tuple(order))
        if self.keys:
            check_nothing_missing(self.columns, [0, 0, *(key.missing for key in self.keys)])
        if not self.activities.known:
            raise no_complete_event(self.source, self.transitions)
        self.reading = Reading(
            self.source,
            columns.case,
            columns.activity,
            timestamp=columns.timestamp,
            transition=columns.transition,
            order=tuple(order),
            lifecycle=self.options.lifecycle,
            events=self.n_events,
            left_out=self.n_rows - self.n_events,
            **self.unread_facts,
        )

    def _sorts_by_time(self, columns: Columns) -> bool:
        return columns.timestamp is not None and not self.by_row

    def _check_columns(self, path: Path, columns: Columns, present: Sequence[str], further: Sequence[str]) -> None:
        """Raise an error unless the columns are those of the first file, and those of the order are there."""
        for role, name in [*(("order", name) for name in self.ordered_by), *(("attribute", name) for name in further)]:
            if name not in present:
                raise LogError(f"{path} has no column {name!r} (given as {role}).{did_you_mean(name, present)}")
        if self.by_time and columns.timestamp is None:
            raise LogError(f"{path} has no timestamps, so its events cannot be sorted by time: use order='file'.")
        if (self.by_row and "file" in present) or (self.by_time and "time" in present and columns.timestamp != "time"):
            meant = "the order of the rows" if self.by_row else f"the timestamp {columns.timestamp!r}"
            raise LogError(
                f"{path}: --order {(self.options.order or [''])[0]} can mean {meant} or the column of that name: rename the "
                "column, or name the timestamp with --timestamp; nothing was read."
            )
        if self.first is None:
            self.first = path, columns
        for role, here, there in zip(Columns._fields, columns, self.first[1], strict=True):
            if here != there and (role != "transition" or self.options.lifecycle != "ignore"):
                raise LogError(
                    f"{path} has {repr(here) if here else 'no column'} as the {role}, and {self.first[0]} has "
                    f"{repr(there) if there else 'none'}: all files must have the same columns. Name it with --{role}; nothing "
                    "was counted."
                )

    def _coded(self, frame: pl.DataFrame, rows: pl.DataFrame, rows_before: int, number: int) -> pl.DataFrame:
        """Return the events of a block, after what the lifecycle option says. (What is missing is an error in the end.)"""
        coded = {"case": rows["case"].cast(pl.String).fill_null(""), "activity": rows["activity"].cast(pl.String).fill_null("")}
        if "time" in rows.columns and not self.by_row:
            coded |= {"order0": rows["time"].to_physical(), "decimals0": rows["nanos"]}
        for place, key in enumerate(self.keys):
            whole, decimals = key.read(frame[key.name], rows_before)
            coded |= {f"order{place}": pl.Series(whole), f"decimals{place}": pl.Series(decimals)}
        if len(self.paths) > 1:
            coded["file"] = pl.repeat(number, len(frame), dtype=pl.Int32, eager=True)
        if "time" in rows.columns and self.needs_rows:
            coded["time"] = microseconds(rows["time"])
        if self.columns.by is not None:
            coded["stratum"] = pl.Series(self.strata.encode(frame[self.columns.by].fill_null("")))
        for name, known in self.values.items():
            coded[VALUE + name] = pl.Series(known.encode(frame[name]))
        events = pl.DataFrame(coded)
        transitions = rows["transition"] if "transition" in rows.columns else None
        if transitions is not None and self.options.lifecycle == "append":
            joined = rows["activity"] + "+" + transitions.fill_null("")
            events = events.with_columns(joined.alias("activity").fill_null(""))
        elif transitions is not None:
            labels = transitions.drop_nulls().unique().to_list()
            self.transitions.update(labels)
            complete = [label for label in labels if label.lower() == "complete"]
            events = events.filter(transitions.is_in(complete).fill_null(value=False))
        self.n_events += len(events)
        codes = self.activities.encode(events["activity"])
        return events.with_columns(pl.Series("code", codes)).drop("activity")


def _shifted(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)


class _Gaps:
    """Count the rows in which something is missing; they are an error when the whole file has been read."""

    def __init__(self, path: Path, columns: Columns, sorts: bool) -> None:
        self.path, self.columns = path, columns
        self.roles = {"case": columns.case, "activity": columns.activity, "transition": columns.transition or ""}
        if sorts:
            self.roles["time"] = str(columns.timestamp)
        self.first: dict[str, int] = {}  # the first row that lacks something
        self.rows = dict.fromkeys(self.roles, 0)

    def note(self, rows_before: int, rows: pl.DataFrame) -> None:
        for name in self.roles:
            if name in rows.columns and (missing := rows[name].null_count()):
                self.first.setdefault(name, rows_before + int(rows[name].is_null().arg_true()[0]))
                self.rows[name] += missing

    def check(self, lifecycle: Lifecycle) -> None:
        transition = self.first.pop("transition", None)
        if self.first:
            name = min(self.first, key=self.first.__getitem__)
            place, role = f"row {self.first[name] + 1:,}", "timestamp" if name == "time" else name
            raise missing_value(str(self.path), place, role, self.roles[name], self.rows[name])
        if lifecycle != "ignore" and self.columns.transition is None:
            raise no_transitions(str(self.path), lifecycle)
        if transition is not None:
            raise without_transition(str(self.path), f"row {transition + 1:,}", lifecycle)


class OrderColumn:
    """Read one column of the order, block by block."""

    def __init__(self, source: str, name: str, timestamp_format: TimestampFormat) -> None:
        self.source, self.name = source, name
        self.layouts = check_layouts(timestamp_format)
        self.kind: str | None = None  # "numbers" or "timestamps", as soon as there is a value
        self.missing = 0

    def read(self, texts: pl.Series, rows_before: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the whole part and the decimals of each value, of a timestamp its microseconds and the nanoseconds beyond them.

        What they are for a missing value means nothing.
        """
        self.missing += texts.null_count()
        if self.kind is None and texts.null_count() < len(texts):
            self.kind = self._kind_of(texts.drop_nulls().head(1))
        if self.kind is None:
            return np.zeros(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=np.int64)
        if self.kind == "numbers":
            whole, decimals, wrong = _numbers(texts)
        else:
            whole, wrong, nanos = self._times(texts)
            decimals = nanos.astype(np.int64)
        if wrong is not None:
            value, row = str(texts[wrong]), rows_before + wrong + 1
            if self.kind == "timestamps" and whole[wrong] != NO_TIME:
                raise LogError(
                    f"{self.source}, row {row:,}: the timestamp {shortened(value)!r} (column {self.name!r}) is outside the years "
                    "1 to 9999 in UTC. Correct it, or name another column; nothing was read."
                )
            raise self._refusal(value, row)
        return whole, decimals

    def _kind_of(self, value: pl.Series) -> str:
        if self.layouts and self._times(value)[1] is None:
            return "timestamps"
        if _numbers(value)[2] is None:
            return "numbers"
        return "timestamps"

    def _times(self, texts: pl.Series) -> tuple[NDArray[np.int64], int | None, NDArray[np.int16]]:
        return parse_series(texts, self.layouts)

    def _refusal(self, value: str, row: int) -> LogError:
        kind = (
            "a number"
            if self.kind == "numbers"
            else f"a timestamp like {' or '.join(self.layouts) or '2024-02-29T12:00:00+01:00'}"
        )
        advice = layout_advice(value, layouts=self.layouts)
        return LogError(
            f"{self.source}, row {row:,}: {value!r} is not {kind}, as the column {self.name!r} must have throughout to order "
            f"events (as texts, 10 comes before 9). {advice}, or name another column; nothing was read."
        )


def _numbers(texts: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.int64], int | None]:
    """Return the whole parts, rounded down, the decimals above them, and the row of the first text that is no number, or None.

    >>> [part.tolist() for part in _numbers(pl.Series(["7", "-0.25", "007.5"]))[:2]]
    [[7, -1, 7], [0, 750000000000000000, 500000000000000000]]
    """
    plain = texts.cast(pl.Int64, strict=False)  # most columns are whole numbers
    if plain.null_count() == texts.null_count() and not texts.str.starts_with("+").any():
        return plain.fill_null(0).to_numpy(), np.zeros(len(texts), dtype=np.int64), None
    parts = texts.str.extract_groups(_NUMBER).struct.unnest()
    whole = parts["2"].cast(pl.Int64)
    wrong = (whole.is_null() & texts.is_not_null()).arg_true()
    decimals = parts["3"].str.pad_end(_DECIMALS, "0").cast(pl.Int64).fill_null(0).to_numpy()
    below_zero = (parts["1"] == "-").fill_null(value=False).to_numpy()
    wholes = whole.fill_null(0).to_numpy()
    wholes = np.where(below_zero, -wholes - (decimals > 0), wholes)
    decimals = np.where(below_zero & (decimals > 0), 10**_DECIMALS - decimals, decimals)
    return wholes, decimals, int(wrong[0]) if len(wrong) else None
