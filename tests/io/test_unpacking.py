"""Looking into packed bytes, against pyarrow, which packed them."""

import gzip
from contextlib import suppress

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.io.thrift import Malformed
from actalike.io.unpacking import gunzip, lz4_size, lz4_start, snappy_size, snappy_start, zstd_size

pieces = st.sampled_from([b"ask", b"pay" * 30, b"x" * 300, b"c1c2c3"]) | st.binary(max_size=90)
contents = st.lists(pieces, min_size=1, max_size=30).map(b"".join).filter(len)


def packed(codec, content):
    return pa.Codec(codec).compress(content).to_pybytes()


@given(contents)
def test_sizes_are_those_of_what_was_packed(content):
    assert snappy_size(packed("snappy", content)) == len(content)
    assert zstd_size(packed("zstd", content)) == len(content)
    assert lz4_size(packed("lz4_raw", content)) == len(content)
    assert gunzip(gzip.compress(content), len(content)) == content


@given(contents, st.data())
def test_the_start_is_that_of_what_was_packed(content, data):
    n = data.draw(st.integers(0, len(content)))
    assert snappy_start(packed("snappy", content), n)[:n] == content[:n]
    assert lz4_start(packed("lz4_raw", content), n)[:n] == content[:n]


@given(st.binary(max_size=100), st.integers(0, 200))
def test_any_bytes_have_a_size_and_a_start_or_one_of_two_errors(data, n):
    for look in (snappy_size, zstd_size, lz4_size, lambda data: snappy_start(data, n), lambda data: lz4_start(data, n)):
        with suppress(Malformed, IndexError):
            look(data)


def test_gzip_that_is_damaged_or_of_another_size_is_an_error():
    whole = gzip.compress(b"a" * 100)
    damaged = whole[:-6] + bytes([whole[-6] ^ 1]) + whole[-5:]  # the checksum
    for content, size in ((damaged, 100), (whole, 99), (whole, 101), (whole[:-9], 100)):
        with pytest.raises(Malformed, match="does not unpack"):
            gunzip(content, size)
