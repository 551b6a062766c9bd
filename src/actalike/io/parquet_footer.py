"""Read what a Parquet file says of itself in its footer, and check that the file can be as it says.

The native reader is fast and believes what it reads: a wrong number in a damaged file makes it return other rows, or end the
process. So everything that can be checked without unpacking a value is checked here, before it sees the file.
"""

import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from actalike.errors import LogError
from actalike.io.thrift import BINARY, BOOL, BYTE, EMPTY, I16, I32, I64, CompactReader, Layout, Malformed
from actalike.support.places import cannot_read

MAGIC = b"PAR1"
STATISTICS = Layout({
    1: ("max", BINARY), 2: ("min", BINARY), 3: ("null_count", I64), 4: ("distinct_count", I64), 5: ("max_value", BINARY),
    6: ("min_value", BINARY), 7: ("is_max_value_exact", BOOL), 8: ("is_min_value_exact", BOOL),
})  # fmt: skip
ENCODINGS = {0, *range(2, 10)}  # how values are written; the number 1 was never given
FOOTER_LIMIT = 16 << 20  # bytes; that of a log with 20 columns and 100 million events in groups of 100,000 has 3 million
DEPTH_LIMIT = 32  # of columns in columns

_ENCRYPTED = b"PARE"
_TEXT_TYPES = (6, 7)  # bytes, of any length or of a fixed one
_UNIT = Layout({1: ("ms", EMPTY), 2: ("us", EMPTY), 3: ("ns", EMPTY)})
_TIME = Layout({1: ("is_utc", BOOL), 2: ("unit", _UNIT)}, "is_utc unit")
_DECIMAL = Layout({1: ("scale", I32), 2: ("precision", I32)}, "scale precision")
_INTEGER = Layout({1: ("bits", BYTE), 2: ("is_signed", BOOL)}, "bits is_signed")
_LOGICAL = Layout({
    1: ("string", EMPTY), 2: ("map", EMPTY), 3: ("list", EMPTY), 4: ("enum", EMPTY), 5: ("decimal", _DECIMAL), 6: ("date", EMPTY),
    7: ("time", _TIME), 8: ("timestamp", _TIME), 10: ("integer", _INTEGER), 11: ("unknown", EMPTY), 12: ("json", EMPTY),
    13: ("bson", EMPTY), 14: ("uuid", EMPTY), 15: ("float16", EMPTY),
})  # fmt: skip
_ELEMENT = Layout({
    1: ("type", I32), 2: ("type_length", I32), 3: ("repetition", I32), 4: ("name", BINARY), 5: ("num_children", I32),
    6: ("converted_type", I32), 7: ("scale", I32), 8: ("precision", I32), 9: ("field_id", I32), 10: ("logical", _LOGICAL),
}, "name")  # fmt: skip
_NOTE = Layout({1: ("key", BINARY), 2: ("value", BINARY)}, "key")
_ENCODING_STATS = Layout({1: ("page_type", I32), 2: ("encoding", I32), 3: ("count", I32)}, "page_type encoding count")
_META = Layout({
    1: ("type", I32), 2: ("encodings", [I32]), 3: ("path", [BINARY]), 4: ("codec", I32), 5: ("num_values", I64),
    6: ("uncompressed", I64), 7: ("compressed", I64), 8: ("notes", [_NOTE]), 9: ("data_offset", I64), 10: ("index_offset", I64),
    11: ("dictionary_offset", I64), 12: ("statistics", STATISTICS), 13: ("encoding_stats", [_ENCODING_STATS]),
    14: ("bloom_offset", I64), 15: ("bloom_length", I32),
}, "type encodings path codec num_values uncompressed compressed data_offset")  # fmt: skip
_CHUNK = Layout({
    1: ("file_path", BINARY), 2: ("file_offset", I64), 3: ("meta", _META), 4: ("offset_index_offset", I64),
    5: ("offset_index_length", I32), 6: ("column_index_offset", I64), 7: ("column_index_length", I32), 8: ("crypto", EMPTY),
    9: ("encrypted_meta", BINARY),
}, "file_offset")  # fmt: skip
_SORTING = Layout({1: ("column", I32), 2: ("descending", BOOL), 3: ("nulls_first", BOOL)}, "column descending nulls_first")
_GROUP = Layout({
    1: ("columns", [_CHUNK]), 2: ("total_byte_size", I64), 3: ("num_rows", I64), 4: ("sorting", [_SORTING]),
    5: ("file_offset", I64), 6: ("total_compressed_size", I64), 7: ("ordinal", I16),
}, "columns total_byte_size num_rows")  # fmt: skip
_FOOTER = Layout({
    1: ("version", I32), 2: ("schema", [_ELEMENT]), 3: ("num_rows", I64), 4: ("groups", [_GROUP]), 5: ("notes", [_NOTE]),
    6: ("created_by", BINARY), 7: ("orders", [Layout({1: ("by_type", EMPTY)})]), 8: ("encryption", EMPTY),
}, "version schema num_rows groups")  # fmt: skip

