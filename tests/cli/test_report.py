"""The command report."""

import json

import actalike
from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import fails, ok


def test_a_page_is_written_and_summarised(log, tmp_path):
    page = tmp_path / "report.html"
    text = ok("report", log, "-o", page)
    read = actalike.read_log(log, attributes="people")
    assert text.startswith(f"{page}: {len(read.activities)} activities, ")
    facts = json.loads(ok("report", log, "-o", tmp_path / "again.html", "--json"))
    assert facts["bytes"] == page.stat().st_size
    assert page.read_bytes() == (tmp_path / "again.html").read_bytes()
    relations = [found.relation for found in actalike.group(read)]
    counted = relations.count("synonyms"), relations.count("alternatives")
    assert (facts["activities"], facts["synonyms"], facts["alternatives"]) == (len(read.activities), *counted)
    assert f"{counted[0]} group" in text
    assert f"of synonyms (accepted), {counted[1]} of alternatives (you decide)" in text
    actalike.write_decisions(actalike.Decisions(), tmp_path / "decisions.json")
    text = ok("report", log, "-o", page, "--overwrite", "--decisions", tmp_path / "decisions.json")
    assert (
        f"of synonyms (proposed), {counted[1]} of alternatives (you decide), decided as in {tmp_path / 'decisions.json'}" in text
    )


def test_groups_can_be_surer(log, tmp_path):
    text = ok("report", log, "-o", tmp_path / "report.html", "--at-least", "1")
    assert "activities, no synonyms; 0." in text


def test_any_method_can_be_named_without_its_window_too(log, tmp_path):
    facts = json.loads(ok("report", log, "-o", tmp_path / "report.html", "-m", "substitution", "--json"))
    assert facts["method"] == "substitution-w3"


def test_wrong_calls_are_errors_before_anything_is_read(log, tmp_path):
    assert "should end in .html" in fails("report", log, "-o", tmp_path / "x.pdf")
    assert "there is no folder" in fails("report", log, "-o", tmp_path / "no" / "x.html")
    actalike.StreamCounter(3).save(tmp_path / "x.actalike")
    assert "its variants" in fails("report", tmp_path / "x.actalike", "-o", tmp_path / "x.html")
    assert "at_least=2.0 is not a probability" in fails("report", log, "-o", tmp_path / "x.html", "--at-least", "2")
    assert "No method" in fails("report", log, "-o", tmp_path / "x.html", "-m", "w2v")


def test_a_page_can_be_written_without_cases_and_names(tmp_path):
    log, page = tmp_path / "desk.csv", tmp_path / "report.html"
    actalike.write_log(loan_desk(40), log)
    for option, is_there in (("--examples", True), ("--no-examples", False)):
        ok("report", log, "-o", page, option, "--overwrite")
        assert ("L-0001" in page.read_text()) == is_there
        assert ('"Anna"' in page.read_text()) == is_there
