"""The command report with two logs: what it writes, says and refuses."""

import json

import pytest

from actalike import (
    DecidedLog,
    DecidedPair,
    Decisions,
    EventLog,
    MatchingDecisions,
    read_log,
    write_decisions,
    write_log,
    write_matching_decisions,
)
from tests.helpers.commands import fails, ok, run


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
    assert "--no-examples is for one log" in fails(*two, "--no-examples")
    assert "--also is for one log" in fails(*two, "--also", "more.csv")
    assert "--attributes is for one log" in fails(*two, "--attributes", "cost")
    assert "--labels is for two logs" in fails("report", "ours.csv", "-o", "one.html", "--labels")
    write_decisions(Decisions(), logs / "decisions.json")
    assert "about one log" in fails(*two, "--decisions", "decisions.json")
    assert not (logs / "two.html").exists()
