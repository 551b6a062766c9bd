"""Relabelling Parquet: only the column of labels changes."""

from datetime import date, datetime
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError, read_log, relabel, relabel_file
from actalike.io import read_footer
from actalike.labels.relabelling.plan import ORIGINAL
from tests.helpers.parquet_bytes import change_page


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
    table = pa.table({"case": ["1", "1"], "activity": ["a", "b"], "cost": [1.5, 2.5]})
    pq.write_table(table, path, compression="none", use_dictionary=False)
    change_page(path, read_footer(path).chunks[2].start, lambda page: page["data"].update(num_values=3))
    assert read_log(path).traces() == [["a", "b"]]
    with pytest.raises(LogError, match=r"log\.parquet is not a whole Parquet file"):
        relabel_file(path, {"a": "x"}, new)
    assert not new.exists()


def test_a_panic_while_relabelling_leaves_nothing(tmp_path, monkeypatch):
    def panic(*arguments, **options):
        raise pl.exceptions.PanicException("index out of bounds")

    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]}).write_parquet(path)
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", panic)
    with pytest.raises(LogError, match=r"log\.parquet cannot be read as Parquet \(index out of bounds\)"):
        relabel_file(path, {"a": "x"}, new)
    assert [file.name for file in tmp_path.iterdir()] == ["log.parquet"]


def test_a_column_that_cannot_be_copied_with_its_type_is_refused(tmp_path):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    times = pa.array([0, 60], pa.timestamp("s", "+05:30"))
    pq.write_table(pa.table({"case": ["1", "1"], "activity": ["a", "b"], "time": times}), path)
    assert read_log(path).traces() == [["a", "b"]]
    with pytest.raises(LogError, match="time zone that cannot be copied as it is"):
        relabel_file(path, {"a": "x"}, new)
    assert not new.exists()


def test_other_rows_than_the_footer_says_are_not_written(tmp_path, monkeypatch):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]}).write_parquet(path)
    sink = pl.LazyFrame.sink_parquet
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", lambda frame, *args, **more: sink(frame.head(1), *args, **more))
    with pytest.raises(LogError, match="Nothing was written"):
        relabel_file(path, {"a": "x"}, new)
    assert not new.exists()


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


def test_categories_that_lose_their_order_are_not_ranked_and_enums_keep_theirs(tmp_path):
    path, new = tmp_path / "log.parquet", tmp_path / "new.parquet"
    ranked = pd.Categorical(["low", "high"], ["high", "low"], ordered=True)
    pd.DataFrame({"case": ["1", "1"], "activity": ["a", "b"], "rank": ranked}).to_parquet(path)
    relabel_file(path, {"b": "a"}, new)
    column = pd.read_parquet(new)["rank"]
    assert not column.cat.ordered
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


def test_a_file_whose_notes_for_pandas_are_damaged_is_refused(tmp_path):
    path = tmp_path / "log.parquet"
    pl.DataFrame({"x": ["1"]}).write_parquet(tmp_path / "x.parquet")
    foreign = pl.read_parquet_metadata(tmp_path / "x.parquet")["ARROW:schema"]
    pl.DataFrame({"case": ["1"], "activity": ["a"]}).write_parquet(path, metadata={"ARROW:schema": foreign})
    with pytest.raises(LogError, match=r"log\.parquet"):
        relabel_file(path, {"a": "x"}, tmp_path / "new.parquet")
    assert not (tmp_path / "new.parquet").exists()
