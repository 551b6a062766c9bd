"""Parquet files with parts that contradict each other: the footer or a page's header is decoded, changed and encoded again."""

from pathlib import Path

from actalike.io.parquet_footer import _FOOTER
from actalike.io.parquet_pages import _PAGE
from actalike.io.thrift import BINARY, BOOL, BYTE, LIST, STRUCT, CompactReader


def encode(values, layout):
    """The bytes of a structure: the opposite of CompactReader.read."""
    numbers = {name: (number, kind) for number, (name, kind) in layout.items()}
    out = bytearray()
    last = 0
    for name, value in sorted(values.items(), key=lambda item: numbers[item[0]][0]):
        number, kind = numbers[name]
        wire = (1 if value else 2) if kind == BOOL else _wire(kind)
        out += bytes([(number - last) << 4 | wire]) if number - last < 16 else bytes([wire]) + varint(number << 1)
        last = number
        if kind != BOOL:
            out += _value(value, kind)
    return bytes(out) + b"\0"


def _wire(kind):
    return STRUCT if isinstance(kind, dict) else LIST if isinstance(kind, list) else kind


def _value(value, kind):
    if isinstance(kind, dict):
        return encode(value, kind)
    if isinstance(kind, list):
        size = (
            bytes([len(value) << 4 | _wire(kind[0])]) if len(value) < 15 else bytes([0xF0 | _wire(kind[0])]) + varint(len(value))
        )
        return size + b"".join(_value(element, kind[0]) for element in value)
    if kind == BINARY:
        return varint(len(value)) + value
    if kind == BYTE:
        return bytes([value & 0xFF])
    return varint((value << 1) ^ (value >> 63))


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def change_footer(path: Path, change) -> Path:
    """Change what the footer of a file says."""
    whole = path.read_bytes()
    start = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    footer = CompactReader(whole[start:-8]).read(_FOOTER)
    change(footer)
    coded = encode(footer, _FOOTER)
    path.write_bytes(whole[:start] + coded + len(coded).to_bytes(4, "little") + b"PAR1")
    return path


def change_page(path: Path, start: int, change) -> Path:
    """Change the header of the page at a place; it must stay as long as it is."""
    whole = path.read_bytes()
    reader = CompactReader(whole, start)
    header = reader.read(_PAGE)
    change(header)
    coded = encode(header, _PAGE)
    assert len(coded) == reader.at - start
    path.write_bytes(whole[:start] + coded + whole[reader.at :])
    return path
