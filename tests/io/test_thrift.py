"""The compact protocol of Thrift."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.io.parquet_footer import _FOOTER
from actalike.io.thrift import BINARY, BOOL, BYTE, EMPTY, I16, I32, I64, CompactReader, Layout, Malformed
from tests.helpers.parquet_bytes import encode

INNER = Layout({1: ("name", BINARY), 3: ("is_new", BOOL)})
LAYOUT = Layout({
    1: ("small", BYTE), 2: ("short", I16), 4: ("whole", I32), 5: ("long", I64), 6: ("flag", BOOL), 9: ("text", BINARY),
    14: ("numbers", [I64]), 15: ("inner", INNER), 40: ("inners", [INNER]), 41: ("texts", [BINARY]),
})  # fmt: skip


def whole(bits):
    return st.integers(-(1 << bits - 1), (1 << bits - 1) - 1)


inner = st.fixed_dictionaries({}, optional={"name": st.binary(), "is_new": st.booleans()})
structures = st.fixed_dictionaries(
    {},
    optional={
        "small": whole(8), "short": whole(16), "whole": whole(32), "long": whole(64), "flag": st.booleans(), "text": st.binary(),
        "numbers": st.lists(whole(64), max_size=20), "inner": inner, "inners": st.lists(inner), "texts": st.lists(st.binary()),
    },
)  # fmt: skip


@given(structures)
def test_what_was_encoded_is_read_and_other_fields_are_skipped(values):
    data = encode(values, LAYOUT)
    reader = CompactReader(data)
    assert reader.read(LAYOUT) == values
    assert reader.at == len(data)
    skipping = CompactReader(data)
    assert skipping.read(EMPTY) == {}
    assert skipping.at == len(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_structure_or_one_of_two_errors(data):
    reader = CompactReader(data)
    try:
        reader.read(_FOOTER)
    except (Malformed, IndexError):
        return
    assert reader.at <= len(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("1502 050202 00", "the field number occurs twice"),
        ("1802 0000 00", "wrong type"),
        ("1580808080808080808080808000", "too many digits"),
        ("15FEFFFFFFFFFFFFFFFF0100", "too many digits"),
        ("3C" * 60, "nested too deeply"),
        ("2D00", "no type"),
        ("00", "lacks the field number"),
    ],
)
def test_a_malformed_structure_says_why(data, reason):
    with pytest.raises(Malformed, match=reason):
        CompactReader(bytes.fromhex(data)).read(Layout({1: ("number", I32)}, "number"))


def test_a_list_longer_than_the_data_is_not_begun():
    with pytest.raises(IndexError):
        CompactReader(bytes.fromhex("19F6FFFFFFFF0F")).read(Layout({1: ("numbers", [I64])}))