_INT32, _INT64, _BYTES, _FIXED = 1, 2, 6, 7  # physical types
_STORED_AS: dict[int | str, tuple[int, ...]] = {  # a type by its number (before 2017) or name to the physical types it may have
    0: (_BYTES, _FIXED), 4: (_BYTES, _FIXED), 5: (_INT32, _INT64, _BYTES, _FIXED), 6: (_INT32,), 7: (_INT32,), 8: (_INT64,),
    9: (_INT64,), 10: (_INT64,), 11: (_INT32,), 12: (_INT32,), 13: (_INT32,), 14: (_INT64,), 15: (_INT32,), 16: (_INT32,),
    17: (_INT32,), 18: (_INT64,), 19: (_BYTES,), 20: (_BYTES,), 21: (_FIXED,),
    "string": (_BYTES, _FIXED), "enum": (_BYTES, _FIXED), "decimal": (_INT32, _INT64, _BYTES, _FIXED), "date": (_INT32,),
    "time": (_INT32, _INT64), "timestamp": (_INT64,), "integer": (_INT32, _INT64), "json": (_BYTES,), "bson": (_BYTES,),
    "uuid": (_FIXED,), "float16": (_FIXED,),
}  # fmt: skip


class _TooDeep(Malformed):
    """Report columns in columns that a whole file may have, but that the native reader would run out of stack for."""


class Leaf(NamedTuple):
    """Hold a column that has values of its own: ``column`` is the one it is in, itself unless it is nested.

    ``definition`` and ``repetition`` are the highest levels of its values: 0 for a column without nulls, or without lists.
    """

    column: str
    path: list[bytes]
    type: int
    definition: int
    repetition: int


class Chunk(NamedTuple):
    """Hold where the values of a column in a group of rows are: ``size`` bytes from ``start`` on."""

    leaf: Leaf
    start: int
    size: int
    codec: int
    values: int
    unpacked: int


class Footer(NamedTuple):
    """Hold what a footer says: the number of rows, the columns, the chunks of values, and which columns hold texts."""

    rows: int
    columns: list[str]
    chunks: list[Chunk]
    texts: frozenset[str]


def read_footer(path: Path, limit: int | None = FOOTER_LIMIT) -> Footer:
    """Read the footer of a Parquet file, or raise an error if the file cannot be as it says, or the footer exceeds a limit."""
    try:
        with open_parquet(path) as file:
            return _check_footer(path, file, limit)
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None


