"""The description of columns for Arrow: pyarrow reads what Polars wrote as it read the source."""

import base64

import polars as pl
import pyarrow as pa
import pytest

from actalike.io.arrow_schema import copied_schema


def note(schema):
    return base64.b64encode(schema.serialize()).decode()


def copied(given, written, notes=None, changed=("new",)):
    described = copied_schema(given and note(given), note(written), notes or {}, changed)
    return pa.ipc.read_schema(pa.py_buffer(base64.b64decode(described)))


KEPT = [
    pa.field("text", pa.string(), metadata={"unit": "none"}),
    pa.field("zone", pa.timestamp("us", "Europe/Berlin")),
    pa.field("nested", pa.list_(pa.struct([("a", pa.string()), ("b", pa.duration("us"))]))),
    pa.field("codes", pa.dictionary(pa.int8(), pa.string())),
    pa.field("number", pa.decimal128(7, 2)),
]
WRITTEN = [
    pa.field("text", pa.large_string()),
    pa.field("zone", pa.timestamp("us", "UTC")),
    pa.field("nested", pa.large_list(pa.struct([("a", pa.string_view()), ("b", pa.duration("us"))]))),
    pa.field("codes", pa.dictionary(pa.uint32(), pa.large_string())),
    pa.field("number", pa.decimal128(7, 2)),
]


def test_a_column_keeps_its_type_and_notes_if_its_values_are_stored_the_same():
    given = pa.schema(KEPT, metadata={"from": "the ERP", "pandas": "old"})
    schema = copied(given, pa.schema([*WRITTEN, pa.field("new", pa.large_string())]), {"pandas": "new"}, ["text", "new"])
    assert len(schema) == len(KEPT) + 1
    assert all(a.equals(b, check_metadata=True) for a, b in zip(schema, KEPT, strict=False))
    assert schema.field("new").type == pa.string()
    assert schema.metadata == {b"from": b"the ERP", b"pandas": b"new"}


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (pa.duration("s"), pa.duration("ms")),
        (pa.timestamp("s"), pa.timestamp("ms")),
        (pa.timestamp("ms", "UTC"), pa.timestamp("ms")),
        (pa.list_(pa.duration("s")), pa.list_(pa.duration("ms"))),
        (pa.binary(2), pa.binary()),
        (pa.decimal128(7, 2), pa.decimal128(7, 3)),
        (pa.uint8(), pa.int8()),
        (pa.list_(pa.field("x", pa.int8(), nullable=False)), pa.list_(pa.field("x", pa.int8()))),
    ],
)
def test_a_column_of_another_type_is_described_as_it_was_written(given, written):
    schema = copied(
        pa.schema([pa.field("x", given, metadata={"unit": "h", "_PL_X": "1", "ARROW:extension:name": "x"})]),
        pa.schema([("x", written)]),
    )
    assert schema.field("x").type == written
    assert schema.field("x").metadata == {b"unit": b"h"}


def test_a_source_without_a_description_gets_the_types_and_notes_that_pyarrow_gave_it():
    written = pa.schema([("a", pa.large_list(pa.struct([("b", pa.large_string())]))), ("raw", pa.large_binary())])
    schema = copied(None, written, {"from": "Spark"})
    assert schema.types == [pa.list_(pa.struct([("b", pa.string())])), pa.binary()]
    assert schema.metadata == {b"from": b"Spark"}


def test_categories_keep_their_rank_only_if_they_were_written_in_that_order():
    ranked, other = (pa.schema([("x", pa.dictionary(pa.int8(), pa.string(), ordered))]) for ordered in (True, False))
    assert copied(ranked, ranked) == ranked
    assert copied(ranked, other) == other


def test_labels_that_were_codes_and_are_texts_are_described_as_texts():
    coded = pl.DataFrame(schema={"x": pl.Enum(["a"])}).to_arrow().schema
    assert copied(coded, pa.schema([("x", pa.large_string())]), changed=["x"]).field("x").type == pa.string()


@pytest.mark.parametrize(
    "given", ["", "AAAA", "/////wAAAAA=", "/////xAAAAAQAAAAAAAKAA4ABgAFAAgACgAA", note(pa.schema([("y", pa.int8())]))]
)
def test_a_damaged_description_is_an_error(given):
    with pytest.raises(ValueError, match="description is"):
        copied_schema(given, note(pa.schema([("x", pa.int8())])), {}, [])
