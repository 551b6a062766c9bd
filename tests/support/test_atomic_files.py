"""Files that are written whole or not at all."""

import errno
import os
import random
import stat
from itertools import islice
from pathlib import Path

import pytest

from actalike import ActalikeError
from actalike.support.atomic_files import existing_files_kept, inputs_kept, write_atomically, written_together
from measurements.attacks import full_disk, kills


def test_a_file_is_put_in_place_when_it_is_whole(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def write(part):
        assert part.parent == tmp_path
        part.write_text("new")
        assert path.read_text() == "old"

    write_atomically(path, write)
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("no"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def write(part):
        part.write_text("half of the n")
        raise error

    with pytest.raises((ActalikeError, ValueError, KeyboardInterrupt)) as caught:
        write_atomically(path, write)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    if isinstance(error, OSError):
        assert str(caught.value) == f"{path} cannot be written: No space left on device. Nothing was written."
    else:
        assert caught.value is error


def test_a_file_that_appeared_meanwhile_is_kept(tmp_path):
    path = tmp_path / "out.txt"

    def write(part):
        part.write_text("new")
        path.write_text("of somebody else")

    with existing_files_kept(), pytest.raises(ActalikeError, match="exists already: give --overwrite"):
        write_atomically(path, write)
    assert path.read_text() == "of somebody else"
    assert list(tmp_path.iterdir()) == [path]
    write_atomically(path, write)
    assert path.read_text() == "new"


@pytest.mark.parametrize("links", [True, False], ids=["hard links", "no hard links"])
def test_where_files_are_kept_a_new_one_is_written_and_one_of_the_same_bytes_stays(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", lambda *arguments: (_ for _ in ()).throw(PermissionError(errno.EPERM, "no")))
    path = tmp_path / "out.txt"
    with existing_files_kept():
        write_atomically(path, lambda part: part.write_text("whole"))
        before = path.stat()
        write_atomically(path, lambda part: part.write_text("whole"))
        assert path.stat().st_ino == before.st_ino
        with pytest.raises(ActalikeError, match="exists already"):
            write_atomically(path, lambda part: part.write_text("other"))
    assert path.read_text() == "whole"
    assert list(tmp_path.iterdir()) == [path]


def _write_both(folder, last=lambda part: part.write_text("new b")):
    with written_together():
        write_atomically(folder / "a", lambda part: part.write_text("new a"))
        write_atomically(folder / "b", last)


def _texts(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("old", [{}, {"a": "old a"}, {"a": "old a", "b": "old b"}], ids=["none", "one", "both"])
def test_several_files_are_replaced_together_or_not_at_all(tmp_path, old, monkeypatch):
    for name, text in old.items():
        (tmp_path / name).write_text(text)

    def full(part):
        part.write_text("ne")
        raise OSError(28, "No space left on device")

    with pytest.raises(ActalikeError, match=r"b cannot be written: No space left on device. Nothing was written."):
        _write_both(tmp_path, full)
    assert _texts(tmp_path) == old
    replace = Path.replace
    with monkeypatch.context() as patch:
        refused = lambda part, target: full(part) if target.name == "b" else replace(part, target)  # noqa: E731
        patch.setattr(Path, "replace", refused)
        with pytest.raises(ActalikeError, match=r"b cannot be written: No space left on device. Nothing was written."):
            _write_both(tmp_path)
    assert _texts(tmp_path) == old
    _write_both(tmp_path)
    assert _texts(tmp_path) == {"a": "new a", "b": "new b"}


@pytest.mark.parametrize("links", [True, False], ids=["hard links", "no hard links"])
def test_several_files_are_refused_before_the_first_is_named(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", lambda *arguments: (_ for _ in ()).throw(PermissionError(errno.EPERM, "no")))
    (tmp_path / "b").write_text("of somebody else")
    with existing_files_kept(), pytest.raises(ActalikeError, match="b exists already"):
        _write_both(tmp_path)
    assert _texts(tmp_path) == {"b": "of somebody else"}
    (tmp_path / "b").write_text("new b")
    with existing_files_kept():
        _write_both(tmp_path)
    assert _texts(tmp_path) == {"a": "new a", "b": "new b"}


def test_an_input_is_not_replaced_through_a_link(tmp_path):
    (tmp_path / "input").write_text("old")
    (tmp_path / "b").symlink_to("input")
    with (
        inputs_kept([tmp_path / "input"]),
        pytest.raises(ActalikeError, match=r"b is the same file as the input .*input, which must"),
    ):
        _write_both(tmp_path)
    assert _texts(tmp_path) == {"input": "old", "b": "old"}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o400, 0o666])
def test_nobody_else_may_read_a_private_file_while_it_is_written(tmp_path, mode):
    path = tmp_path / "out.txt"
    path.touch(mode=0o600)
    path.chmod(mode)

    def write(part):
        assert not stat.S_IMODE(part.stat().st_mode) & 0o077 & ~mode
        part.write_text("new")

    write_atomically(path, write)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_permissions_are_those_of_a_new_file_or_of_the_one_replaced(tmp_path):
    path = tmp_path / "out.txt"
    before = os.umask(0o027)
    try:
        write_atomically(path, lambda part: part.write_text("new"))
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_atomically(path, lambda part: part.write_text("newer"))
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(before)


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "link").symlink_to("there/file")
    write_atomically(tmp_path / "link", lambda part: part.write_text("new"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_text() == "new"


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, os.fsdecode(b"\xe9.txt")], ids=["255 letters", "254 bytes", "not UTF-8"])
def test_every_name_that_the_file_system_allows_can_be_written(tmp_path, name):
    write_atomically(tmp_path / name, lambda part: part.write_text("new"))
    assert [os.fsencode(path.name) for path in tmp_path.iterdir()] == [os.fsencode(name)]


def test_a_device_is_not_replaced():
    with pytest.raises(ActalikeError, match="/dev/null cannot be written: it is a device"):
        write_atomically("/dev/null", lambda part: pytest.fail("it was written"))
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_attacks_by_a_full_disk_leave_one_sentence_and_nothing_else(tmp_path):
    outputs = ("mapping.csv", "vectors.parquet", "vectors.csv", "new.xes.gz", "new.parquet", "out.vec")
    attempts = full_disk.attempts(random.Random(1), tmp_path, outputs)
    assert [outcome for outcome in islice(attempts, 14) if outcome.verdict == "wrong"] == []


@pytest.mark.campaign
def test_attacks_by_killing_leave_the_old_file_or_the_new_one(tmp_path):
    attempts = kills.attempts(random.Random(61), tmp_path, ("relabel .csv",))
    assert [outcome for outcome in islice(attempts, 1) if outcome.verdict == "wrong"] == []
