"""What reading CSV promises: the rules of docs/reading.md, and the same answers however a file is cut into blocks."""

import csv
import gzip
import io
import re
import time
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, LogError, read_log
from actalike.io import delimited, files
from actalike.io.delimited import RowCutter, field_bounds, header_cells, parse_rows
from tests.attacks.csv_files import columns_of, meaning, nasty_csv
from tests.helpers.csv_rules import REFUSED, SOUND
from tests.helpers.examples import examples
from tests.helpers.reading import read_bytes
from tests.helpers.strategies import any_text

rows = st.lists(st.tuples(any_text.filter(bool), any_text.filter(bool), any_text), min_size=1, max_size=20)


@given(rows, st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n"]), st.sampled_from([1 << 22, 1, 30]))
def test_what_python_writes_is_read(given_rows, separator, line_end, piece):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerow(["Case ID", "Activity", "note"])
    writer.writerows(given_rows)
    expected = {}
    for case, activity, _ in given_rows:
        expected.setdefault(case, []).append(activity)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", piece)
        patch.setattr(delimited, "_BLOCK", piece)
        log = read_bytes(text.getvalue().encode(), "log.csv", separator=separator)
    assert dict(zip(log.case_ids, log.traces(), strict=True)) == expected
    assert log.case_ids == list(expected)


def test_separators_and_columns_are_recognised():
    for separator in ",;\t|":
        text = (
            separator.join(["Case ID", "Activity", "Complete Timestamp"])
            + "\n"
            + separator.join(["1", "a", "2024-01-01 10:00:00"])
        )
        assert read_bytes(text.encode(), "log.csv").traces() == [["a"]]


def test_rows_are_sorted_by_time_and_ties_stay_in_row_order():
    text = b"case,activity,timestamp\n1,c,2024-01-02\n1,a,2024-01-01\n2,x,2023-01-01\n1,b,2024-01-01\n"
    assert read_bytes(text, "log.csv").traces() == [["a", "b", "c"], ["x"]]
    assert read_bytes(text, "log.csv", order="file").traces() == [["c", "a", "b"], ["x"]]


def test_a_real_csv_whose_case_is_called_na(log_file):
    log = read_log(log_file("Hospital_Billing"), order="file")
    assert (log.n_cases, log.n_events, log.n_variants) == (100_000, 451_359, 1020)
    assert "NA" in log.case_ids


GOOD = b"case,activity,timestamp,cost\n1,a,2024-01-01,5\n1,b,2024-01-02,6\n2,a,2024-01-01,7\n"


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (GOOD.replace(b",6", b""), {}, "fields"),
        (GOOD.replace(b",6", b",6,9"), {}, "fields"),
        (GOOD[:-10], {}, "fields"),
        (GOOD.replace(b"1,b", b"1,"), {}, "activity"),
        (GOOD.replace(b"2024-01-02", b""), {}, "file"),
        (GOOD.replace(b"2024-01-02", b"02.01.2024"), {}, "timestamp-format"),
        (GOOD, {"timestamp_format": "%d.%m.%Y"}, "2024-01-01"),
        (GOOD, {"separator": ";"}, "separated"),
        (GOOD, {"separator": ";;"}, "separator"),
        (GOOD, {"case": "Case"}, "mean 'case'"),
        (GOOD, {"timestamp": "tiem"}, "tiem"),
        (GOOD.replace(b"case,", b"who,"), {}, "who"),
        (GOOD, {"encoding": "klingon"}, "klingon"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_clear_error(content, options, message):
    for name, body in (("log.csv", content), ("log.csv.gz", gzip.compress(content))):
        with pytest.raises(LogError, match=message) as caught:
            read_bytes(body, name, **options)
        assert "\n" not in str(caught.value)


def test_a_row_that_never_ends_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(delimited, "_LONGEST_ROW", 1000)
    monkeypatch.setattr(files, "PIECE", 500)
    monkeypatch.setattr(delimited, "_BLOCK", 500)
    with pytest.raises(LogError, match="bytes"):
        read_bytes(b'case,activity\n1,"' + b"a" * 10_000, "log.csv")


raw_texts = st.lists(st.sampled_from(['"', '"', ",", "\n", "a", "b", "1", '""', "\r\n", " "]), max_size=25).map("".join)


@examples(400)
@given(raw_texts, st.sampled_from([1 << 22, 1, 7]))
def test_any_text_is_read_as_python_reads_it_or_refused(text, piece):
    """Quotes in odd places are where programs differ: then it is an error, never another log."""
    content = f"case,activity,n\n{text}\n"
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "PIECE", piece)
            patch.setattr(delimited, "_BLOCK", piece)
            log = read_bytes(content.encode(), "log.csv")
    except LogError:
        return
    rows = list(csv.reader(io.StringIO(content, newline=""), strict=True))[1:]
    while rows and not rows[-1]:
        rows.pop()  # blank lines at the end
    expected = {}
    for case, activity, _ in rows:
        expected.setdefault(case, []).append(activity)
    assert dict(zip(log.case_ids, log.traces(), strict=True)) == expected


def test_python_fractions_are_read_and_what_would_be_misread_is_refused():
    text = b"case,activity,time\n1,b,2024-01-01 10:00:00.900\n1,a,2024-01-01 10:00:00.100\n"
    assert read_bytes(text, "log.csv", timestamp_format="%Y-%m-%d %H:%M:%S.%f").traces() == [["a", "b"]]
    for layout, message in (("%H:%M", "no year"), ("%Y-%m-%d %Z", "use %z"), ("%Y-%m-%d %S%f", "follow a dot")):
        with pytest.raises(ActalikeError, match=message):
            read_bytes(text, "log.csv", timestamp_format=layout)


def test_timestamps_can_be_left_out_or_be_seconds():
    text = b"case,activity,timestamp\n1,b,1704067200\n1,a,1704067100\n"
    with pytest.raises(LogError, match="timestamp=''"):
        read_bytes(text, "log.csv")
    assert read_bytes(text, "log.csv", timestamp="").traces() == [["b", "a"]]
    assert read_bytes(text, "log.csv", timestamp_format="%s").traces() == [["a", "b"]]


@pytest.mark.parametrize("encoding", ["base64", "hex", "rot13", "undefined", "\udc80"])
def test_codecs_that_are_no_encodings_are_refused(encoding):
    with pytest.raises(LogError, match="encoding"):
        read_bytes(GOOD, "log.csv", encoding=encoding)


@pytest.mark.parametrize("rule", SOUND, ids=lambda rule: rule.name)
def test_a_rule_of_csv_holds_in_memory(rule):
    log = read_bytes(rule.content, "log.csv", **rule.options)
    assert dict(zip(log.case_ids, log.traces(), strict=True)) == rule.means


@pytest.mark.parametrize("rule", REFUSED, ids=lambda rule: rule.name)
def test_what_is_not_certain_is_refused_in_memory(rule):
    with pytest.raises(ActalikeError, match=re.escape(rule.means)) as caught:
        read_bytes(rule.content, "log.csv", **{"case": "case", "activity": "activity", **rule.options})
    assert "\n" not in str(caught.value)


def test_the_first_error_of_a_file_is_told_however_its_blocks_are_parsed(monkeypatch):
    monkeypatch.setattr(files, "PIECE", 8)
    monkeypatch.setattr(delimited, "_BLOCK", 8)
    with pytest.raises(LogError, match="field"):
        read_bytes(b'case,activity\n1,a\n1,b\n1\n1,c\n1,d,e\n1,"f\n', "log.csv")


def test_a_separator_is_neither_a_letter_nor_a_digit_nor_a_quote_nor_a_line_break():
    for separator in ('"', "\n", "\r", "é", "", "0", "a", "\0", "\ud800"):
        with pytest.raises(LogError, match="separator"):
            read_bytes(b"case,activity\n1,a\n", "log.csv", separator=separator)


@pytest.mark.parametrize("mark", [b"\xff\xfe\0\0", b"\0\0\xfe\xff"])
def test_utf_32_is_told_by_its_mark(mark):
    with pytest.raises(LogError, match="UTF-32"):
        read_bytes(mark + "case,activity\n1,a\n".encode("utf-32-le"), "log.csv")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_the_encoding_of_a_table_without_a_mark_is_proposed_and_can_be_named(encoding):
    content = "case,activity\n1,a\n".encode(encoding)
    with pytest.raises(LogError, match=encoding):
        read_bytes(content, "log.csv")
    assert read_bytes(content, "log.csv", encoding=encoding).traces() == [["a"]]


def test_a_long_cell_or_name_is_not_quoted_whole():
    for text in (f"case,activity,time\n1,a,{'9' * 100_000}\n", f"case,activity,{'x' * 100_000},{'x' * 100_000}\n1,a,2,3\n"):
        with pytest.raises(LogError) as caught:
            read_bytes(text.encode(), "log.csv")
        assert len(str(caught.value)) < 1000


def test_many_columns_that_are_not_read_cost_little():
    names = [f"column {i}" for i in range(5000)]
    text = (
        ",".join(["case", "activity", *names, "Startzeit"])
        + "\n"
        + ",".join(["1", "a", *["x"] * 5000, "2024-01-01 10:00"])
        + "\n"
    )
    started = time.process_time()
    assert read_bytes(text.encode(), "log.csv").reading.unused_times == ("Startzeit",)
    assert time.process_time() - started < 3


@examples(300)
@given(st.integers(0, 2**40), st.sampled_from([1, 2, 3, 5, 16, 1 << 21]))
def test_the_fast_reader_reads_what_the_plain_one_reads(seed, block):
    content, options = nasty_csv(Random(seed))
    csv, expected = meaning(content, options)
    with patch.object(files, "PIECE", block), patch.object(delimited, "_BLOCK", block):
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


def test_only_wanted_columns_are_parsed():
    cutter = RowCutter(Path("log.csv"), iter([b'1,"a\r",x\r,\n2,b,y,""\n']))
    (block,) = cutter.blocks()
    frame = parse_rows(Path("log.csv"), block, ",", ["n", "a", "x", "e"], ["x", "a", "e"])
    assert frame.rows() == [("a\r", "x\r", None), ("b", "y", "")]
