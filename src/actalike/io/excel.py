"""Read a sheet of an Excel file (.xlsx, .xlsm): its cells as strings.

fastexcel reads the cells. It holds a whole sheet in memory, as many cells as lie between the first and the last, so unpacked size
and extent are checked first: a few bytes of a zip file can claim any number of either.
"""

import io
import re
import shlex
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from xml.parsers import expat

import polars as pl

from actalike.errors import ActalikeError, LogError, did_you_mean, shortened
from actalike.io.columns import SAMPLE_ROWS, find_attributes, find_columns, look_hint, unnamed
from actalike.io.frame import Events, ReadOptions, columns_to_read, event_columns, unused_columns
from actalike.io.table_shape import SHAPED_ROWS, duplicate_columns, likely_title
from actalike.support.extras import Extra
from actalike.support.files import cannot_read
from actalike.support.memory import require_memory

EXCEL = Extra("excel", "fastexcel")

_FIRST_INEXACT = 10**15  # Excel keeps 15 digits of a number
_BYTES_A_CELL = 100  # of memory, while a sheet is read (measured)
_PIECE = 1 << 20
_REFERENCE = re.compile(r"([A-Za-z]{1,3})(\d{1,7})")
_NO_DAY = r"^1899-12-3[01] "  # what a time of day has as its date


@dataclass(frozen=True)
class ExcelTable:
    """Hold the table of a sheet: the names of its columns, its cells as strings, and how many rows of the sheet precede it.

    ``numbers`` says which cells of a column hold numbers or Booleans, not text. ``rows_after`` are rows at the end of the sheet,
    of which none was to be skipped, whose formulas return "".
    """

    path: Path
    sheet: str
    present: list[str]
    frame: pl.DataFrame
    rows_before: int
    rows_after: int
    numbers: Callable[[str], pl.Series]


class ExcelSheet:
    """Hold the cells of a sheet, from its first row on, as strings; null are empty cells, errors, and formulas that return "".

    ``numbers`` says, for a column by the name that fastexcel gives it, which cells hold numbers or Booleans, not text.
    """

    def __init__(self, path: Path, name: str, cells: pl.DataFrame, numbers: Callable[[str], pl.Series]) -> None:
        self.path, self.name, self._numbers = path, name, numbers
        is_blank = pl.any_horizontal((pl.all() == "").fill_null(value=False)) & pl.all_horizontal(pl.all().fill_null("") == "")
        self._is_blank = cells.select(is_blank).to_series() if cells.width else pl.Series(dtype=pl.Boolean)
        cells = cells.with_columns(pl.when(pl.all() != "").then(pl.all()).name.keep())
        self.cells = cells.select(column for column in cells if column.null_count() < len(column))

    @property
    def size(self) -> str:
        """Return the number of rows and columns, for messages."""
        rows, columns = self.cells.shape
        return f"{rows:,} row{'' if rows == 1 else 's'}, {columns:,} column{'' if columns == 1 else 's'}"

    def likely_skip(self, skip: int = 0) -> int:
        """Return how many rows seem to precede the column names, at least ``skip``."""
        first = [[cell or "" for cell in row] for row in self.cells[skip : skip + SHAPED_ROWS].rows()]
        width = max((i + 1 for row in first for i, cell in enumerate(row) if cell), default=0)
        return skip + likely_title([row[:width] for row in first])

    def table(self, skip: int, skip_last: int) -> ExcelTable:
        """Return the table without the rows above and below it that are to be skipped."""
        source = f"{self.path}, sheet {self.name!r}"
        if skip + skip_last >= len(self.cells):
            raise LogError(
                f"{source} has {len(self.cells):,} rows, so {skip + skip_last:,} cannot be skipped: give other numbers as "
                "skip=... (--skip) and skip_last=... (--skip-last). Nothing was read."
            )
        end = len(self.cells) - skip_last
        filled = (~self._is_blank[:end]).arg_true()  # rows of errors are not cut off, as they are none in the middle
        last = max(int(filled[-1]) + 1 if len(filled) else 0, skip + 1)
        header, rows = self.cells.row(skip), self.cells[skip + 1 : last]
        columns = [
            (name or "", column)
            for column, name in zip(rows.get_columns(), header, strict=True)
            if name or column.null_count() < len(column)
        ]
        names = [name for name, _ in columns]
        if len(set(names)) < len(names):
            raise duplicate_columns(source, names, _first_unnamed(columns, skip + 1) + look_hint(self.path))
        places = {name: column.name for name, column in columns}
        frame = pl.DataFrame({name: _dates(column) for name, column in columns})
        return ExcelTable(
            self.path,
            self.name,
            names,
            frame,
            skip + 1,
            end - last,
            lambda name: self._numbers(places[name])[skip + 1 : last],
        )


