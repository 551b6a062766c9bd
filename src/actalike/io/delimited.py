"""Read CSV strictly and as a stream: a row with more or fewer fields than the header is an error.

A field without quotes and without characters is a missing value; ``""`` is an empty text.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError
from actalike.io.assemble import Events
from actalike.io.columns import find_columns
from actalike.io.frames import ColumnReader
from actalike.io.source import CutOff, Progress, peek, read_pieces, to_utf8
from actalike.io.unused_columns import SAMPLE_ROWS, Unread

_SEPARATORS = (",", ";", "\t", "|")
_LONGEST_ROW = 1 << 24
_SAMPLE_BYTES = 1 << 20  # at most so much of a file is read to see what the columns hold that are not needed
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class CsvFile:
    """Read the header of a CSV file, and then its rows: as UTF-8, in blocks of whole rows."""

    def __init__(
        self,
        path: Path,
        names: dict[str, str | None],
        separator: str | None,
        encoding: str | None,
        max_bytes: int,
        progress: Progress | None,
    ) -> None:
        self.path = path
        self._encoding, self.mark = encoding, b""
        with _cut_off_is_an_error(path):
            self._blocks = _row_blocks(path, self._decoded(read_pieces(path, max_bytes, progress)))
            self.header = next(self._blocks, b"")
        header = self.header.strip(b"\r\n")
        if not header:
            raise LogError(f"{path} is empty: it has no header.")
        if separator is not None and len(separator.encode()) != 1:
            raise LogError(f"A separator is one character, not {separator!r}.")
        self.separator = separator or _likely_separator(header)
        self.present = _split(path, header, self.separator)
        if len(set(self.present)) < len(self.present):
            repeated = next(name for name in self.present if self.present.count(name) > 1)
            raise LogError(f"{path} has two columns called {repeated!r}: rename one.")
        if len(self.present) == 1 and len(_split(path, header, _likely_separator(header))) > 1:
            raise LogError(
                f"{path} has a single column when split at {self.separator!r}, but it seems to be separated by "
                f"{_likely_separator(header)!r}: give that as separator=... (--separator)."
            )
        self.columns = find_columns(str(path), self.present, **names)

    @property
    def encoding(self) -> str:
        """Return the encoding that the user named, or the one that the byte order mark indicates."""
        return self._encoding or _MARKS.get(self.mark, "utf-8")

    def blocks(self) -> Iterator[bytes]:
        """Yield the rows after the header, in blocks of whole rows."""
        with _cut_off_is_an_error(self.path):
            yield from self._blocks

    def _decoded(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the file as UTF-8, without a byte order mark."""
        first, rest = peek(pieces)
        self.mark = next((mark for mark in (b"\xef\xbb\xbf", *_MARKS) if first.startswith(mark)), b"")
        whole = chain([first.removeprefix(b"\xef\xbb\xbf")], rest)
        # a file in UTF-8 goes through to_utf8 too: the error for a wrong encoding then names the first wrong byte
        yield from to_utf8(self.path, whole, self.encoding)


def read_csv(
    path: Path,
    names: dict[str, str | None],
    needs_transition: bool,
    separator: str | None,
    encoding: str | None,
    timestamp_format: str | None,
    max_bytes: int,
    progress: Progress | None,
) -> Events:
    """Read the events of a CSV file from the columns that ``names`` gives or that are recognised."""
    file = CsvFile(path, names, separator, encoding, max_bytes, progress)
    reader = ColumnReader(str(path), file.columns, timestamp_format, needs_transition)
    for block in file.blocks():
        if not reader.n_rows:
            unread = [name for name in file.present if name not in reader.names]
            rows = _parse(path, _first_rows(block), file.separator, file.present, unread, 0)
            reader.unread = Unread(rows, file.columns.timestamp is None and names["timestamp"] is None)
        reader.take(_parse(path, block, file.separator, file.present, reader.names, reader.n_rows))
    return reader.events()


@contextmanager
def _cut_off_is_an_error(path: Path) -> Iterator[None]:
    """Turn CutOff into an error for the user."""
    try:
        yield
    except CutOff as cut:
        raise LogError(
            f"{path} ends at byte {cut.byte:,} of an unfinished gzip: the file is cut off. Get a complete copy; nothing was read."
        ) from None


def field_bounds(block: bytes, separator: str, width: int) -> NDArray[np.int64]:
    """Return where the fields of each row begin and, in the last column, where the row ends (before its line break).

    The rows must have been checked: each has ``width`` fields.

    >>> field_bounds(b'1,"a,b"\\n2,c\\r\\n', ",", 2).tolist()
    [[0, 2, 7], [8, 10, 11]]
    """
    octets = np.frombuffer(block, dtype=np.uint8)
    outside = _outside_quotes(octets) if b'"' in block else np.ones(len(octets), dtype=bool)
    ends = np.flatnonzero((octets == ord("\n")) & outside)
    if not len(ends) or ends[-1] != len(octets) - 1:
        ends = np.append(ends, len(octets))
    starts = np.append(0, ends[:-1] + 1)
    marks = np.flatnonzero((octets == ord(separator)) & outside).reshape(len(ends), width - 1)
    ends = ends - ((ends > starts) & (octets[np.maximum(ends - 1, 0)] == ord("\r")))
    return np.column_stack([starts, marks + 1, ends])


