"""Saved files: a container of safetensors with a header of JSON, read whole and as described, or refused in a sentence."""

import json
import os

import numpy as np
import pytest
from safetensors.numpy import save

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, count_windows, embed, load
from actalike.support import saved
from actalike.support.saved import FORMAT_VERSION, LabelledHeader, read_file, write_file
from tests.helpers.damaged_files import contents, write_unchecked

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
        ('{"format": 1, "kind": "embedding", "activities": ' + "[" * 100_000, "deep"),
        ('{"format": 1, "kind": "embedding", "activities": ["a", "b"], "mine": {"x": ' + "[" * 100_000, "deep"),
        (sound_embedding(format=10**30), "format"),
        (sound_embedding(format="left out"), "format"),
        (sound_embedding(activities=["a", "\ud800"]), "header"),
        (sound_embedding(activities=["a", "a"]), "twice"),
        (sound_embedding(activities=[]), "length >= 1"),
        (sound_embedding(activities=["a", "b" * 1_048_577]), "length <= 1048576"),
        (sound_embedding(method="k" * 1001), "length <= 1000"),
        (sound_embedding(compare="angles"), "angles"),
        (sound_embedding(columns=2**31), "columns"),
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
    with pytest.raises(FileFormatError, match="whole"):
        load(path)
    with pytest.raises(ActalikeError, match="cannot be read"):
        load(tmp_path / "nothing.actalike")


HEADER = '{"format": 1, "kind": "mine"}'


def written(path, header, body=b""):
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)
    return path


X = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    "header",
    [
        {"x": {**X, "dtype": "F8_E4M3", "shape": [16]}},  # numpy has no such type, nor the next two
        {"x": {**X, "dtype": "BF16", "shape": [8]}},
        {"x": {**X, "dtype": "C64"}},
        {"x": {**X, "shape": [1] * 8 + [2]}},
        {"x": {**X, "shape": [3]}},
        {"x": {**X, "shape": [(1 << 16) + 1, 0], "data_offsets": [0, 0]}, "y": X},
        {"x": X, "y": X},  # one above the other
        {"x": {**X, "dtype": "BOOL", "shape": [16]}},
    ],
)
def test_a_layout_that_does_not_describe_the_file_is_refused(tmp_path, header):
    with pytest.raises(FileFormatError, match="whole"):
        read_file(written(tmp_path / "file", header, bytes([7]) * 16))


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ActalikeError, match="cannot be read: it is not a file"):
            read_file(path)
    with pytest.raises(ActalikeError, match="cannot be read: No such file"):
        read_file(tmp_path / "nothing")