def read_excel(path: Path, options: ReadOptions) -> Events:
    """Read the events of a sheet."""
    table = open_sheet(path, options).table(options.skip, options.skip_last)
    source = f"{path}, sheet {table.sheet!r}"
    try:
        columns = find_columns(source, table.present, **options.columns)
    except LogError as error:
        raise LogError(f"{error}{look_hint(path)}") from None
    attributes = find_attributes(source, table.present, columns, options.attributes, options.name)
    if table.frame.is_empty():
        raise LogError(f"{source} is empty: it has column names but no rows.{look_hint(path)}")
    for name in (columns.case, columns.activity):
        check_numbers(source, table, name)
    events = event_columns(source, table.frame, columns, options, attributes, table.rows_before)
    return Events(
        str(path),
        events,
        columns,
        lambda event: f"row {table.rows_before + event + 1:,}",
        unused=unused_columns(table.present, columns, options, lambda names: table.frame.select(names).head(SAMPLE_ROWS)),
        n_bytes=len(columns_to_read(columns, options, attributes)) * len(events) * _BYTES_A_CELL,
    )


def _first_unnamed(columns: Sequence[tuple[str, pl.Series]], rows_before: int) -> str:
    """Return a sentence with the first value of the columns without a name, for an error about them."""
    values = [(int(column.is_not_null().arg_true()[0]), column) for name, column in columns if not name]
    if len(values) < 2:  # then it is another name that is repeated
        return ""
    row, column = min(values, key=lambda each: each[0])
    return f" The first value of one is {shortened(column[row])!r} in row {rows_before + row + 1:,}."


def check_numbers(source: str, table: ExcelTable, name: str) -> None:
    """Raise an error if numbers of a column of ids or labels are not those that were meant, or are equal to a text in it."""
    column = unnamed(table.frame[name])
    if not (column.cast(pl.Float64, strict=False).is_not_null() | column.is_in(["true", "false"])).any():
        return  # finding out which are numbers takes as long as reading
    is_number = table.numbers(name)
    numbers = column.filter(is_number)
    large = numbers.filter((numbers.cast(pl.Float64, strict=False).abs() >= _FIRST_INEXACT).fill_null(value=False))
    if len(large):
        row = table.rows_before + int((is_number & (column == large[0])).arg_true()[0]) + 1
        raise LogError(
            f"{source}, row {row:,}: the column {shortened(name)!r} holds the number {large[0]}, of which Excel keeps only 15 "
            "digits, so different numbers may have become one: store them as text; nothing was read."
        )
    both = set(numbers) & set(column.filter(~is_number).drop_nulls())
    if both:
        value = shortened(min(both))
        raise LogError(
            f"{source}: the column {shortened(name)!r} holds both {value} and the text {value!r}, which "
            "would become the same label: store all of them as text; nothing was read."
        )


class SeveralSheets(LogError):
    """Report a workbook with several sheets. ``likely`` is the only one that looks like a table of events, if there is one."""

    def __init__(self, message: str, number: int, likely: str | None) -> None:
        super().__init__(message)
        self.number, self.likely = number, likely


def open_sheet(path: Path, options: ReadOptions) -> ExcelSheet:
    """Read all cells of a sheet: the one that was named, or the only visible one that has any."""
    fastexcel = EXCEL.load(user=f"{path} is an Excel file, and reading it")
    content = _content(path, options.max_bytes)
    with _damage_is_an_error(path):
        book = fastexcel.read_excel(content)
        known = book.sheet_names
        if options.sheet is not None and options.sheet not in known:
            names = ", ".join(repr(shortened(name)) for name in known)
            close = did_you_mean(options.sheet, known)
            raise LogError(f"{path} has no sheet {options.sheet!r}.{close} Its sheets: {names}. Nothing was read.")
        sheets = []
        for name in known if options.sheet is None else [options.sheet]:
            loaded = book.load_sheet(name, header_row=None, skip_rows=0, schema_sample_rows=None, dtypes="string")
            if options.sheet is not None or loaded.visible == "visible":
                sheets.append(ExcelSheet(path, name, pl.DataFrame(loaded), partial(_numbers, path, book, name)))
    sheets = [sheet for sheet in sheets if not sheet.cells.is_empty()]
    if not sheets:
        which = f"the sheet {options.sheet!r} is empty" if options.sheet is not None else "no visible sheet has cells"
        raise LogError(f"{path}: {which}. Nothing was read.")
    if len(sheets) > 1:
        raise _several_sheets(path, sheets, options)
    return sheets[0]


def _numbers(path: Path, book: Any, sheet: str, column: str) -> pl.Series:
    """Return which cells of a column hold numbers or Booleans: what fastexcel can read as Booleans."""
    with _damage_is_an_error(path):
        cells = book.load_sheet(
            sheet, header_row=None, skip_rows=0, schema_sample_rows=None, dtypes="boolean", use_columns=[column]
        )
        return pl.DataFrame(cells).to_series().is_not_null()


