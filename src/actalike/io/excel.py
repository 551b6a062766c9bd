"""Read a sheet of an Excel file (.xlsx, .xlsm): its cells as texts, when its size has been checked.

fastexcel reads the cells. It puts a whole sheet into memory, as many cells as lie between the first and the last, so their places
and the unpacked size are checked before: a few bytes of a zip file can claim any number of either.
"""

import io
import re
import shlex
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from xml.parsers import expat

import polars as pl

from actalike.errors import ActalikeError, LogError, did_you_mean, shortened
from actalike.io.columns import SAMPLE_ROWS, find_attributes, find_columns, look_hint
from actalike.io.frame import Events, ReadOptions, columns_to_read, event_columns, unread_columns
from actalike.io.table_shape import (
    SHAPED_LAST,
    SHAPED_ROWS,
    likely_footer,
    likely_title,
    skip_hint,
    skip_last_hint,
    totals_hint,
    two_columns,
)
from actalike.support.extras import Extra
from actalike.support.files import cannot_read
from actalike.support.memory import require_memory

EXCEL = Extra("excel", "fastexcel")

_BYTES_A_CELL = 100  # of memory, while a sheet is read (measured)
_PIECE = 1 << 20
_DAMAGED = "is damaged, or no Excel file: open it in Excel and save it as .xlsx. Nothing was read."
_ERROR = "a formula error (such as #REF!) instead of a value: correct the formula"
_UNSTORED = "a formula without its value: open the file in Excel and save it, which stores the values"
_DURATION = "a duration, such as 17:30 hours: format the cell as a number or as text"
_INEXACT = "a number of more digits than Excel keeps, so that different ones can become equal: store it as text"
_EXACT_FLOATS = 2**53  # floats below it that are whole are exact integers
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)  # in the format of a duration
_ELAPSED_ID = "46"  # of the format [h]:mm:ss, which files need not define
_LATE = r"^\+\d{5,}-"  # what fastexcel writes for a date after 9999
_MERGED = re.compile(r"([A-Z]+)(\d+):([A-Z]+)(\d+)", re.ASCII)
_NO_DAY = r"^1899-12-3[01] "  # what a time of day has as its date


@dataclass(frozen=True)
class ExcelTable:
    """Hold the table of a sheet: the names of its columns, its cells as texts, and the row of the sheet before its first."""

    path: Path
    sheet: str
    present: list[str]
    frame: pl.DataFrame
    rows_before: int
    likely_skip: int  # rows that seem to be above the names of the columns
    letters: list[str]  # of the columns
    merged: list[str]  # ranges of the sheet, such as A2:A5
    faults: list["_Fault"]  # cells whose value is unknown, in the rows of the table and below all filled ones

    @property
    def title_hint(self) -> str:
        """Return the option that leaves out what seems to be a title above the table, for an error; nothing if there is none."""
        return skip_hint(self.likely_skip) if self.likely_skip >= self.rows_before else ""

    def check_cells(self, names: Sequence[str]) -> None:
        """Raise an error if the value of a cell in one of these columns is unknown."""
        letters = {self.letters[self.present.index(name)] for name in names}
        for row, letter, held in self.faults:
            if letter in letters:
                raise LogError(
                    f"{self.path}, sheet {self.sheet!r}, cell {letter}{row} contains {held}, or name another column; nothing was "
                    "read."
                )

    def check_years(self, name: str) -> None:
        """Raise an error if a date of this column is after the year 9999, which Excel does not show either."""
        late = self.frame[name].alias("time").str.contains(_LATE).arg_true()
        if len(late):
            row = self.rows_before + int(late[0]) + 1
            raise LogError(
                f"{self.path}, sheet {self.sheet!r}, row {row:,}: the timestamp (column {name!r}) is after the year 9999. "
                "Correct it, or leave timestamps out with timestamp='' (--timestamp ''); nothing was read."
            )

    def merged_hint(self, names: Sequence[str]) -> str:
        """Return what to do about cells of these columns that are merged over rows, for an error; nothing if none are."""
        for match in filter(None, map(_MERGED.fullmatch, self.merged)):
            left, top, right, bottom = match[1], int(match[2]), match[3], int(match[4])
            for name in names if top < bottom else ():
                column = _number(self.letters[self.present.index(name)])
                rows = self.frame[name][max(top - self.rows_before - 1, 0) : max(bottom - self.rows_before, 0)]
                if _number(left) <= column <= _number(right) and rows.null_count():
                    return (
                        f" The cells {match[0]} are merged, and only the first has a value: unmerge them in Excel, and fill each."
                    )
        return ""

    def last_hint(self, needed: Sequence[str], skip_last: int) -> str:
        """Return the option that leaves out what seem to be totals below the table, for an error."""
        rows = [[cell or "" for cell in row] for row in self.frame.tail(SHAPED_LAST).rows()]
        number = likely_footer(rows, len(self.present), [self.present.index(name) for name in needed])
        return skip_last_hint(number + skip_last) if number else ""


