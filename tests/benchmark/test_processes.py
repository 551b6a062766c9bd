"""The same results, however many processes compute them."""

import os
import signal
import subprocess
import sys
import time

import pytest

from actalike.benchmark.processes import in_processes


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_call_is_computed_once(jobs):
    assert sorted(in_processes(pow, [(2, n) for n in range(6)], jobs)) == [1, 2, 4, 8, 16, 32]


KILLED = """
import os, sys, time
from pathlib import Path
from actalike.benchmark.processes import in_processes

def work(name):
    while True:
        Path(name).write_text(str(os.getpid()))
        time.sleep(0.1)

list(in_processes(work, [(name,) for name in sys.argv[1:]], jobs=2))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell a process that its parent is gone")
def test_processes_end_soon_after_the_one_that_started_them_was_killed(tmp_path):
    files = [tmp_path / "a", tmp_path / "b"]
    with subprocess.Popen([sys.executable, "-c", KILLED, *files], stderr=subprocess.DEVNULL) as parent:
        until(lambda: all(file.exists() for file in files))
        parent.kill()
    try:
        until(lambda: time.time() - max(file.stat().st_mtime for file in files) > 2, seconds=15)
    except AssertionError:
        for file in files:
            os.kill(int(file.read_text()), signal.SIGKILL)
        raise


def until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)
