"""The command demo."""

import json

from tests.helpers.commands import fails, ok


def test_it_shows_pairs_an_explanation_a_report_and_a_picture(tmp_path):
    out = tmp_path / "out"
    text = ok("demo", "-o", out)
    assert "Which activities act alike?" in text
    assert "They keep the same company" in text
    assert (out / "activity_map.png").stat().st_size > 10_000
    assert f"The report, a page for the browser: {out / 'report.html'}" in text
    assert "</html>" in (out / "report.html").read_text()
    assert "Transfer loan" in ok("similar", out / "loan_desk.xes.gz", "Pay out", "--resamples", 0)


def test_the_same_facts_for_programs(tmp_path):
    facts = json.loads(ok("demo", "-o", tmp_path / "out", "--json"))
    assert facts["statistics"]["cases"] == 600
    assert facts["method"] == "kin-w5"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    assert "cannot be written" in fails("demo", "-o", tmp_path / "file")


def test_a_second_run_finds_its_own_files_and_replaces_no_others(tmp_path):
    first = ok("demo", "-o", tmp_path)
    assert ok("demo", "-o", tmp_path) == first
    (tmp_path / "report.html").write_text("notes")
    assert f"{tmp_path / 'report.html'} exists already: give --overwrite" in fails("demo", "-o", tmp_path)
    assert (tmp_path / "report.html").read_text() == "notes"
    (tmp_path / "loan_desk.xes.gz").unlink()
    fails("demo", "-o", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"activity_map.png", "report.html"}
    assert ok("demo", "-o", tmp_path, "--overwrite") == first
    assert "</html>" in (tmp_path / "report.html").read_text()