class ExcelSheet:
    """Hold the cells of a sheet, from its first row on, as texts in columns that are called by their letters."""

    def __init__(self, path: Path, name: str, cells: pl.DataFrame, merged: list[str], faults: list["_Fault"]) -> None:
        self.path, self.name, self.merged, self.faults = path, name, merged, faults
        # a text without characters is what many formulas return for nothing
        cells = cells.with_columns(pl.when(pl.all() != "").then(pl.all()).name.keep())
        filled = cells.select(pl.any_horizontal(pl.all().is_not_null())).to_series().arg_true()
        cells = cells.head(int(filled[-1]) + 1 if len(filled) else 0)
        self.cells = cells.select(column for column in cells if column.null_count() < len(column))

    def likely_skip(self, skip: int = 0) -> int:
        """Return how many rows seem to be above the names of the columns, at least ``skip``."""
        first = [[cell or "" for cell in row] for row in self.cells[skip : skip + SHAPED_ROWS].rows()]
        width = max((i + 1 for row in first for i, cell in enumerate(row) if cell), default=0)
        return skip + likely_title([row[:width] for row in first])

    def table(self, skip: int, skip_last: int) -> ExcelTable:
        """Cut out the table, without the rows above and below it that are to be skipped."""
        here = f"{self.path}: the sheet {self.name!r}"
        if skip + skip_last >= len(self.cells):
            raise LogError(
                f"{here} has {len(self.cells):,} rows, so {skip + skip_last:,} cannot be left out: give other numbers as "
                "skip=... (--skip) and skip_last=... (--skip-last). Nothing was read."
            )
        header, rows = self.cells.row(skip), self.cells[skip + 1 : len(self.cells) - skip_last]
        named = {letter: name or "" for letter, name in zip(rows.columns, header, strict=True)}
        letters = [letter for letter, name in named.items() if name or rows[letter].null_count() < len(rows)]
        names = [named[letter] for letter in letters]
        likely = self.likely_skip(skip)
        if len(set(names)) < len(names):
            raise two_columns(here, names, skip_hint(likely) if likely > skip else "")
        columns = [_dates(rows[letter]).alias(name) for letter, name in zip(letters, names, strict=True)]
        left_out = range(len(self.cells) - skip_last + 1, len(self.cells) + 1)
        faults = [fault for fault in self.faults if fault.row > skip + 1 and fault.row not in left_out]
        return ExcelTable(self.path, self.name, names, pl.DataFrame(columns), skip + 1, likely, letters, self.merged, faults)


def read_excel(path: Path, options: ReadOptions) -> Events:
    """Read the events of a sheet."""
    table = open_sheet(path, options).table(options.skip, options.skip_last)
    source = f"{path}, sheet {table.sheet!r}"
    try:
        columns = find_columns(source, table.present, **options.columns)
    except LogError as error:
        raise LogError(f"{error}{table.title_hint}{look_hint(path)}") from None
    attributes = find_attributes(source, table.present, columns, options.attributes, options.name)
    if table.frame.is_empty():
        raise LogError(f"{source} is empty: it has column names but no rows.{table.title_hint}")
    table.check_cells(columns_to_read(columns, options, attributes))
    if columns.timestamp is not None:
        table.check_years(columns.timestamp)
    try:
        events = event_columns(source, table.frame, columns, options, attributes, table.rows_before)
    except LogError as error:
        hint = table.title_hint or table.last_hint((columns.case, columns.activity), options.skip_last)
        raise LogError(f"{error}{hint}") from None
    return Events(
        str(path),
        events,
        columns,
        lambda event: f"row {table.rows_before + event + 1:,}",
        unread=unread_columns(table.present, columns, options, lambda names: table.frame.select(names).head(SAMPLE_ROWS)),
        hint=table.merged_hint((columns.case, columns.activity)) or totals_hint(events, options.skip_last),
        n_bytes=len(table.frame) * len(table.present) * _BYTES_A_CELL,
    )


