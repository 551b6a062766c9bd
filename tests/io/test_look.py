"""What a look at a file shows and proposes, and that what it proposes works."""

import datetime
import gzip
import json

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError, read_log
from actalike.io import ReadOptions, look
from actalike.io.columns import Columns
from actalike.io.look_facts import (
    describe_column,
    propose_activity,
    propose_case,
    propose_lifecycle,
    propose_roles,
    propose_second_name,
    propose_time,
)
from actalike.io.samples import CASE_NUMBER, sample_csv, sample_xes
from actalike.log import Reading

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
    assert look(path, **options_of(seen)).reading == read_log(path, attributes=None, **options_of(seen)).reading


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
    path.write_text("case,activity\n" + "1,a\n" * 9_998 + "broken\n1,a\n")
    with pytest.raises(LogError, match="field"):
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
    with pytest.raises(LogError, match="<Event>"):
        look(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("log.xlsx", b"PK\x03\x04", "Excel"),
        ("log.xlsx", b"case,activity\n", "csv"),
        ("log.xlsb", b"PK\x03\x04", "xlsx"),
        ("log.csv", b"PK\x03\x04...", "is a zip file"),
        ("log.csv", b"%PDF-1.7", "is a PDF"),
        ("log.csv", b"", "header"),
        ("log.csv", b"case,activity\n", "empty"),
        ("log.xes", b"", "empty"),
        ("log.parquet", b"", "log.parquet"),
        ("log.csv.gz", gzip.compress(b"case,activity\n1,a\n" * 500, mtime=0)[:40], "the file is cut off"),
        ("log.txt", b"<?xml version='1.0'?>", "rename"),
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
    pq.write_table(table, path, use_dictionary=False)
    content = bytearray(path.read_bytes())
    for i, name in enumerate(table.column_names):
        chunk = pq.read_metadata(path).row_group(0).column(i)
        content[chunk.data_page_offset] |= 0xFF * (name in damaged)
    path.write_bytes(content)
    if len(damaged) == 3:
        with pytest.raises(LogError, match="Parquet"):
            look(path)
        return
    seen = look(path)
    assert [column.name for column in seen.columns] == [name for name in table.column_names if name not in damaged]
    assert f"the column '{damaged[0]}' cannot be read: " in seen.remarks[0]
    assert seen.proposals == ()
    if damaged == ["activity"]:
        assert "cannot be read as Parquet" in str(seen.error)
        assert seen.reading is None
    else:
        assert seen.reading == look(path).proposed_reading
        assert read_log(path).reading == seen.reading


def test_a_look_is_json_without_what_is_too_much_to_print(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity,when\n1,a,1.2.2024 8:00\n1,b,13.2.2024 9:00\n")
    seen = look(tmp_path / "log.csv")
    facts = json.loads(json.dumps(seen.as_dict()))
    assert "sampled_cases" not in facts
    assert facts["object_types"] == []
    assert facts["reading"]["cases"] == 1
    assert seen.options() == {proposal["option"]: proposal["value"] for proposal in facts["proposals"] if proposal["needed"]}


NO_NAMES = dict.fromkeys(("case", "activity", "timestamp", "transition"))


def test_only_roles_that_are_missing_are_proposed():
    rows = pl.DataFrame({"case": ["1", "1", "2", "2"], "what": ["a", "b", "a", "b"]})
    facts = [describe_column(rows[name], "column", None, None) for name in rows.columns]
    chosen = dict(NO_NAMES)
    assert [(p.option, p.value) for p in propose_roles(rows, facts, chosen)] == [("--activity", "what")]
    assert chosen["activity"] == "what"
    assert propose_roles(rows, facts, chosen) == []


def test_time_is_proposed_unless_it_was_left_out():
    rows = pl.DataFrame({"case": ["1"], "activity": ["a"], "at": ["31.12.2024"]})
    columns = Columns("case", "activity", None, None)
    proposed = propose_time(rows, columns, ReadOptions(), [])
    assert [(p.option, p.value) for p in proposed] == [("--timestamp", "at"), ("--timestamp-format", "%d.%m.%Y")]
    assert propose_time(rows, columns, ReadOptions(timestamp=""), []) == []


def test_pairs_of_start_and_complete_propose_to_keep_one():
    labels, transitions = pl.Series(["a", "a"]), pl.Series(["start", "complete"])
    assert propose_lifecycle(Reading("x", "case", "activity", paired=0.4), labels, transitions) == []
    paired = Reading("x", "case", "activity", paired=0.9, transition="lifecycle", paired_by="lifecycle")
    proposed = propose_lifecycle(paired, labels, transitions)
    assert [(p.option, p.value, p.needed) for p in proposed] == [("--lifecycle", "complete", False)]


def test_times_of_day_give_way_to_days():
    rows = pl.DataFrame({"case": ["1"], "activity": ["a"], "date": ["31/12/2024"], "time": ["08:00"]})
    remarks = []
    proposed = propose_time(rows, Columns("case", "activity", "time", None), ReadOptions(), remarks)
    assert [(p.option, p.value) for p in proposed] == [("--timestamp", "date"), ("--timestamp-format", "%d/%m/%Y")]
    assert len(remarks) == 1
    assert remarks[0].startswith("The column 'time' holds times of day, which cannot be joined with 'date'")


@pytest.mark.parametrize("values", [["soon"], [0.5], ["08:00"]])
def test_times_are_never_left_out_by_a_proposal(values):
    rows, remarks = pl.DataFrame({"case": ["1"], "activity": ["a"], "time": values}), []
    assert propose_time(rows, Columns("case", "activity", "time", None), ReadOptions(), remarks) == []
    (remark,) = remarks
    assert "--timestamp ''" in remark


def test_a_sample_ends_after_so_many_rows(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("a,b\n1,x\n2,\n3,z\n")
    assert sample_csv(path, ReadOptions(), rows=2).events.rows() == [("1", "x"), ("2", None)]
    assert not sample_csv(path, ReadOptions(), rows=2).is_whole
    assert sample_csv(path, ReadOptions(), rows=3).is_whole


def test_an_event_of_xes_belongs_to_its_trace_and_nested_attributes_to_nobody(tmp_path):
    path = tmp_path / "log.xes"
    path.write_text(
        '<log><string key="l" value="0"/><trace><string key="t" value="1"/><event><string key="e" value="2">'
        '<string key="nested" value="3"/></string></event></trace><trace><event/></trace></log>'
    )
    sample = sample_xes(path, NO_NAMES, 1 << 20)
    assert sample.events.rows(named=True) == [{"e": "2", CASE_NUMBER: 0}, {"e": None, CASE_NUMBER: 1}]
    assert sample.cases.equals(pl.DataFrame({"t": ["1", None]}))
    assert len(sample_xes(path, NO_NAMES, 1 << 20, most=1).events) == 1


def test_columns_that_would_be_read_are_never_left_out(tmp_path):
    path = tmp_path / "log.csv"
    names = [f"c{i}" for i in range(600)]
    path.write_text(",".join([*names, "Case ID", "Step"]) + "\n" + ",".join(["1"] * 602) + "\n")
    sample = sample_csv(path, ReadOptions(timestamp="c599"))
    assert sample.events.columns == [*names[:500], "c599", "Case ID", "Step"]
    assert sample.columns_left_out == 99


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        (["1", "-2"], "whole number"),
        (["1,5", "2"], "number"),
        (["yes", "No"], "truth value"),
        (["31.12.2024 13:45"], "time"),
        ([None, None], "empty"),
        (["a", "1"], "text"),
        ([1, 2], "whole number"),
        ([0.5], "number"),
        ([datetime.date(2024, 1, 1)], "time"),
        ([[1]], "list(int64)"),
    ],
)
def test_the_type_of_a_column_is_told_by_what_it_holds(values, type_):
    assert describe_column(pl.Series("x", values), "column", None, None).type == type_


def test_a_column_is_described_by_its_values():
    facts = describe_column(pl.Series("x", ["a", None, "b", "a"]), "column", "case", "why")
    assert (facts.filled, facts.values, facts.examples, facts.role) == (0.75, 2, ("a", "b"), "case")


def test_case_activity_and_second_name_are_proposed_by_their_statistics():
    rows = pl.DataFrame(
        {
            "id": [str(i) for i in range(12)],
            "order": [str(i // 3) for i in range(12)],
            "site": ["x"] * 6 + ["y"] * 6,
            "step": ["p", "q", "r"] * 4,
            "text": ["the first one", "the second one", "the third one"] * 4,
        }
    )
    facts = [describe_column(rows[name], "column", None, None) for name in rows.columns]
    assert propose_case(rows, facts) == "order"
    assert propose_activity(rows, facts, "order") == "step"
    assert propose_second_name(rows, facts, "step") == "text"
    assert propose_second_name(rows, facts, "site") is None
    assert propose_case(rows.select("id"), facts[:1]) is None
