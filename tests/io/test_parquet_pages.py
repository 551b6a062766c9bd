"""The pages of a Parquet file: their headers."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError
from actalike.io.parquet_footer import read_footer
from actalike.io.parquet_pages import check_pages
from tests.helpers.parquet_bytes import change_footer, change_page

TABLE = pa.table({"case": ["1", "2"] * 10, "activity": ["ask", "pay"] * 10})


def check(path, max_bytes=1 << 20):
    check_pages(path, read_footer(path).chunks, max_bytes)


@pytest.fixture
def file(tmp_path):
    pq.write_table(TABLE, tmp_path / "log.parquet", compression="none")
    return tmp_path / "log.parquet"


@pytest.mark.parametrize("pages", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "lz4", "brotli"])
def test_pages_of_every_kind_pass(tmp_path, pages, codec):
    nothing = pa.table({"case": pa.nulls(20, pa.string()), "activity": pa.nulls(20, pa.int64()), "tags": [[], None] * 10})
    for table in (TABLE, nothing, TABLE.slice(0, 0)):
        pq.write_table(table, tmp_path / "log.parquet", compression=codec, data_page_version=pages, data_page_size=8)
        check(tmp_path / "log.parquet")


def test_a_page_with_long_statistics_passes(tmp_path):
    table = pa.table({"case": ["x" * 20_000, "y"], "activity": ["a", "b"]})
    pq.write_table(table, tmp_path / "log.parquet", use_dictionary=False)
    check(tmp_path / "log.parquet")


DICTIONARY, DATA = 0, 1


@pytest.mark.parametrize(
    ("place", "change", "reason"),
    [
        (DICTIONARY, lambda page: page.update(type=1), "unknown type"),
        (DICTIONARY, lambda page: page.update(type=0), "unknown type"),
        (DICTIONARY, lambda page: page.update(packed=-1), "negative size"),
        (DICTIONARY, lambda page: page.update(unpacked=11), "two sizes"),
        (DICTIONARY, lambda page: page["dictionary"].update(num_values=60), "fewer entries"),
        (DICTIONARY, lambda page: page["dictionary"].update(encoding=5), "fewer entries"),
        (DATA, lambda page: page["data"].update(num_values=19), "another number of values than the footer says|do not fit"),
        (DATA, lambda page: page["data"].update(num_values=-1), "negative size"),
        (DATA, lambda page: page["data"].update(encoding=33), "unknown way"),
        (DATA, lambda page: page["data"].update(definition=5), "levels of a page are written in an unknown way"),
        (
            DATA,
            lambda page: page.update(packed=63, unpacked=63),
            "longer than the values|ends too early|lacks|unknown|wrong type",
        ),
    ],
)
def test_a_page_that_contradicts_itself_or_the_footer_is_refused(file, place, change, reason):
    chunk = read_footer(file).chunks[0]
    with file.open("rb") as opened:
        starts = [chunk.start, pq.ParquetFile(opened).metadata.row_group(0).column(0).data_page_offset]
    with pytest.raises(LogError, match=f"not a whole Parquet file .*({reason})"):
        check(change_page(file, starts[place], change))


def test_a_dictionary_that_is_not_there_is_missed(file):
    def leave_out(footer):
        meta = footer["groups"][0]["columns"][0]["meta"]
        meta["compressed"] -= meta["data_offset"] - meta.pop("dictionary_offset")

    with pytest.raises(LogError, match="refers to a dictionary that is not there"):
        check(change_footer(file, leave_out))


def test_more_bytes_than_allowed_are_refused_before_they_are_unpacked(tmp_path):
    pq.write_table(pa.table({"case": ["x" * 1_000_000], "activity": ["a"]}), tmp_path / "log.parquet", compression="gzip")
    assert (tmp_path / "log.parquet").stat().st_size < 100_000
    with pytest.raises(LogError, match=r"more than 500,000 bytes once unpacked.*max_bytes"):
        check(tmp_path / "log.parquet", 500_000)
