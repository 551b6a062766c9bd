"""Saved files: a container of safetensors with a header of JSON, read whole and as described, or refused in a sentence."""

import json
import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, count_windows, embed, load
from actalike.support import saved
from actalike.support.saved import FORMAT_VERSION, LabelledHeader, read_file, write_file
from tests.helpers.damaged_files import contents, write_unchecked
from tests.helpers.examples import examples

LOG = EventLog.from_traces([["a", "Check invoice", ""], ["a", "📄", "."]])


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for i in (1, 2):
        embed(LOG).save(tmp_path / f"{i}")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_a_file_cut_off_anywhere_is_an_error(tmp_path):
    path = tmp_path / "log.actalike"
    embed(LOG).save(path)
    whole = path.read_bytes()
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.raises(FileFormatError, match=r"log\.actalike"):
            load(path)


def sound_embedding(**changes):
    header = {"format": 1, "kind": "embedding", "activities": ["a", "b"], "method": None, "compare": "cosine", **changes}
    return {key: value for key, value in header.items() if value != "left out"}


@pytest.mark.parametrize(
    ("header", "word"),
    [
        ("", "truncated"),
        ("[1]", "array"),
        ('{"format": Infinity, "kind": "embedding"}', "malformed"),
        ('{"format": 1, "kind": "embedding", "activities": ' + "[" * 100_000, "deep"),
        ('{"format": 1, "kind": "embedding", "activities": ["a", "b"], "mine": {"x": ' + "[" * 100_000, "deep"),
        (sound_embedding(format=10**30), "format"),
        (sound_embedding(format=0), ">= 1"),
        (sound_embedding(format=True), "bool"),
        (sound_embedding(format=1.0), "float"),
        (sound_embedding(format="left out"), "format"),
        (sound_embedding(kind=["embedding"]), "array"),
        (sound_embedding(activities=["a", "\ud800"]), "header"),
        (sound_embedding(activities=["a", "a"]), "twice"),
        (sound_embedding(activities=["a", 5]), "int"),
        (sound_embedding(activities=[]), "length >= 1"),
        (sound_embedding(activities=["a", "b" * 1_048_577]), "length <= 1048576"),
        (sound_embedding(activities="left out"), "activities"),
        (sound_embedding(method=["kin"]), "method"),
        (sound_embedding(method="k" * 1001), "length <= 1000"),
        (sound_embedding(compare="angles"), "angles"),
        (sound_embedding(compare="line\nbreak" * 9000), "compare"),
        (sound_embedding(columns=-1), "columns"),
        (sound_embedding(columns=2**31), "columns"),
        (sound_embedding(contexts=[1]), "contexts"),
        (sound_embedding(contexts={"kind": "sequence"}), "left"),
        (sound_embedding(contexts={"kind": "sequence", "left": 2**31}), "left"),
        (sound_embedding(mine=[1]), "mine"),
        (sound_embedding(mine={"x": [[]] * 2_000_000}), "bytes"),
    ],
)
def test_a_header_that_is_not_as_described_is_refused_with_the_reason(tmp_path, header, word):
    write_unchecked(tmp_path / "x.actalike", header, {"dense": np.eye(2)})
    with pytest.raises(FileFormatError, match=rf"x\.actalike is not a sound (file|embedding): .*{word}") as refusal:
        load(tmp_path / "x.actalike")
    words = str(refusal.value).removeprefix(str(tmp_path))
    assert words.endswith("nothing was read.")
    assert len(words) < 500
    assert "\n" not in words


def test_no_file_is_written_that_cannot_be_read(tmp_path, monkeypatch):
    """Python's JSON would write each of them."""
    monkeypatch.setattr(saved, "MOST_HEADER_BYTES", 40_000)
    for header in (
        {"activities": ["\ud800"]},
        {"activities": ["a"], "mine": {"x": float("nan")}},
        {"activities": ["a", "a"]},
        {"activities": ["a" * 1_048_577]},
        {"activities": [f"{i:0100}" for i in range(100)]},
    ):
        with pytest.raises(ActalikeError, match="cannot be written"):
            write_file(
                tmp_path / "x.actalike", "embedding", header, {"dense": np.eye(1)}, lambda file: file.header(LabelledHeader)
            )
    with pytest.raises(ActalikeError, match="cannot be written"):
        Embedding(["a"], np.eye(1), method="k" * 1001).save(tmp_path / "x.actalike")
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_the_format_does_not_name_is_refused(tmp_path):
    for thing in (embed(LOG), count_windows(LOG, 3), embed(LOG, "one-hot")):
        thing.save(tmp_path / "x.actalike")
        header, arrays = contents(tmp_path / "x.actalike")
        write_unchecked(tmp_path / "x.actalike", header, {**arrays, "surprise": np.zeros(1)})
        with pytest.raises(FileFormatError, match="surprise"):
            load(tmp_path / "x.actalike")


