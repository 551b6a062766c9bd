"""Relabelling CSV, Parquet and XES: only the labels change, byte by byte."""

import re
import sys
import tempfile
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, LogError, MissingExtraError, read_log, relabel, relabel_file, write_log
from actalike.io import files
from actalike.labels import relabelled_files as relabelling
from actalike.labels.relabelled_files import _XesRewriting
from actalike.labels.relabelling import ORIGINAL
from tests.helpers import naive_csv
from tests.helpers.csv_rules import REFUSED, SOUND
from tests.helpers.examples import examples
from tests.helpers.relabelled_documents import elements, expected_elements
from tests.helpers.renamings import mappings, meant
from tests.helpers.xes_documents import documents, write_freely, xml_text


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"case,activity,note\n1,a,x\n", b"case,activity,note,actalike:original\n1,b,x,a\n"),
        (b'case,activity,note\r\n1,"a","x, ""y"""\r\n1,c,\r\n', b'case,activity,note,actalike:original\r\n1,"b","x, ""y""","a"\r\n1,c,,\r\n'),
        (b"note;activity;case\n 1.50 ;a;7", b"note;activity;case;actalike:original\n 1.50 ;b;7;a"),
        (b"\xef\xbb\xbfactivity\tcase\na\t1\nA\t1\n", b"\xef\xbb\xbfactivity\tcase\tactalike:original\nb\t1\ta\nA\t1\t\n"),
        (b'case,activity\n1,"a\nb"\n1,a\n', b'case,activity,actalike:original\n1,"a\nb",\n1,b,a\n'),
        ("case,activity,n\n1,a,é\n".encode("utf-16"), "case,activity,n,actalike:original\n1,b,é,a\n".encode("utf-16")),
        (b"\xef\xbb\xbfsep=;\r\ncase;activity\r\n1;a\r\n\r\n", b"\xef\xbb\xbfsep=;\r\ncase;activity;actalike:original\r\n1;b;a\r\n\r\n"),
        (b"case,activity,n\n1,a,x\r", b"case,activity,n,actalike:original\n1,b,x\r,a"),
        (b"\xfe\xff" + "case,activity\n1,a\n".encode("utf-16-be"), b"\xfe\xff" + "case,activity,actalike:original\n1,b,a\n".encode("utf-16-be")),
    ],
)  # fmt: skip
def test_cells_of_a_csv_stay_as_they_are_written(tmp_path, document, expected):
    log = tmp_path / "log.csv"
    log.write_bytes(document)
    relabel_file(log, {"a": "b"}, tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_bytes() == expected


# relabelling sorts nothing and knows no lifecycle, and the plain reader takes long for a large file
COPIED = [rule for rule in SOUND if "lifecycle" not in rule.options and len(rule.content) < 10**5]
NOT_COPIED = [rule for rule in REFUSED if "lifecycle" not in rule.options and "no timestamp" not in rule.means]


@pytest.mark.parametrize("rule", COPIED, ids=lambda rule: rule.name)
def test_a_rule_of_csv_holds_for_relabelling(tmp_path, rule):
    (tmp_path / "log.csv").write_bytes(rule.content)
    csv = naive_csv.parse(rule.content, rule.options.get("separator"), rule.options.get("encoding"))
    label = next(iter(rule.means.values()))[0]
    for mapping in ({}, {label: "new"}):
        relabel_file(tmp_path / "log.csv", mapping, tmp_path / "new.csv", **rule.options)
        assert (tmp_path / "new.csv").read_bytes() == naive_csv.relabelled(csv, mapping)


@pytest.mark.parametrize("rule", NOT_COPIED, ids=lambda rule: rule.name)
def test_what_is_not_certain_is_not_relabelled(tmp_path, rule):
    (tmp_path / "log.csv").write_bytes(rule.content)
    with pytest.raises(ActalikeError, match=re.escape(rule.means)):
        relabel_file(tmp_path / "log.csv", {}, tmp_path / "new.csv", case="case", activity="activity", **rule.options)
    assert not (tmp_path / "new.csv").exists()


def test_a_carriage_return_of_an_old_label_stays_its_own(tmp_path):
    (tmp_path / "log.csv").write_bytes(b"case,activity,n\n1,a\r,x\n")
    relabel_file(tmp_path / "log.csv", {"a\r": "b"}, tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_bytes() == b'case,activity,n,actalike:original\n1,b,x,"a\r"\n'


def test_the_columns_of_a_parquet_file_stay_with_their_types_and_notes(tmp_path):
    table = pa.table(
        {
            "activity": pa.array(["a", "b", "a"]).dictionary_encode(),
            "case": pa.array([1, 1, 2], pa.int32()),
            "time": pa.array([datetime(2024, 2, 29, 12)] * 3, pa.timestamp("ms", tz="Europe/Berlin")),
            "cost": pa.array([Decimal("1.20"), None, Decimal("3.40")]),
            "tags": pa.array([["x"], [], None]),
            "who": pa.array([{"name": "Ann", "team": 1}] * 3),
            "raw": pa.array([b"\x00", b"", None]),
            "day": pa.array([date(2024, 2, 29)] * 3),
            "share": pa.array([0.5, float("nan"), None], pa.float32()),
            "paid": pa.array([True, False, None]),
            "nothing": pa.nulls(3),
        }
    ).replace_schema_metadata({"from": "the ERP", "pandas": "{}"})
    pq.write_table(table, tmp_path / "log.parquet")
    relabel_file(tmp_path / "log.parquet", {"b": "<b>"}, tmp_path / "new.parquet")
    before, after = (pl.read_parquet(tmp_path / name) for name in ("log.parquet", "new.parquet"))
    assert after.drop(ORIGINAL).schema == before.schema
    assert after.drop(ORIGINAL, "activity").equals(before.drop("activity"))
    assert after["activity"].to_list() == ["a", "<b>", "a"]
    assert after[ORIGINAL].to_list() == [None, "b", None]
    assert pl.read_parquet_metadata(tmp_path / "new.parquet").items() >= {"from": "the ERP", "pandas": "{}"}.items()
    relabel_file(tmp_path / "log.parquet", {"b": "a"}, tmp_path / "short.parquet", collapse=True)
    assert pl.read_parquet(tmp_path / "short.parquet")["case"].to_list() == [1, 2]


def test_a_damaged_column_that_the_log_does_not_need_is_refused(tmp_path):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    table = pa.table({"case": ["1", "1"], "activity": ["a", "b"], "note": ["a long remark"] * 2})
    pq.write_table(table, path, compression="none", use_dictionary=False, write_page_checksum=True, write_statistics=False)
    path.write_bytes(path.read_bytes().replace(b"a long remark", b"a long rexark"))
    assert read_log(path).traces() == [["a", "b"]]
    with pytest.raises(LogError, match="CRC"):
        relabel_file(path, {"a": "x"}, new)
    assert [file.name for file in tmp_path.iterdir()] == ["log.parquet"]


def test_types_that_only_arrow_has_and_columns_without_nulls_stay(tmp_path):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    columns = {
        "case": pa.array(["1", "1"]),
        "activity": pa.array(["a", "b"]),
        "at": pa.array([0, 60], pa.timestamp("ms", "+05:30")),
        "clock": pa.array([1, 2], pa.time32("s")),
        "lasts": pa.array([1, 2], pa.duration("s")),
        "key": pa.array([b"ab", b"cd"], pa.binary(2)),
        "more": pa.array([[("x", 1)], []], pa.map_(pa.string(), pa.int64())),
    }
    fields = [pa.field(name, values.type, nullable=name != "case") for name, values in columns.items()]
    pq.write_table(pa.table(list(columns.values()), pa.schema(fields)), path)
    relabel_file(path, {"b": "c"}, new)
    source, result = pq.read_table(path), pq.read_table(new)
    assert result.schema.remove(len(columns)) == source.schema
    assert result.drop_columns(["activity", ORIGINAL]) == source.drop_columns("activity")


def test_groups_of_rows_stay(tmp_path):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    pq.write_table(pa.table({"case": ["1"] * 5, "activity": ["a", "b", "a", "b", "b"]}), path, row_group_size=2)
    relabel_file(path, {"b": "c"}, new)
    metadata = pq.ParquetFile(new).metadata
    assert [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)] == [2, 2, 1]
    relabel_file(path, {"b": "a"}, new, collapse=True)
    assert pq.read_table(new)["activity"].to_pylist() == ["a", "a"]


@pytest.mark.parametrize("coded", [False, True])
def test_events_without_an_activity_stay_without_one(tmp_path, coded):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    labels = pa.array(["a", None, "b"])
    pq.write_table(pa.table({"case": ["1"] * 3, "activity": labels.dictionary_encode() if coded else labels}), path)
    relabel_file(path, {"b": "c"}, new, missing="skip")
    assert pq.read_table(new)["activity"].to_pylist() == ["a", None, "c"]
    assert pq.read_table(new)[ORIGINAL].to_pylist() == [None, None, "b"]


def test_a_file_that_grew_while_it_was_relabelled_is_not_written(tmp_path, monkeypatch):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]}).write_parquet(path)
    read = relabelling.read_parquet

    def read_and_grow(*arguments):
        events = read(*arguments)
        pl.DataFrame({"case": ["1"] * 3, "activity": ["a", "b", "b"]}).write_parquet(path)
        return events

    monkeypatch.setattr(relabelling, "read_parquet", read_and_grow)
    with pytest.raises(LogError, match="changed"):
        relabel_file(path, {"a": "x"}, new)
    assert not new.exists()


