"""The command report, of one log and of two; and demo."""

import json

import pytest

import actalike
from actalike import DecidedLog, DecidedPair, EventLog, MatchingDecisions, read_log, write_log, write_matching_decisions
from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import fails, ok, run


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
    assert "activities, no synonyms" in text


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
    for options, is_there in ((["--examples"], True), ([], False)):
        ok("report", log, "-o", page, *options, "--overwrite")
        assert ("L-0001" in page.read_text()) == is_there
        assert ('"Anna"' in page.read_text()) == is_there


@pytest.fixture
def logs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_log(EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 30), "ours.csv")
    write_log(EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 30), "theirs.csv")
    return tmp_path


def test_two_logs_have_a_page_and_its_decisions_relabel_the_second(logs):
    said = ok("report", "ours.csv", "theirs.csv", "-o", "two.html")
    assert said.startswith("two.html: 4 and 4 activities, 4 pairs, 0 and 0 without a partner; 0.")
    page = (logs / "two.html").read_text(encoding="utf-8")
    assert "actalike relabel theirs.csv decisions.json -o theirs-relabelled.csv" in page
    decisions = MatchingDecisions((DecidedPair("order", "1"), DecidedPair("pack", "4", by="actalike")))
    write_matching_decisions(decisions, "decisions.json")
    facts = json.loads(ok("report", "ours.csv", "theirs.csv", "-o", "second.html", "--decisions", "decisions.json", "--json"))
    assert (facts["path"], facts["activities_a"], facts["read_b"]["source"]) == ("second.html", 4, "theirs.csv")
    ok("relabel", "theirs.csv", "decisions.json", "-o", "one-language.csv")
    assert read_log("one-language.csv").traces()[:2] == [["order", "2", "3"], ["order", "pack"]]


def test_decisions_that_were_made_for_other_logs_are_noted(logs):
    def noted(*pairs, a="ours.csv", b="theirs.csv"):
        digests = {name: DecidedLog(read_log(name).digest, name, 4) for name in ("ours.csv", "theirs.csv")}
        made_for = [digests.get(name, DecidedLog("0" * 64, name, 7)) for name in (a, b)]
        write_matching_decisions(MatchingDecisions(pairs, "", *made_for), "decisions.json")
        return run("report", "ours.csv", "theirs.csv", "-o", "two.html", "--overwrite", "--decisions", "decisions.json").stderr

    assert "decisions.json" not in noted(DecidedPair("order", "1"))
    assert "in the other order, so it does not apply: give theirs.csv first" in noted(a="theirs.csv", b="ours.csv")
    assert "was made for old.csv with 7 activities as log B, and this is theirs.csv with 4 activities" in noted(b="old.csv")
    assert "1 label that theirs.csv does not have, 'gone' for one" in noted(DecidedPair("order", "gone"))


def test_what_means_nothing_for_two_logs_or_for_one_is_refused(logs):
    two = ("report", "ours.csv", "theirs.csv", "-o", "two.html")
    assert "--method is for one log" in fails(*two, "--method", "kin-w5")
    assert "--examples is for one log" in fails(*two, "--examples")
    assert "--also is for one log" in fails(*two, "--also", "more.csv")
    assert "--attributes is for one log" in fails(*two, "--attributes", "cost")
    assert "--labels is for two logs" in fails("report", "ours.csv", "-o", "one.html", "--labels")
    actalike.write_decisions(actalike.Decisions(), logs / "decisions.json")
    assert "about one log" in fails(*two, "--decisions", "decisions.json")
    assert not (logs / "two.html").exists()


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
    assert '"reading":{"facts":[["Case","concept:name"]' in page
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
