"""Temporary files of processes that were killed."""

import os
import re
import signal
import subprocess
import sys

import pytest

from actalike.support import leftovers
from actalike.support.atomic_files import write_atomically
from actalike.support.leftovers import is_part_name, new_folder_name, new_part_name, remove_leftovers

WRITER = """
import sys, time
from actalike.support.atomic_files import write_atomically
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
    leftovers._swept.clear()  # as a new process
    write_atomically(tmp_path / "out.txt", lambda part: part.write_text("whole"))
    assert names(tmp_path) == ["out.txt"]
    assert (tmp_path / "out.txt").read_text() == "whole"


def test_a_killed_process_that_nobody_has_waited_for_is_dead(tmp_path, writer):
    writer.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, writer.pid, os.WEXITED | os.WNOWAIT)
    remove_leftovers(tmp_path)
    assert names(tmp_path) == []


def other(name, place, value):
    owner, dot, suffix = name.rpartition(".")
    fields = owner.split("-")
    fields[place] = value
    return "-".join(fields) + dot + suffix


def test_only_files_of_dead_processes_of_this_machine_are_removed(tmp_path):
    mine = new_part_name()
    dead = [other(mine, 2, "00000000"), other(mine, 3, str(2**22 + 1)), other(mine, 4, "1")]  # another boot, number, start
    kept = [mine, other(mine, 1, "00000000"), ".mapping.csv.123.part", f"{mine}x", mine.upper()]
    for name in (*dead, *kept):
        (tmp_path / name).touch()
    (tmp_path / other(dead[1], 5, "11111111")).mkdir()
    (tmp_path / other(dead[1], 5, "22222222")).symlink_to("mapping.csv")
    strangers = [other(dead[1], 5, "11111111"), other(dead[1], 5, "22222222")]
    remove_leftovers(tmp_path)
    assert names(tmp_path) == sorted([*kept, *strangers])


def test_only_folders_of_dead_processes_of_this_machine_are_removed(tmp_path):
    mine = new_folder_name()
    dead = [other(mine, 2, "00000000"), other(mine, 3, str(2**22 + 1)), other(mine, 4, "1")]  # another boot, number, start
    kept = [mine, other(dead[1], 1, "00000000"), "actalike-7-abc.spill", f"{dead[1]}x", f".{dead[1]}"]  # [1]: another machine
    for name in (*dead, *kept):
        (tmp_path / name).mkdir()
        (tmp_path / name / "events.parquet").touch()
    file, link = other(dead[1], 5, "11111111"), other(dead[1], 5, "22222222")
    (tmp_path / file).touch()
    (tmp_path / link).symlink_to(mine)
    remove_leftovers(tmp_path)
    assert names(tmp_path) == sorted([*kept, file, link])
    assert names(tmp_path / mine) == ["events.parquet"]


def test_a_process_looks_into_a_folder_once(tmp_path):
    remove_leftovers(tmp_path)
    dead = other(new_part_name(), 4, "1")
    (tmp_path / dead).touch()
    remove_leftovers(tmp_path)
    assert names(tmp_path) == [dead]


def test_a_name_is_short_and_says_whose_it_is():
    assert len(new_part_name()) < 80
    assert re.search(rf"-{os.getpid()}-", new_part_name())
    assert new_part_name() != new_part_name()


def test_without_proc_a_process_is_dead_only_if_there_is_none_of_its_number(monkeypatch):
    monkeypatch.setattr(leftovers, "Path", lambda path: type("Missing", (), {"exists": lambda self: False})())
    assert leftovers._runs(os.getpid(), 1)
    assert not leftovers._runs(2**22 + 1, 1)
