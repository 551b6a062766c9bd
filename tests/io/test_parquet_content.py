"""What the pages of a Parquet file hold: checksums, sizes, levels."""

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError, read_log
from actalike.io.parquet_footer import read_footer
from actalike.io.parquet_pages import check_pages

TABLE = pa.table({"case": ["1", "2"] * 10, "activity": ["ask", "pay"] * 10})


def damage(path, at, bit=1):
    whole = bytearray(path.read_bytes())
    whole[at] ^= bit
    path.write_bytes(whole)


@pytest.mark.parametrize(("codec", "pages"), [("none", "1.0"), ("snappy", "2.0"), ("brotli", "1.0"), ("gzip", "1.0")])
def test_with_checksums_no_changed_bit_changes_the_log(tmp_path, codec, pages):
    """Gzip has checksums of its own. A bit of statistics, which are not used, may change without a word."""
    path = tmp_path / "log.parquet"
    pq.write_table(TABLE, path, compression=codec, data_page_version=pages, write_page_checksum=codec != "gzip")
    whole, log = path.read_bytes(), read_log(path)
    chunk = read_footer(path).chunks[1]
    refused = 0
    for at in range(chunk.start, chunk.start + chunk.size):
        damage(path, at, 1 << at % 8)
        try:
            assert read_log(path) == log
        except LogError:
            refused += 1
        path.write_bytes(whole)
    assert refused > chunk.size / 3


@pytest.mark.parametrize("codec", ["none", "snappy", "lz4"])
def test_levels_that_do_not_fit_the_values_are_noticed(tmp_path, codec):
    """Without them, the reader takes the first label for every value that it misses."""
    path = tmp_path / "log.parquet"
    pq.write_table(TABLE, path, compression=codec, use_dictionary=False)
    levels = bytes([2, 0, 0, 0, 40, 1])  # their length; twenty values that are there
    whole = path.read_bytes()
    for at, bit in ((0, 64), (4, 2), (4, 4), (5, 2)):
        path.write_bytes(whole)
        damage(path, whole.index(levels) + at, bit)
        with pytest.raises(LogError, match="the levels of a page"):
            read_log(path)


def test_levels_of_the_second_version_are_noticed_too(tmp_path):
    path = tmp_path / "log.parquet"
    pq.write_table(TABLE, path, compression="zstd", use_dictionary=False, data_page_version="2.0", write_statistics=False)
    whole = path.read_bytes()
    levels = whole.index(bytes([40, 1, 0x28, 0xB5, 0x2F, 0xFD]))  # before the values, which Zstandard has packed
    for at, bit, reason in ((0, 2, "levels of a page"), (1, 1, "another number of nulls")):
        path.write_bytes(whole)
        damage(path, levels + at, bit)
        with pytest.raises(LogError, match=reason):
            read_log(path)


@pytest.mark.parametrize("codec", ["none", "snappy", "lz4"])
@pytest.mark.parametrize("pages", ["1.0", "2.0"])
def test_places_in_a_dictionary_of_no_bits_or_of_too_many_are_noticed(tmp_path, codec, pages):
    """The reader would take the first entry for every value."""
    path = tmp_path / "log.parquet"
    pq.write_table(TABLE, path, compression=codec, data_page_version=pages)
    whole = path.read_bytes()
    width = whole.rindex(bytes([1, 7, 0xAA, 0xAA]))  # one bit for each value, in three groups of eight
    for bits, reason in ((1, "fewer values than it should"), (128, "entries that no dictionary has")):
        path.write_bytes(whole)
        damage(path, width, bits)
        with pytest.raises(LogError, match=reason):
            read_log(path)


def test_a_column_of_one_value_is_read_whoever_writes_it(tmp_path):
    path = tmp_path / "log.parquet"
    for rows in (1, 8, 9, 500):
        frame = pl.DataFrame({"case": ["1"] * rows, "activity": ["a"] * rows, "note": pl.Series([None] * rows, dtype=pl.String)})
        for codec in ("uncompressed", "snappy", "gzip", "lz4"):
            frame.write_parquet(path, compression=codec)
            check_pages(path, read_footer(path).chunks, 1 << 20)
            assert read_log(path).traces() == [["a"] * rows]
            pq.write_table(frame.to_arrow(), path, compression=codec.replace("uncompressed", "none"), data_page_version="2.0")
            check_pages(path, read_footer(path).chunks, 1 << 20)
            assert read_log(path).traces() == [["a"] * rows]
