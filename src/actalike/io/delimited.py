"""Read CSV strictly and as a stream: anything ambiguous or lossy is an error (docs/reading.md)."""

import codecs
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError
from actalike.io.columns import SAMPLE_ROWS, UnusedColumns, find_attributes, find_columns, look_hint
from actalike.io.files import cut_off_is_an_error, peek, read_pieces, to_utf8
from actalike.io.frame import Categories, Events, ReadOptions, columns_to_read, event_columns, unused_columns
from actalike.io.table_shape import SHAPED_LAST, SHAPED_ROWS, duplicate_columns, likely_footer, likely_title

T = TypeVar("T")

_LONGEST_ROW = 1 << 24
_LF, _CR, _QUOTE = b'\n\r"'
_SEPARATORS = (",", ";", "\t", "|")
_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_UTF_32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_SEPARATOR_LINE = re.compile(rb'sep=(.)|"sep=(.)"', re.IGNORECASE | re.DOTALL)
_REMEDY = "Name its encoding: that of Windows and Excel is often encoding='cp1252' (--encoding cp1252); or convert it to UTF-8"
_BLOCK = 1 << 21  # bytes parsed at a time: fewer make Polars slower, more do not make it faster (measured)
_PEEKED = 1 << 16  # bytes of the first rows, which tell titles from the table
_AT_ONCE = 2  # blocks parsed side by side


class RowBlock(NamedTuple):
    """Hold complete rows, where each ends (at its line feed, or the end of the file), and the number of rows before."""

    content: bytes
    ends: NDArray[np.int64]
    rows_before: int