def test_without_pyarrow_one_sentence_says_how_to_install_it(tmp_path, monkeypatch):
    path = tmp_path / "log.parquet"
    pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]}).write_parquet(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"actalike\[parquet\]"):
        relabel_file(path, {"a": "x"}, tmp_path / "new.parquet")


def both_ways(frame, mapping, tmp_path, collapse=False):
    """Return a pandas frame relabelled in memory, and relabelled as a file."""
    frame.to_parquet(tmp_path / "log.parquet")
    relabel_file(tmp_path / "log.parquet", mapping, tmp_path / "new.parquet", collapse=collapse)
    return relabel(pd.read_parquet(tmp_path / "log.parquet"), mapping, collapse), pd.read_parquet(tmp_path / "new.parquet")


def test_pandas_reads_a_relabelled_file_as_the_relabelled_frame(tmp_path):
    columns = {
        "case": ["1", "1", "2"],
        "activity": ["a", "b", "a"],
        "id": pd.array([2**53 + 1, None, 5], dtype="Int64"),
        "paid": pd.array([True, None, False], dtype="boolean"),
        "team": pd.Categorical(["x", "y", "x"]),
        "lasts": pd.to_timedelta([1, 2, None], unit="s"),
        "time": pd.to_datetime(["2024-02-29"] * 3).tz_localize("Europe/Berlin"),
    }
    frame = pd.DataFrame(columns, index=pd.Index([7, 9, 8], name="row"))
    frame.attrs = {"from": "the ERP"}
    in_memory, in_file = both_ways(frame, {"b": "a"}, tmp_path)
    pd.testing.assert_frame_equal(in_file, in_memory)
    assert in_file["id"].tolist()[0] == 2**53 + 1
    assert in_file.index.name == "row"
    assert in_file.attrs == in_memory.attrs == {"from": "the ERP"}
    in_memory, in_file = both_ways(frame, {"b": "a"}, tmp_path, collapse=True)
    pd.testing.assert_frame_equal(in_file.drop(columns="team"), in_memory.drop(columns="team"))
    assert in_file["team"].tolist() == in_memory["team"].tolist()