def _row_blocks(path: Path, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the header, then blocks of whole rows. A line break inside quotes does not end a row."""
    header: bytes | None = None
    carried = b""
    for piece in pieces:
        text = carried + piece
        end = _end_of_rows(text)
        text, carried = _without_blank_end(text[:end], text[end:])
        if len(carried) > _LONGEST_ROW:
            raise LogError(
                f"{path} has a row of more than {_LONGEST_ROW:,} bytes; perhaps a quote is not closed. Nothing was read."
            )
        if text and header is None:
            header, text = _cut_header(text)
            yield header
        if text:
            yield text
    if carried and header is None:
        header, carried = _cut_header(carried)
        yield header
    if carried.strip(b"\r\n"):
        yield carried


def _without_blank_end(text: bytes, carried: bytes) -> tuple[bytes, bytes]:
    """Move blank lines at the end of ``text`` to ``carried``.

    At the end of the file they mean nothing; anywhere else they are rows without fields, which is an error.
    """
    body = text.rstrip(b"\r\n")
    if not body:
        return b"", text + carried
    end = text.find(b"\n", len(body)) + 1
    return text[:end], text[end:] + carried


def _breaks(text: bytes) -> NDArray[np.int64]:
    """Return the positions of the line breaks outside quotes."""
    octets = np.frombuffer(text, dtype=np.uint8)
    breaks = octets == ord("\n")
    return np.flatnonzero(breaks & _outside_quotes(octets) if b'"' in text else breaks)


def _outside_quotes(octets: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for each byte whether the number of quotes up to it, itself included, is even."""
    return np.logical_not(np.bitwise_xor.accumulate(octets == ord('"')))


def _end_of_rows(text: bytes) -> int:
    """Return the position after the last line break outside quotes, 0 if there is none."""
    breaks = _breaks(text)
    return int(breaks[-1]) + 1 if len(breaks) else 0


def _first_rows(block: bytes) -> bytes:
    """Return the first rows of a block: enough to see what its columns hold."""
    breaks = _breaks(block[:_SAMPLE_BYTES])[:SAMPLE_ROWS]
    return block[: int(breaks[-1]) + 1] if len(breaks) else block


def _cut_header(text: bytes) -> tuple[bytes, bytes]:
    breaks = _breaks(text)
    end = int(breaks[0]) + 1 if len(breaks) else len(text)
    return text[:end], text[end:]


def _likely_separator(header: bytes) -> str:
    bare = re.sub(rb'"[^"]*"', b"", header)
    return max(_SEPARATORS, key=lambda mark: bare.count(mark.encode()))


def _split(path: Path, header: bytes, separator: str) -> list[str]:
    try:
        row = pl.read_csv(header + b"\n", separator=separator, has_header=False, infer_schema=False)
    except pl.exceptions.PolarsError:
        raise LogError(f"{path}: its header cannot be read as CSV separated by {separator!r}: {header[:80]!r}.") from None
    return [name if name is not None else "" for name in row.row(0)]


def _parse(path: Path, block: bytes, separator: str, present: list[str], wanted: list[str], rows_before: int) -> pl.DataFrame:
    _check_widths(path, block, separator, len(present), rows_before)
    numbered = [f"column_{i}" for i in range(1, len(present) + 1)]  # the names that Polars gives to columns without a header
    names = {number: name for number, name in zip(numbered, present, strict=True) if name in wanted}
    try:
        frame = pl.read_csv(
            block, separator=separator, has_header=False, schema=dict.fromkeys(numbered, pl.String), columns=list(names)
        )
        return frame.rename(names)
    except pl.exceptions.PolarsError as error:
        raise LogError(
            f"{path}: the rows after row {rows_before:,} are not valid CSV ({str(error).splitlines()[0]}); nothing was read."
        ) from None


def _check_widths(path: Path, block: bytes, separator: str, width: int, rows_before: int) -> None:
    """Raise an error unless every row has ``width`` fields and all quotes are closed."""
    octets = np.frombuffer(block, dtype=np.uint8)
    marks, breaks = octets == ord(separator), octets == ord("\n")
    if b'"' in block:
        outside = _outside_quotes(octets)
        _check_quotes(path, octets, outside, separator, rows_before)
        if not outside[-1]:
            raise LogError(f"{path} ends inside a quoted field: a quote is not closed, or the file is cut off. Nothing was read.")
        marks, breaks = marks & outside, breaks & outside
    ends = np.flatnonzero(breaks)
    if not len(ends) or ends[-1] != len(octets) - 1:
        ends = np.append(ends, len(octets))
    fields = np.diff(np.searchsorted(np.flatnonzero(marks), ends), prepend=0) + 1
    wrong = np.flatnonzero(fields != width)
    if len(wrong):
        raise LogError(
            f"{path}, row {rows_before + int(wrong[0]) + 1:,} has {int(fields[wrong[0]])} fields and the header {width}: "
            "the separator is wrong, a text lacks its quotes, or the file is cut off. Nothing was read."
        )


def _check_quotes(path: Path, octets: NDArray[np.uint8], outside: NDArray[np.bool_], separator: str, rows_before: int) -> None:
    """Raise an error if a quote is inside a field without being doubled: programs read such a field differently."""
    padded = np.concatenate([[ord("\n")], octets, [ord("\n")]])
    quotes = np.flatnonzero(octets == ord('"'))
    is_opening = ~outside[quotes]  # the byte of an opening quote counts as inside, that of a closing one as outside
    neighbour = np.where(is_opening, padded[quotes], padded[quotes + 2])  # the byte before an opening, after a closing quote
    allowed = [ord(separator), ord("\n"), ord("\r"), ord('"')]
    wrong = quotes[~np.isin(neighbour, allowed)]
    if len(wrong):
        row = rows_before + int(((octets[: wrong[0]] == ord("\n")) & outside[: wrong[0]]).sum()) + 1
        raise LogError(
            f"{path}, row {row:,} has a quote in the middle of a field: put quotes around the whole field and double the quotes "
            "inside it; nothing was read."
        )
