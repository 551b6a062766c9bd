"""Writing a file piece by piece: in its encoding, whole or not at all."""

import resource

import pytest

from actalike import (
    ActalikeError,
    LogError,
    read_log,
    relabel_file,
    write_log,
)
from actalike.demo.loan_desk import loan_desk


def test_other_encodings_are_kept(tmp_path):
    log = tmp_path / "log.csv"
    log.write_bytes("case,activity\n1,Prüfen\n1,a\n".encode("latin-1"))
    relabel_file(log, {"a": "bezahlt für"}, tmp_path / "new.csv", encoding="latin-1")
    assert (tmp_path / "new.csv").read_bytes().decode(
        "latin-1"
    ) == "case,activity,actalike:original\n1,Prüfen,\n1,bezahlt für,a\n"
    with pytest.raises(LogError, match="latin-1"):
        relabel_file(log, {"a": "📄"}, tmp_path / "other.csv", encoding="latin-1")
    document = '<?xml version="1.0" encoding="ISO-8859-1"?><log><trace><string key="concept:name" value="é"/><event><string key="concept:name" value="ü"/></event></trace></log>'
    (tmp_path / "log.xes").write_bytes(document.encode("latin-1"))
    relabel_file(tmp_path / "log.xes", {"ü": "📄ä"}, tmp_path / "new.xes")
    assert (tmp_path / "new.xes").read_bytes() == document.replace(
        'event><string key="concept:name" value="ü"',
        'event><string key="actalike:original" value="ü"/><string key="concept:name" value="&#128196;ä"',
    ).encode("latin-1")
    assert read_log(tmp_path / "new.xes").activities == ["📄ä"]
    (tmp_path / "16.xes").write_bytes(document.replace("ISO-8859-1", "UTF-16").encode("utf-16"))
    relabel_file(tmp_path / "16.xes", {}, tmp_path / "new16.xes")
    assert (tmp_path / "new16.xes").read_bytes() == (tmp_path / "16.xes").read_bytes()
    (tmp_path / "8.xes").write_bytes(b"\xef\xbb\xbf" + document.replace("ISO-8859-1", "UTF-8").encode())
    relabel_file(tmp_path / "8.xes", {}, tmp_path / "new8.xes")
    assert (tmp_path / "new8.xes").read_bytes() == (tmp_path / "8.xes").read_bytes()


@pytest.mark.parametrize("space", [1000, 6000])  # in the first block, and where Polars does not say that the disk is full
@pytest.mark.parametrize("name", ["log.xes", "log.csv", "log.parquet"])
def test_a_full_disk_leaves_the_old_file(tmp_path, name, space):
    path, old = tmp_path / name, tmp_path / f"old-{name}"
    write_log(loan_desk(100), path)
    old.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (space, limits[1]))  # writing more fails, as on a full disk
        with pytest.raises(ActalikeError, match="written"):
            relabel_file(path, {"Pay out": "Transfer loan"}, old)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert old.read_text() == "old"
    assert {found.name for found in tmp_path.iterdir()} == {path.name, old.name}
