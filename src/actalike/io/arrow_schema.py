"""Describe the columns of a copied Parquet file for Arrow, so that pandas and pyarrow read the copy as they read its source.

Parquet has fewer types than Arrow, so Arrow describes its own in the note ``ARROW:schema``. pyarrow takes the types, and all
notes of the file and its columns, from there. Polars writes its own description, in which the notes are missing.
"""

import base64
import json
import struct
from collections.abc import Collection, Mapping

from actalike.io.flatbuffers import Node, Part, root_of, write_table

ARROW_SCHEMA = "ARROW:schema"

_NAME, _NULLABLE, _TYPE, _DETAILS, _DICTIONARY, _CHILDREN, _NOTES = range(7)  # the slots of a column
_FIELDS, _SCHEMA_NOTES, _FEATURES = 1, 2, 3  # the slots of a schema
_BINARY, _UTF8, _TIMESTAMP, _LIST = 4, 5, 10, 12
_OF_TYPES = (b"_PL_", b"ARROW:extension:")  # notes that tell the type of a column
_SHORT = {19: _BINARY, 23: _BINARY, 20: _UTF8, 24: _UTF8, 21: _LIST}  # types that differ only in how they are kept in memory
_NUMBERS = {  # by type: kind and default of the numbers that say how its values are to be understood
    1: [], 2: [("i", 0), ("B", 0)], 3: [("h", 0)], 4: [], 5: [], 6: [], 7: [("i", 0), ("i", 0), ("i", 128)], 8: [("h", 1)],
    9: [("h", 1), ("i", 32)], 10: [("h", 0)], 12: [], 13: [], 16: [("i", 0)], 18: [("h", 1)],
}  # fmt: skip


def copied_schema(given: str | None, written: str, notes: Mapping[str, str], changed: Collection[str]) -> str:
    """Return the description of a copy's columns from that of its source and that of Polars.

    A column is described as in the source if Polars writes values of that type, else as Polars does. The ``changed`` columns
    hold other texts than in the source, or are new. The notes of the source stay, except that of pandas, which is taken from the
    ``notes`` of the file. ``given`` is None if the source has no description: then pyarrow sees these notes and the types of
    Parquet, and shall see them in the copy. ValueError if a description is not one, or of other columns.
    """
    try:
        schema = _schema(written)
        columns = {column.text(_NAME).decode(): column for column in schema.parts(_FIELDS)}
        if given is None:
            file_notes: list[Node] = [{0: key, 1: value} for key, value in notes.items()]
            fields = [_plain(column) for column in columns.values()]
        else:
            source = _schema(given)
            before = {column.text(_NAME).decode(): column for column in source.parts(_FIELDS)}
            if list(before) != list(columns)[: len(before)]:
                raise ValueError("the description is of other columns")
            pandas = {b"pandas": {0: "pandas", 1: notes["pandas"]}} if "pandas" in notes else {}
            file_notes = [pandas.get(note.text(0), note) for note in source.parts(_SCHEMA_NOTES)]
            fields = [_field(name, before.get(name), column, changed) for name, column in columns.items()]
            texts = {_text_type(before[name]) for name in changed if name in before}
            fields[len(before) :] = [_plain(column, min(texts)) for column in list(columns.values())[len(before) :]]
        return _message({_FIELDS: fields, _SCHEMA_NOTES: file_notes} if file_notes else {_FIELDS: fields})
    except (struct.error, IndexError, UnicodeDecodeError, RecursionError):
        raise ValueError("the description is damaged") from None


def _schema(note: str) -> Part:
    data = base64.b64decode(note)
    message = bytearray(data[8 if data[:4] == b"\xff" * 4 else 4 :])
    schema = root_of(message).part(2)
    if schema is None:
        raise ValueError("the description is empty")
    return schema


def _message(schema: dict[int, Node]) -> str:
    table = write_table({0: 4, 1: 1, 2: schema})  # version 5 of the format; a schema
    table += bytes(-len(table) % 8)
    return base64.b64encode(b"\xff" * 4 + struct.pack("<i", len(table)) + table).decode()


