"""Cut CSV into rows and cells by one set of rules, which every way of reading a CSV file shares.

The rules are in ``docs/csv.md``. Rows end at a line feed, before which one carriage return belongs to the line break. A cell
is in quotes as a whole or not at all. A cell without quotes and without characters is a missing value; ``""`` is an empty text.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError

_LONGEST_ROW = 1 << 24
_LF, _CR, _QUOTE = b'\n\r"'
_WIDE = 1000  # columns; of more, Polars is given only those that are wanted
_NO_COLUMN = "\0"  # no header can hold it


class RowBlock(NamedTuple):
    """Hold whole rows, where each ends (at its line feed, the last perhaps at the end of the file), and how many came before."""

    content: bytes
    ends: NDArray[np.int64]
    rows_before: int


class RowCutter:
    """Cut a stream of UTF-8 into rows: first single ones, then blocks of them."""

    def __init__(self, path: Path, pieces: Iterator[bytes]) -> None:
        self.path = path
        self.blank_end = b""  # blank lines at the end of the file, known when all blocks have been taken
        self._pieces = pieces
        self._carried = b""

    def next_row(self) -> bytes:
        """Return the next row with its line break; nothing at the end of the file."""
        while not len(breaks := _breaks(self._carried)):
            self._check_length()
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._carried += piece
        end = int(breaks[0]) + 1 if len(breaks) else len(self._carried)
        row, self._carried = self._carried[:end], self._carried[end:]
        return row

    def blocks(self) -> Iterator[RowBlock]:
        """Yield the remaining rows in blocks. Blank lines at the end of the file are no rows."""
        rows = 0
        for piece in self._pieces_with_carried():
            text = self._carried + piece
            breaks = _breaks(text)
            # blank lines may be the end of the file, so they wait for what comes after them
            body = _end_of_text(text, int(breaks[-1]) + 1) if len(breaks) else 0
            ends = breaks[: int(np.searchsorted(breaks, body)) + 1] if body else breaks[:0]
            end = int(ends[-1]) + 1 if len(ends) else 0
            self._carried = text[end:]
            self._check_length()
            if end:
                yield RowBlock(text[:end], ends, rows)
                rows += len(ends)
        rest, self._carried = self._carried, b""
        if not rest.replace(b"\r\n", b"").replace(b"\n", b""):
            self.blank_end = rest
            return
        ends = _breaks(rest)
        if not len(ends) or ends[-1] != len(rest) - 1:
            ends = np.append(ends, len(rest))
        yield RowBlock(rest, ends, rows)

    def _pieces_with_carried(self) -> Iterator[bytes]:
        yield b""  # what was read with the header comes first
        yield from self._pieces

    def _check_length(self) -> None:
        if len(self._carried) > _LONGEST_ROW:
            raise LogError(
                f"{self.path} has a row of more than {_LONGEST_ROW:,} bytes; perhaps a quote is not closed. Nothing was read."
            )


def check_rows(path: Path, block: RowBlock, separator: str, width: int) -> None:
    """Raise an error unless all quotes are where they belong and every row has ``width`` cells."""
    octets = np.frombuffer(block.content, dtype=np.uint8)
    marks = octets == ord(separator)
    if b'"' in block.content:
        outside = _outside_quotes(octets)
        misplaced = misplaced_quote(octets, outside, separator)
        if misplaced is not None:
            row = block.rows_before + int(np.searchsorted(block.ends, misplaced)) + 1
            raise LogError(
                f"{path}, row {row:,} has a quote in the middle of a field: put quotes around the whole field and double the "
                "quotes inside it; nothing was read."
            )
        if not outside[-1]:
            raise LogError(f"{path} ends inside a quoted field: a quote is not closed, or the file is cut off. Nothing was read.")
        marks &= outside
    fields = np.diff(np.searchsorted(np.flatnonzero(marks), block.ends), prepend=0) + 1
    wrong = np.flatnonzero(fields != width)
    if len(wrong):
        row, here = block.rows_before + int(wrong[0]) + 1, int(fields[wrong[0]])
        raise LogError(
            f"{path}, row {row:,} has {counted_fields(here)} and the header {width}: "
            "the separator is wrong, a text lacks its quotes, or the file is cut off. Nothing was read."
        )


def counted_fields(number: int) -> str:
    """Return a number of fields in words."""
    return "1 field" if number == 1 else f"{number:,} fields"


def misplaced_quote(octets: NDArray[np.uint8], outside: NDArray[np.bool_], separator: str) -> int | None:
    """Return where the first quote is that is inside a cell without being doubled: programs read such a cell differently."""
    quotes = np.flatnonzero(octets == _QUOTE)
    padded = np.concatenate([[_LF], octets, [_LF, 0]])  # rows are whole: a line ends before them and after them
    before, after, second_after = padded[quotes], padded[quotes + 2], padded[quotes + 3]
    is_opening = ~outside[quotes]  # the byte of an opening quote counts as inside, that of a closing one as outside
    fine_before = np.isin(before, [ord(separator), _LF, _QUOTE])
    ends_line = (after == _CR) & (second_after == _LF) & (quotes + 2 < len(octets))
    fine_after = np.isin(after, [ord(separator), _LF, _QUOTE]) | ends_line
    wrong = quotes[~np.where(is_opening, fine_before, fine_after)]
    return int(wrong[0]) if len(wrong) else None


def field_bounds(content: bytes, separator: str, width: int) -> NDArray[np.int64]:
    """Return where the cells of each row begin and, in the last column, where the row ends (before its line break).

    The rows must have been checked: each has ``width`` cells.

    >>> field_bounds(b'1,"a,b"\\n2,c\\r\\n', ",", 2).tolist()
    [[0, 2, 7], [8, 10, 11]]
    """
    octets = np.frombuffer(content, dtype=np.uint8)
    outside = _outside_quotes(octets) if b'"' in content else np.ones(len(octets), dtype=bool)
    breaks = np.flatnonzero((octets == _LF) & outside)
    has_break = len(breaks) > 0 and breaks[-1] == len(octets) - 1
    ends = breaks if has_break else np.append(breaks, len(octets))
    starts = np.append(0, ends[:-1] + 1)
    marks = np.flatnonzero((octets == ord(separator)) & outside).reshape(len(ends), width - 1)
    returns = (ends > starts) & (octets[np.maximum(ends - 1, 0)] == _CR)
    if not has_break:
        returns[-1] = False  # a carriage return at the end of the file belongs to the cell
    return np.column_stack([starts, marks + 1, ends - returns])


def header_cells(row: bytes, separator: str) -> list[str] | None:
    """Return the cells of a single row without its line break; None if its quotes are not where they belong.

    >>> header_cells(b'case,"the ""step"", renamed",', ",")
    ['case', 'the "step", renamed', '']
    """
    octets = np.frombuffer(row, dtype=np.uint8)
    outside = _outside_quotes(octets)
    if not outside[-1] or misplaced_quote(octets, outside, separator) is not None:
        return None
    marks = np.flatnonzero((octets == ord(separator)) & outside)
    bounds = zip([0, *(marks + 1).tolist()], [*marks.tolist(), len(row)], strict=True)
    cells = (row[start:end] for start, end in bounds)
    return [(cell[1:-1].replace(b'""', b'"') if cell[:1] == b'"' else cell).decode() for cell in cells]


def has_lone_return(row: bytes) -> bool:
    """Return whether a row without its line break has a carriage return outside quotes."""
    octets = np.frombuffer(row, dtype=np.uint8)
    return bool(((octets == _CR) & _outside_quotes(octets)).any())


def parse_rows(path: Path, block: RowBlock, separator: str, present: Sequence[str], wanted: Sequence[str]) -> pl.DataFrame:
    """Check a block of rows and return some of its columns as texts; a missing value is null."""
    check_rows(path, block, separator, len(present))
    content = block.content
    mark = separator.encode()
    names = set(wanted)
    if len(present) > _WIDE:
        content, present = _only_cells(content, separator, present, names)
    if b"\r" + mark in content or content.endswith(b"\r"):
        content = _with_returns_quoted(content, separator, len(present))
    # Polars would take a mark U+FEFF at the beginning of what it is given for a byte order mark: a row before it prevents that
    first = b"0" + mark * (len(present) - 1) + b"\n"
    chosen = {f"column_{i}": name for i, name in enumerate(present, 1) if name in names}  # as Polars calls columns without names
    try:
        frame = pl.read_csv(
            first + content,
            separator=separator,
            has_header=False,
            schema={f"column_{i}": pl.String for i in range(1, len(present) + 1)},
            columns=list(chosen),
        )
    except pl.exceptions.PolarsError as error:
        raise LogError(
            f"{path}: the rows after row {block.rows_before:,} are not valid CSV ({str(error).splitlines()[0]}); "
            "nothing was read."
        ) from None
    if len(frame) != len(block.ends) + 1:
        raise LogError(
            f"{path}: of the {len(block.ends):,} rows after row {block.rows_before:,}, {len(frame) - 1:,} were read. "
            "Please report this; nothing was read."
        )
    frame.columns = [chosen[name] for name in frame.columns]
    return frame[1:]


def _only_cells(content: bytes, separator: str, present: Sequence[str], wanted: Collection[str]) -> tuple[bytes, list[str]]:
    """Return the rows with the cells of some columns only, and these columns: a million columns take Polars a gigabyte."""
    chosen = [i for i, name in enumerate(present) if name in wanted]
    bounds = field_bounds(content, separator, len(present))
    bounds[:, -1] += 1  # as if a separator came after the last cell, too
    starts, ends = bounds[:, chosen].tolist(), (bounds[:, [i + 1 for i in chosen]] - 1).tolist()
    mark = separator.encode()
    # an empty cell at the end of each row: there, a carriage return would become a part of the line break
    rows = ((content[start:end] for start, end in zip(*row, strict=True)) for row in zip(starts, ends, strict=True))
    return b"".join(mark.join([*cells, b"\n"]) for cells in rows), [*(present[i] for i in chosen), _NO_COLUMN]


def _with_returns_quoted(content: bytes, separator: str, width: int) -> bytes:
    """Return the rows with quotes around each cell that ends in a carriage return, which Polars would drop."""
    bounds = field_bounds(content, separator, width)
    starts, ends = bounds[:, :-1].ravel(), np.column_stack([bounds[:, 1:-1] - 1, bounds[:, -1]]).ravel()
    octets = np.frombuffer(content, dtype=np.uint8)
    chosen = (ends > starts) & (octets[np.maximum(ends - 1, 0)] == _CR) & (octets[np.minimum(starts, len(octets) - 1)] != _QUOTE)
    parts, done = [], 0
    for start, end in zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True):
        parts += [content[done:start], b'"', content[start:end], b'"']
        done = end
    return b"".join([*parts, content[done:]])


def _end_of_text(text: bytes, end: int) -> int:
    """Return where the line breaks begin that are before ``end``."""
    step = 64  # they are few, and a copy of the text takes time
    while end:
        last = text[max(end - step, 0) : end]
        if kept := last.rstrip(b"\r\n"):
            return end - len(last) + len(kept)
        end -= len(last)
    return 0


def _breaks(text: bytes) -> NDArray[np.int64]:
    """Return the positions of the line feeds outside quotes."""
    octets = np.frombuffer(text, dtype=np.uint8)
    breaks = octets == _LF
    return np.flatnonzero(breaks & _outside_quotes(octets) if b'"' in text else breaks)


def _outside_quotes(octets: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for each byte whether the number of quotes up to it, itself included, is even."""
    return np.logical_not(np.bitwise_xor.accumulate(octets == _QUOTE))
