"""Arrays as text: what a page unpacks is what was packed."""

import base64
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.report.packing import packed, packed_runs


def unpacked(text, letter):
    content = base64.b64decode(text)
    return struct.unpack(f"<{len(content) // struct.calcsize(letter)}{letter}", content)


@pytest.mark.parametrize(("kind", "letter"), [("u1", "B"), ("<u2", "H"), (">u2", "H"), (">u4", "I")])
def test_whole_numbers_come_back_whatever_the_order_of_their_bytes(kind, letter):
    assert unpacked(packed(np.array([0, 1, 200], dtype=kind)), letter) == (0, 1, 200)


def unpacked_runs(text):
    """What the page does: numbers in groups of 7 bits, a 0 followed by how many zeros there are."""
    written, number, scale = [], 0, 1
    for byte in base64.b64decode(text):
        number, scale = number + byte % 128 * scale, scale * 128
        if byte < 128:
            written.append(number)
            number, scale = 0, 1
    numbers, rest = [], iter(written)
    for one in rest:
        numbers.extend([one] if one else [0] * next(rest))
    return numbers


@given(st.lists(st.sampled_from([0, 0, 0, 1, 127, 128, 300]) | st.integers(0, 2**53)))
def test_runs_come_back(numbers):
    assert unpacked_runs(packed_runs(np.array(numbers, dtype=np.int64))) == numbers


def test_a_thousand_zeros_take_three_bytes():
    assert len(base64.b64decode(packed_runs(np.zeros((10, 100), dtype=np.int64)))) == 3