def test_categories_keep_their_rank_and_enums_their_values(tmp_path):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    ranked = pd.Categorical(["low", "high"], ["high", "low"], ordered=True)
    pd.DataFrame({"case": ["1", "1"], "activity": ["a", "b"], "rank": ranked}).to_parquet(path)
    relabel_file(path, {"b": "a"}, new)
    column = pd.read_parquet(new)["rank"]
    assert column.cat.ordered
    assert column.cat.categories.tolist() == ["high", "low"]
    assert column.tolist() == ["low", "high"]
    enum = pl.Series("rank", ["low", "high"], dtype=pl.Enum(["high", "mid", "low"]))
    pl.DataFrame({"case": ["1", "1"], "activity": enum, "rank": enum}).write_parquet(path)
    relabel_file(path, {"low": "high"}, new)
    assert pl.read_parquet_schema(new) == {"case": pl.String, "activity": pl.String, "rank": enum.dtype, ORIGINAL: pl.String}
    assert pl.read_parquet(new)["rank"].equals(enum)


def test_pandas_reads_labels_that_were_numbers_as_texts(tmp_path):
    frame = pd.DataFrame({"case": ["1", "1"], "activity": pd.array([10, 20], dtype="Int64")})
    in_memory, in_file = both_ways(frame, {"20": "Pay"}, tmp_path)
    pd.testing.assert_frame_equal(in_file, in_memory)
    assert in_file["activity"].tolist() == ["10", "Pay"]