def test_a_newer_format_asks_for_an_upgrade(tmp_path):
    path = tmp_path / "new.actalike"
    path.write_bytes(save({}, {"actalike": json.dumps({"format": FORMAT_VERSION + 1, "kind": "embedding"})}))
    with pytest.raises(FileFormatError, match="upgrade"):
        load(path)


def test_what_is_not_ours_is_an_error(tmp_path):
    path = tmp_path / "other.safetensors"
    path.write_bytes(save({"x": np.zeros(3)}))
    with pytest.raises(FileFormatError, match="actalike"):
        load(path)
    path.write_bytes(save({}, {"actalike": json.dumps({"format": 1, "kind": "recipe"})}))
    with pytest.raises(FileFormatError, match="holds a 'recipe'"):
        load(path)
    path.write_bytes(b"\x80\x04\x95 a pickle")
    with pytest.raises(FileFormatError, match="not a whole"):
        load(path)
    with pytest.raises(ActalikeError, match="cannot be read"):
        load(tmp_path / "nothing.actalike")


dtypes = st.sampled_from(["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"])
arrays = dtypes.flatmap(
    lambda dtype: arrays_of.arrays(dtype, arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
)
HEADER = '{"format": 1, "kind": "mine"}'
SOUND = save({"x": np.arange(6.0).reshape(2, 3), "y": np.array([1, 2], dtype=np.int32)}, {"actalike": HEADER})


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
    path.write_bytes(save(content, {"actalike": HEADER}))
    file = read_file(path)
    ours = file.arrays
    assert (file.kind, file.header_json) == ("mine", HEADER)
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
            ours = read_file(path).arrays
        except FileFormatError:
            continue
        n_read += 1
        assert same(ours, load_arrays(bytes(damaged)))
    assert n_read > 50


X = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    "header",
    [
        {"x": {**X, "dtype": "F8_E4M3", "shape": [16]}},  # numpy has no such type, nor the next two
        {"x": {**X, "dtype": "BF16", "shape": [8]}},
        {"x": {**X, "dtype": "C64"}},
        {"x": {**X, "shape": [-2]}},
        {"x": {**X, "shape": [2.0]}},
        {"x": {**X, "shape": [2**40]}},
        {"x": {**X, "shape": [2**62]}},
        {"x": {**X, "shape": [1] * 8 + [2]}},
        {"x": {**X, "shape": [3]}},
        {"x": {**X, "shape": [(1 << 16) + 1, 0], "data_offsets": [0, 0]}, "y": X},
        {"x": {**X, "data_offsets": [8, 24]}},
        {"x": {**X, "data_offsets": [16, 0]}},
        {"x": {**X, "data_offsets": [0]}},
        {"x": X, "y": X},  # one above the other
        {"x": {"dtype": "F64"}},
        {"x": 5},
        {"__metadata__": {"actalike": 5}, "x": X},
        {"__metadata__": [], "x": X},
        {},
        {"x": {**X, "dtype": "BOOL", "shape": [16]}},
        b'{"x":' + b"[" * 5000,
        b"[]",
        b' {"x": 1}',
        b'{"\xff": 1}',
        b"{",
    ],
)
def test_a_layout_that_does_not_describe_the_file_is_refused(tmp_path, header):
    with pytest.raises(FileFormatError, match="not a whole"):
        read_file(written(tmp_path / "file", header, bytes([7]) * 16))


def test_the_length_of_the_header_is_bounded(tmp_path):
    for length in (9, 2**40, 2**64 - 1):
        (tmp_path / "file").write_bytes(length.to_bytes(8, "little") + b"{}")
        with pytest.raises(FileFormatError, match="header"):
            read_file(tmp_path / "file")
    with (tmp_path / "file").open("wb") as file:
        file.write((saved.MOST_HEADER_BYTES + 1).to_bytes(8, "little"))
        file.truncate(saved.MOST_HEADER_BYTES + 100)  # takes no space on the disk
    with pytest.raises(FileFormatError, match="header"):
        read_file(tmp_path / "file")


def test_arrays_that_are_not_aligned_are_read(tmp_path):
    places = {
        "__metadata__": {"actalike": HEADER},
        "a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]},
        "x": {**X, "data_offsets": [1, 17]},
    }
    arrays = read_file(written(tmp_path / "file", places, b"\1" + np.array([1.5, 2.5]).tobytes())).arrays
    assert arrays["x"].tolist() == [1.5, 2.5]
    assert arrays["x"].flags.aligned


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ActalikeError, match="cannot be read: it is not a file"):
            read_file(path)
    with pytest.raises(ActalikeError, match="cannot be read: No such file"):
        read_file(tmp_path / "nothing")
