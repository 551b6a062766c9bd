"""Look into packed bytes without unpacking all of them: their size once unpacked, and how they begin.

This is for checks, and in Python: the native reader unpacks the values. Bytes that are not what they should be raise
:class:`Malformed`, or IndexError if they end too early.
"""

import zlib

from actalike.io.thrift import Malformed


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at a place, written in groups of seven bits, and the place behind it.

    >>> varint(bytes([0xAC, 0x02]), 0)
    (300, 2)
    """
    value = 0
    for shift in range(0, 35, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise Malformed("a number has too many digits")


def gunzip(packed: bytes, size: int) -> bytes:
    """Unpack gzip or zlib, both of which are written, to so many bytes; zlib checks the sum at the end."""
    unpacker = zlib.decompressobj(wbits=47)
    try:
        unpacked = unpacker.decompress(packed, size + 1)
    except zlib.error:
        raise Malformed("a page does not unpack") from None
    if len(unpacked) != size or (packed and not unpacker.eof):
        raise Malformed("a page does not unpack to its size")
    return unpacked


def snappy_size(packed: bytes) -> int:
    """Return the unpacked size that stands at the beginning of a Snappy block."""
    return varint(packed, 0)[0]


def zstd_size(packed: bytes) -> int | None:
    """Return the unpacked size that the head of a Zstandard frame states, None if it states none.

    >>> zstd_size(bytes.fromhex("28b52ffd2005"))
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


def lz4_size(packed: bytes) -> int:
    """Return the unpacked size of an LZ4 block, which it does not state: the sum of its pieces.

    >>> lz4_size(bytes([0x20, 0x68, 0x69]))
    2
    """
    at = size = 0
    end = len(packed)
    while at < end:
        token = packed[at]
        at += 1
        literal = token >> 4
        if literal == 15:
            literal, at = _more(packed, at, 15)
        at += literal
        size += literal
        if at == end:
            return size
        offset = packed[at] | packed[at + 1] << 8
        at += 2
        if not 0 < offset <= size:
            raise Malformed("a page does not unpack")
        match = token & 15
        if match == 15:
            match, at = _more(packed, at, 15)
        size += match + 4
    raise Malformed("a page does not unpack")  # the last piece has no copy


def snappy_start(packed: bytes, n: int) -> bytes:
    """Return the first bytes of what a Snappy block unpacks to, ``n`` of them at least if there are as many.

    >>> snappy_start(bytes([0x06, 0x04, 0x68, 0x69, 0x01, 0x02]), 6)
    b'hihihi'
    """
    _, at = varint(packed, 0)
    out = bytearray()
    while len(out) < n and at < len(packed):
        tag = packed[at]
        at += 1
        if not tag & 3:
            length = (tag >> 2) + 1
            if length > 60:
                extra = length - 60
                length = int.from_bytes(packed[at : at + extra], "little") + 1
                at += extra
            out += packed[at : at + min(length, n)]
            at += length
            continue
        if tag & 3 == 1:
            length, offset, extra = (tag >> 2 & 7) + 4, (tag >> 5) << 8 | packed[at], 1
        else:
            extra = 2 if tag & 3 == 2 else 4
            length, offset = (tag >> 2) + 1, int.from_bytes(packed[at : at + extra], "little")
        at += extra
        _copy(out, offset, length)
    return bytes(out)


def lz4_start(packed: bytes, n: int) -> bytes:
    """Return the first bytes of what an LZ4 block unpacks to, ``n`` of them at least if there are as many."""
    at = 0
    out = bytearray()
    while len(out) < n and at < len(packed):
        token = packed[at]
        at += 1
        literal, match = token >> 4, token & 15
        if literal == 15:
            literal, at = _more(packed, at, 15)
        out += packed[at : at + min(literal, n)]
        at += literal
        if at >= len(packed) or len(out) >= n:
            break
        offset = packed[at] | packed[at + 1] << 8
        at += 2
        if match == 15:
            match, at = _more(packed, at, 15)
        _copy(out, offset, min(match + 4, n))
    return bytes(out)


def _more(packed: bytes, at: int, length: int) -> tuple[int, int]:
    """Add the bytes that lengthen a length of LZ4, up to the first that is not 255."""
    while True:
        byte = packed[at]
        at += 1
        length += byte
        if byte != 255:
            return length, at


def _copy(out: bytearray, offset: int, length: int) -> None:
    """Repeat what was unpacked ``offset`` bytes ago."""
    if not 0 < offset <= len(out):
        raise Malformed("a page does not unpack")
    piece = out[-offset:]
    out += (piece * (length // offset + 1))[:length]
