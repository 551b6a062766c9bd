"""Read structures in the compact protocol of Thrift, in which Parquet files describe themselves.

The reader trusts nothing: it stays inside the bytes it is given, allocates no more than they can hold, and takes a field only
with the type that it must have. Fields it is not told of are skipped.
"""

from typing import Any

# the types of fields as the protocol numbers them; a boolean field holds its value in its type
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
BOOL = TRUE

Kind = Any  # one of the numbers above, a list that holds the kind of its elements, or the layout of a structure

_DEPTH = 32  # of structures in structures; Parquet's own have fewer than ten
_RANGES = {BYTE: 1 << 7, I16: 1 << 15, I32: 1 << 31, I64: 1 << 63}


class Malformed(Exception):
    """Report bytes that are not the structure they should be."""


class Layout(dict[int, tuple[str, Kind]]):
    """Say which fields a structure has: the number of each to its name and kind, and the names of those it must have."""

    def __init__(self, fields: dict[int, tuple[str, Kind]], required: str = "") -> None:
        super().__init__(fields)
        self.required = required.split()


EMPTY = Layout({})  # a structure that says something by being there


class CompactReader:
    """Read structures from bytes, one after the other; ``at`` is the place that is read next."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def read(self, layout: Layout) -> dict[str, Any]:
        """Read a structure as a dictionary of the fields in its layout; IndexError if the bytes end before it does.

        >>> layout = Layout({1: ("number", I32), 2: ("text", BINARY)})
        >>> CompactReader(bytes([0x15, 0x06, 0x18, 0x02, 0x68, 0x69, 0x00])).read(layout)
        {'number': 3, 'text': b'hi'}
        """
        return self._struct(layout, 0)

    def _struct(self, layout: Layout, depth: int) -> dict[str, Any]:
        if depth > _DEPTH:
            raise Malformed("its structures are nested too deeply")
        values: dict[str, Any] = {}
        data = self.data
        number = 0
        while head := data[self.at]:
            self.at += 1
            number = number + (head >> 4) if head >> 4 else self._number(I16)
            wire = head & 15
            if number not in layout:
                self._skip(wire, depth)
                continue
            name, kind = layout[number]
            if name in values:
                raise Malformed(f"the field {name} occurs twice")
            values[name] = self._field(name, kind, wire, depth)
        self.at += 1
        for name in layout.required:
            if name not in values:
                raise Malformed(f"it lacks the field {name}")
        return values

    def _field(self, name: str, kind: Kind, wire: int, depth: int) -> Any:
        if kind == BOOL:
            if wire not in (TRUE, FALSE):
                raise Malformed(f"the field {name} is of a wrong type")
            return wire == TRUE
        if wire != (STRUCT if isinstance(kind, Layout) else LIST if isinstance(kind, list) else kind):
            raise Malformed(f"the field {name} is of a wrong type")
        if wire == BINARY:
            return self._binary()
        if wire in _RANGES:
            return self._number(wire)
        if wire == STRUCT:
            return self._struct(kind, depth + 1)
        if wire == LIST:
            return self._list(name, kind[0], depth)
        raise Malformed(f"the field {name} is of an unknown type")

    def _list(self, name: str, kind: Kind, depth: int) -> list[Any]:
        size, wire = self._list_head()
        if wire != (STRUCT if isinstance(kind, Layout) else kind) and size:
            raise Malformed(f"the list {name} is of a wrong type")
        if isinstance(kind, Layout):
            return [self._struct(kind, depth + 1) for _ in range(size)]
        if kind == BINARY:
            return [self._binary() for _ in range(size)]
        return [self._number(kind) for _ in range(size)]

    def _list_head(self) -> tuple[int, int]:
        head = self.data[self.at]
        self.at += 1
        size = head >> 4
        if size == 15:
            size = self._varint()
        if size > len(self.data) - self.at:  # an element takes a byte at least
            raise IndexError
        return size, head & 15

    def _skip(self, wire: int, depth: int) -> None:
        """Pass over a field that is of no interest."""
        if depth > _DEPTH:
            raise Malformed("its structures are nested too deeply")
        if wire in (TRUE, FALSE):
            return
        if wire == BYTE:
            self._move(1)
        elif wire in _RANGES:
            self._varint()
        elif wire == DOUBLE:
            self._move(8)
        elif wire == BINARY:
            self._move(self._varint())
        elif wire == STRUCT:
            self._struct(EMPTY, depth + 1)
        elif wire in (LIST, SET):
            size, kind = self._list_head()
            for _ in range(size):
                self._skip(BYTE if kind in (TRUE, FALSE) else kind, depth + 1)
        elif wire == MAP:
            self._skip_map(depth)
        else:
            raise Malformed(f"{wire} is no type of a field")

    def _skip_map(self, depth: int) -> None:
        size = self._varint()
        if not size:
            return
        kinds = self.data[self.at]
        self._move(1)
        if size > len(self.data) - self.at:
            raise IndexError
        for _ in range(size):
            for kind in (kinds >> 4, kinds & 15):
                self._skip(BYTE if kind in (TRUE, FALSE) else kind, depth + 1)

    def _binary(self) -> bytes:
        size = self._varint()
        start = self.at
        self._move(size)
        return self.data[start : self.at]

    def _move(self, size: int) -> None:
        if size > len(self.data) - self.at:
            raise IndexError
        self.at += size

    def _number(self, kind: int) -> int:
        if kind == BYTE:
            value = self.data[self.at]
            self.at += 1
            return value - 256 if value > 127 else value
        coded = self._varint()
        value = (coded >> 1) ^ -(coded & 1)
        if not -_RANGES[kind] <= value < _RANGES[kind]:
            raise Malformed("a number has too many digits")
        return value

    def _varint(self) -> int:
        byte = self.data[self.at]
        self.at += 1
        if byte < 128:
            return byte
        value = byte & 127
        for shift in range(7, 70, 7):
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise Malformed("a number has too many digits")
