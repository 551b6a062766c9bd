"""Check what a page of a Parquet file holds, as far as that is possible without unpacking all of it.

The native reader does not look at checksums, and takes what it finds for the values it misses.
"""

import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from actalike.io.parquet_footer import Chunk
from actalike.io.thrift import Malformed
from actalike.io.unpacking import gunzip, lz4_size, lz4_start, snappy_size, snappy_start, varint, zstd_size

_UNCOMPRESSED, _SNAPPY, _GZIP, _ZSTD, _LZ4 = 0, 1, 2, 6, 7
_SIZES: dict[int, Callable[[bytes], int | None]] = {_SNAPPY: snappy_size, _ZSTD: zstd_size, _LZ4: lz4_size}
_STARTS: dict[int, Callable[[bytes, int], bytes]] = {
    _UNCOMPRESSED: lambda packed, n: packed[:n],
    _SNAPPY: snappy_start,
    _LZ4: lz4_start,
}
_RLE = 3
_GLANCE = 1024  # bytes of places in a dictionary to look at: they are unpacked in Python
_DICTIONARY = (2, 8)  # encodings by places in the dictionary


def check_content(file: BinaryIO, at: int, chunk: Chunk, kind: str, header: dict[str, Any]) -> None:
    """Check the page of a chunk that lies at a place in the file: checksums, unpacked sizes, numbers of values."""
    page = header[kind]
    codec = chunk.codec if page.get("is_compressed", True) else _UNCOMPRESSED
    levels = page.get("definition_bytes", 0) + page.get("repetition_bytes", 0)  # never packed in pages of version 2
    looks_inside = kind != "dictionary" and not chunk.leaf.repetition and codec in (*_STARTS, _GZIP)
    whole = "crc" in header or codec in (_GZIP, _LZ4) or looks_inside
    needed = header["packed"] if whole else min(header["packed"], levels + 32)
    file.seek(at)
    content = file.read(needed)
    if len(content) < needed:
        raise Malformed("the values of a column are outside the file")
    if "crc" in header and zlib.crc32(content) != header["crc"] & 0xFFFFFFFF:
        raise Malformed("a page does not fit its checksum")
    packed, size = content[levels:], header["unpacked"] - levels
    if codec == _GZIP:
        packed, codec = gunzip(packed, size), _UNCOMPRESSED
    elif codec in _SIZES and (packed or size) and _SIZES[codec](packed) not in (None, size):
        raise Malformed("a page does not unpack to its size")
    if kind == "data_v2":
        coded = content[page["repetition_bytes"] : levels]
        present = _check_levels(coded, chunk.leaf.definition, page["num_values"])
        if chunk.leaf.definition == 1 and page["num_values"] - present != page["num_nulls"]:
            raise Malformed("a page has another number of nulls than it says")
    if looks_inside:
        start = _STARTS[codec]
        values = 0
        if kind == "data":
            present = page["num_values"]
            if chunk.leaf.definition and page["definition"] == _RLE:
                values = 4 + int.from_bytes(start(packed, 4)[:4], "little")
                if values > size:
                    raise Malformed("the levels of a page are longer than the page")
                present = _check_levels(start(packed, values)[4:values], chunk.leaf.definition, present)
        if page["encoding"] in _DICTIONARY and chunk.leaf.definition < 2 and present:
            width = start(packed, values + 1)[values]
            if width > 32:
                raise Malformed("a page refers to entries that no dictionary has")
            _check_places(start(packed, min(size, values + _GLANCE))[values + 1 : size], size - values - 1, width, present)


def _check_places(runs: bytes, size: int, width: int, values: int) -> None:
    """Check the runs of places in the dictionary, of one place or of places packed into bits, as far as they are given."""
    seen = at = 0
    while at < len(runs) and seen < values:
        head, at = varint(runs, at)
        at += (head >> 1) * width if head & 1 else (width + 7) // 8
        seen += (head >> 1) * 8 if head & 1 else head >> 1
    is_short = seen < values and (at >= size or len(runs) >= size)
    if is_short or (not width and at != size):  # places of 0 bits: only the lengths of the runs are written
        raise Malformed("a page has fewer values than it should")


def _check_levels(coded: bytes, highest: int, values: int) -> int:
    """Check the levels that say which values are null, in runs of one level or packed into bits; return how many are not null.

    Where levels have more than one bit, only those in runs are counted.
    """
    if not highest:
        if coded:
            raise Malformed("a page has levels that its column does not need")
        return values
    width = highest.bit_length()
    seen = present = at = 0
    while at < len(coded) and seen < values:
        head, at = varint(coded, at)
        if head & 1:  # groups of eight levels; the last may have more than there are values
            count, length = min((head >> 1) * 8, values - seen), (head >> 1) * width
            if width == 1:
                bits = int.from_bytes(coded[at : at + length], "little") & ((1 << count) - 1)
                present += bits.bit_count()
        else:
            count, length = head >> 1, (width + 7) // 8
            level = int.from_bytes(coded[at : at + length], "little")
            if level > highest or count > values - seen:
                raise Malformed("the levels of a page do not fit its values")
            present += count * (level == highest)
        at += length
        seen += count
    if seen != values or at != len(coded):
        raise Malformed("the levels of a page do not fit its values")
    return present
