"""Relabelling Parquet: only the column of labels changes."""

import sys
from datetime import date, datetime
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError, MissingExtraError, read_log, relabel, relabel_file
from actalike.labels import relabelled_files as relabelling
from actalike.labels.relabelling import ORIGINAL


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
