"""The command datasets."""

import json

from tests.helpers.commands import ok, run


def test_the_logs_of_the_paper_are_listed():
    assert len(ok("datasets").splitlines()) == 30
    assert len(json.loads(ok("datasets", "--json"))) == 29


def test_the_logs_of_a_folder_are_checked(log_file, tmp_path):
    (tmp_path / "BPIC13_open_problems.xes.gz").write_bytes(log_file("BPIC13_open_problems").read_bytes())
    assert "BPIC13_open_problems              ok" in ok("datasets", "check", tmp_path)
    checks = json.loads(ok("datasets", "check", tmp_path, "--json"))
    assert [c["name"] for c in checks if c["verdict"] == "ok"] == ["BPIC13_open_problems"]


def test_an_unreadable_log_is_a_failed_check(tmp_path):
    (tmp_path / "Helpdesk.xes").write_text("<log>")
    done = run("datasets", "check", tmp_path)
    assert (done.returncode, "unreadable" in done.stdout) == (1, True)


def test_a_folder_without_logs_of_the_paper_is_an_error(tmp_path):
    done = run("datasets", "check", tmp_path)
    assert done.returncode == 1
    assert "holds none of the logs" in done.stderr
