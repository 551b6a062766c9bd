"""Read and write tables of FlatBuffers, in which Arrow describes the columns of a file.

A table refers to its parts by their distance, always forward. So a new table can be put in front of given bytes and refer to
parts of them; nothing is copied but the bytes as a whole.
"""

import struct
from typing import Any, NamedTuple

# a number; a new text, list or table (the number of a slot to its content); or a part of given bytes
Node = Any


class Part(NamedTuple):
    """Name a table, list or text in given bytes by its place."""

    data: bytearray
    at: int

    def number(self, slot: int, kind: str = "i", default: int = 0) -> int:
        """Return the number in a slot of the table; ``kind`` is its type as the module struct names it."""
        place = self._place(slot)
        return int(struct.unpack_from(f"<{kind}", self.data, place)[0]) if place else default

    def part(self, slot: int) -> "Part | None":
        """Return the part that a slot of the table refers to, or None."""
        place = self._place(slot)
        return self._refer(place) if place else None

    def parts(self, slot: int) -> "list[Part]":
        """Return the parts in the list that a slot of the table refers to; none if there is no list."""
        members = self.part(slot)
        if members is None:
            return []
        size = self._unsigned(members.at)
        if size > len(self.data) // 4:
            raise IndexError
        return [self._refer(members.at + 4 + 4 * i) for i in range(size)]

    def text(self, slot: int) -> bytes:
        """Return the text that a slot of the table refers to; empty if there is none."""
        text = self.part(slot)
        return b"" if text is None else bytes(self.data[text.at + 4 : text.at + 4 + self._unsigned(text.at)])

    def clear_byte(self, slot: int) -> None:
        """Set the byte in a slot of the table to 0."""
        place = self._place(slot)
        if place:
            self.data[place] = 0

    def _place(self, slot: int) -> int | None:
        directory = self.at - struct.unpack_from("<i", self.data, self.at)[0]
        if directory < 0:
            raise IndexError
        if 4 + 2 * slot >= struct.unpack_from("<H", self.data, directory)[0]:
            return None
        distance = int(struct.unpack_from("<H", self.data, directory + 4 + 2 * slot)[0])
        return self.at + distance if distance else None

    def _refer(self, place: int) -> "Part":
        return Part(self.data, place + self._unsigned(place))

    def _unsigned(self, place: int) -> int:
        return int(struct.unpack_from("<I", self.data, place)[0])


def root_of(data: bytearray) -> Part:
    """Return the table at which a description begins."""
    return Part(data, int(struct.unpack_from("<I", data)[0]))


def write_table(root: dict[int, Node]) -> bytearray:
    """Return the bytes of a new table, followed by all given bytes that it refers to.

    >>> given = write_table({0: "old"})
    >>> table = root_of(write_table({0: 7, 2: root_of(given), 3: [{0: "new"}]}))
    >>> table.number(0), table.part(1), table.part(2).text(0), [each.text(0) for each in table.parts(3)]
    (7, None, b'old', [b'new'])
    """
    data = bytearray(4)
    waiting: list[tuple[int, Node]] = [(0, root)]
    given: list[tuple[int, Part]] = []
    for place, node in waiting:  # grows meanwhile
        if isinstance(node, Part):
            given.append((place, node))
            continue
        data += bytes(-len(data) % 4)
        if isinstance(node, dict):
            _add_table(data, place, node, waiting)
            continue
        struct.pack_into("<I", data, place, len(data) - place)
        if isinstance(node, str | bytes):
            text = node.encode() if isinstance(node, str) else node
            data += struct.pack("<I", len(text)) + text + b"\0"
        else:
            data += struct.pack("<I", len(node))
            waiting += [(len(data) + 4 * i, member) for i, member in enumerate(node)]
            data += bytes(4 * len(node))
    starts: dict[int, int] = {}
    for place, part in given:
        if id(part.data) not in starts:
            data += bytes(-len(data) % 8)
            starts[id(part.data)] = len(data)
            data += part.data
        struct.pack_into("<I", data, place, starts[id(part.data)] + part.at - place)
    return data


def _add_table(data: bytearray, place: int, slots: dict[int, Node], waiting: list[tuple[int, Node]]) -> None:
    """Append a table with its directory of slots; every slot takes four bytes."""
    used = sorted(slots)
    n_slots = used[-1] + 1 if used else 0
    data += bytes(2 * (n_slots % 2))  # so that the table begins at a multiple of four
    directory = [4 + 4 * used.index(slot) if slot in slots else 0 for slot in range(n_slots)]
    size = 4 + 2 * n_slots
    data += struct.pack(f"<{2 + n_slots}H", size, 4 + 4 * len(used), *directory)
    struct.pack_into("<I", data, place, len(data) - place)
    data += struct.pack("<i", size)
    for slot in used:
        content = slots[slot]
        if isinstance(content, int):
            data += struct.pack("<i", content)
        else:
            waiting.append((len(data), content))
            data += bytes(4)
