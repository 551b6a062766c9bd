"""Relabelling Parquet: only the column of labels changes."""

from datetime import date, datetime
from decimal import Decimal

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from actalike import (
    relabel_file,
)
from actalike.labels.relabelling.plan import ORIGINAL


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