def open_sheet(path: Path, options: ReadOptions) -> ExcelSheet:
    """Read all cells of a sheet: of the one that was named, or the only one that is visible and has any."""
    EXCEL.load(user=f"{path} is an Excel file, and reading it")
    max_bytes = options.max_bytes
    content = _content(path, max_bytes)
    with _damage_is_an_error(path), zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = _Parts(path, book, max_bytes)
        sheets, durations = _candidates(path, _sheets(parts), options.sheet, parts), _duration_styles(parts)
        extents = {each.name: _extent(parts, each.part, durations) for each in sheets}
        parts.measure()
    if len(sheets) > 1:
        raise _several_sheets(path, content, extents, options)
    ((name, seen),) = extents.items()
    return _loaded(path, content, name, seen, max_bytes)


def _loaded(path: Path, content: bytes, name: str, seen: "_Extent", max_bytes: int) -> ExcelSheet:
    """Read all cells of a sheet, if they fit into memory."""
    fastexcel = EXCEL.load(user=f"{path} is an Excel file, and reading it")
    cells = seen.last_row * max(seen.last_column - seen.first_column + 1, 0)
    if cells * _BYTES_A_CELL > max_bytes:
        raise LogError(
            f"{path}: the sheet {name!r} has cells in {seen.last_row:,} rows and {seen.last_column:,} columns, too many for "
            f"{max_bytes:,} bytes of memory: delete the cells beside the table, or allow more with max_bytes=... (--max-bytes). "
            "Nothing was read."
        )
    require_memory(cells * _BYTES_A_CELL, f"{path}: the sheet {name!r}", "delete the cells beside the table. Nothing was read")
    if not cells:
        raise LogError(f"{path}: the sheet {name!r} is empty. Nothing was read.")
    with _damage_is_an_error(path):
        loaded = fastexcel.read_excel(content).load_sheet(
            name, header_row=None, skip_rows=0, schema_sample_rows=None, dtypes="string"
        )
        frame = pl.DataFrame(loaded)
    first = loaded.selected_columns[0].absolute_index
    frame.columns = [_letters(first + i) for i in range(frame.width)]
    return ExcelSheet(path, name, frame, seen.merged, seen.faults)


def _dates(column: pl.Series) -> pl.Series:
    """Return days without a time, and times without a day, if all values of a column are so."""
    present = column.drop_nulls()
    if len(present) and present.str.contains(r"^\d{4}-\d\d-\d\d 00:00:00$").all():
        return column.str.head(10)
    if len(present) and present.str.contains(_NO_DAY).all():
        return column.str.replace(_NO_DAY, "")
    return column


def _content(path: Path, max_bytes: int) -> bytes:
    try:
        if path.stat().st_size > max_bytes:
            raise LogError(f"{path} has more than {max_bytes:,} bytes: allow more with max_bytes=... (--max-bytes).")
        return path.read_bytes()
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None


@contextmanager
def _damage_is_an_error(path: Path) -> Iterator[None]:
    """Turn every way in which a library can fail at a file into one error about it."""
    try:
        yield
    except LogError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # of Rust: no Exception
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise LogError(f"{path} {_DAMAGED} ({shortened(reason)})") from None


