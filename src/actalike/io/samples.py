"""Take a sample from the beginning of a file: a bounded number of rows, whatever its size."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.parsers import expat

import polars as pl

from actalike.errors import LogError
from actalike.io.columns import SAMPLE_ROWS, find_columns, is_usual_for_any, look_hint
from actalike.io.delimited import CsvTable, RowBlock, parse_rows
from actalike.io.excel import ExcelTable, check_numbers
from actalike.io.frame import ReadOptions
from actalike.io.parquet import open_parquet
from actalike.io.xes import XesReader

Names = Mapping[str, str | None]  # the columns that the user named, by their role

_MOST_BYTES = 1 << 24  # of the text that is looked at
_MOST_COLUMNS = 500


@dataclass(frozen=True)
class Sample:
    """Hold the beginning of a file.

    ``events`` has a row for each event that was looked at, null where a value is missing, and ``cases`` a row for each trace of
    XES, with its attributes. ``is_whole``: nothing comes after them. ``rows`` is the number of rows of the file, if it is known.
    """

    kind: str
    events: pl.DataFrame
    cases: pl.DataFrame
    is_whole: bool
    rows: int | None = None
    encoding: str | None = None
    separator: str | None = None
    separator_line: bool = False  # Excel's first line, sep=;
    sheet: str | None = None
    columns_left_out: int = 0
    rows_before: int = 0  # of a sheet, above the first event
    rows_after: int = 0  # of a sheet, that seem to be empty below the last event
    faults: Mapping[str, LogError] = field(default_factory=dict)  # why columns that are not among the events cannot be read


def sample_csv(path: Path, options: ReadOptions, rows: int = SAMPLE_ROWS) -> Sample:
    """Return the first rows of a CSV file."""
    table = CsvTable(path, options)
    table.read_header()
    shown = _shown(table.present, options.columns)
    parts, seen, is_whole = [], 0, True
    for block in table.blocks():
        ends = block.ends[: rows - seen]
        first = RowBlock(block.content[: int(ends[-1]) + 1], ends, seen)
        parts.append(parse_rows(path, first, table.separator, table.present, shown))
        seen += len(ends)
        if len(ends) < len(block.ends) or table.n_bytes > _MOST_BYTES:
            is_whole = False
            break
        if seen == rows:
            is_whole = next(iter(table.blocks()), None) is None
            break
    events = pl.concat(parts) if parts else pl.DataFrame(schema=dict.fromkeys(shown, pl.String))
    if is_whole and not seen:
        raise LogError(f"{path} is empty: it has column names but no rows.{look_hint(path)}")
    left_out = len(table.present) - len(shown)
    return Sample(
        "csv", events, pl.DataFrame(), is_whole, seen if is_whole else None, table.encoding, table.separator,
        bool(table.separator_line), columns_left_out=left_out,
    )  # fmt: skip


def shape_of_csv(path: Path, options: ReadOptions) -> tuple[int, int]:
    """Return how many rows seem to be above and below the table; 0 below a table that is too long to see its end."""
    table = CsvTable(path, options)
    skip = table.likely_skip()
    table = CsvTable(path, replace(options, skip=skip))
    table.read_header()
    seen = 0
    for block in table.blocks():
        seen += len(block.ends)
        if seen > SAMPLE_ROWS or table.n_bytes > _MOST_BYTES:
            return skip, 0
    return skip, table.likely_skip_last()


def sample_excel(path: Path, table: ExcelTable, options: ReadOptions) -> Sample:
    """Return the first rows of the table of a sheet."""
    if table.frame.is_empty():
        raise LogError(f"{path}, sheet {table.sheet!r} is empty: it has column names but no rows.{look_hint(path)}")
    shown = _shown(table.present, options.columns)
    rows, left_out = len(table.frame), len(table.present) - len(shown)
    faults: dict[str, LogError] = {}
    with suppress(LogError):
        columns = find_columns(str(path), table.present, **options.columns)
        for name in (columns.case, columns.activity):
            try:
                check_numbers(f"{path}, sheet {table.sheet!r}", table, name)
            except LogError as error:
                faults[name] = error
    events = table.frame.select(name for name in shown if name not in faults).head(SAMPLE_ROWS)
    return Sample(
        "excel", events, pl.DataFrame(), rows <= SAMPLE_ROWS, rows, sheet=table.sheet, columns_left_out=left_out,
        rows_before=table.rows_before, rows_after=table.rows_after, faults=faults,
    )  # fmt: skip


def sample_parquet(path: Path, names: Names, max_bytes: int) -> Sample:
    """Return the first rows of a Parquet file, without the columns that cannot be read; if none can, that is an error."""
    file = open_parquet(path, max_bytes)
    if not file.rows:
        raise LogError(f"{path} is empty: it has column names but no rows.")
    shown = _shown(file.columns, names)
    events, faults = file.first_rows(shown)
    if faults and events.is_empty():
        raise next(iter(faults.values()))
    is_whole, left_out = file.rows <= len(events), len(file.columns) - len(shown)
    return Sample("parquet", events, pl.DataFrame(), is_whole, file.rows, columns_left_out=left_out, faults=faults)


def sample_xes(path: Path, names: Names, max_bytes: int, most: int = SAMPLE_ROWS) -> Sample:
    """Return the attributes of the first traces and events of an XES file."""
    options = ReadOptions(names["case"], names["activity"], names["timestamp"], max_bytes=max_bytes)
    reader = XesReader(path, options)  # rejects what reading rejects
    collecting = _XesEvents(most)
    is_whole = True
    for piece in reader.pieces():
        collecting.take(piece)
        if collecting.is_full or reader.xml.n_bytes > _MOST_BYTES:
            is_whole = False
            break
    if is_whole and not collecting.events:
        raise LogError(f"{path} is empty: it has {reader.n_traces:,} traces but no events.")
    events, left_out = _frame(collecting.events, names)
    cases, cases_left_out = _frame(collecting.traces, names)
    events = events.with_columns(pl.Series(CASE_NUMBER, collecting.trace_of_event, dtype=pl.Int64))
    rows = len(events) if is_whole else None
    return Sample("xes", events, cases, is_whole, rows, reader.xml.encoding, columns_left_out=left_out + cases_left_out)


CASE_NUMBER = "\0case"  # the column with the number of an event's trace: no attribute of XES can be called so


class _XesEvents:
    """Collect the attributes of traces and events from the tags of a file."""

    def __init__(self, most: int) -> None:
        self.traces: list[dict[str, str]] = []
        self.events: list[dict[str, str]] = []
        self.trace_of_event: list[int] = []
        self.is_full = False
        self._most = most
        self._path: list[str] = []
        self._event: dict[str, str] = {}
        self._parser = expat.ParserCreate("UTF-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def take(self, text: bytes) -> None:
        self._parser.Parse(text, False)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        if self.is_full:
            return
        if self._path[1:] == ["trace"]:
            self.traces.append({})
        elif self._path[1:] == ["trace", "event"]:
            self._event = {}
        elif "key" in attributes and "value" in attributes:
            if self._path[1:-1] == ["trace"]:
                self.traces[-1].setdefault(attributes["key"], attributes["value"])
            elif self._path[1:-1] == ["trace", "event"]:
                self._event.setdefault(attributes["key"], attributes["value"])

    def _end(self, name: str) -> None:
        if self._path[1:] == ["trace", "event"] and not self.is_full:
            self.events.append(self._event)
            self.trace_of_event.append(len(self.traces) - 1)
            self.is_full = len(self.events) >= self._most
        self._path.pop()


def _shown(columns: Sequence[str], names: Names) -> list[str]:
    """Return the first columns, and all others that would be read by their names."""
    given = set(names.values())
    later = [name for name in columns[_MOST_COLUMNS:] if name in given or is_usual_for_any(name)]
    return [*columns[:_MOST_COLUMNS], *later]


def _frame(rows: list[dict[str, Any]], names: Names) -> tuple[pl.DataFrame, int]:
    """Return a column for each key, in the order of their first appearance, and how many keys were too many."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    shown = _shown(keys, names)
    columns = {key: pl.Series([row.get(key) for row in rows], dtype=pl.String) for key in shown}
    return pl.DataFrame(columns), len(keys) - len(shown)