def _field(name: str, given: Part | None, written: Part, changed: Collection[str]) -> Node:
    """Return how to describe a column of the source."""
    if given is None:
        return written
    if _same(given, written) and (name not in changed or _is_coded(given) == _is_coded(written)):
        _clear_rank(given, written)
        return _slots(given) | {_NULLABLE: written.number(_NULLABLE, "B")}
    field = _plain(written)
    own = [note for note in given.parts(_NOTES) if not note.text(0).startswith(_OF_TYPES)]
    if own or written.parts(_NOTES):
        field[_NOTES] = [*own, *written.parts(_NOTES)]
    return field


def _clear_rank(given: Part, written: Part) -> None:
    """Say that the categories of a column have no rank, if they had one and Polars wrote them in another order."""
    codes, other = given.part(_DICTIONARY), written.part(_DICTIONARY)
    if codes is not None and codes.number(2, "B") and not (other is not None and other.number(2, "B")):
        codes.clear_byte(2)


def _is_coded(field: Part) -> bool:
    return field.part(_DICTIONARY) is not None


def _same(given: Part, written: Part) -> bool:
    """Return whether values of one type are stored as those of the other, and mean the same."""
    kind = _kind(given)
    if kind != _kind(written) or kind not in _NUMBERS:
        return False
    details, other = given.part(_DETAILS), written.part(_DETAILS)
    if details is None or other is None:
        return False
    for slot, (number, default) in enumerate(_NUMBERS[kind]):
        if details.number(slot, number, default) != other.number(slot, number, default):
            return False
    if kind == _TIMESTAMP and (not details.text(1)) != (not other.text(1)):  # with any zone, they are stored in UTC
        return False
    children, others = given.parts(_CHILDREN), written.parts(_CHILDREN)
    nullable = [[each.number(_NULLABLE, "B") for each in fields] for fields in (children, others)]
    return nullable[0] == nullable[1] and all(map(_same, children, others))


def _kind(field: Part) -> int:
    kind = field.number(_TYPE, "B")
    return _SHORT.get(kind, kind)


def _text_type(field: Part) -> int:
    """Return the type of the texts in a column; that of short texts if it holds something else."""
    return field.number(_TYPE, "B") if _kind(field) == _UTF8 else _UTF8


def _slots(field: Part) -> dict[int, Node]:
    """Return the slots of a column, to be changed."""
    slots: dict[int, Node] = {_NULLABLE: field.number(_NULLABLE, "B"), _TYPE: field.number(_TYPE, "B")}
    for slot in (_NAME, _DETAILS, _DICTIONARY, _CHILDREN, _NOTES):
        part = field.part(slot)
        if part is not None:
            slots[slot] = part
    return slots


def _plain(field: Part, text_type: int = _UTF8) -> dict[int, Node]:
    """Return a column's description with the types that pyarrow gives to columns without any: those of short texts and lists."""
    slots = _slots(field)
    slots[_TYPE] = text_type if _kind(field) == _UTF8 else _kind(field)
    if slots[_TYPE] == _LIST or field.parts(_CHILDREN):
        slots[_CHILDREN] = [_plain(child) for child in field.parts(_CHILDREN)]
    slots.setdefault(_CHILDREN, [])
    return slots


def pandas_note(text: str, now_texts: Collection[str]) -> str:
    """Return the note of pandas with the type of texts for some columns; unchanged if it is not written as pandas does.

    >>> pandas_note('{"columns": [{"field_name": "a", "pandas_type": "int64", "numpy_type": "Int64"}]}', ["a"])
    '{"columns": [{"field_name": "a", "pandas_type": "unicode", "numpy_type": "object"}]}'
    """
    try:
        content = json.loads(text)
        for column in content["columns"]:
            if column["field_name"] in now_texts:
                column.update(pandas_type="unicode", numpy_type="object")
        return json.dumps(content)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return text