class _Parts:
    """Read the parts of the zip file that an Excel file is, as far as they really reach: their headers may claim less."""

    def __init__(self, path: Path, book: zipfile.ZipFile, max_bytes: int) -> None:
        self.path, self.book, self.max_bytes = path, book, max_bytes
        self.members = {info.filename.lower(): info for info in book.infolist()}
        if len(self.members) < len(book.infolist()):
            raise LogError(f"{path} {_DAMAGED} (two parts of one name)")
        self.n_bytes = 0
        self._measured: set[str] = set()

    def pieces(self, name: str) -> Iterator[bytes]:
        info = self.members[name.lower()]
        self._measured.add(name.lower())
        info.file_size = self.max_bytes + 1  # read on beyond what the header claims
        with self.book.open(info) as file:
            while piece := file.read(_PIECE):
                self.n_bytes += len(piece)
                if self.n_bytes > self.max_bytes:
                    raise LogError(
                        f"{self.path} holds more than {self.max_bytes:,} bytes once unpacked. If this is intended, allow more "
                        "with max_bytes=... (--max-bytes); nothing was read."
                    )
                yield piece

    def parse(self, name: str, start: Callable[[str, dict[str, str]], None], text: Callable[[str], None] | None = None) -> None:
        """Call a function for each element of a part, with its name and attributes, and one for each piece of text."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        for piece in self.pieces(name):
            parser.Parse(piece, False)
        parser.Parse(b"", True)

    def measure(self) -> None:
        """Unpack what has not been read yet and what the library will read, to know its size."""
        for name in self.members:
            if name.endswith((".xml", ".rels")) and not name.startswith("xl/worksheets/") and name not in self._measured:
                for _ in self.pieces(name):
                    pass

    def _refuse_doctype(self, *_: Any) -> None:
        raise LogError(f"{self.path} {_DAMAGED} (it has a document type declaration)")


class _SheetPart(NamedTuple):
    name: str
    part: str
    is_visible: bool


def _sheets(parts: _Parts) -> list[_SheetPart]:
    """Return the sheets of a workbook, in their order."""
    found: list[tuple[str, str, bool]] = []
    targets: dict[str, str] = {}

    def sheet(element: str, attributes: dict[str, str]) -> None:
        if _local(element) == "sheet":
            relation = next((value for name, value in attributes.items() if _local(name) == "id"), "")
            found.append((attributes.get("name", ""), relation, attributes.get("state", "visible") == "visible"))

    def relation(element: str, attributes: dict[str, str]) -> None:
        if _local(element) == "Relationship":
            target = attributes.get("Target", "")
            targets[attributes.get("Id", "")] = target[1:] if target.startswith("/") else f"xl/{target}"

    parts.parse("xl/workbook.xml", sheet)
    parts.parse("xl/_rels/workbook.xml.rels", relation)
    if len({name for name, *_ in found}) < len(found):
        raise LogError(f"{parts.path} {_DAMAGED} (two sheets of one name)")
    sheets = [_SheetPart(name, targets.get(relation, ""), is_visible) for name, relation, is_visible in found]
    return [each for each in sheets if each.part.lower() in parts.members and "worksheets/" in each.part.lower()]  # no charts


def _candidates(path: Path, sheets: Sequence[_SheetPart], wanted: str | None, parts: _Parts) -> list[_SheetPart]:
    """Return the sheet that is wanted; if none was named, those that are visible and have cells."""
    for each in sheets:
        if each.name == wanted:
            return [each]
    names = ", ".join(repr(shortened(each.name)) for each in sheets)
    if wanted is not None:
        known = [each.name for each in sheets]
        raise LogError(f"{path} has no sheet {wanted!r}.{did_you_mean(wanted, known)} Its sheets: {names}. Nothing was read.")
    filled = [each for each in sheets if each.is_visible and _has_cells(parts, each.part)]
    if not filled:
        raise LogError(f"{path} has no cells in a visible sheet. Its sheets: {names or 'none'}. Nothing was read.")
    return filled


class SeveralSheets(LogError):
    """Report a workbook with several sheets. ``likely``: the only one that looks like a table of events, None if none does."""

    def __init__(self, message: str, number: int, likely: str | None) -> None:
        super().__init__(message)
        self.number, self.likely = number, likely


def _several_sheets(path: Path, content: bytes, extents: dict[str, "_Extent"], options: ReadOptions) -> SeveralSheets:
    """Return the error about a workbook of which no sheet was named, with what is in each."""
    tables = [name for name, seen in extents.items() if _holds_events(path, content, name, seen, options)]
    likely = tables[0] if len(tables) == 1 else None
    listed = ", ".join(f"{shortened(name)!r} ({seen.size})" for name, seen in extents.items())
    if likely is None:
        remedy = "Give the one with the events as sheet=... (--sheet NAME)"
    else:
        remedy = f"Only {likely!r} looks like a table of events: if it is, give sheet={likely!r} (--sheet {shlex.quote(likely)})"
    return SeveralSheets(f"{path} has {len(extents):,} sheets: {listed}. {remedy}; nothing was read.", len(extents), likely)


def _holds_events(path: Path, content: bytes, name: str, seen: "_Extent", options: ReadOptions) -> bool:
    """Return whether a sheet has the columns of a case and an activity, by the names that were given or usual ones."""
    with suppress(ActalikeError):  # a sheet that cannot be read is none either
        table = (sheet := _loaded(path, content, name, seen, options.max_bytes)).table(sheet.likely_skip(options.skip), 0)
        find_columns(str(path), table.present, **options.columns)
        return len(table.frame) > 0
    return False


def _extent(parts: _Parts, part: str, duration_styles: set[str]) -> "_Extent":
    seen = _Extent(parts.path, duration_styles)
    parts.parse(part, seen.start, seen.texts.append)
    seen.end_cell()
    return seen


class _Found(Exception):
    """Say that a sheet has a cell."""


def _has_cells(parts: _Parts, part: str) -> bool:
    def start(element: str, _: dict[str, str]) -> None:
        if _local(element) in ("v", "is"):
            raise _Found

    try:
        parts.parse(part, start)
    except _Found:
        return True
    return False


def _duration_styles(parts: _Parts) -> set[str]:
    """Return the numbers of the styles of cells that show a number as a duration: fastexcel makes a date of it."""
    found: set[str] = set()
    formats = {_ELAPSED_ID}
    section, number = "", 0

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal section, number
        kind = _local(element)
        if kind in ("numFmts", "cellXfs", "cellStyleXfs", "cellStyles", "dxfs"):
            section = kind
        elif kind == "numFmt" and section == "numFmts" and _ELAPSED.search(attributes.get("formatCode", "")):
            formats.add(attributes.get("numFmtId", ""))
        elif kind == "xf" and section == "cellXfs":
            if attributes.get("numFmtId") in formats:
                found.add(str(number))
            number += 1

    if "xl/styles.xml" in parts.members:
        parts.parse("xl/styles.xml", start)
    return found


class _Fault(NamedTuple):
    """A cell whose value is unknown, and what it holds instead, in words."""

    row: int
    letters: str
    held: str


class _Extent:
    """Find out which rows and columns of a sheet have values, and of which cells the value is unknown."""

    def __init__(self, path: Path, duration_styles: set[str]) -> None:
        self._path, self._duration_styles = path, duration_styles
        self.texts: list[str] = []  # pieces of the value of the current cell
        self.last_row, self.first_column, self.last_column = 0, 1 << 30, 0
        self.faults: list[_Fault] = []
        self.merged: list[str] = []
        self._row, self._column = 0, 0
        self._type, self._style = "", ""  # of the current cell; no type if there is none
        self._has_formula, self._has_value = False, False
        self._columns: dict[str, int] = {}  # number by letters
        self._kinds: dict[str, str] = {}  # of elements: the name without its prefix

    @property
    def size(self) -> str:
        """Return in words how many rows and columns there are from the first to the last cell."""
        columns = self.last_column - self.first_column + 1
        return f"{self.last_row:,} row{'' if self.last_row == 1 else 's'}, {columns:,} column{'' if columns == 1 else 's'}"

    def start(self, element: str, attributes: dict[str, str]) -> None:
        kind = self._kinds.get(element) or self._kinds.setdefault(element, _local(element))
        if kind == "c":
            self.end_cell()
            place = attributes.get("r", "")
            letters = place.rstrip("0123456789").upper()
            before = self._column
            if letters:
                self._column = self._columns.get(letters) or self._columns.setdefault(letters, _number(letters))
            else:
                self._column += 1
            # fastexcel puts a cell where its own reference says, whatever its row says, and the later of two into one place
            if self._column <= before or (place and int(place[len(letters) :]) != self._row):
                raise LogError(f"{self._path} {_DAMAGED} (the cell {shortened(place)} is in row {self._row:,}, or out of order)")
            self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
            self._has_formula = self._has_value = False
        elif kind in ("v", "is"):
            self.texts.clear()
            self._has_value = True
            self.last_row = max(self.last_row, self._row)
            self.first_column = min(self.first_column, self._column)
            self.last_column = max(self.last_column, self._column)
        elif kind == "f":
            self._has_formula = True
        elif kind == "row":
            self.end_cell()
            before, self._row = self._row, int(attributes.get("r", self._row + 1))
            if self._row <= before:
                raise LogError(f"{self._path} {_DAMAGED} (row {self._row:,} comes after row {before:,})")
            self._column = 0
        else:  # a cell ends before what follows the table, which may have formulas too; an inline text needs no check
            self.end_cell()
            if kind == "mergeCell":
                self.merged.append(attributes.get("ref", ""))

    def end_cell(self) -> None:
        """Note if the value of the current cell is unknown."""
        kind, self._type = self._type, ""
        held = ""
        if kind == "e":
            held = _ERROR
        elif kind == "n" or (kind and kind != "inlineStr" and self._has_formula):
            text = "".join(self.texts).strip() if self._has_value else ""
            if not text:
                # a formula that returns a text may return one without characters
                held = _UNSTORED if self._has_formula and not (kind == "str" and self._has_value) else ""
            elif kind == "n" and self._style in self._duration_styles:
                held = _DURATION
            elif kind == "n" and abs(float(text)) >= _EXACT_FLOATS:
                held = _INEXACT
        if held:
            self.faults.append(_Fault(self._row, _letters(self._column - 1), held))


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _number(letters: str) -> int:
    """Return the number of a column, from 1.

    >>> _number("A"), _number("AB")
    (1, 28)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _letters(place: int) -> str:
    """Return the letters of a column, from 0.

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)
