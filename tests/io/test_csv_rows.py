"""The fast reader of CSV reads what the plain one reads, block by block."""

from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.io import csv_rows, delimited, source
from actalike.io.csv_rows import RowCutter, field_bounds, header_cells, parse_rows
from measurements.attacks.csv_files import columns_of, meaning, nasty_csv
from tests.helpers.examples import examples
from tests.helpers.reading import read_bytes


@examples(300)
@given(st.integers(0, 2**40), st.sampled_from([1, 2, 3, 5, 16, 1 << 21]), st.sampled_from([0, 1000]))
def test_the_fast_reader_reads_what_the_plain_one_reads(seed, block, wide):
    content, options = nasty_csv(Random(seed))
    csv, expected = meaning(content, options)
    with patch.object(source, "PIECE", block), patch.object(delimited, "_BLOCK", block), patch.object(csv_rows, "_WIDE", wide):
        try:
            log = read_bytes(content, "log.csv", **columns_of(csv), **options)
        except ActalikeError:
            assert expected is None
            return
    assert dict(zip(log.case_ids, log.traces(), strict=True)) == expected


@given(st.text(st.sampled_from('a,"\r\n\ufeff'), max_size=12), st.integers(1, 5))
def test_blocks_are_the_rows_of_the_file(text, size):
    content = text.encode()
    cutter = RowCutter(Path("log.csv"), (content[i : i + size] for i in range(0, len(content), size)))
    blocks = list(cutter.blocks())
    assert b"".join(block.content for block in blocks) + cutter.blank_end == content
    assert [block.rows_before for block in blocks] == np.cumsum([0, *(len(block.ends) for block in blocks)])[:-1].tolist()
    for block in blocks:
        assert all(block.content[end : end + 1] in (b"\n", b"") for end in block.ends)
        assert not block.content.startswith((b"\n", b"\r\n")) or len(block.ends) > 1


def test_a_row_is_taken_with_its_line_break():
    cutter = RowCutter(Path("log.csv"), iter([b"a", b'"\n', b'"\r', b"\nb\n"]))
    assert [cutter.next_row(), cutter.next_row(), cutter.next_row()] == [b'a"\n"\r\n', b"b\n", b""]


@pytest.mark.parametrize("row", [b'"a', b'a"b', b'"a"b', b'"a""', b'a,"b" '])
def test_a_header_with_misplaced_quotes_has_no_cells(row):
    assert header_cells(row, ",") is None


def test_bounds_leave_out_line_breaks_and_keep_other_carriage_returns():
    assert field_bounds(b"a\r,b\r\r\nc,d\r", ",", 2).tolist() == [[0, 3, 5], [7, 9, 11]]


@pytest.mark.parametrize("wide", [0, 1000])
def test_only_wanted_columns_are_parsed(wide, monkeypatch):
    monkeypatch.setattr(csv_rows, "_WIDE", wide)
    cutter = RowCutter(Path("log.csv"), iter([b'1,"a\r",x\r,\n2,b,y,""\n']))
    (block,) = cutter.blocks()
    frame = parse_rows(Path("log.csv"), block, ",", ["n", "a", "x", "e"], ["x", "a", "e"])
    assert frame.rows() == [("a\r", "x\r", None), ("b", "y", "")]
