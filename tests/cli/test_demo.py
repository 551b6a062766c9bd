"""The command demo."""

import json

import pytest

from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import fails, ok


@pytest.fixture
def small_desk(monkeypatch):
    """The demonstration on 40 cases instead of 600."""
    monkeypatch.setattr("actalike.demo.run.loan_desk", lambda: loan_desk(40))


def test_it_shows_verdicts_an_explanation_and_a_report(tmp_path):
    out = tmp_path / "out"
    text = ok("demo", "-o", out)
    first = text.partition("Which labels are one step?\n\n")[2].partition("\n")[0]
    assert first.endswith("likely one step")
    assert "Why 'Pay out' and 'Transfer loan'?\n\nPay out = Transfer loan?   over 99 % likely one step\n" in text
    assert f"The report, a page for the browser: {out / 'report.html'}" in text
    page = (out / "report.html").read_text()
    assert f"actalike relabel {out / 'loan_desk.xes.gz'} decisions.json -o loan_desk-relabelled.xes.gz" in page
    assert '"reading":{"case":"concept:name"' in page
    assert "Transfer loan" in ok("similar", out / "loan_desk.xes.gz", "Pay out")


@pytest.mark.usefixtures("small_desk")
def test_the_same_facts_for_programs(tmp_path):
    facts = json.loads(ok("demo", "-o", tmp_path / "out", "--json"))
    assert facts["statistics"]["cases"] == 40
    assert (facts["explanation"]["a"], facts["explanation"]["b"]) == ("Pay out", "Transfer loan")
    assert facts["groups"][0]["relation"] == "synonyms"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    assert "cannot be written" in fails("demo", "-o", tmp_path / "file")


@pytest.mark.campaign
@pytest.mark.usefixtures("small_desk")
def test_a_second_run_finds_its_own_files_and_replaces_no_others(tmp_path):
    first = ok("demo", "-o", tmp_path)
    assert ok("demo", "-o", tmp_path) == first
    (tmp_path / "report.html").write_text("notes")
    assert f"{tmp_path / 'report.html'} exists already: give --overwrite" in fails("demo", "-o", tmp_path)
    assert (tmp_path / "report.html").read_text() == "notes"
    (tmp_path / "loan_desk.xes.gz").unlink()
    fails("demo", "-o", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"report.html"}
    assert ok("demo", "-o", tmp_path, "--overwrite") == first
    assert "</html>" in (tmp_path / "report.html").read_text()
