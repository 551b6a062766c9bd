"""Read CSV files as ``read_log`` does, and store what an engine needs to count them as Parquet in its temporary folder.

There is one reader of CSV, so an engine counts exactly the events that are read in memory, and refuses what is refused there. The
files are read as a stream: only the labels stay in memory. The stored columns are the case, the code of the activity, the order,
and the number of the file and of the row, so that events with equal times keep the order of their rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting.engines.event_columns import EventColumns, check_nothing_missing
from actalike.counting.engines.labels import LabelCodes
from actalike.counting.engines.order_values import OrderColumn
from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.io import (
    DEFAULT_MAX_BYTES,
    Columns,
    CsvFile,
    Lifecycle,
    Progress,
    ReadOptions,
    RowBlock,
    TimestampFormat,
    columns_to_read,
    describe,
    event_columns,
    look_at_unread,
    missing_value,
    no_complete_event,
    no_transitions,
    parse_blocks,
    parse_rows,
    without_transition,
)
from actalike.log import Reading

_ROWS_A_FILE = 1 << 20


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


class SpilledEvents(NamedTuple):
    """Say what was stored: in which files, with which labels by code and how often each, in the order of which columns."""

    files: list[Path]
    columns: EventColumns
    labels: list[str]
    occurrences: NDArray[np.int64]
    keys: list[str]  # the columns that order the events, before the row
    n_sources: int
    reading: Reading

    @property
    def order_columns(self) -> list[str]:
        """Return the stored columns that order the events and tell where they were."""
        return [*self.keys, *(["file"] if self.n_sources > 1 else []), "row"]


def spill_csv(
    source: str, paths: Sequence[Path], options: CsvOptions, folder: Path, progress: Progress | None = None
) -> SpilledEvents:
    """Read CSV files and store their events in ``folder``. ``source`` is what messages call all of them."""
    spilling = _Spilling(source, options, folder, n_sources=len(paths))
    sizes = [path.stat().st_size if path.is_file() else 0 for path in paths]
    for number, path in enumerate(paths):
        shown = None if progress is None else partial(_shifted, progress, sum(sizes[:number]), sum(sizes))
        spilling.take_file(path, number, shown)
    return spilling.finish()


def _shifted(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)


class _Spilling:
    """Collect the events of files, and write them when there are enough of them."""

    def __init__(self, source: str, options: CsvOptions, folder: Path, n_sources: int) -> None:
        self.source, self.options, self.folder, self.n_sources = source, options, folder, n_sources
        order = None if options.order is None else list(options.order)
        self.by_row, self.by_time = order == ["file"], order == ["time"]  # as for read_log; other orders are names of columns
        self.order = [] if order is None or self.by_row or self.by_time else order
        self.keys = [OrderColumn(source, name, options.timestamp_format) for name in self.order]
        self.first: tuple[Path, Columns] | None = None
        self.activities = LabelCodes()
        self.occurrences = np.zeros(0, dtype=np.int64)
        self.transitions: set[str] = set()
        self.unread_facts: dict[str, Any] = {}
        self.has_nanos = False
        self.n_rows = 0  # read so far; the events that are kept may be fewer
        self.files: list[Path] = []
        self._waiting: list[pl.DataFrame] = []

    def take_file(self, path: Path, number: int, progress: Progress | None) -> None:
        """Read one file. Errors are those that :func:`actalike.read_log` raises, in the same order."""
        options = self.options
        given = {field.name: getattr(options, field.name) for field in fields(options) if field.name != "order"}
        if self.order:
            given["timestamp"] = ""
        reading = ReadOptions(**given, progress=progress)
        file = CsvFile(path, reading)
        columns = file.columns
        self._check_columns(path, columns, file.present)
        wanted = columns_to_read(columns, reading, self.order)

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
            self._keep(frame, rows, base, block.rows_before, number)
        gaps.check(options.lifecycle)

    def finish(self) -> SpilledEvents:
        """Write what waits, and say what was stored."""
        if not self.n_rows:
            raise LogError(f"{self.source} is empty: it has column names but no rows.")
        assert self.first is not None  # there are rows, so there was a file
        columns = self.first[1]
        order = self.order or ([columns.timestamp] if columns.timestamp is not None and self._sorts_by_time(columns) else [])
        chosen = EventColumns(self.source, columns.case, columns.activity, tuple(order))
        if self.keys:
            check_nothing_missing(chosen, [0, 0, *(key.missing for key in self.keys)])
        if not self.activities.known:
            raise no_complete_event(self.source, self.transitions)
        if self._waiting:
            self._write()
        keys = [f"order{place}" for place in range(len(order))]
        if self.has_nanos:
            keys.append("decimals0")
        for place, key in enumerate(self.keys):
            if key.has_decimals:
                keys.insert(keys.index(f"order{place}") + 1, f"decimals{place}")
        reading = Reading(
            self.source,
            columns.case,
            columns.activity,
            timestamp=columns.timestamp,
            transition=columns.transition,
            order=tuple(order),
            lifecycle=self.options.lifecycle,
            events=int(self.occurrences.sum()),
            left_out=self.n_rows - int(self.occurrences.sum()),
            **self.unread_facts,
        )
        labels = list(self.activities.known)
        return SpilledEvents(self.files, chosen, labels, self.occurrences, keys, self.n_sources, reading)

    def _sorts_by_time(self, columns: Columns) -> bool:
        return columns.timestamp is not None and not self.by_row

    def _check_columns(self, path: Path, columns: Columns, present: Sequence[str]) -> None:
        """Raise an error unless the columns are those of the first file, and those of the order are there."""
        for name in self.order:
            if name not in present:
                raise LogError(f"{path} has no column {name!r} (given as order).{did_you_mean(name, present)}")
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

    def _keep(self, frame: pl.DataFrame, rows: pl.DataFrame, base: int, rows_before: int, number: int) -> None:
        """Add the events of a block, after what the lifecycle option says."""
        stored = {"case": rows["case"], "activity": rows["activity"].fill_null("")}  # what is missing is an error in the end
        if "time" in rows.columns and not self.by_row:
            stored |= {"order0": rows["time"].to_physical(), "decimals0": rows["nanos"]}
            self.has_nanos |= bool((rows["nanos"] != 0).any())
        for place, key in enumerate(self.keys):
            whole, decimals = key.read(frame[key.name], rows_before)
            stored |= {f"order{place}": pl.Series(whole), f"decimals{place}": pl.Series(decimals)}
        if self.n_sources > 1:
            stored["file"] = pl.repeat(number, len(frame), dtype=pl.Int32, eager=True)
        first_row = base + rows_before
        stored["row"] = pl.int_range(first_row, first_row + len(frame), eager=True)
        events = pl.DataFrame(stored)
        self.n_rows = first_row + len(frame)
        transitions = rows["transition"] if "transition" in rows.columns else None
        if transitions is not None and self.options.lifecycle == "append":
            joined = rows["activity"] + "+" + transitions.fill_null("")
            events = events.with_columns(joined.alias("activity"))
        elif transitions is not None:
            labels = transitions.drop_nulls().unique().to_list()
            self.transitions.update(labels)
            complete = [label for label in labels if label.lower() == "complete"]
            events = events.filter(transitions.is_in(complete).fill_null(value=False))
        codes = self.activities.encode(events["activity"])
        counted = np.bincount(codes, minlength=len(self.activities.known))
        counted[: len(self.occurrences)] += self.occurrences
        self.occurrences = counted
        self._waiting.append(events.with_columns(pl.Series("code", codes)).drop("activity"))
        if sum(map(len, self._waiting)) >= _ROWS_A_FILE:
            self._write()

    def _write(self) -> None:
        path = self.folder / f"events-{len(self.files):06}.parquet"
        try:
            pl.concat(self._waiting).write_parquet(path, compression="uncompressed", statistics=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
            raise ActalikeError(
                f"{self.source}: its events cannot be stored in a temporary folder of {self.folder.parent.parent} ({reason}). "
                "Name a folder with more space with --spill; nothing was counted."
            ) from None
        self.files.append(path)
        self._waiting = []


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