def _several_sheets(path: Path, sheets: list[ExcelSheet], options: ReadOptions) -> SeveralSheets:
    """Return the error about a workbook of which no sheet was named, with what is in each."""
    tables = [sheet.name for sheet in sheets if _holds_events(sheet, options)]
    listed = ", ".join(f"{shortened(sheet.name)!r} ({sheet.size})" for sheet in sheets)
    likely = tables[0] if len(tables) == 1 else None
    if likely is None:
        remedy = "Give the one with the events as sheet=... (--sheet NAME)"
    else:
        remedy = f"Only {likely!r} looks like a table of events: if it is, give sheet={likely!r} (--sheet {shlex.quote(likely)})"
    return SeveralSheets(f"{path} has {len(sheets):,} sheets: {listed}. {remedy}; nothing was read.", len(sheets), likely)


def _holds_events(sheet: ExcelSheet, options: ReadOptions) -> bool:
    """Return whether a sheet has columns for case and activity, by the given names or the usual ones."""
    with suppress(ActalikeError):
        table = sheet.table(sheet.likely_skip(options.skip), 0)
        find_columns(sheet.name, table.present, **options.columns)
        return len(table.frame) > 0
    return False


def _dates(column: pl.Series) -> pl.Series:
    """Return days without a time, and times without a day, if all values of a column are so."""
    present = column.drop_nulls()
    if len(present) and present.str.contains(r"^\d{4}-\d\d-\d\d 00:00:00$").all():
        return column.str.head(10)
    if len(present) and present.str.contains(_NO_DAY).all():
        return column.str.replace(_NO_DAY, "")
    return column


def _content(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file after checking how large its parts and sheets are once unpacked."""
    try:
        if path.stat().st_size > max_bytes:
            raise _too_large(path, max_bytes)
        content = path.read_bytes()
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    unpacked = 0
    with _damage_is_an_error(path), zipfile.ZipFile(io.BytesIO(content)) as book:
        for info in book.infolist():
            if not info.filename.lower().endswith((".xml", ".rels")):
                continue
            info.file_size = max_bytes + 1  # its header may claim less than there is
            extent = _Extent(path)
            is_sheet = info.filename.lower().startswith("xl/worksheets/") and info.filename.lower().endswith(".xml")
            with book.open(info) as part:
                while piece := part.read(_PIECE):
                    unpacked += len(piece)
                    if unpacked > max_bytes:
                        raise _too_large(path, max_bytes)
                    if is_sheet:
                        extent.parser.Parse(piece, False)
            extent.check(max_bytes)
    return content


def _too_large(path: Path, max_bytes: int) -> LogError:
    return LogError(
        f"{path} has more than {max_bytes:,} bytes once unpacked. If this is intended, allow more with max_bytes=... "
        "(--max-bytes); nothing was read."
    )


class _Extent:
    """Find the last row and column of a sheet, and a formula whose value is not stored."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.StartDoctypeDeclHandler = self._reject_doctype
        self._row = self._column = self._rows = self._columns = 0
        self._in_cell, self._formula = False, ""  # where the last formula is, until its value comes

    def check(self, max_bytes: int) -> None:
        """Raise an error if there are too many cells, or a formula without its value."""
        self._start("row", {})
        if self._rows * self._columns * _BYTES_A_CELL > max_bytes:
            raise LogError(
                f"{self.path} has a sheet with cells in {self._rows:,} rows and {self._columns:,} columns, too many for "
                f"{max_bytes:,} bytes of memory: delete the cells outside the table, or allow more with max_bytes=... "
                "(--max-bytes). Nothing was read."
            )
        require_memory(self._rows * self._columns * _BYTES_A_CELL, f"{self.path}: a sheet", "delete cells outside the table")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        kind = element.rpartition(":")[2]
        if kind in ("v", "is"):
            self._formula = ""
            return
        if kind == "f":
            self._formula = f"row {self._row:,}, column {self._column:,}" if self._in_cell else ""
            return
        if self._formula:
            raise LogError(
                f"{self.path}: the formula in {self._formula} has no stored value: open the file in Excel and save it, which "
                "stores the values; nothing was read."
            )
        self._in_cell = kind == "c"
        if kind == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), 0
        elif kind == "c":
            place = _REFERENCE.fullmatch(attributes.get("r", ""))
            self._column = _number(place[1]) if place else self._column + 1
            self._row = int(place[2]) if place else self._row
            self._rows, self._columns = max(self._rows, self._row), max(self._columns, self._column)

    def _reject_doctype(self, *_: object) -> None:
        raise LogError(f"{self.path} has a DOCTYPE, which sheets do not use and which can be harmful. Nothing was read.")


@contextmanager
def _damage_is_an_error(path: Path) -> Iterator[None]:
    """Turn every way in which a library can fail on a file into one error about it."""
    try:
        yield
    except ActalikeError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # of Rust, not an Exception
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise LogError(
            f"{path} is damaged, or not an Excel file ({shortened(reason)}): open it in Excel and save it as .xlsx. "
            "Nothing was read."
        ) from None


def _number(letters: str) -> int:
    """Return the number of a column, from 1.

    >>> _number("A"), _number("AB")
    (1, 28)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
