"""Bytes of files, packed or not: whole, or an error."""

import gzip
import os
import random
import threading
from pathlib import Path

import pytest

from actalike import LogError, read_log
from actalike.io import look, source
from actalike.labels import read_mapping
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, write_freely


@pytest.fixture(params=["in one thread", "unpacked ahead"], autouse=True)
def unpacking(request, monkeypatch):
    """Test small files both ways: only large ones are unpacked in a second thread otherwise."""
    if request.param == "unpacked ahead":
        monkeypatch.setattr(source, "_LARGE", 0)


@pytest.mark.campaign
def test_a_gzip_cut_off_anywhere_is_an_error():
    packed = gzip.compress(write_freely([(str(i), ["a", "b"]) for i in range(50)], seed=1))
    for end in range(0, len(packed), 7):
        with pytest.raises(LogError, match=r"cut off|empty"):
            read_bytes(packed[:end], "log.xes.gz")
    with pytest.raises(LogError, match=r"in the middle of trace \d+ \(byte [\d,]+\)"):
        read_bytes(packed[: len(packed) * 2 // 3], "log.xes.gz")


def test_a_damaged_gzip_is_an_error():
    packed = bytearray(gzip.compress(GOOD * 1))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(LogError):
        read_bytes(bytes(packed), "log.xes.gz")
    checksum = bytearray(gzip.compress(GOOD))
    checksum[-6] ^= 0xFF
    with pytest.raises(LogError, match="damaged"):
        read_bytes(bytes(checksum), "log.xes.gz")


def test_several_gzip_members_are_one_file():
    middle = len(GOOD) // 2
    packed = gzip.compress(GOOD[:middle]) + gzip.compress(GOOD[middle:]) + b"\0" * 10
    assert read_bytes(packed, "log.xes.gz") == read_bytes(GOOD, "log.xes")
    with pytest.raises(LogError, match="damaged"):
        read_bytes(gzip.compress(GOOD) + b"garbage", "log.xes.gz")


def test_a_gzip_that_expands_beyond_the_bound_is_an_error():
    bomb = gzip.compress(b"<log>" + b" " * 10_000_000)
    assert len(bomb) < 20_000
    with pytest.raises(LogError, match=r"more than 1,000,000 bytes once unpacked.*max_bytes"):
        read_bytes(bomb, "log.xes.gz", max_bytes=1_000_000)


def test_progress_reaches_the_end(log_file):
    seen = []
    read_log(log_file("Helpdesk"), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == Path(log_file("Helpdesk")).stat().st_size


def test_a_gzip_of_many_small_members_is_one_file():
    document = write_freely([(str(i), ["a", "b"]) for i in range(100)], seed=1)
    packed = b"".join(gzip.compress(document[at : at + 50]) for at in range(0, len(document), 50))
    assert read_bytes(packed, "log.xes.gz") == read_bytes(document, "log.xes")


def test_a_reading_that_is_given_up_leaves_no_thread(tmp_path):
    path = tmp_path / "log.xes.gz"
    path.write_bytes(gzip.compress(random.Random(1).randbytes(1 << 21)))
    pieces = source.read_pieces(path, 1 << 30)
    next(pieces)
    assert any(thread.name.startswith("actalike-gunzip") for thread in threading.enumerate())
    pieces.close()
    assert not any(thread.name.startswith("actalike-gunzip") for thread in threading.enumerate())


def test_progress_is_told_in_the_thread_that_reads(log_file):
    threads = set()
    read_log(log_file("BPIC12_A"), progress=lambda done, total: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("ending", ["csv", "xes", "parquet"])
def test_a_pipe_is_not_waited_for(tmp_path, ending):
    path = tmp_path / f"log.{ending}"
    os.mkfifo(path)
    for read in (read_log, look):
        with pytest.raises(LogError, match="is a pipe or a device, not a file: write its content to a file"):
            read(path)
    with pytest.raises(LogError, match="is a pipe"):
        read_mapping(path)
