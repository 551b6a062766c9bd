"""Tables of FlatBuffers: what is written in front of given bytes refers to them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.io.flatbuffers import root_of, write_table
from tests.helpers.examples import examples


@examples(40)
@given(st.dictionaries(st.integers(0, 6), st.integers(-(2**31), 2**31 - 1) | st.text(max_size=9)), st.lists(st.text(max_size=5)))
def test_a_table_is_read_as_it_was_written(slots, texts):
    old = root_of(write_table({1: "given"}))
    table = root_of(write_table({**slots, 7: [{0: text} for text in texts], 8: old}))
    for slot in range(7):
        value = slots.get(slot, 0)
        assert (table.text(slot).decode() if isinstance(value, str) else table.number(slot)) == value
    assert [each.text(0).decode() for each in table.parts(7)] == texts
    assert table.part(8).text(1) == b"given"


@pytest.mark.parametrize("size", range(4, 20))
def test_bytes_that_end_too_early_are_an_error(size):
    with pytest.raises((IndexError, struct.error)):
        root_of(write_table({0: ["a", "b"]})[:size]).parts(0)
