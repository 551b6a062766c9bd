"""Which files are logs, and their bytes, packed or not: whole, or an error."""

import gzip
import os
import random
import threading
import zipfile
from pathlib import Path

import pytest

from actalike import EventLog, LogError, datasets, read_log, write_log
from actalike.io import files, look
from actalike.io.files import LOG_ENDINGS, is_log, is_object_centric, log_kind, stem_of
from actalike.labels import read_mapping
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, write_freely


@pytest.fixture(params=["in one thread", "unpacked ahead"], autouse=True)
def unpacking(request, monkeypatch):
    """Test small files both ways: only large ones are unpacked in a second thread otherwise."""
    if request.param == "unpacked ahead":
        monkeypatch.setattr(files, "_LARGE", 0)


@pytest.mark.campaign
def test_a_gzip_cut_off_anywhere_is_an_error():
    packed = gzip.compress(write_freely([(str(i), ["a", "b"]) for i in range(50)], seed=1))
    for end in range(0, len(packed), 7):
        with pytest.raises(LogError, match=r"cut off|empty"):
            read_bytes(packed[:end], "log.xes.gz")
    with pytest.raises(LogError, match="middle"):
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
    with pytest.raises(LogError, match="max_bytes"):
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
    pieces = files.read_pieces(path, 1 << 30)
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
        with pytest.raises(LogError, match="pipe"):
            read(path)
    with pytest.raises(LogError, match="is a pipe"):
        read_mapping(path)


@pytest.mark.parametrize("ending", LOG_ENDINGS)
def test_every_ending_is_of_a_log(ending):
    for name in (f"log{ending}", f"LOG{ending.upper()}", f"a.b{ending}"):
        assert is_log(name)
        assert stem_of(f"folder/{name}") == name[: -len(ending)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("log.json", "ocel-json"), ("log.JSON.gz", "ocel-json"), ("log.xml", "ocel-xml"), ("log.xml.gz", "ocel-xml")],
)
def test_a_general_ending_is_that_of_a_log_only_if_the_file_is_named(name, kind):
    assert log_kind(name) == kind
    assert not is_log(name)
    assert is_object_centric(name)
    assert stem_of(name) == "log"


def test_other_files_are_no_logs():
    for name in ("notes.txt", "log.xes.zip", "log.parquet.gz", "xes", "log.actalike"):
        assert not is_log(name)
        assert log_kind(name) is None
        assert stem_of(name) == name


def test_what_can_be_written_can_be_read(tmp_path):
    log = EventLog.from_traces([["a", "b"], ["a"]])
    for ending in (".xes", ".xes.gz", ".csv", ".csv.gz", ".parquet"):
        assert ending in LOG_ENDINGS
        write_log(log, tmp_path / f"log{ending}")
        assert read_log(tmp_path / f"log{ending}") == log


def test_a_tsv_of_the_paper_is_found_in_a_folder(tmp_path):
    (tmp_path / "Helpdesk.tsv").write_text("case\tactivity\n1\ta\n")
    assert datasets.find(tmp_path) == {"Helpdesk": tmp_path / "Helpdesk.tsv"}


@pytest.mark.parametrize("name", ["log.xlsx", "log.XLS", "log.ods", "log.xlsm"])
def test_a_spreadsheet_is_to_be_saved_as_csv(tmp_path, name):
    (tmp_path / name).write_bytes(b"PK")
    with pytest.raises(LogError, match="sheet"):
        read_log(tmp_path / name)


SAMPLES = Path(__file__).parent.parent / "samples"


@pytest.mark.parametrize(
    ("first", "remedy"),
    [
        (b"7z\xbc\xaf", "unpack it"),
        (b"SQLite format 3\0", "export"),
        (b"BZh91AY&SY", "by bzip2"),
        (b"%PDF", "is a PDF"),
    ],
)
def test_a_file_of_another_kind_is_named_with_what_to_do(tmp_path, first, remedy):
    path = tmp_path / "log.csv"
    path.write_bytes(first)
    for read in (look, read_log):
        with pytest.raises(LogError, match=remedy):
            read(path)


@pytest.mark.parametrize("name", ["log.xes", "log.csv", "log.csv.gz", "log.parquet"])
def test_a_zip_file_is_named_whatever_kind_of_log_its_name_says(tmp_path, name):
    with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.csv", "case,activity\n1,a\n")
    with pytest.raises(LogError, match="is a zip"):
        read_log(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("window-counts-v1", "window counts"),
        ("kin-w5-v1", "embedding"),
        ("predictor-v1", "predictor"),
        ("stream-counter-v1", "stream counter"),
    ],
)
def test_a_saved_file_in_place_of_a_log_is_named_with_what_it_holds(name, content):
    for read in (look, read_log):
        with pytest.raises(LogError, match=rf"\({content}\)"):
            read(SAMPLES / f"{name}.actalike")


def test_a_log_and_a_missing_file_are_told_apart(tmp_path):
    (tmp_path / "log.csv").write_text("BZh,case,activity\nx,1,a\n")
    assert read_log(tmp_path / "log.csv").traces() == [["a"]]
    with pytest.raises(LogError, match="cannot be read: No such file"):
        read_log(tmp_path / "missing.csv")