class CsvTable:
    """Split a CSV file into its header, which :meth:`read_header` checks, and its rows: as UTF-8, in blocks."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        encoding, separator = options.encoding, options.separator
        self.path = path
        self.encoding, self.mark = "utf-8" if encoding is None else encoding, b""
        self.separator_line = b""  # Excel's first line, sep=;
        self.above, self.below = b"", b""  # skipped rows; those below are known when all blocks have been read
        self.n_bytes = 0  # of the rows read so far, as UTF-8
        self.present: list[str] = []
        self._skip, self._skip_last = options.skip, options.skip_last
        self._last: RowBlock | None = None
        with cut_off_is_an_error(path):
            pieces = read_pieces(path, options.max_bytes, options.progress, _BLOCK)
            self._rows = RowCutter(path, self._decoded(pieces, encoding))
            self.header = self._rows.next_row()
            if line := _SEPARATOR_LINE.fullmatch(_without_break(self.header)):
                self.separator_line = self.header
                self.header = self._rows.next_row()
                separator = _agreed_separator(path, separator, (line[1] or line[2]).decode("latin-1"))
            for _ in range(self._skip):
                self.above += self.header
                self.header = self._rows.next_row()
            self._first_rows = [self.header, *self._rows.first_rows(SHAPED_ROWS)]
        self._separator_given = _checked_separator(separator)

    def read_header(self) -> None:
        """Find the separator and the columns; a first row that does not name the columns is an error."""
        header = _without_break(self.header)
        self._check_header(header)
        self.separator = self._separator_given or _likely_separator(header)
        self.present = _split(self.path, header, self.separator)
        if len(set(self.present)) < len(self.present):
            raise duplicate_columns(str(self.path), self.present, look_hint(self.path))
        if len(self.present) == 1 and len(_split(self.path, header, _likely_separator(header))) > 1:
            raise LogError(
                f"{self.path} has a single column when split at {self.separator!r}, but it seems to be separated by "
                f"{_likely_separator(header)!r}: give that as separator=... (--separator)."
            )

    @property
    def blank_end(self) -> bytes:
        """Return the blank lines at the end of the file, when all its blocks have been read."""
        return self._rows.blank_end

    def blocks(self) -> Iterator[RowBlock]:
        """Yield the rows after the header, in blocks of whole rows."""
        with cut_off_is_an_error(self.path):
            for block in self._without_last(self._rows.blocks()):
                self.n_bytes += len(block.content)
                self._last = block
                yield block

    def likely_skip(self) -> int:
        """Return how many rows seem to precede the column names."""
        separator = self._separator_given or _likely_separator(b"".join(self._first_rows))
        return self._skip + likely_title([cells_or_whole(row, separator) for row in self._first_rows])

    def likely_skip_last(self) -> int:
        """Return how many of the last rows seem to be totals or notes below the table, when all blocks have been read."""
        if self._last is None:
            return 0
        ends = self._last.ends[-SHAPED_LAST:].tolist()
        starts = np.append(0, self._last.ends[:-1] + 1)[-SHAPED_LAST:].tolist()
        rows = [self._last.content[start : end + 1] for start, end in zip(starts, ends, strict=True)]
        return likely_footer([cells_or_whole(row, self.separator) for row in rows], len(self.present))

    def _without_last(self, blocks: Iterator[RowBlock]) -> Iterator[RowBlock]:
        """Yield the blocks without the last rows, if these are skipped."""
        held: deque[RowBlock] = deque()
        rows = 0  # in the blocks that are held back
        for block in blocks:
            held.append(block)
            rows += len(block.ends)
            while held and rows - len(held[0].ends) >= self._skip_last:
                rows -= len(held[0].ends)
                yield held.popleft()
        if rows < self._skip_last:
            raise LogError(
                f"{self.path} has {rows:,} rows after its header, and {self._skip_last:,} cannot be skipped at the end: give "
                "another number as skip_last=... (--skip-last). Nothing was read."
            )
        kept = rows - self._skip_last
        for block in held:
            ends = block.ends[:kept]
            end = int(ends[-1]) + 1 if len(ends) else 0
            if end:
                yield RowBlock(block.content[:end], ends, block.rows_before)
            self.below += block.content[end:]
            kept -= len(ends)

    def _decoded(self, pieces: Iterator[bytes], named: str | None) -> Iterator[bytes]:
        """Yield the file as UTF-8, without a byte order mark."""
        first, rest = peek(pieces)
        if first.startswith(_UTF_32_MARKS[0] if named else _UTF_32_MARKS):
            raise LogError(f"{self.path} is in UTF-32 (by its byte order mark): save it as UTF-8; nothing was read.")
        self.mark = next((mark for mark in _MARKS if first.startswith(mark)), b"")
        self.encoding = _agreed_encoding(self.path, named, self.mark)
        # a file in UTF-8 goes through to_utf8 too: the error for a wrong encoding then names the first wrong byte
        yield from to_utf8(self.path, chain([first[len(self.mark) :]], rest), self.encoding, len(self.mark), _REMEDY)

    def _check_header(self, header: bytes) -> None:
        if not self.header and self._skip:
            raise LogError(
                f"{self.path} has no row after the first {self._skip:,}: give another number as skip=... (--skip). "
                "Nothing was read."
            )
        if not any(self._first_rows):
            raise LogError(f"{self.path} is empty: it has no header.")
        if not header:
            where = "has a blank line after the skipped rows" if self._skip else "begins with a blank line"
            raise LogError(f"{self.path} {where}, where the column names should be.{look_hint(self.path)} Nothing was read.")
        if b"\0" in header:
            likely = "utf-16-be" if header.startswith(b"\0") else "utf-16-le"
            raise LogError(
                f"{self.path} has NUL bytes in its first line, as UTF-16 without a byte order mark has: give "
                f"encoding='{likely}' (--encoding {likely}), or save it as UTF-8; nothing was read."
            )
        if has_lone_return(header):
            raise LogError(
                f"{self.path} has lines that end in a carriage return alone, as files of old Macs have: save it with the line "
                "ends of Windows or Unix (CRLF or LF); nothing was read."
            )


class CsvFile(CsvTable):
    """Read a CSV file of which the columns of a log are known: those that the user named, and those that are recognised."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        self.read_header()
        try:
            self.columns = find_columns(str(path), self.present, **options.columns)
        except LogError as error:
            raise LogError(f"{error}{look_hint(path)}") from None


def read_csv(path: Path, options: ReadOptions) -> Events:
    """Read the events of a CSV file."""
    file = CsvFile(path, options)
    attributes = find_attributes(str(path), file.present, file.columns, options.attributes, options.name)
    wanted = columns_to_read(file.columns, options, attributes)
    categories = Categories()
    unused = None

    def parse(block: RowBlock) -> tuple[UnusedColumns | None, pl.DataFrame]:
        rows = parse_rows(path, block, file.separator, file.present, wanted)
        events = event_columns(str(path), rows, file.columns, options, attributes, block.rows_before)
        return look_at_unused(file, block, options), categories.of(events)

    blocks = []
    for looked_at, events in parse_blocks(file, parse):
        unused = unused or looked_at
        blocks.append(events)
    if not blocks:
        raise LogError(f"{path} is empty: it has column names but no rows.")
    frame = pl.concat(blocks)
    return Events(str(path), frame, file.columns, unused=unused, n_bytes=file.n_bytes)


def parse_blocks(file: CsvFile, parse: Callable[[RowBlock], T]) -> Iterator[T]:
    """Parse the blocks of a file, a few side by side, and yield the results in order. The first error in the file is raised."""
    blocks = file.blocks()
    waiting: deque[Future[T]] = deque()
    error: LogError | None = None
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            while True:
                try:
                    block = next(blocks, None)
                except LogError as caught:
                    error = caught  # what was read before it may have an error, too
                    break
                if block is None:
                    break
                waiting.append(pool.submit(parse, block))
                if len(waiting) > _AT_ONCE:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    if error is not None:
        raise error


