import json

import numpy as np
import pytest
from safetensors.numpy import save

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, WindowCounts, count_windows, embed, load
from actalike.support.container import FORMAT_VERSION

LOG = EventLog.from_traces([["a", "Check invoice", ""], ["a", "📄", "."]])


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for i in (1, 2):
        embed(LOG).save(tmp_path / f"{i}")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_a_file_cut_off_anywhere_is_an_error(tmp_path):
    path = tmp_path / "log.actalike"
    embed(LOG).save(path)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(FileFormatError, match=r"log\.actalike"):
            load(path)


def test_a_damaged_file_is_an_error_or_still_a_sound_embedding(tmp_path):
    path = tmp_path / "log.actalike"
    rng = np.random.default_rng(1)
    for thing in (embed(LOG, "ac-sequence-pmi-w3"), count_windows(LOG, 3)):
        thing.save(path)
        whole = path.read_bytes()
        for at in rng.integers(0, len(whole), 600):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << rng.integers(8)
            path.write_bytes(bytes(damaged))
            try:
                again = load(path)
            except ActalikeError:
                continue
            if isinstance(again, Embedding):
                again.distances()
                again.most_similar(again.activities[0])
            else:
                assert isinstance(again, WindowCounts)
                embed(again, "aa-sequence-pmi-w3")


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
