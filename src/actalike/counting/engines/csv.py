"""Read CSV files as ``read_log`` does, block by block, for logs that are larger than memory.

There is one reader of CSV, so exactly the events are read that are read in memory, and what is rejected there is rejected here.
Events are sorted by their timestamp; those of equal time keep the order of their rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import polars as pl

from actalike.counting.engines.columns import PERIODS, EventColumns
from actalike.counting.engines.frames import VALUE, Coding, microseconds
from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.io import (
    DEFAULT_MAX_BYTES,
    Columns,
    CsvFile,
    Events,
    Lifecycle,
    Progress,
    ReadOptions,
    RowBlock,
    TimestampFormat,
    WantedAttributes,
    columns_to_read,
    describe,
    event_columns,
    find_attributes,
    look_at_unused,
    no_complete_event,
    parse_blocks,
    parse_rows,
    without_missing,
)
from actalike.log import Reading


@dataclass(frozen=True)
class CsvOptions:
    """Hold the options of :func:`actalike.read_log` for a CSV file; ``order`` may also name the timestamp."""

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
        self.source, self.paths = source, paths
        order = list(options.order or ())
        if len(order) > 1:
            raise ActalikeError(
                f"{source}: events of CSV files are sorted by one timestamp, not by {' and '.join(order)} (--order): store "
                "them as Parquet, where columns have types. Nothing was read."
            )
        names = {field.name for field in fields(ReadOptions)} - {"order", "attributes"}
        given = {field.name: getattr(options, field.name) for field in fields(options) if field.name in names}
        if order and order[0] not in ("file", "time"):
            given["timestamp"] = order[0]
        self.by_row, self.must_have_time = order == ["file"], order == ["time"]
        self.given = given
        self.first: tuple[Path, Columns] | None = None
        self.transitions: set[str] = set()
        self.unused_facts: dict[str, Any] = {}
        self.n_rows = self.n_events = 0  # the events that are kept may be fewer
        period = by if by in PERIODS else None
        attributes: Sequence[str] = () if options.attributes in (None, "people") else list(options.attributes or ())
        if options.attributes == "people":
            file = CsvFile(paths[0], ReadOptions(**given))
            attributes = find_attributes(source, file.present, file.columns, "people")
        super().__init__(EventColumns(source, "", "", (), None, tuple(attributes), None if period else by, period), uses)
        self.needs_rows |= len(paths) > 1

    def events(self, progress: Progress | None = None) -> Iterator[pl.DataFrame]:  # type: ignore[override]
        """Yield the events as codes, and what orders them."""
        sizes = [path.stat().st_size if path.is_file() else 0 for path in self.paths]
        for number, path in enumerate(self.paths):
            shown = None if progress is None else partial(_shifted, progress, sum(sizes[:number]), sum(sizes))
            yield from self._file(path, number, ReadOptions(**self.given, progress=shown))
        if not self.n_rows or self.first is None:
            raise LogError(f"{self.source} is empty: it has column names but no rows.")
        if not self.activities.known:
            raise no_complete_event(self.source, self.transitions)
        columns = self.first[1]
        order = () if columns.timestamp is None or self.by_row else (columns.timestamp,)
        self.columns = self.columns._replace(case=columns.case, activity=columns.activity, order=order)
        self.reading = Reading(
            self.source,
            columns.case,
            columns.activity,
            timestamp=columns.timestamp,
            transition=columns.transition,
            order=order,
            lifecycle=self.given["lifecycle"],
            events=self.n_events,
            left_out=self.n_rows - self.n_events,
            **self.unused_facts,
        )

    def order_of(self, part: pl.DataFrame) -> list[str]:
        """Return the columns that order events; few times have nanoseconds beyond microseconds."""
        return [name for name in super().order_of(part) if name != "nanos" or (part[name] != 0).any()]

    def refuse(self, case: object, tied: int, has_rows: bool) -> NoReturn:
        """Raise an error about events of one case and one time that are in different files."""
        raise LogError(
            f"{self.source}: the case {str(case)!r} has events with the same time, or without one, in several files, {tied:,} "
            "times in all, so their order is unknown: join these files; nothing was counted."
        )

    def _file(self, path: Path, number: int, options: ReadOptions) -> Iterator[pl.DataFrame]:
        file = CsvFile(path, options)
        columns = file.columns
        further = [*self.values, *([] if self.columns.by is None else [self.columns.by])]
        self._check_columns(path, columns, file.present, further)
        wanted = columns_to_read(columns, options, further)

        def parse(block: RowBlock) -> tuple[RowBlock, pl.DataFrame, pl.DataFrame]:
            frame = parse_rows(path, block, file.separator, file.present, wanted)
            return block, frame, event_columns(str(path), frame, columns, options, rows_before=block.rows_before)

        sorts = columns.timestamp is not None and not self.by_row
        for block, frame, rows in parse_blocks(file, parse):
            if not self.n_rows:
                self.unused_facts = describe(look_at_unused(file, block, options), rows["case"], rows["activity"])
            self.n_rows += len(rows)
            events = Events(str(path), rows, columns, partial(_row, block.rows_before))
            without_missing(events, options, "time" if sorts else "file")
            yield self._coded(frame, rows, sorts, number)

    def _check_columns(self, path: Path, columns: Columns, present: Sequence[str], further: Sequence[str]) -> None:
        """Raise an error unless the columns are those of the first file."""
        for name in further:
            if name not in present:
                raise LogError(f"{path} has no column {name!r} (given as attribute).{did_you_mean(name, present)}")
        if self.must_have_time and columns.timestamp is None:
            raise LogError(f"{path} has no timestamps, so its events cannot be sorted by time: use order='file'.")
        if self.first is None:
            self.first = path, columns
        there, count = self.first[1], 4 if self.given["lifecycle"] != "ignore" else 3
        if columns[:count] != there[:count]:
            raise LogError(
                f"{path} has the columns {', '.join(map(str, columns[:count]))}, and {self.first[0]} "
                f"{', '.join(map(str, there[:count]))}: all files must have the same. Nothing was counted."
            )

    def _coded(self, frame: pl.DataFrame, rows: pl.DataFrame, sorts: bool, number: int) -> pl.DataFrame:
        """Return the events of a block, after what the lifecycle option says."""
        coded: dict[str, Any] = {"case": rows["case"], "activity": rows["activity"]}
        if sorts:
            coded |= {"order": rows["time"].to_physical(), "nanos": rows["nanos"]}
        if len(self.paths) > 1:
            coded["file"] = pl.repeat(number, len(frame), dtype=pl.Int32, eager=True)
        if "time" in rows.columns and self.needs_rows:
            coded["time"] = microseconds(rows["time"])
        if self.columns.by is not None:
            coded["stratum"] = pl.Series(self.strata.encode(frame[self.columns.by].fill_null("")))
        for name, known in self.values.items():
            coded[VALUE + name] = pl.Series(known.encode(frame[name]))
        events = pl.DataFrame(coded)
        if self.given["lifecycle"] == "append":
            events = events.with_columns((rows["activity"] + "+" + rows["transition"]).alias("activity"))
        elif self.given["lifecycle"] == "complete":
            self.transitions.update(rows["transition"].unique().to_list())
            events = events.filter(rows["transition"].str.to_lowercase() == "complete")
        self.n_events += len(events)
        codes = self.activities.encode(events["activity"])
        return events.with_columns(pl.Series("code", codes)).drop("activity")


def _row(before: int, event: int) -> str:
    return f"row {before + event + 1:,}"


def _shifted(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)
