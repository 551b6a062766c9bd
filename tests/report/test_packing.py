"""Arrays as text: what a page unpacks is what was packed."""

import base64
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.report.packing import packed, packed_runs, packed_triangle


def unpacked(text, letter):
    content = base64.b64decode(text)
    return struct.unpack(f"<{len(content) // struct.calcsize(letter)}{letter}", content)


def unpacked_triangle(triangle):
    steps = np.array(unpacked(triangle["cells"], "H"))
    return triangle["least"] + steps / 65535 * (triangle["most"] - triangle["least"])


@pytest.mark.parametrize(("kind", "letter"), [("u1", "B"), ("<u2", "H"), (">u2", "H"), (">u4", "I")])
def test_whole_numbers_come_back_whatever_the_order_of_their_bytes(kind, letter):
    assert unpacked(packed(np.array([0, 1, 200], dtype=kind)), letter) == (0, 1, 200)


def test_three_decimals_of_the_page_are_those_of_the_command_line():
    """Values beside a rounding limit are packed on the right side of it, and neighbours keep enough digits."""
    rng = np.random.default_rng(0)
    size = 120
    values = np.triu(rng.integers(-1000, 1000, (size, size)) / 1000 + 0.0005 + rng.normal(0, 1e-5, (size, size)), 1)
    shown = unpacked_triangle(packed_triangle(values + values.T))
    exact = values[np.triu_indices(size, 1)]
    assert [f"{value:.3f}" for value in shown] == [f"{value:.3f}" for value in exact]


def test_the_ends_of_the_scale_are_exact_and_cells_stand_row_by_row():
    matrix = np.array([[9.0, 0.25, -3.0], [0.25, 9.0, 7.0], [-3.0, 7.0, 9.0]])
    triangle = packed_triangle(matrix)
    assert (triangle["least"], triangle["most"]) == (-3.0, 7.0)
    assert unpacked_triangle(triangle) == pytest.approx([0.25, -3.0, 7.0], abs=1e-4)


@pytest.mark.parametrize("value", [0.0, 0.5, -2.0])
def test_equal_cells_are_that_value(value):
    assert unpacked_triangle(packed_triangle(np.full((3, 3), value))).tolist() == [value] * 3


@pytest.mark.parametrize("size", [0, 1])
def test_without_a_pair_there_is_no_cell(size):
    assert packed_triangle(np.ones((size, size))) == {"least": 0.0, "most": 1.0, "cells": ""}


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
