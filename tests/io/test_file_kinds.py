"""One list says which files are logs, and everybody keeps to it."""

import pytest

from actalike import EventLog, LogError, datasets, read_log, write_log
from actalike.io.file_kinds import LOG_ENDINGS, is_log, is_object_centric, log_kind, stem_of


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
    with pytest.raises(LogError, match="is a spreadsheet: save the sheet with the events as CSV"):
        read_log(tmp_path / name)