@pytest.mark.parametrize("store_schema", [True, False])
@pytest.mark.parametrize("texts", [pa.string(), pa.large_string(), pa.string_view()])
def test_pyarrow_reads_a_relabelled_file_as_the_relabelled_table(store_schema, texts, tmp_path):
    table = pa.table({"case": [1, 1], "activity": pa.array(["a", "b"], texts), "tags": [["x"], None]})
    table = table.set_column(0, pa.field("case", pa.int64(), metadata={"from": "SAP"}), table["case"])
    table = table.replace_schema_metadata({"from": "the ERP", "pandas": "{}"})
    pq.write_table(table, tmp_path / "log.parquet", store_schema=store_schema)
    relabel_file(tmp_path / "log.parquet", {"b": "<b>"}, tmp_path / "new.parquet")
    source, result = (pq.read_table(tmp_path / name) for name in ("log.parquet", "new.parquet"))
    assert result.schema.remove(3).equals(source.schema, check_metadata=True)
    assert result.equals(relabel(source, {"b": "<b>"}))


@st.composite
def documents_with_mappings(draw):
    traces = draw(documents)
    return traces, draw(mappings({label for _, events in traces for label in events}, xml_text))


@pytest.mark.parametrize("piece", [files.PIECE, 1, 7, 64])
@examples(20)
@given(case=documents_with_mappings(), seed=st.integers(0, 2**32), collapse=st.booleans())
def test_every_legal_layout_of_xes_is_relabelled_exactly(piece, case, seed, collapse):
    traces, mapping = case
    document = write_freely(traces, seed, kinds=("string",))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        before, after = Path(folder) / "before.xes", Path(folder) / "after.xes"
        before.write_bytes(document)
        patch.setattr(files, "PIECE", piece)
        relabel_file(before, mapping, after, collapse=collapse)
        found = after.read_bytes()
    assert elements(found) == expected_elements(document, meant(mapping), collapse)
    if not any(name != label for label, name in meant(mapping).items()):
        assert found == document


ALL_KINDS = b"""<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<log xes.version="1849-2016" xes.features="nested-attributes" xmlns="http://www.xes-standard.org/">
\t<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
\t<global scope="trace"><string key="concept:name" value="Verify"/></global>
\t<global scope="event"><string key="concept:name" value="Verify"/><date key="time:timestamp" value="1970-01-01T00:00:00.000+00:00"/></global>
\t<classifier name="Activity" keys="concept:name lifecycle:transition"/>
\t<string key="concept:name" value="Verify"/>
\t<trace>
\t\t<string key="concept:name" value="Verify"/>
\t\t<string key="Verify" value="Verify"><string key="concept:name" value="Verify"/></string>
\t\t<event>
\t\t\t<date key="time:timestamp" value="2024-02-29T12:00:00.000+01:00"/>
\t\t\t<string key="concept:name" value="Verify"/>
\t\t\t<int key="cost" value="3"/><float key="weight" value="1.50"/><boolean key="paid" value="true"/>
\t\t\t<id key="identity:id" value="f81d4fae-7dec-11d0-a765-00a0c91e6bf6"/>
\t\t\t<list key="Verify"><values><string key="concept:name" value="Verify"/></values></list>
\t\t\t<container key="c"><string key="concept:name" value="Verify"/></container>
\t\t</event>
\t\t<!-- <event><string key="concept:name" value="Verify"/></event> -->
\t\t<event>\r\n\t\t\t<string key="concept:name" value="Pay &amp; go"/></event>
\t\t<event><string value='Verify' key='concept:name'><string key="why" value="nested"/></string></event>
\t</trace>
</log>

<!-- the end -->
"""


