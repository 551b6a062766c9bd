"""Values of attributes are coded as they are read, within the memory there is."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.io import text_codes
from actalike.io.text_codes import AttributeCodes
from tests.helpers.reading import read_bytes
from tests.helpers.strategies import any_text


@given(st.lists(st.lists(st.none() | any_text, max_size=6), min_size=1, max_size=5))
def test_values_come_back_from_any_number_of_blocks(blocks):
    codes = AttributeCodes("log.csv", "user")
    for block in blocks:
        codes.add(pl.Series(block, dtype=pl.String))
    assert codes.attribute().texts() == [text for block in blocks for text in block]


@pytest.mark.parametrize("name", ["log.csv", "log.xes"])
def test_more_values_than_fit_into_memory_are_refused(name, monkeypatch):
    content = {
        "log.csv": b"case,activity,user\n1,a,Sue\n1,a,Bob\n",
        "log.xes": b'<log><trace><event><string key="concept:name" value="a"/><string key="user" value="Sue"/></event></trace></log>',
    }[name]
    monkeypatch.setattr(text_codes, "_BYTES_A_VALUE", 10**9)
    monkeypatch.setenv("ACTALIKE_MEMORY", "500MB")
    with pytest.raises(
        ActalikeError, match=rf"{name}: the attribute 'user' has . distinct values already, which needs about .* GB"
    ):
        read_bytes(content, name, attributes=["user"])
    assert read_bytes(content, name).attributes == {}
