"""Numbers that order events are exact."""

from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError
from actalike.counting.engines.csv import OrderColumn

numbers = st.decimals(-(10**15), 10**15, places=3).map(lambda number: f"{number:f}") | st.integers(-(10**17), 10**17).map(str)


@given(st.lists(numbers, min_size=1, max_size=8), st.lists(numbers, min_size=1, max_size=8))
def test_numbers_sort_by_their_value_across_blocks(first, second):
    column = OrderColumn("log.csv", "at", None)
    keys = []
    for block in (first, second):
        whole, decimals = column.read(pl.Series(block), 0)
        keys += zip(whole.tolist(), decimals.tolist(), strict=True)
    values = [Decimal(text) for text in first + second]
    assert sorted(range(len(keys)), key=keys.__getitem__) == sorted(range(len(values)), key=values.__getitem__)


def test_a_layout_decides_what_digits_are():
    column = OrderColumn("log.csv", "at", "%d%m%Y")
    assert column.read(pl.Series(["01022024", "31012024"]), 0)[0].argsort().tolist() == [1, 0]
    assert column.kind == "timestamps"
    plain = OrderColumn("log.csv", "at", None)
    assert plain.read(pl.Series(["01022024", "31012024"]), 0)[0].argsort().tolist() == [0, 1]


def test_a_column_without_values_has_no_kind_yet():
    column = OrderColumn("log.csv", "at", None)
    column.read(pl.Series([None, None], dtype=pl.String), 0)
    assert (column.kind, column.missing) == (None, 2)
    column.read(pl.Series(["2024-01-01", None]), 2)
    assert (column.kind, column.missing) == ("timestamps", 3)


@pytest.mark.parametrize("time", ["9999-12-31T23:00:00-11:00", "0001-01-01T00:00:00+14:00"])
def test_a_zone_that_leaves_the_years_1_to_9999_is_refused(time):
    column = OrderColumn("log.csv", "at", None)
    with pytest.raises(LogError, match="years"):
        column.read(pl.Series(["2024-01-01", time]), 10)
