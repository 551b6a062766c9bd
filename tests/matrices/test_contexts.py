"""Contexts in words: what the columns of a count matrix stand for."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import count_windows
from actalike.matrices import ANY, Contexts, activity_context, context_text
from tests.helpers.strategies import logs, windows


@pytest.mark.parametrize("symbols", [["x"], ["x", "y"]])
@given(distance=st.integers(1, 6))
def test_there_is_a_dot_for_each_place_between_a_neighbour_and_the_activity(symbols, distance):
    neighbour, dots = " ≈ ".join(symbols), ["·"] * (distance - 1)
    assert context_text("beside", symbols, -distance).split(" → ") == [neighbour, *dots, "●"]
    assert context_text("beside", symbols, distance).split(" → ") == ["●", *dots, neighbour]


@pytest.mark.parametrize(
    ("kind", "symbols", "place", "text"),
    [
        ("beside", [None], -1, "(start) → ●"),
        ("beside", [None], 3, "● → · → · → (end)"),
        ("beside", ["x", None], -2, "x ≈ (start) → · → ●"),
        ("between", [None, None, "x", "y"], 2, "(start) → ● → x → y"),
        ("between", ["x", "y", "z", None], 2, "x → y → ● → z → (end)"),
        ("between", ["x"], 0, "● → x"),
        ("between", [], 0, "●"),
        ("among", [None, "b", None, "a", "b"], 0, "{(outside) ×2, a, b ×2}"),
        ("like", ["x → ●"], 0, "x → ●"),
    ],
)
def test_the_ends_of_cases_have_their_signs(kind, symbols, place, text):
    assert context_text(kind, symbols, place) == text


@given(st.integers(2, 8), st.data())
def test_a_column_of_one_neighbour_has_its_code_and_its_offset_from_the_activity(window, data):
    left = (window - 1) // 2
    place = data.draw(st.integers(0, window - 2))
    codes = np.full((1, window - 1), ANY)
    codes[0, place] = 0
    contexts = Contexts("position", codes, ["x"], left)
    offset = [o for o in range(-left, window - left) if o][place]
    assert contexts.column(0) == ((0,), offset)
    assert contexts.places.tolist() == [place]
    assert contexts.text(0).count("·") == abs(offset) - 1
    assert contexts.text(0).startswith("x") == (offset < 0)


@given(logs(), windows, st.sampled_from(["sequence", "multiset"]))
def test_columns_have_distinct_names_that_begin_with_their_texts(log, window, kind):
    contexts = activity_context(count_windows(log, window), kind).contexts
    names = contexts.column_names()
    assert len(set(names)) == len(names) == len(contexts)
    assert all(name.startswith(contexts.text(i)) for i, name in enumerate(names))
    assert contexts.places.tolist() == [0] * len(contexts)


def test_equal_texts_are_numbered_from_two():
    contexts = Contexts("activity", np.array([[0], [1], [2]]), ["x", "x", "x (2)"])
    assert contexts.column_names() == ["x", "x (2)", "x (2) (2)"]
    contexts = Contexts("activity", np.array([[0], [1], [2]]), ["x", "x", "x"])
    assert contexts.column_names() == ["x", "x (2)", "x (3)"]


def test_only_a_sequence_has_symbols_before_the_activity():
    codes = np.array([[0, -1]])
    assert Contexts("sequence", codes, ["x"], left=1).column(0) == ((0, -1), 1)
    assert Contexts("multiset", codes, ["x"], left=1).column(0) == ((0, -1), 0)
    assert Contexts("activity", np.array([[0]]), ["x"], left=1).column(0) == ((0,), 0)


def test_many_equal_columns_are_named_in_linear_time():
    started = time.process_time()
    names = Contexts("sequence", np.zeros((30_000, 0), dtype=np.int32), ["a"]).column_names()
    assert (names[0], names[-1], len(set(names))) == ("●", "● (30000)", 30_000)
    assert time.process_time() - started < 5
