"""The commands embed, count, methods and datasets."""

import json
from pathlib import Path

import pytest

import actalike
from actalike import EventLog, count_windows, load, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import fails, ok, run


@pytest.mark.parametrize("ending", [".actalike", ".csv", ".parquet", ".vec", "/"])
def test_every_format_is_written(log, tmp_path, ending):
    target = f"{tmp_path}/vectors{ending}"
    assert "30 activities x 30 dimensions" in ok("embed", log, "-o", target)
    facts = json.loads(ok("embed", log, "-o", target, "--overwrite", "--json"))
    assert facts.pop("read")["cases"] == 200
    assert facts == {"schema": "actalike/embed/1", "method": "kin-w5", "activities": 30, "dimensions": 30, "output": target}
    assert Path(target).exists()


def test_the_method_is_named_in_full(log, tmp_path):
    target = tmp_path / "vectors.csv"
    assert "30 activities x 4 dimensions (aa-sequence-pmi-w3+svd4)" in ok(
        "embed", log, "-m", "aa-sequence-pmi+svd4", "-o", target
    )


def test_wrong_outputs_are_errors(log, tmp_path):
    assert "must end in .actalike" in fails("embed", log, "-o", tmp_path / "x.txt")
    assert f"such as {tmp_path / 'proj'}/" in fails("embed", log, "-o", tmp_path / "proj")
    assert "cannot be written" in fails("embed", log, "-o", tmp_path / "no" / "x.actalike")


def test_the_table_of_windows_is_saved(log, tmp_path):
    counts = actalike.count_windows(actalike.read_log(log), 9)
    assert ok("count", log, "-o", tmp_path / "c.actalike") == f"{tmp_path / 'c.actalike'}: {counts}\n"
    assert actalike.load(tmp_path / "c.actalike") == counts
    facts = json.loads(ok("count", log, "-w", 3, "-o", tmp_path / "c.actalike", "--overwrite", "--json"))
    assert (facts["window"], facts["events"], facts["activities"]) == (3, counts.n_events, 30)
    assert facts["distinct_windows"] == len(counts.marginal(3).counts)


def test_wrong_names_are_errors(log, tmp_path):
    assert "must end in .actalike" in fails("count", log, "-o", tmp_path / "c.csv")
    ok("count", log, "-o", tmp_path / "c.actalike")
    assert "not a log" in fails("count", tmp_path / "c.actalike", "-o", tmp_path / "d.actalike")
    assert "cannot be read" in fails("count", tmp_path / "e.actalike", "-o", tmp_path / "d.actalike")
    assert "--show-sql needs --engine" in fails("count", log, "--show-sql")
    assert "--output is missing" in fails("count", log)


def test_all_methods_are_listed():
    assert "kin-w5  (default)" in ok("methods").splitlines()
    facts = json.loads(ok("methods", "--json"))
    assert facts["methods"] == actalike.method_names()
    assert facts["default"] == "kin-w5"


def test_the_help_explains_names_without_a_window():
    assert "kin for kin-w5" in " ".join(ok("methods", "--help").split())


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


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Saved windows and variants of two logs, and of both in one."""
    folder = tmp_path_factory.mktemp("sums")
    whole = loan_desk(60)
    traces = list(whole.traces())
    for name, part in (("a", traces[:25]), ("b", traces[25:]), ("both", traces)):
        log = EventLog.from_traces(part)
        write_log(log, folder / f"{name}.csv")
        count_windows(log, 9).save(folder / f"{name}.actalike")
        log.variants.save(folder / f"{name}-variants.actalike")
    count_windows(EventLog.from_traces(traces[25:]), 5).save(folder / "b-5.actalike")
    return folder


def test_saved_windows_and_variants_add_up(saved, tmp_path, monkeypatch):
    monkeypatch.chdir(saved)
    ok("count", "a.actalike", "b.actalike", "-o", tmp_path / "sum.actalike")
    assert load(tmp_path / "sum.actalike") == load("both.actalike")
    ok("count", "a-variants.actalike", "b-variants.actalike", "--variants", "-o", tmp_path / "variants.actalike")
    assert load(tmp_path / "variants.actalike").n_cases == 60
    assert count_windows(load(tmp_path / "variants.actalike"), 9) == load("both.actalike")
    ok("count", "a-variants.actalike", "b-variants.actalike", "-w", 3, "-o", tmp_path / "three.actalike")
    assert load(tmp_path / "three.actalike") == load("both.actalike").marginal(3)


def test_windows_of_different_sizes_add_to_the_smaller_size(saved, tmp_path):
    facts = json.loads(ok("count", saved / "a.actalike", saved / "b-5.actalike", "-o", tmp_path / "sum.actalike", "--json"))
    assert facts["window"] == 5
    assert load(tmp_path / "sum.actalike") == load(saved / "both.actalike").marginal(5)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.csv", "b.csv"], "--also"),
        (["a.actalike", "b.csv"], "--also"),
        (["a.actalike", "b-variants.actalike"], "variants"),
        (["a.actalike", "b.actalike", "--variants"], "--variants"),
        (["a.actalike", "b.actalike", "--case", "x"], "--case"),
    ],
)
def test_what_does_not_add_up_is_told(saved, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(saved)
    assert said in fails("count", *words, "-o", tmp_path / "sum.actalike")
    assert not (tmp_path / "sum.actalike").exists()
