"""Test checking events that arrive; what is refused is tested with StreamCounter."""

import numpy as np
import polars as pl

from actalike.counting import cases_to_close, event_texts


def test_columns_of_any_kind_become_texts():
    assert event_texts(pl.Series([1, 2]), np.array(["a", "b"])) == (["1", "2"], ["a", "b"])
    assert event_texts([], []) == ([], [])


def test_a_single_case_may_be_given_by_itself():
    assert cases_to_close(np.int64(7)) == cases_to_close("7") == cases_to_close(["7", 7]) == ["7"]