def open_parquet(path: Path) -> BinaryIO:
    """Open a file for reading at any place; what has no size and no places (a pipe, a device) is an error."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise LogError(f"{path} is not a file on disk, which Parquet must be, because it is read from its end: save it as one.")
    return path.open("rb")


def not_whole(path: Path, reason: object) -> LogError:
    """Return the error about a file that is damaged or cut off."""
    return LogError(f"{path} is not a whole Parquet file ({reason}): get a complete copy; nothing was read.")


def _check_footer(path: Path, file: BinaryIO, limit: int | None) -> Footer:
    size = file.seek(0, 2)
    file.seek(0)
    head = file.read(4)
    file.seek(max(size - 8, 0))
    tail = file.read(8)
    if _ENCRYPTED in (head, tail[4:]):
        raise _encrypted(path)
    if size < 12 or head != MAGIC or tail[4:] != MAGIC:
        raise not_whole(path, "it is empty" if not size else "it does not begin and end with PAR1")
    length = int.from_bytes(tail[:4], "little")
    if length > size - 12:
        raise not_whole(path, "its footer would be larger than the file")
    if limit is not None and length > limit:
        raise LogError(
            f"{path} describes itself in {length:,} bytes, more than {limit:,}: it has too many columns and groups of "
            "rows. Write it again with larger groups, or with fewer columns; nothing was read."
        )
    end = size - 8 - length
    file.seek(end)
    try:
        reader = CompactReader(file.read(length))
        footer = reader.read(_FOOTER)
        if reader.at != length:
            raise Malformed("its footer has another length than it should")
        if "encryption" in footer or any("crypto" in chunk for group in footer["groups"] for chunk in group["columns"]):
            raise _encrypted(path)
        return Footer(*_check_content(footer, end))
    except IndexError:
        raise not_whole(path, "its footer ends too early") from None
    except KeyError as error:
        raise not_whole(path, f"its footer lacks the field {error.args[0]}") from None
    except _TooDeep:
        raise LogError(
            f"{path} has columns nested more than {DEPTH_LIMIT} deep: write it without them; nothing was read."
        ) from None
    except Malformed as error:
        raise not_whole(path, error) from None


def _encrypted(path: Path) -> LogError:
    return LogError(f"{path} is encrypted: decrypt it first; nothing was read.")


def _check_content(footer: dict[str, Any], end: int) -> tuple[int, list[str], list[Chunk], frozenset[str]]:
    columns, leaves = _columns(footer["schema"])
    chunks = [chunk for group in footer["groups"] for chunk in _chunks(group, leaves, end)]
    rows = footer["num_rows"]
    if rows != sum(group["num_rows"] for group in footer["groups"]):
        raise Malformed("the rows of its groups do not add up to those of the file")
    bounds = sorted((chunk.start, chunk.start + chunk.size) for chunk in chunks)
    if any(start < stop for (_, stop), (start, _) in pairwise(bounds)):
        raise Malformed("the values of two columns overlap")
    return rows, columns, chunks, frozenset(leaf.column for leaf in leaves if leaf.type in _TEXT_TYPES)


def _columns(elements: list[dict[str, Any]]) -> tuple[list[str], list[Leaf]]:
    """Return the names of the columns and the leaves. Elements come depth first, each with the number of its children."""
    leaves: list[Leaf] = []
    names: list[str] = []
    open_nodes: list[tuple[list[int], list[bytes], int, int]] = []  # children to come, path, levels
    for place, element in enumerate(elements):
        name = element["name"]
        try:
            text = name.decode()
        except UnicodeDecodeError:
            raise Malformed("the name of a column is not UTF-8") from None
        is_root = not place
        if is_root == bool(open_nodes):
            raise Malformed("its columns do not add up")
        path, definition, repetition = [], 0, 0
        if not is_root:
            while open_nodes and not open_nodes[-1][0][0]:
                open_nodes.pop()
            if not open_nodes:
                raise Malformed("its columns do not add up")
            left, parent, definition, repetition = open_nodes[-1]
            left[0] -= 1
            path = [*parent, name]
            if element["repetition"] not in (0, 1, 2):
                raise Malformed("a column is neither required nor optional nor repeated")
            definition += element["repetition"] != 0
            repetition += element["repetition"] == 2
            if len(path) == 1:
                names.append(text)
        if len(path) > DEPTH_LIMIT:
            raise _TooDeep
        children = element.get("num_children", 0)
        if is_root or "type" not in element:
            if children < 0 or (not children and not is_root):
                raise Malformed("its columns do not add up")
            open_nodes.append(([children], path, definition, repetition))
        else:
            if children or not 0 <= element["type"] <= 7:
                raise Malformed("a column is of an unknown type")
            meanings = [element.get("converted_type"), *element.get("logical", ())]
            if not all(element["type"] in _STORED_AS.get(meaning, range(8)) for meaning in meanings):
                raise Malformed("a column has a type that its values cannot have")
            if element["type"] == _FIXED and not 0 < element.get("type_length", 0) <= 1 << 20:
                raise Malformed("a column has values of an impossible length")
            leaves.append(Leaf(names[-1], path, element["type"], definition, repetition))
    if not open_nodes or any(left[0] for left, *_ in open_nodes):
        raise Malformed("its columns do not add up")
    return names, leaves


def _chunks(group: dict[str, Any], leaves: list[Leaf], end: int) -> Iterator[Chunk]:
    """Yield the chunks of a group of rows, checked against its columns and the size of the file."""
    rows = group["num_rows"]
    if rows < 0 or len(group["columns"]) != len(leaves):
        raise Malformed("a group of rows lacks columns")
    for leaf, column in zip(leaves, group["columns"], strict=True):
        if column.get("file_path"):
            raise Malformed("its values are in another file")
        meta = column["meta"]
        if meta["path"] != leaf.path or meta["type"] != leaf.type:
            raise Malformed("its values belong to other columns")
        values = meta["num_values"]
        if values < rows or (values > rows and not leaf.repetition):
            raise Malformed("a column has another number of values than there are rows")
        if not values:  # then some writers give no place
            continue
        start = min(meta["data_offset"], meta.get("dictionary_offset", meta["data_offset"]))
        if start < 4 or not 0 <= meta["compressed"] <= end - start or meta["data_offset"] > start + meta["compressed"]:
            raise Malformed("the values of a column are outside the file")
        if not 0 <= meta["codec"] <= 7 or meta["uncompressed"] < 0 or not ENCODINGS.issuperset(meta["encodings"]):
            raise Malformed("the values of a column are packed in an unknown way")
        yield Chunk(leaf, start, meta["compressed"], meta["codec"], values, meta["uncompressed"])
