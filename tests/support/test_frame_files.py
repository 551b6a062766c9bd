"""Polars frames in files."""

import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from actalike import ActalikeError
from actalike.support.frame_files import for_spreadsheets, write_frame

FRAME = pl.DataFrame({"activity": ["a", None, "=b"], "-x": [1.5, -2.0, None]})


@pytest.mark.parametrize("name", ["out.parquet", os.fsdecode(b"\xe9.parquet")], ids=["UTF-8", "not UTF-8"])
def test_a_frame_is_written_under_every_name(tmp_path, name):
    write_frame(tmp_path / name, FRAME.write_parquet)
    assert pl.read_parquet((tmp_path / name).read_bytes()).equals(FRAME)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            pl.exceptions.ComputeError("parquet: underlying IO error: No space left on device (os error 28)"),
            "No space left on device",
        ),
        (OSError("File too large (os error 27)"), "File too large"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (pl.exceptions.ComputeError("odd\nand more"), "odd"),
    ],
)
def test_an_error_of_polars_is_one_sentence(tmp_path, error, words):
    def write(file):
        raise error

    with pytest.raises(ActalikeError) as caught:
        write_frame(tmp_path / "out.parquet", write)
    assert str(caught.value) == f"{tmp_path / 'out.parquet'} cannot be written: {words}. Nothing was written."
    assert list(tmp_path.iterdir()) == []


def test_texts_and_names_are_escaped_for_spreadsheets_and_numbers_are_not():
    assert for_spreadsheets(FRAME).write_csv() == "activity,'-x\na,1.5\n,-2.0\n'=b,\n"


_LONG = """
import sys
import polars as pl
from actalike.support.frame_files import write_frame

column = [j / 7 for j in range(3000)]
frame = pl.DataFrame({f"dim_{i}": column for i in range(1000)})
write_frame(sys.argv[1], frame.write_csv)
"""


def test_a_frame_whose_writing_is_interrupted_leaves_no_temporary_file(tmp_path):
    with subprocess.Popen([sys.executable, "-c", _LONG, tmp_path / "out.csv"], stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not any(path.stat().st_size for path in tmp_path.iterdir()):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)  # Polars raises KeyboardInterrupt, and then Python does so again
    assert [path.name for path in tmp_path.iterdir() if path.name != "out.csv"] == []  # it may have been quicker
