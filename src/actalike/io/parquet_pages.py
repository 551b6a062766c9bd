"""Check the pages in which a Parquet file keeps the values of a column: their places, sizes, numbers of values and checksums."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from actalike.errors import LogError
from actalike.io.parquet_content import check_content
from actalike.io.parquet_footer import ENCODINGS, STATISTICS, Chunk, not_whole, open_parquet
from actalike.io.thrift import BOOL, EMPTY, I32, CompactReader, Layout, Malformed
from actalike.support.places import cannot_read

_DATA = Layout({
    1: ("num_values", I32), 2: ("encoding", I32), 3: ("definition", I32), 4: ("repetition", I32), 5: ("statistics", STATISTICS),
}, "num_values encoding definition repetition")  # fmt: skip
_DICTIONARY = Layout({1: ("num_values", I32), 2: ("encoding", I32), 3: ("is_sorted", BOOL)}, "num_values encoding")
_DATA_V2 = Layout({
    1: ("num_values", I32), 2: ("num_nulls", I32), 3: ("num_rows", I32), 4: ("encoding", I32), 5: ("definition_bytes", I32),
    6: ("repetition_bytes", I32), 7: ("is_compressed", BOOL), 8: ("statistics", STATISTICS),
}, "num_values num_nulls num_rows encoding definition_bytes repetition_bytes")  # fmt: skip
_PAGE = Layout({
    1: ("type", I32), 2: ("unpacked", I32), 3: ("packed", I32), 4: ("crc", I32), 5: ("data", _DATA), 6: ("index", EMPTY),
    7: ("dictionary", _DICTIONARY), 8: ("data_v2", _DATA_V2),
}, "type unpacked packed")  # fmt: skip
_KINDS = {0: "data", 2: "dictionary", 3: "data_v2"}  # pages of type 1 (indices) were never written
_PLAIN, _PLAIN_DICTIONARY, _RLE, _BIT_PACKED, _RLE_DICTIONARY = 0, 2, 3, 4, 8
_UNCOMPRESSED = 0
_WITHOUT_SIZE = (4, 5)  # Brotli and Hadoop's LZ4: what is packed does not say to how many bytes it unpacks
_BITS = {0: 1, 1: 32, 2: 64, 3: 96, 4: 32, 5: 64}  # of a plain value, by physical type; texts have a length of 32 bits each
_HEADER = 512  # bytes read for the header of a page; more if it holds long statistics
_LONGEST_HEADER = 16 << 20


class _TooLarge(Exception):
    """Report pages that have more bytes once unpacked than are allowed."""


def check_pages(path: Path, chunks: Iterable[Chunk], max_bytes: int) -> None:
    """Raise an error if the pages of some chunks are not as the footer says, or have more than ``max_bytes`` once unpacked."""
    left = max_bytes
    try:
        with open_parquet(path) as file:
            for chunk in chunks:
                left -= _check_chunk(file, chunk, left)
    except _TooLarge:
        raise LogError(
            f"{path} holds more than {max_bytes:,} bytes once unpacked. If this is intended, allow more with max_bytes=... "
            "(--max-bytes); nothing was read."
        ) from None
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    except IndexError:
        raise not_whole(path, "a page ends too early") from None
    except Malformed as error:
        raise not_whole(path, error) from None


def _check_chunk(file: BinaryIO, chunk: Chunk, limit: int) -> int:
    """Check the pages of a chunk, which lie one behind the other, and return how many bytes they have once unpacked."""
    at, end = chunk.start, chunk.start + chunk.size
    values = unpacked = headers = 0
    has_dictionary = False
    while at < end:
        header, length = _header(file, at, end)
        kind = _KINDS.get(header["type"])
        if kind is None or {"data", "dictionary", "data_v2"} & header.keys() != {kind}:
            raise Malformed("a page is of an unknown type")
        at += length
        headers += length
        _check_page(chunk, kind, header, has_dictionary)
        if header["packed"] > end - at:
            raise Malformed("a page is longer than the values of its column")
        unpacked += header["unpacked"]
        if max(unpacked, chunk.unpacked) > limit:
            raise _TooLarge
        if kind == "dictionary":
            if has_dictionary or values:
                raise Malformed("a column has a dictionary too many")
            has_dictionary = True
        else:
            values += header[kind]["num_values"]
        check_content(file, at, chunk, kind, header)
        at += header["packed"]
    if values != chunk.values:
        raise Malformed("the pages of a column hold another number of values than the footer says")
    if chunk.codec in _WITHOUT_SIZE and headers + unpacked != chunk.unpacked:
        raise Malformed("the pages of a column have another size than the footer says")
    return max(unpacked, chunk.unpacked)


def _header(file: BinaryIO, at: int, end: int) -> tuple[dict[str, Any], int]:
    """Read the header of the page at a place, and return it with its length."""
    size = _HEADER
    while True:
        file.seek(at)
        reader = CompactReader(file.read(min(size, end - at)))
        try:
            header = reader.read(_PAGE)
        except IndexError:
            if size >= min(end - at, _LONGEST_HEADER):
                raise
            size *= 8
            continue
        return header, reader.at


def _check_page(chunk: Chunk, kind: str, header: dict[str, Any], has_dictionary: bool) -> None:
    """Check what the header of a page says against itself and the column."""
    page = header[kind]
    values, encoding = page["num_values"], page["encoding"]
    if header["packed"] < 0 or header["unpacked"] < 0 or values < 0:
        raise Malformed("a page has a negative size")
    if chunk.codec == _UNCOMPRESSED and header["packed"] != header["unpacked"]:
        raise Malformed("a page has two sizes")
    if encoding not in ENCODINGS:
        raise Malformed("the values of a page are written in an unknown way")
    if kind == "dictionary":
        if encoding not in (_PLAIN, _PLAIN_DICTIONARY) or values * _BITS.get(chunk.leaf.type, 8) > header["unpacked"] * 8:
            raise Malformed("a dictionary has fewer entries than it should")
        return
    if encoding in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) and not has_dictionary:
        raise Malformed("a page refers to a dictionary that is not there")
    if not chunk.leaf.definition and encoding == _PLAIN and values * _BITS.get(chunk.leaf.type, 8) > header["unpacked"] * 8:
        raise Malformed("a page has fewer values than it should")
    if kind == "data":
        if not {page["definition"], page["repetition"]} <= {_RLE, _BIT_PACKED}:
            raise Malformed("the levels of a page are written in an unknown way")
        return
    levels = (page["definition_bytes"], page["repetition_bytes"])
    if min(levels) < 0 or sum(levels) > min(header["packed"], header["unpacked"]):
        raise Malformed("the levels of a page are longer than the page")
    if not 0 <= page["num_nulls"] <= values or not 0 <= page["num_rows"] <= values:
        raise Malformed("a page has more rows than values")
    if not chunk.leaf.repetition and page["num_rows"] != values:
        raise Malformed("a page has another number of rows than values")
    if not page.get("is_compressed", True) and header["packed"] != header["unpacked"]:
        raise Malformed("a page has two sizes")
