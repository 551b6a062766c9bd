"""Read and write tables of labels as CSV files that people edit in spreadsheets."""

import csv
import io
import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from actalike.errors import ActalikeError
from actalike.io import CutOff, counted_fields, read_pieces
from actalike.support.text import escape_formula, restore_formula

_LONGEST_CELL = 1 << 24
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
_REMEMBERED = 1 << 14  # texts and their cells, while a table is written
MAX_BYTES = 1 << 26  # no log has so many labels


class TableRow(NamedTuple):
    """Hold the cells of a row, and the line of the file on which it begins."""

    line: int
    cells: list[str]


class LabelTable(NamedTuple):
    """Hold the rows of a table; the first one may name the columns."""

    path: Path
    rows: list[TableRow]

    def header(self) -> list[str]:
        """Return the cells of the first row as names of columns: in lower case, without spaces around them."""
        return [cell.strip().lower().replace(" ", "_") for cell in self.rows[0].cells] if self.rows else []

    def columns(self, names: Sequence[str]) -> list[int] | None:
        """Return the places of the columns with these names; None if one of them is missing."""
        header = self.header()
        if any(name not in header for name in names):
            return None
        for name in names:
            if header.count(name) > 1:
                raise ActalikeError(f"{self.path} has two columns called {name!r}: rename one; nothing was read.")
        return [header.index(name) for name in names]


def read_label_table(path: str | Path) -> LabelTable:
    """Read a CSV file in UTF-8, or in UTF-16 with a byte order mark, without its blank lines.

    Cells are separated by commas, or by ``;`` or tabs, which some spreadsheets write, or as a first line such as ``sep=;`` says.
    All rows must have as many cells as the first.
    """
    path = Path(path)
    text = _text_of(path)
    first_line = 1
    if line := _SEPARATOR_LINE.match(text):
        text, separator, first_line = text[line.end() :], line[1], 2
    else:
        separator = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = _rows_of(text, separator, first_line)
    except csv.Error as error:
        raise ActalikeError(f"{path} is not valid CSV ({error}): save it as CSV again; nothing was read.") from None
    for row in rows:
        if len(row.cells) != len(rows[0].cells):
            raise ActalikeError(
                f"{path}, line {row.line:,} has {counted_fields(len(row.cells))} and the first line {len(rows[0].cells)}: put "
                "texts in quotes; nothing was read."
            )
    return LabelTable(path, rows)


def table_bytes(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as CSV in UTF-8. A text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> table_bytes([["activity", "group"], ["Check, again", "=1"]])
    b'activity,group\\n"Check, again",\\'=1\\n'
    """
    cell = lru_cache(maxsize=_REMEMBERED)(_cell)  # large tables have the same labels and numbers again and again
    return "".join([f"{','.join(map(cell, row))}\n" for row in rows]).encode()


def _cell(text: str) -> str:
    """Return a text as a CSV cell, in quotes only if it needs them."""
    text = escape_formula(text)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[,"\r\n]', text) else text


def small_content(path: Path) -> bytes:
    """Return the content of a file about labels, unpacked; one that is far too large is an error."""
    pieces, size = [], 0
    for piece in read_pieces(path, sys.maxsize):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_BYTES:
            raise ActalikeError(
                f"{path} holds more than {MAX_BYTES:,} bytes once unpacked, and no log has so many labels: give another file. "
                "Nothing was read."
            )
    return b"".join(pieces)


def _text_of(path: Path) -> str:
    """Return a file as text: in UTF-16 if it has the byte order mark, which spreadsheets write, otherwise in UTF-8."""
    try:
        content = small_content(path)
    except CutOff:
        raise ActalikeError(f"{path} is an unfinished gzip: the file is cut off. Get a complete copy.") from None
    encoding, name = ("utf-16", "UTF-16") if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "UTF-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ActalikeError(f"{path} is not {name}: byte {error.start:,} does not fit. Save it as CSV in UTF-8.") from None


def _rows_of(text: str, separator: str, first_line: int) -> list[TableRow]:
    """Return the rows of a CSV that are not blank; a cell may be as long as a row of a log."""
    before = csv.field_size_limit(_LONGEST_CELL)  # it holds for the whole process, so it is put back
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows, line = [], first_line
        for cells in reader:
            if cells:
                rows.append(TableRow(line, [restore_formula(cell) for cell in cells]))
            line = first_line + reader.line_num  # that of the next row: a cell may have several lines
        return rows
    finally:
        csv.field_size_limit(before)
