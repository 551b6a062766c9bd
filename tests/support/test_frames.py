"""Frames of other libraries, and frames in files."""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import polars as pl
import pytest

from actalike import ActalikeError
from actalike.support.frames import as_kind, for_spreadsheets, write_frame

TYPED = pl.DataFrame({"a": ["x", None], "at": [datetime(2024, 1, 1, tzinfo=UTC), None], "n": [1.5, 2.5]})


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_frames_of_all_kinds_have_the_same_content(kind, monkeypatch):
    pytest.importorskip(kind)
    assert pl.DataFrame(as_kind(TYPED, kind)).equals(TYPED)
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(ImportError, match=f"pip install {kind}"):
        as_kind(TYPED, kind)


def test_pandas_gets_the_same_frame_with_and_without_pyarrow(monkeypatch):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    by_arrow = as_kind(TYPED, "pandas")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    pandas.testing.assert_frame_equal(as_kind(TYPED, "pandas"), by_arrow)


def test_pyarrow_gets_plain_strings_which_every_version_of_it_and_of_pandas_reads():
    arrow = pytest.importorskip("pyarrow")
    assert as_kind(TYPED, "pyarrow").schema.field("a").type == arrow.string()


def test_polars_frames_stay_as_they_are_and_other_kinds_are_refused():
    assert as_kind(TYPED, "polars") is TYPED
    with pytest.raises(ActalikeError, match="excel"):
        as_kind(TYPED, "excel")


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
from actalike.support.frames import write_frame

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
