import shutil

import pytest

from actalike import ActalikeError, EventLog, datasets, write_log
from tests.helpers.examples import real_logs


def test_there_are_29_logs_with_the_benchmarks_they_belong_to():
    logs = datasets.paper_logs()
    assert len({entry.name for entry in logs}) == 29
    assert sum(entry.intrinsic for entry in logs) == 28
    assert sum(entry.next_activity for entry in logs) == 20
    assert sum(entry.efficiency for entry in logs) == 4
    assert all(entry.doi is None or entry.doi.startswith("10.4121/uuid:") for entry in logs)


@pytest.mark.parametrize(
    "name", ["env permit", "ENV_PERMIT", "Receipt phase of an environmental permit application process (WABO)"]
)
def test_a_log_has_several_names(name):
    assert datasets.paper_log(name).name == "Env_Permit"


def test_an_unknown_name_is_an_error():
    with pytest.raises(ActalikeError, match="mean 'Helpdesk'"):
        datasets.paper_log("helpdeks")


def test_nasa_is_used_with_its_47_plain_labels(logs_folder, log_file):
    log_file("NASA")
    log = datasets.load("nasa", logs_folder)
    assert len(log.activities) == 47
    assert datasets.paper_log("NASA").differences(log) == []


@pytest.mark.parametrize(
    "name", real_logs("Helpdesk", "CCC19", "BPIC15_1", "Env_Permit", campaign=[entry.name for entry in datasets.paper_logs()])
)
def test_the_real_logs_are_what_they_must_be(real_log, name):
    assert datasets.paper_log(name).differences(real_log(name)) == []


def test_a_folder_is_checked(log_file, tmp_path):
    shutil.copy(log_file("BPIC13_open_problems"), tmp_path / "bpi_challenge_2013_open_problems.xes.gz")
    write_log(EventLog.from_traces([["a", "b"]]), tmp_path / "Helpdesk.csv")
    (tmp_path / "Sepsis.xes").write_text("<log>")
    (tmp_path / "notes.txt").write_text("not a log")
    verdicts = {check.name: check for check in datasets.check_folder(tmp_path)}
    assert len(verdicts) == 29
    assert verdicts["BPIC13_open_problems"].verdict == "ok"
    assert "cases 1 instead of 4,580" in verdicts["Helpdesk"].verdict
    assert verdicts["Sepsis"].verdict.startswith("unreadable")
    assert verdicts["NASA"].verdict == "not there"
    assert [name for name, check in verdicts.items() if check.failed] == ["Helpdesk", "Sepsis"]


def test_attributes_of_a_log_are_read_if_they_are_asked_for(log_file, logs_folder):
    log_file("CCC19")
    log = datasets.load("CCC19", logs_folder, attributes="people")
    assert [len(attribute.values) for attribute in log.people().values()] == [10, 10]


def test_two_files_of_one_log_are_an_error(tmp_path):
    (tmp_path / "RTFM.xes").touch()
    (tmp_path / "rtfm.csv").touch()
    with pytest.raises(ActalikeError, match="RTFM"):
        datasets.find(tmp_path)
    with pytest.raises(ActalikeError, match="not a folder"):
        datasets.find(tmp_path / "nowhere")
    with pytest.raises(ActalikeError, match="Sepsis"):
        datasets.load("Sepsis", tmp_path.parent)
