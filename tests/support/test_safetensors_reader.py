"""The container of saved files: read as the safetensors package reads it, or refused."""

import json
import os
from random import Random

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from actalike import ActalikeError, FileFormatError
from actalike.support.safetensors_reader import LEAST_AXIS_LIMIT, MOST_HEADER_BYTES, read_safetensors
from tests.helpers.examples import examples

dtypes = st.sampled_from(["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"])
arrays = dtypes.flatmap(
    lambda dtype: arrays_of.arrays(dtype, arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
)
SOUND = safetensors.numpy.save({"x": np.arange(6.0).reshape(2, 3), "y": np.array([1, 2], dtype=np.int32)}, {"actalike": "{}"})


def written(path, header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)
    return path


def same(ours, theirs):
    return ours.keys() == theirs.keys() and all(
        ours[name].dtype == theirs[name].dtype
        and ours[name].shape == theirs[name].shape
        and ours[name].tobytes() == theirs[name].tobytes()
        for name in ours
    )


@examples(20)
@given(st.dictionaries(st.text(min_size=1, max_size=5).filter(lambda name: name != "__metadata__"), arrays, max_size=4))
def test_every_file_that_the_safetensors_package_writes_is_read_as_it_was(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("safetensors") / "file"
    path.write_bytes(safetensors.numpy.save(content, {"actalike": "text"}))
    metadata, ours = read_safetensors(path)
    assert metadata == {"actalike": "text"}
    assert same(ours, content)
    assert all(array.flags.aligned and array.flags.writeable for array in ours.values())


def test_what_is_read_after_damage_is_what_the_safetensors_package_reads(tmp_path):
    path, random = tmp_path / "file", Random(1)
    n_read = 0
    for _ in range(300):
        damaged = bytearray(SOUND)
        for _ in range(random.choice((1, 1, 2))):
            at = random.randrange(len(SOUND))
            damaged[at] = random.choice([damaged[at] ^ (1 << random.randrange(8)), *b'0129":,[]{} '])
        path.write_bytes(bytes(damaged))
        try:
            _, ours = read_safetensors(path)
        except FileFormatError:
            continue
        n_read += 1
        assert same(ours, safetensors.numpy.load(bytes(damaged)))
    assert n_read > 50


X = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"x": {**X, "dtype": "F8_E4M3"}}, "'dtype' is none of"),  # numpy has no such type, and the package raises AttributeError
        ({"x": {**X, "dtype": "C64"}}, "'dtype' is none of"),
        ({"x": {**X, "shape": [-2]}}, "less than 0"),
        ({"x": {**X, "shape": [2.0]}}, "not a whole number"),
        ({"x": {**X, "shape": [2**40]}}, "larger than the file"),
        ({"x": {**X, "shape": [2**62]}}, "is more than"),
        ({"x": {**X, "shape": [1] * 100}}, "more than 8 items"),
        ({"x": {**X, "shape": [3]}}, "not where its shape"),
        ({"x": {**X, "shape": [LEAST_AXIS_LIMIT + 1, 0], "data_offsets": [0, 0]}}, "larger than the file"),
        ({"x": {**X, "data_offsets": [8, 24]}}, "not where its shape"),
        ({"x": {**X, "data_offsets": [16, 0]}}, "not where its shape"),
        ({"x": {**X, "data_offsets": [0]}}, "fewer than 2 items"),
        ({"x": X, "y": X}, "'y' are not where"),  # one above the other
        ({"x": {**X, "extra": 1}}, "'extra', which is not known"),
        ({"x": {"dtype": "F64"}}, "has no 'shape'"),
        ({"x": 5}, "'x' is not an object"),
        ({"__metadata__": {"actalike": 5}, "x": X}, "'actalike' is not a text"),
        ({"__metadata__": [], "x": X}, "'__metadata__' is not an object"),
        ({}, "16 bytes follow its header, and it describes 0"),
        ({"x": {**X, "dtype": "BOOL", "shape": [16]}}, "neither 0 nor 1"),
        (b'{"x":' + b"[" * 5000, "nested more than 16 deep"),
        (b"[]", "no JSON object"),
        (b' {"x": 1}', "no JSON object"),
        (b'{"\xff": 1}', "not UTF-8"),
        (b"{", "no JSON at character"),
    ],
)
def test_a_header_that_does_not_describe_the_file_is_refused(tmp_path, header, words):
    with pytest.raises(FileFormatError, match=rf"file is not a whole \.actalike file \(.*{words}"):
        read_safetensors(written(tmp_path / "file", header, bytes([7]) * 16))


def test_the_length_of_the_header_is_bounded(tmp_path):
    for length in (9, 2**40, 2**64 - 1):
        (tmp_path / "file").write_bytes(length.to_bytes(8, "little") + b"{}")
        with pytest.raises(FileFormatError, match="ends within its header"):
            read_safetensors(tmp_path / "file")
    with (tmp_path / "file").open("wb") as file:
        file.write((MOST_HEADER_BYTES + 1).to_bytes(8, "little"))
        file.truncate(MOST_HEADER_BYTES + 100)  # takes no space on the disk
    with pytest.raises(FileFormatError, match="its header has more than 100,000,000 bytes"):
        read_safetensors(tmp_path / "file")


def test_arrays_that_are_not_aligned_are_read(tmp_path):
    places = {"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "x": {**X, "data_offsets": [1, 17]}}
    arrays = read_safetensors(written(tmp_path / "file", places, b"\1" + np.array([1.5, 2.5]).tobytes())).arrays
    assert arrays["x"].tolist() == [1.5, 2.5]
    assert arrays["x"].flags.aligned


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ActalikeError, match="cannot be read: it is not a file"):
            read_safetensors(path)
    with pytest.raises(ActalikeError, match="cannot be read: No such file"):
        read_safetensors(tmp_path / "nothing")
