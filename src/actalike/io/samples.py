"""Take a sample from the beginning of a file: a bounded number of rows, whatever the size of the file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

import polars as pl

from actalike.errors import LogError
from actalike.io.columns import is_usual_for_any
from actalike.io.csv_rows import RowBlock, parse_rows
from actalike.io.delimited import CsvTable
from actalike.io.parquet import check_parquet, first_rows_of
from actalike.io.unused_columns import SAMPLE_ROWS
from actalike.io.xes import XesReading
from actalike.io.xml_pieces import XmlText

Names = Mapping[str, str | None]  # the columns that the user named, by their role

_MOST_BYTES = 1 << 24  # of the text that is looked at
_MOST_COLUMNS = 500
_FIRST_TRIED = "utf-8"
_LIKELY_ENCODING = "cp1252"  # of Windows in western Europe and America, so of most files of Excel that are not UTF-8


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
    encoding_error: str | None = None  # why the file is not what the encoding says, if another had to be tried
    columns_left_out: int = 0
    faults: Mapping[str, LogError] = field(default_factory=dict)  # why columns that are not among the events cannot be read


def sample_csv(
    path: Path,
    names: Names,
    separator: str | None,
    encoding: str | None,
    max_bytes: int,
    rows: int = SAMPLE_ROWS,
) -> Sample:
    """Return the first rows of a CSV file. If it is not UTF-8 and no encoding was named, another is tried, and that is said."""
    try:
        return _sample_csv(path, names, separator, encoding, max_bytes, rows)
    except LogError as error:
        if encoding is not None or f"is not {_FIRST_TRIED}" not in str(error):
            raise
        sample = _sample_csv(path, names, separator, _LIKELY_ENCODING, max_bytes, rows)
        return Sample(**{**sample.__dict__, "encoding_error": str(error)})


def _sample_csv(path: Path, names: Names, separator: str | None, encoding: str | None, max_bytes: int, most: int) -> Sample:
    table = CsvTable(path, separator, encoding, max_bytes, None)
    shown = _shown(table.present, names)
    parts, seen, is_whole = [], 0, True
    for block in table.blocks():
        ends = block.ends[: most - seen]
        first = RowBlock(block.content[: int(ends[-1]) + 1], ends, seen)
        parts.append(parse_rows(path, first, table.separator, table.present, shown))
        seen += len(ends)
        if len(ends) < len(block.ends) or table.n_bytes > _MOST_BYTES:
            is_whole = False
            break
        if seen == most:
            is_whole = next(iter(table.blocks()), None) is None
            break
    events = pl.concat(parts) if parts else pl.DataFrame(schema=dict.fromkeys(shown, pl.String))
    if is_whole and not seen:
        raise LogError(f"{path} is empty: it has column names but no rows.")
    left_out = len(table.present) - len(shown)
    return Sample(
        "csv", events, pl.DataFrame(), is_whole, seen if is_whole else None, table.encoding, table.separator,
        bool(table.separator_line), columns_left_out=left_out,
    )  # fmt: skip


def sample_parquet(path: Path, names: Names, max_bytes: int) -> Sample:
    """Return the first rows of a Parquet file, without the columns that cannot be read; if none can, that is an error."""
    footer = check_parquet(path, max_bytes)
    if not footer.rows:
        raise LogError(f"{path} is empty: it has column names but no rows.")
    shown = _shown(footer.columns, names)
    events, faults = first_rows_of(path, footer, shown, max_bytes)
    if faults and events.is_empty():
        raise next(iter(faults.values()))
    is_whole, left_out = footer.rows <= len(events), len(footer.columns) - len(shown)
    return Sample("parquet", events, pl.DataFrame(), is_whole, footer.rows, columns_left_out=left_out, faults=faults)


def sample_xes(path: Path, names: Names, max_bytes: int, most: int = SAMPLE_ROWS) -> Sample:
    """Return the attributes of the first traces and events of a XES file."""
    checking = XesReading(  # it refuses what the reader refuses, where it sees it
        path, names["case"] or "concept:name", names["activity"] or "concept:name", names["timestamp"] or "time:timestamp", None
    )
    collecting = _XesEvents(most)
    text = XmlText(path, max_bytes, None)
    is_whole, n_bytes = True, 0
    for piece in text.pieces(checking.where):
        checking.take(piece.text)
        collecting.take(piece.text)
        n_bytes += len(piece.text)
        if collecting.is_full or n_bytes > _MOST_BYTES:
            is_whole = False
            break
    if is_whole and not collecting.events:
        raise LogError(f"{path} is empty: it has {checking.n_traces:,} traces but no events.")
    events, left_out = _frame(collecting.events, names)
    cases, cases_left_out = _frame(collecting.traces, names)
    events = events.with_columns(pl.Series(CASE_NUMBER, collecting.trace_of_event, dtype=pl.Int64))
    rows = len(events) if is_whole else None
    return Sample("xes", events, cases, is_whole, rows, text.encoding, columns_left_out=left_out + cases_left_out)


CASE_NUMBER = "\0case"  # the column with the number of an event's trace: no attribute of XES can be called so


class _XesEvents:
    """Collect the attributes of traces and events while a parser goes through the text."""

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
    """Return the first columns, and all others that would be read by their names: what is said of these must be true."""
    given = set(names.values())
    later = [name for name in columns[_MOST_COLUMNS:] if name in given or is_usual_for_any(name)]
    return [*columns[:_MOST_COLUMNS], *later]


def _frame(rows: list[dict[str, Any]], names: Names) -> tuple[pl.DataFrame, int]:
    """Return a column for each key, in the order of their first appearance, and how many keys were too many."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    shown = _shown(keys, names)
    columns = {key: pl.Series([row.get(key) for row in rows], dtype=pl.String) for key in shown}
    return pl.DataFrame(columns), len(keys) - len(shown)
