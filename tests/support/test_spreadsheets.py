"""Texts that a spreadsheet would run, in CSV files for people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.support.spreadsheets import escape_formula, restore_formula
from tests.helpers.examples import examples

# the examples of tests/report/page/report/mapping.test.js
RUN = ["=1", "+1", "-1", "@x", "\t=", "\r", "\nx", " =1", "\u00a0-", "\ufeff@", "\uff1d1", "'=1", "''\t", "' +"]
TEXTS = ["", "Check", "'quoted'", "a=b", " x", "'", "1-1", "\u2212"]


@pytest.mark.parametrize("text", RUN, ids=ascii)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert escape_formula(text) == f"'{text}"
    assert restore_formula(f"'{text}") == text


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_everything_else_stays_as_it_is(text):
    assert escape_formula(text) == text == restore_formula(text)


@examples(300)
@given(st.one_of(st.text(), st.text(alphabet="'=+-@ \t\r\nx")))
def test_every_text_comes_back_and_no_cell_begins_with_a_sign(text):
    cell = escape_formula(text)
    assert restore_formula(cell) == text
    assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n")


@examples(100)
@given(st.text().filter(lambda text: not text.startswith("'")))
def test_a_cell_without_the_escape_is_read_as_it_is(text):
    assert restore_formula(text) == text
