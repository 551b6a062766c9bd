import gzip

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError, read_log
from actalike.io import look

GERMAN = "Vorgang;Tätigkeit;Bearbeiter;Beginn\r\n" + "".join(
    f"{4711 + i // 3};{['Prüfen', 'Zahlen', 'Schließen'][i % 3]};Müller;{1 + i % 28:02d}.02.2024 {8 + i % 9:02d}:15\r\n"
    for i in range(90)
)


def options_of(seen):
    return {option.removeprefix("--").replace("-", "_"): value for option, value in seen.options().items()}


@pytest.mark.parametrize("first", ["", "sep=;\r\n"])
def test_what_is_proposed_for_a_german_file_of_excel_reads_it(tmp_path, first):
    path = tmp_path / "excel.csv"
    path.write_bytes((first + GERMAN).encode("cp1252"))
    seen = look(path)
    assert seen.options() == {
        "--encoding": "cp1252",
        "--case": "Vorgang",
        "--activity": "Tätigkeit",
        "--timestamp": "Beginn",
        "--timestamp-format": "%d.%m.%Y %H:%M",
    }
    assert seen.reading is None
    assert "is not utf-8: byte" in seen.error
    assert read_log(path, **options_of(seen)).traces()[0] == ["Prüfen", "Zahlen", "Schließen"]
    assert [column.role for column in seen.columns] == [None, None, "resource or organisation", None]  # a proposal is no role
    assert look(path, **options_of(seen)).reading == read_log(path, **options_of(seen)).reading


def test_what_is_said_of_a_whole_file_is_what_the_reader_says(tmp_path):
    path = tmp_path / "log.csv.gz"
    rows = "".join(f"{i // 4},{'ab'[i % 4 // 2]},{['start', 'complete'][i % 2]},2024-01-0{1 + i % 9}\n" for i in range(40))
    path.write_bytes(gzip.compress(f"case,activity,Status,time\n{rows}".encode()))
    seen = look(path)
    assert seen.reading == read_log(path).reading
    assert (seen.is_whole, seen.rows, seen.looked_at) == (True, 40, 40)
    assert [(proposal.option, proposal.value, proposal.needed) for proposal in seen.proposals] == [
        ("--transition", "Status", False),
        ("--lifecycle", "complete", False),
    ]
    assert not seen.options()
    assert [(column.role, column.why) for column in seen.columns][:1] == [("case", "its name is usual for the case")]
    assert seen.as_dict()["reading"]["cases"] == 10


def test_only_the_beginning_is_looked_at(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("case,activity\n" + "1,a\n" * 10_000 + "broken\n")
    seen = look(path)
    assert (seen.is_whole, seen.rows, seen.looked_at) == (False, None, 10_000)
    assert str(seen.reading).endswith(
        "1 case, 10,000 events; case = case, activity = activity, time = none: events in file order"
    )
    path.write_text("case,activity\n" + "1,a\n" * 9_999 + "broken\n")
    with pytest.raises(LogError, match="row 10,000 has 1 field"):
        look(path)
    pl.DataFrame({"case": range(20_000), "activity": ["a", "b"] * 10_000}).write_parquet(tmp_path / "log.parquet")
    seen = look(tmp_path / "log.parquet")
    assert (seen.is_whole, seen.rows, seen.looked_at) == (False, 20_000, 10_000)


def test_dates_that_can_be_read_in_two_ways_are_not_decided(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("case,activity,time\n1,a,01/02/2024\n1,b,02/02/2024\n")
    seen = look(path)
    assert not seen.options()
    assert seen.reading is None
    assert seen.remarks == ("The times in 'time' can be read in 2 ways, and nothing in these rows settles which.",)
    assert [proposal.value for proposal in seen.proposals] == ["%d/%m/%Y", "%m/%d/%Y"]


def test_the_attributes_of_xes_are_listed_with_their_scope(tmp_path):
    events = "".join(
        f'<event><string key="concept:name" value="{code}"/><string key="text" value="name of {code}"/></event>' for code in "abc"
    )
    path = tmp_path / "log.xes"
    path.write_text(f'<log><trace><string key="concept:name" value="7"/><int key="age" value="3"/>{events * 4}</trace></log>')
    seen = look(path)
    assert [(column.name, column.scope, column.role) for column in seen.columns] == [
        ("concept:name", "case", "case"),
        ("age", "case", None),
        ("concept:name", "event", "activity"),
        ("text", "event", None),
    ]
    assert [(proposal.option, proposal.value) for proposal in seen.proposals] == [("--name", "text")]
    assert str(seen.reading) == str(read_log(path).reading)
    assert look(path, activity="txt").error == (
        f"{path}: no event has the attribute 'txt', which names the activity: give another as --activity."
    )
    path.write_text(path.read_text().replace("<event>", "<Event>").replace("</event>", "</Event>"))
    with pytest.raises(LogError, match="in XES it is called <event>"):
        look(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("log.xlsx", b"PK\x03\x04", "is a spreadsheet: save the sheet"),
        ("log.csv", b"PK\x03\x04...", "is a zip file"),
        ("log.csv", b"%PDF-1.7", "is a PDF"),
        ("log.csv", b"", "is empty: it has no header"),
        ("log.csv", b"case,activity\n", "is empty: it has column names but no rows"),
        ("log.xes", b"", "is empty: it has no bytes"),
        ("log.parquet", b"", "log.parquet"),
        ("log.csv.gz", gzip.compress(b"case,activity\n1,a\n" * 500, mtime=0)[:40], "the file is cut off"),
        ("log.txt", b"<?xml version='1.0'?>", "rename it to end in .xes"),
    ],
)
def test_what_is_no_log_is_one_sentence_with_a_remedy(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LogError, match=message):
        look(tmp_path / name)


@pytest.mark.parametrize("damaged", [["activity"], ["cost"], ["case", "activity", "cost"]])
def test_a_damaged_column_of_parquet_is_named_and_nothing_else_is_advised(tmp_path, damaged):
    path = tmp_path / "log.parquet"
    table = pa.table({"case": ["1", "2"] * 9, "activity": ["a", "b"] * 9, "cost": ["x", "y"] * 9})
    pq.write_table(table, path, write_page_checksum=True, compression="none", use_dictionary=False)
    content = bytearray(path.read_bytes())
    for i, name in enumerate(table.column_names):
        chunk = pq.read_metadata(path).row_group(0).column(i)
        content[chunk.data_page_offset + chunk.total_compressed_size - 1] ^= name in damaged
    path.write_bytes(content)
    if len(damaged) == 3:
        with pytest.raises(LogError, match="not a whole Parquet file"):
            look(path)
        return
    seen = look(path)
    assert [column.name for column in seen.columns] == [name for name in table.column_names if name not in damaged]
    assert f"the column '{damaged[0]}' cannot be read: " in seen.remarks[0]
    assert seen.proposals == ()
    if damaged == ["activity"]:
        assert "is not a whole Parquet file" in str(seen.error)
        assert seen.reading is None
    else:
        assert seen.reading == look(path).proposed_reading
        assert read_log(path).reading == seen.reading