def test_only_the_bytes_of_renamed_labels_change(tmp_path):
    log = tmp_path / "log.xes"
    log.write_bytes(ALL_KINDS)
    relabel_file(log, {"Verify": "Check <now> & 'then'"}, tmp_path / "new.xes")
    expected = ALL_KINDS.replace(
        b"""\t\t\t<string key="concept:name" value="Verify"/>\n\t\t\t<int""",
        b"""\t\t\t<string key="actalike:original" value="Verify"/>\n\t\t\t<string key="concept:name" """
        b"""value="Check &lt;now&gt; &amp; 'then'"/>\n\t\t\t<int""",
    ).replace(
        b"<event><string value='Verify' key=",
        b"<event><string key=\"actalike:original\" value='Verify'/><string value='Check &lt;now&gt; &amp; &apos;then&apos;' key=",
    )
    assert (tmp_path / "new.xes").read_bytes() == expected
    relabel_file(log, {"Verify": "Pay & go"}, tmp_path / "collapsed.xes", collapse=True)
    assert (tmp_path / "collapsed.xes").read_bytes().count(b"<event>") == 1 + ALL_KINDS.count(b"<event><string key=")
    assert read_log(tmp_path / "collapsed.xes").traces() == [["Pay & go"]]


def test_traces_without_a_name_stay_without_one(tmp_path):
    unnamed = ALL_KINDS.replace(
        b"""\t\t<string key="concept:name" value="Verify"/>\n\t\t<string key="Verify\"""", b"""\t\t<string key="Verify\""""
    )
    assert unnamed != ALL_KINDS
    for document in (unnamed, ALL_KINDS):
        (tmp_path / "log.xes").write_bytes(document)
        relabel_file(tmp_path / "log.xes", {"Verify": "Check"}, tmp_path / f"{len(document)}.xes")
    named = (tmp_path / f"{len(ALL_KINDS)}.xes").read_bytes()
    removed = b"""\n\t\t<string key="concept:name" value="Verify"/>"""
    assert (tmp_path / f"{len(unnamed)}.xes").read_bytes() == named.replace(removed, b"", 1)
    relabel_file(tmp_path / "log.xes", {}, tmp_path / "same.xes")
    assert (tmp_path / "same.xes").read_bytes() == ALL_KINDS


def test_labels_that_are_no_strings_are_not_renamed(tmp_path):
    (tmp_path / "log.xes").write_text(
        '<log><trace><string key="concept:name" value="1"/><event><int key="concept:name" value="3"/></event></trace></log>'
    )
    with pytest.raises(LogError, match="string"):
        relabel_file(tmp_path / "log.xes", {"3": "Check"}, tmp_path / "new.xes")
    assert [path.name for path in tmp_path.iterdir()] == ["log.xes"]


def test_names_that_xml_cannot_hold_are_refused(tmp_path):
    write_log(EventLog.from_traces([["a"]]), tmp_path / "log.xes")
    with pytest.raises(LogError, match="hold"):
        relabel_file(tmp_path / "log.xes", {"a": "\x00"}, tmp_path / "new.xes")


def test_a_file_that_changes_meanwhile_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "log.xes"
    write_log(EventLog.from_traces([["a", "b"]]), path)
    take = _XesRewriting.rewrite

    def with_more(self, piece):
        self.n_events += 1
        return take(self, piece)

    monkeypatch.setattr(_XesRewriting, "rewrite", with_more)
    with pytest.raises(LogError, match="relabelled"):
        relabel_file(path, {"b": "a"}, tmp_path / "new.xes")
    assert [found.name for found in tmp_path.iterdir()] == ["log.xes"]


def test_labels_under_a_key_with_a_line_end_are_relabelled(tmp_path):
    before, after = tmp_path / "before.xes", tmp_path / "after.xes"
    before.write_bytes(
        b'<log><trace><string key="concept:name" value="1"/><event><string key="my\nkey" value="a"/></event></trace></log>'
    )
    relabel_file(before, {"a": "b"}, after, activity="my key")
    log = read_log(after, activity="my key", attributes=["actalike:original"])
    assert (log.traces(), log.attributes["actalike:original"].texts()) == ([["b"]], ["a"])
