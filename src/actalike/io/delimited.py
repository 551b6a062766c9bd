"""Read CSV strictly and as a stream: what is not certain, or would be lost, is an error. ``docs/csv.md`` has the rules."""

import codecs
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

from actalike.errors import LogError, shortened
from actalike.io.assemble import Events
from actalike.io.columns import WantedAttributes, find_attributes, find_columns
from actalike.io.csv_rows import RowBlock, RowCutter, has_lone_return, header_cells, parse_rows
from actalike.io.frames import CheckedRows, ColumnReader
from actalike.io.source import CutOff, Progress, peek, read_pieces, to_utf8
from actalike.io.unused_columns import SAMPLE_ROWS, Unread, worth_a_look

T = TypeVar("T")

_SEPARATORS = (",", ";", "\t", "|")
_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_UTF_32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_SEPARATOR_LINE = re.compile(rb'sep=(.)|"sep=(.)"', re.IGNORECASE | re.DOTALL)
_REMEDY = "Name its encoding with encoding=... (--encoding; that of Windows and Excel is often cp1252), or convert it to UTF-8"
_BLOCK = 1 << 21  # bytes parsed at a time: fewer make Polars slower, more do not make it faster (measured)
_AT_ONCE = 2  # blocks parsed side by side


class CsvTable:
    """Read the header of a CSV file, and then its rows: as UTF-8, in blocks of whole rows."""

    def __init__(
        self,
        path: Path,
        separator: str | None,
        encoding: str | None,
        max_bytes: int,
        progress: Progress | None,
    ) -> None:
        self.path = path
        self.encoding, self.mark = "utf-8" if encoding is None else encoding, b""
        self.separator_line = b""  # Excel's first line, sep=;
        self.n_bytes = 0  # of the rows read so far, as UTF-8
        with _cut_off_is_an_error(path):
            self._rows = RowCutter(path, self._decoded(read_pieces(path, max_bytes, progress, _BLOCK), encoding))
            self.header = self._rows.next_row()
            if line := _SEPARATOR_LINE.fullmatch(_without_break(self.header)):
                self.separator_line = self.header
                self.header = self._rows.next_row()
                separator = _agreed_separator(path, separator, (line[1] or line[2]).decode("latin-1"))
        header = _without_break(self.header)
        self._check_header(header)
        self.separator = _checked_separator(separator) or _likely_separator(header)
        self.present = _split(path, header, self.separator)
        if len(set(self.present)) < len(self.present):
            repeated = Counter(self.present).most_common(1)[0][0]
            raise LogError(f"{path} has two columns called {shortened(repeated)!r}: rename one.")
        if len(self.present) == 1 and len(_split(path, header, _likely_separator(header))) > 1:
            raise LogError(
                f"{path} has a single column when split at {self.separator!r}, but it seems to be separated by "
                f"{_likely_separator(header)!r}: give that as separator=... (--separator)."
            )

    @property
    def blank_end(self) -> bytes:
        """Return the blank lines at the end of the file, when all its blocks have been read."""
        return self._rows.blank_end

    def blocks(self) -> Iterator[RowBlock]:
        """Yield the rows after the header, in blocks of whole rows."""
        with _cut_off_is_an_error(self.path):
            for block in self._rows.blocks():
                self.n_bytes += len(block.content)
                yield block

    def _decoded(self, pieces: Iterator[bytes], named: str | None) -> Iterator[bytes]:
        """Yield the file as UTF-8, without a byte order mark."""
        first, rest = peek(pieces)
        if first.startswith(_UTF_32_MARKS[0] if named else _UTF_32_MARKS):
            raise LogError(f"{self.path} is in UTF-32, as its byte order mark says: save it as UTF-8; nothing was read.")
        self.mark = next((mark for mark in _MARKS if first.startswith(mark)), b"")
        self.encoding = _agreed_encoding(self.path, named, self.mark)
        # a file in UTF-8 goes through to_utf8 too: the error for a wrong encoding then names the first wrong byte
        yield from to_utf8(self.path, chain([first[len(self.mark) :]], rest), self.encoding, len(self.mark), _REMEDY)

    def _check_header(self, header: bytes) -> None:
        if not header and not self._rows.next_row():
            raise LogError(f"{self.path} is empty: it has no header.")
        if not header:
            raise LogError(
                f"{self.path} begins with a blank line: remove what is above the names of the columns; nothing was read."
            )
        if b"\0" in header:
            likely = "utf-16-be" if header.startswith(b"\0") else "utf-16-le"
            raise LogError(
                f"{self.path} has NUL bytes in its first line, as UTF-16 without a byte order mark has: name its encoding with "
                f"encoding='{likely}' (--encoding {likely}), or save it as UTF-8; nothing was read."
            )
        if has_lone_return(header):
            raise LogError(
                f"{self.path} has lines that end in a carriage return alone, as files of old Macs have: save it with the line "
                "ends of Windows or Unix (CRLF or LF); nothing was read."
            )


