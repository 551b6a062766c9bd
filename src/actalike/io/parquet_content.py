"""Check what a page of a Parquet file holds, as far as that is possible without unpacking more than gzip.

The native reader does not look at checksums, and takes what it finds for the values it misses.
"""

import zlib
from typing import Any, BinaryIO

from actalike.io.parquet_footer import Chunk
from actalike.io.thrift import Malformed

_UNCOMPRESSED, _SNAPPY, _GZIP, _ZSTD = 0, 1, 2, 6
_RLE = 3


def check_content(file: BinaryIO, at: int, chunk: Chunk, kind: str, header: dict[str, Any]) -> None:
    """Check the page of a chunk that lies at a place in the file: checksums, unpacked sizes, numbers of nulls."""
    page = header[kind]
    codec = chunk.codec if page.get("is_compressed", True) else _UNCOMPRESSED
    levels = page.get("definition_bytes", 0) + page.get("repetition_bytes", 0)  # never packed in pages of version 2
    needed = header["packed"] if "crc" in header or codec == _GZIP else min(header["packed"], levels + 32)
    if codec == _UNCOMPRESSED and kind == "data" and chunk.leaf.definition:
        needed = header["packed"]
    file.seek(at)
    content = file.read(needed)
    if len(content) < needed:
        raise Malformed("the values of a column are outside the file")
    if "crc" in header and zlib.crc32(content) != header["crc"] & 0xFFFFFFFF:
        raise Malformed("a page does not fit its checksum")
    packed, size = content[levels:], header["unpacked"] - levels
    if codec == _GZIP:
        packed = _gunzip(packed, size)
    elif (packed or size) and (
        (codec == _SNAPPY and _varint(packed, 0)[0] != size) or (codec == _ZSTD and _zstd_size(packed) not in (None, size))
    ):
        raise Malformed("a page does not unpack to its size")
    if kind == "data_v2":
        _check_levels(content[page["repetition_bytes"] : levels], chunk, page["num_values"], page["num_nulls"])
    elif kind == "data" and codec in (_UNCOMPRESSED, _GZIP) and chunk.leaf.definition and not chunk.leaf.repetition:
        if page["definition"] == _RLE:
            length = int.from_bytes(packed[:4], "little")
            if length > len(packed) - 4:
                raise Malformed("the levels of a page are longer than the page")
            _check_levels(packed[4 : 4 + length], chunk, page["num_values"], None)


def _gunzip(packed: bytes, size: int) -> bytes:
    """Unpack a page; zlib checks the sum at its end."""
    unpacker = zlib.decompressobj(wbits=47)  # gzip or zlib: both are written
    try:
        unpacked = unpacker.decompress(packed, size + 1)
    except zlib.error:
        raise Malformed("a page does not unpack") from None
    if len(unpacked) != size or (packed and not unpacker.eof):
        raise Malformed("a page does not unpack to its size")
    return unpacked


def _zstd_size(packed: bytes) -> int | None:
    """Return the unpacked size that the head of a Zstandard frame states, None if it states none.

    >>> _zstd_size(bytes.fromhex("28b52ffd2005"))
    5
    """
    if packed[:4] != b"\x28\xb5\x2f\xfd":
        raise Malformed("a page does not unpack")
    flags = packed[4]
    is_single = bool(flags & 0x20)
    length = (1 if is_single else 0, 2, 4, 8)[flags >> 6]
    start = 5 + (not is_single) + (0, 1, 2, 4)[flags & 3]
    if not length:
        return None
    return int.from_bytes(packed[start : start + length], "little") + (256 if length == 2 else 0)


def _check_levels(coded: bytes, chunk: Chunk, values: int, nulls: int | None) -> None:
    """Check the levels that say which values are null: runs of one level, or of levels packed into bits, alternating."""
    highest = chunk.leaf.definition
    if not highest:
        if coded:
            raise Malformed("a page has levels that its column does not need")
        return
    width = highest.bit_length()
    seen = present = at = 0
    while at < len(coded) and seen < values:
        head, at = _varint(coded, at)
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
    if seen != values or at > len(coded):
        raise Malformed("the levels of a page do not fit its values")
    if nulls is not None and width == 1 and values - present != nulls:
        raise Malformed("a page has another number of nulls than it says")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at a place, written in groups of seven bits, and the place behind it."""
    value = 0
    for shift in range(0, 35, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise Malformed("a number has too many digits")
