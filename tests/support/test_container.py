import json

import numpy as np
import pytest
from safetensors.numpy import save

from actalike import ActalikeError, EventLog, FileFormatError, count_windows, embed, load
from actalike.support import container
from actalike.support.container import FORMAT_VERSION, write_file
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
    ("header", "words"),
    [
        ("", "no JSON at character 1"),
        ("[1]", "it is not an object"),
        ('{"format": Infinity, "kind": "embedding"}', "Infinity is no number"),
        ('{"format": 1, "kind": "embedding", "activities": ' + "[" * 100_000, "nested more than 16 deep"),
        ('{"format": 1, "format": 1, "kind": "embedding"}', "a key twice"),
        (sound_embedding(format=10**30), "more than 64 bits"),
        (sound_embedding(format=0), "'format' is less than 1"),
        (sound_embedding(format=True), "'format' is not a whole number"),
        (sound_embedding(format=1.0), "'format' is not a whole number"),
        (sound_embedding(format="left out"), "has no 'format'"),
        (sound_embedding(kind=["embedding"]), "'kind' is not a text"),
        (sound_embedding(activities=["a", "\ud800"]), "half a character"),
        (sound_embedding(activities=["a", "a"]), "'activities' has an item twice"),
        (sound_embedding(activities=["a", 5]), "an item of 'activities' is not a text"),
        (sound_embedding(activities=[]), "'activities' has fewer than 1 items"),
        (sound_embedding(activities=["a", "b" * 1_048_577]), "more than 1,048,576 characters"),
        (sound_embedding(activities="left out"), "has no 'activities'"),
        (sound_embedding(method=["kin"]), "'method' is not a text or null"),
        (sound_embedding(method="k" * 1001), "more than 1,000 characters"),
        (sound_embedding(compare="angles"), "'compare' is none of cosine, scores"),
        (sound_embedding(columns=-1), "'columns' is less than 0"),
        (sound_embedding(columns=2**31), "'columns' is more than"),
        (sound_embedding(contexts=[1]), "'contexts' is not an object or null"),
        (sound_embedding(contexts={"kind": "sequence"}), "'contexts' has no 'left'"),
        (sound_embedding(contexts={"kind": "sequence", "left": 2**31}), "'left' is more than"),
        (sound_embedding(mine=[1]), "'mine' is not an object or null"),
    ],
)
def test_a_header_that_breaks_its_schema_is_refused_with_the_reason(tmp_path, header, words):
    write_unchecked(tmp_path / "x.actalike", header, {"dense": np.eye(2)})
    with pytest.raises(FileFormatError, match=rf"x\.actalike is (damaged|not a sound embedding): .*{words}") as refusal:
        load(tmp_path / "x.actalike")
    assert str(refusal.value).endswith("othing was read.")


def test_no_file_is_written_that_cannot_be_read(tmp_path, monkeypatch):
    """Python's JSON would write each of them."""
    monkeypatch.setattr(container, "MOST_HEADER_BYTES", 40_000)
    for header, words in (
        ({"activities": ["\ud800"]}, "half a character"),
        ({"activities": ["a"], "mine": {"x": float("nan")}}, "NaN is no number"),
        ({"activities": ["a"], "mine": {"x": 2**64}}, "more than 64 bits"),
        ({"activities": ["a"], "method": "k" * 1001}, "'method' is a text of more than 1,000 characters"),
        ({"activities": [f"{i:0100}" for i in range(100)]}, "its labels take more than 10,000 bytes"),
    ):
        with pytest.raises(ActalikeError, match=f"x.actalike cannot be written: .*{words}.*Nothing was written"):
            write_file(tmp_path / "x.actalike", "embedding", header, {"dense": np.eye(1)})
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_the_format_does_not_name_is_refused(tmp_path):
    for thing in (embed(LOG), count_windows(LOG, 3), embed(LOG, "one-hot")):
        thing.save(tmp_path / "x.actalike")
        header, arrays = contents(tmp_path / "x.actalike")
        write_unchecked(tmp_path / "x.actalike", header, {**arrays, "surprise": np.zeros(1)})
        with pytest.raises(FileFormatError, match="it has a part 'surprise', which is not known"):
            load(tmp_path / "x.actalike")


def test_a_newer_format_asks_for_an_upgrade(tmp_path):
    path = tmp_path / "new.actalike"
    path.write_bytes(save({}, {"actalike": json.dumps({"format": FORMAT_VERSION + 1, "kind": "embedding"})}))
    with pytest.raises(FileFormatError, match=r"has format 2.*pip install --upgrade actalike"):
        load(path)


def test_what_is_not_ours_is_an_error(tmp_path):
    path = tmp_path / "other.safetensors"
    path.write_bytes(save({"x": np.zeros(3)}))
    with pytest.raises(FileFormatError, match="not one of actalike's"):
        load(path)
    path.write_bytes(save({}, {"actalike": json.dumps({"format": 1, "kind": "recipe"})}))
    with pytest.raises(FileFormatError, match="holds a 'recipe'"):
        load(path)
    path.write_bytes(b"\x80\x04\x95 a pickle")
    with pytest.raises(FileFormatError, match="not a whole"):
        load(path)
    with pytest.raises(ActalikeError, match="cannot be read"):
        load(tmp_path / "nothing.actalike")