class CsvFile(CsvTable):
    """Read a CSV file of which the columns of a log are known: those that the user named, and those that are recognised."""

    def __init__(
        self,
        path: Path,
        names: dict[str, str | None],
        separator: str | None,
        encoding: str | None,
        max_bytes: int,
        progress: Progress | None,
    ) -> None:
        super().__init__(path, separator, encoding, max_bytes, progress)
        self.columns = find_columns(str(path), self.present, **names)


def read_csv(
    path: Path,
    names: dict[str, str | None],
    needs_transition: bool,
    separator: str | None,
    encoding: str | None,
    timestamp_format: str | None,
    max_bytes: int,
    progress: Progress | None,
    attributes: WantedAttributes = None,
    second_name: str | None = None,
) -> Events:
    """Read the events of a CSV file from the columns that ``names`` gives or that are recognised, with these attributes.

    The column ``second_name`` is read as one of them.
    """
    file = CsvFile(path, names, separator, encoding, max_bytes, progress)
    reader = ColumnReader(str(path), file.columns, timestamp_format, needs_transition)
    further = find_attributes(str(path), file.present, file.columns, attributes, second_name)

    def parse(block: RowBlock) -> CheckedRows:
        look_at_unread(file, block, reader, may_have_time=file.columns.timestamp is None and names["timestamp"] is None)
        rows = parse_rows(path, block, file.separator, file.present, [*reader.names, *further])
        return reader.check(rows, block.rows_before, {name: rows[name] for name in further})

    for rows in parse_blocks(file, parse):
        reader.keep(rows)
    return replace(reader.events(), n_bytes=file.n_bytes)


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


@contextmanager
def _cut_off_is_an_error(path: Path) -> Iterator[None]:
    """Turn CutOff into an error for the user."""
    try:
        yield
    except CutOff as cut:
        raise LogError(
            f"{path} ends at byte {cut.byte:,} of an unfinished gzip: the file is cut off. Get a complete copy; nothing was read."
        ) from None


def _agreed_encoding(path: Path, named: str | None, mark: bytes) -> str:
    """Return the encoding that the user named, or the one that the byte order mark indicates; they must not differ."""
    if named is None:
        return _MARKS.get(mark, "utf-8")
    try:
        name = codecs.lookup(named).name.removesuffix("-sig")
    except (LookupError, UnicodeError):
        raise LogError(f"{path}: there is no encoding of texts called {named!r}; nothing was read.") from None
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
            f"{path} says in its first line that {in_file!r} separates its cells, and {given!r} was given: leave the separator "
            "out; nothing was read."
        )
    return in_file


def _checked_separator(separator: str | None) -> str | None:
    if separator is not None and (
        len(separator) != 1 or not separator.isascii() or separator.isalnum() or separator in '"\r\n\0'
    ):
        raise LogError(
            f"A separator is one character of ASCII, and no letter, digit, quote, line break or NUL: {separator!r} is none. "
            "Give another as separator=... (--separator); nothing was read."
        )
    return separator


def look_at_unread(file: CsvFile, block: RowBlock, reader: ColumnReader, *, may_have_time: bool) -> None:
    """Keep the first rows of the columns that are not read: enough to see what they hold."""
    others = worth_a_look([name for name in file.present if name not in reader.names], file.columns.transition)
    if others and not block.rows_before:
        ends = block.ends[:SAMPLE_ROWS]
        first = RowBlock(block.content[: int(ends[-1]) + 1], ends, 0)
        reader.unread = Unread(parse_rows(file.path, first, file.separator, file.present, others), may_have_time)


def _without_break(row: bytes) -> bytes:
    return row[:-1].removesuffix(b"\r") if row.endswith(b"\n") else row


def _likely_separator(header: bytes) -> str:
    bare = re.sub(rb'"[^"]*"', b"", header)
    return max(_SEPARATORS, key=lambda mark: bare.count(mark.encode()))


def _split(path: Path, header: bytes, separator: str) -> list[str]:
    cells = header_cells(header, separator)
    if cells is None:
        raise LogError(
            f"{path}: its header cannot be read as CSV separated by {separator!r}: {header[:80].decode(errors='replace')!r} has "
            "a quote in the middle of a field, or one that is not closed; nothing was read."
        )
    return cells