def _agreed_encoding(path: Path, named: str | None, mark: bytes) -> str:
    """Return the encoding that the user named, or the one that the byte order mark indicates; they must not differ."""
    if named is None:
        return _MARKS.get(mark, "utf-8")
    try:
        name = codecs.lookup(named).name.removesuffix("-sig")
    except (LookupError, UnicodeError):
        raise LogError(f"{path}: there is no text encoding called {named!r}; nothing was read.") from None
    if not mark:
        if name == "utf-16":
            raise LogError(
                f"{path} has no byte order mark, so UTF-16 can be read in two ways: name it utf-16-le or utf-16-be; "
                "nothing was read."
            )
        return named if name != "utf-8" else "utf-8"
    if name not in (_MARKS[mark], _MARKS[mark].removesuffix("-le").removesuffix("-be")):
        raise LogError(
            f"{path} begins with the byte order mark of {_MARKS[mark]}, so it is not {named}: leave the encoding out; "
            "nothing was read."
        )
    return _MARKS[mark]


def _agreed_separator(path: Path, given: str | None, in_file: str) -> str:
    if given not in (None, in_file):
        raise LogError(
            f"{path} names {in_file!r} as its separator in the first line, and {given!r} was given: leave the separator "
            "out; nothing was read."
        )
    return in_file


def _checked_separator(separator: str | None) -> str | None:
    if separator is not None and (
        len(separator) != 1 or not separator.isascii() or separator.isalnum() or separator in '"\r\n\0'
    ):
        raise LogError(
            "A separator must be a single ASCII character other than a letter, digit, quote, line break or NUL; "
            f"{separator!r} is not. Give another as separator=... (--separator); nothing was read."
        )
    return separator


def look_at_unused(file: CsvFile, block: RowBlock, options: ReadOptions) -> UnusedColumns | None:
    """Return the first rows of the columns that are not read, from the first block: enough to see what they hold."""
    if block.rows_before:
        return None
    ends = block.ends[:SAMPLE_ROWS]
    first = RowBlock(block.content[: int(ends[-1]) + 1], ends, 0)
    return unused_columns(
        file.present, file.columns, options, lambda names: parse_rows(file.path, first, file.separator, file.present, names)
    )


def _without_break(row: bytes) -> bytes:
    return row[:-1].removesuffix(b"\r") if row.endswith(b"\n") else row


def _likely_separator(header: bytes) -> str:
    bare = re.sub(rb'"[^"]*"', b"", header)
    return max(_SEPARATORS, key=lambda mark: bare.count(mark.encode()))


def cells_or_whole(row: bytes, separator: str) -> list[str]:
    """Return the cells of a row; a row that cannot be split into cells is one."""
    text = _without_break(row)
    return (header_cells(text, separator) if text else None) or [text.decode(errors="replace")]


def _split(path: Path, header: bytes, separator: str) -> list[str]:
    cells = header_cells(header, separator)
    if cells is None:
        raise LogError(
            f"{path}: its header cannot be read as CSV separated by {separator!r}: {header[:80].decode(errors='replace')!r} has "
            "a quote in the middle of a field, or one that is not closed; nothing was read."
        )
    return cells


class RowCutter:
    """Split a stream of UTF-8 into rows: first single ones, then blocks of them."""

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

    def first_rows(self, most: int) -> list[bytes]:
        """Return the next rows that are in memory already, with their line breaks, without consuming them."""
        if not self._carried:
            self._carried = next(self._pieces, b"")
        head = self._carried[:_PEEKED]
        ends = (_breaks(head)[:most] + 1).tolist()
        return [head[start:end] for start, end in pairwise([0, *ends])] if ends else [head]

    def blocks(self) -> Iterator[RowBlock]:
        """Yield the remaining rows in blocks; blank lines at the end of the file are skipped."""
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
            f"{path}, row {row:,} has {counted_fields(here)} but the header has {width}: "
            "the separator is wrong, a value is missing its quotes, the row is a title or a total, or the file is cut off."
            f"{look_hint(path)} Nothing was read."
        )


def counted_fields(number: int) -> str:
    """Return a number of fields for a message."""
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
    """Return whether a row (without its line break) has a carriage return outside quotes."""
    octets = np.frombuffer(row, dtype=np.uint8)
    return bool(((octets == _CR) & _outside_quotes(octets)).any())


def parse_rows(path: Path, block: RowBlock, separator: str, present: Sequence[str], wanted: Sequence[str]) -> pl.DataFrame:
    """Check a block of rows and return some of its columns as strings; a missing value is null."""
    check_rows(path, block, separator, len(present))
    content = block.content
    mark = separator.encode()
    names = set(wanted)
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
