"""Files of a training that are written whole or not at all."""

import os
import subprocess
import sys

import pytest

from actalike.prediction.training.run import remove_parts, write_whole

_KILLED = """
import os, sys
from pathlib import Path
from actalike.prediction.training.run import write_whole

write_whole(Path(sys.argv[1]), lambda part: os._exit(9))
"""


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / ("x" * 255)  # as long as a name can be
    write_whole(path, lambda part: part.write(b"old"))
    with pytest.raises(ValueError, match="no"):
        write_whole(path, lambda part: (_ for _ in ()).throw(ValueError("no")) if part.write(b"ne") else None)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path):
    assert subprocess.run([sys.executable, "-c", _KILLED, tmp_path / "a.json"]).returncode == 9
    [left] = tmp_path.iterdir()
    kept = {
        left.name.replace(left.name.split("-")[2], str(os.getpid())),
        ".training-00000000-1-00000000.part",
        ".training-x.part",
    }
    for name in kept:
        (tmp_path / name).touch()
    remove_parts(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept
