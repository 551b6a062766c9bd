"""Files are written whole or not at all, only where they may be, and what dead processes left is removed."""

import errno
import os
import random
import re
import signal
import stat
import subprocess
import sys
from itertools import islice

import pytest

from actalike import ActalikeError
from actalike.support import files
from actalike.support.files import (
    check_place,
    existing_files_kept,
    inputs_kept,
    is_part_name,
    is_utf8,
    make_folder,
    new_folder_name,
    new_part_name,
    remove_leftovers,
    same_file,
    write_atomically,
    written_together,
)
from tests.attacks import full_disk, kills


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

    with existing_files_kept(), pytest.raises(ActalikeError, match="exists"):
        write_atomically(path, write)
    assert path.read_text() == "of somebody else"
    assert list(tmp_path.iterdir()) == [path]
    write_atomically(path, write)
    assert path.read_text() == "new"


def test_where_files_are_kept_a_new_one_is_written_and_one_of_the_same_bytes_stays(tmp_path):
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
def test_several_files_are_replaced_together_or_not_at_all(tmp_path, old):
    for name, text in old.items():
        (tmp_path / name).write_text(text)

    def full(part):
        part.write_text("ne")
        raise OSError(28, "No space left on device")

    with pytest.raises(ActalikeError, match="device"):
        _write_both(tmp_path, full)
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
        pytest.raises(ActalikeError, match="input"),
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


def test_attacks_by_a_full_disk_leave_one_sentence_and_nothing_else(tmp_path):
    outputs = ("mapping.csv", "vectors.parquet", "vectors.csv", "new.csv", "new.xes.gz", "new.parquet", "out.vec")
    attempts = full_disk.attempts(random.Random(1), tmp_path, outputs)
    assert [outcome for outcome in islice(attempts, 14) if outcome.verdict == "wrong"] == []


@pytest.mark.campaign
def test_attacks_by_killing_leave_the_old_file_or_the_new_one(tmp_path):
    attempts = kills.attempts(random.Random(61), tmp_path, ("relabel .csv",))
    assert [outcome for outcome in islice(attempts, 1) if outcome.verdict == "wrong"] == []


def test_a_link_stands_for_the_file_it_leads_to(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    assert check_place(tmp_path / "link") == (tmp_path / "file").resolve()


def test_a_missing_folder_is_no_error_if_it_will_be_made(tmp_path):
    path = tmp_path / "a" / "b" / "out.csv"
    assert check_place(path, folders=True) == path.resolve()
    with pytest.raises(ActalikeError, match="there is no folder"):
        check_place(path)
    (tmp_path / "a").touch()
    with pytest.raises(ActalikeError, match=r"Not a directory|is no folder"):
        check_place(path, folders=True)


@pytest.mark.parametrize("name", ["loop", "nul\0"])
def test_names_that_lead_nowhere_are_refused(tmp_path, name):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ActalikeError, match="written"):
        check_place(f"{tmp_path}/{name}")


def test_a_folder_that_does_not_allow_it_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *arguments: False)  # permissions do not bind an administrator
    with pytest.raises(ActalikeError, match="allow"):
        check_place(tmp_path / "out.csv")


def test_a_device_is_never_a_place_for_a_file():
    with pytest.raises(ActalikeError, match="device"):
        check_place("/dev/null")
    assert check_place("/dev/shm/../shm/actalike-out.csv").name == "actalike-out.csv"


def test_the_same_file_is_recognised_by_every_way_to_it(tmp_path):
    given = tmp_path / "in.csv"
    given.write_text("x")
    os.link(given, tmp_path / "hard")
    (tmp_path / "soft").symlink_to(given)
    with given.open() as opened:
        ways = [given, f"{tmp_path}/./in.csv", tmp_path / "hard", tmp_path / "soft", f"/dev/fd/{opened.fileno()}"]
        assert [same_file(way, ["none", given]) for way in ways] == [given] * 5
    assert same_file(tmp_path / "other", [given]) is None
    assert same_file(given, []) is None


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(ActalikeError, match="created"):
        make_folder(tmp_path / "file" / "b")


def test_names_need_not_be_utf8():
    assert is_utf8("é.csv")
    assert not is_utf8(os.fsdecode(b"\xe9.csv"))


WRITER = """
import sys, time
from actalike.support.files import write_atomically
def write(part):
    part.write_text("half of")
    print("writing", flush=True)
    time.sleep(60)
write_atomically(sys.argv[1], write)
"""


@pytest.fixture
def writer(tmp_path):
    """A process in the middle of writing out.txt."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path / "out.txt"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "writing\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_a_killed_process_left_is_removed_by_the_next_that_writes(tmp_path, writer):
    (left,) = names(tmp_path)
    assert is_part_name(left)
    remove_leftovers(tmp_path)
    assert names(tmp_path) == [left], "the process runs"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    files._swept.clear()  # as a new process
    write_atomically(tmp_path / "out.txt", lambda part: part.write_text("whole"))
    assert names(tmp_path) == ["out.txt"]
    assert (tmp_path / "out.txt").read_text() == "whole"


def other(name, place, value):
    owner, dot, suffix = name.rpartition(".")
    fields = owner.split("-")
    fields[place] = value
    return "-".join(fields) + dot + suffix


def test_only_files_of_dead_processes_of_this_machine_are_removed(tmp_path):
    mine = new_part_name()
    dead = other(mine, 2, str(2**22 + 1))
    kept = [mine, other(dead, 1, "00000000"), ".mapping.csv.123.part", f"{mine}x", mine.upper()]
    for name in (dead, *kept):
        (tmp_path / name).touch()
    strangers = [other(dead, 3, "11111111"), other(dead, 3, "22222222")]
    (tmp_path / strangers[0]).mkdir()
    (tmp_path / strangers[1]).symlink_to("mapping.csv")
    remove_leftovers(tmp_path)
    assert names(tmp_path) == sorted([*kept, *strangers])


def test_only_folders_of_dead_processes_of_this_machine_are_removed(tmp_path):
    mine = new_folder_name()
    dead = other(mine, 2, str(2**22 + 1))
    kept = [mine, other(dead, 1, "00000000"), "actalike-7-abc.spill", f"{dead}x", f".{dead}"]
    for name in (dead, *kept):
        (tmp_path / name).mkdir()
        (tmp_path / name / "events.parquet").touch()
    file, link = other(dead, 3, "11111111"), other(dead, 3, "22222222")
    (tmp_path / file).touch()
    (tmp_path / link).symlink_to(mine)
    remove_leftovers(tmp_path)
    assert names(tmp_path) == sorted([*kept, file, link])
    assert names(tmp_path / mine) == ["events.parquet"]


def test_a_process_looks_into_a_folder_once(tmp_path):
    remove_leftovers(tmp_path)
    dead = other(new_part_name(), 2, str(2**22 + 1))
    (tmp_path / dead).touch()
    remove_leftovers(tmp_path)
    assert names(tmp_path) == [dead]


def test_a_name_is_short_and_says_whose_it_is():
    assert len(new_part_name()) < 80
    assert re.search(rf"-{os.getpid()}-", new_part_name())
    assert new_part_name() != new_part_name()
