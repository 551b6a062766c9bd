"""The file of a report."""

import json
import re

import pytest

import actalike
from actalike import ActalikeError, DecidedGroup, Decisions, EventLog, group, write_matching_report, write_report
from actalike.labels import decisions_content
from actalike.report.html_report import Relabelling
from actalike.report.report_data import STEPS

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>')
LOG = EventLog.from_traces([["a", "b"], ["b"]])


@pytest.fixture(scope="module")
def log():
    return EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 10)


def test_the_same_log_gives_the_same_bytes(log, tmp_path):
    for name in ("a.html", "b.html"):
        write_report(log, tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_it_says_what_it_wrote(log, tmp_path):
    report = write_report(log, tmp_path / "report.html", "kin-w3", title="Orders & co")
    text = (tmp_path / "report.html").read_text()
    relations = [found.relation for found in group(log)]
    counted = relations.count("synonyms"), relations.count("alternatives")
    assert report == (tmp_path / "report.html", len(text.encode()), 5, *counted)
    assert sum(counted) > 0
    assert "<title>Orders &amp; co" in text
    assert '"method":"kin-w3"' in text


def test_a_page_replaces_a_page_and_no_other_file_unless_told_to(log, tmp_path):
    page, notes = tmp_path / "report.html", tmp_path / "notes.html"
    page.touch()
    write_report(log, page, title="first")
    write_report(log, page, title="second")
    assert "<title>second" in page.read_text()
    notes.write_text("<!doctype html>\n<p>my own notes")
    for write in (lambda **how: write_report(log, notes, **how), lambda **how: write_matching_report(log, log, notes, **how)):
        with pytest.raises(ActalikeError, match="overwrite"):
            write()
        assert notes.read_text().endswith("my own notes")
    write_report(log, notes, overwrite=True)
    write_matching_report(log, log, notes)
    assert "<title>Log A" in notes.read_text()


def test_each_step_is_reported_when_it_is_done(log, tmp_path):
    steps = []
    write_report(log, tmp_path / "report.html", done=steps.append)
    assert len(steps) == STEPS
    assert (steps[0], steps[-1]) == ("activities compared", "figures gathered")


def test_what_is_no_log_has_no_report(log, tmp_path):
    with pytest.raises(ActalikeError, match="write_report"):
        write_report(actalike.count_windows(log, 3), tmp_path / "report.html")
    with pytest.raises(ActalikeError, match="written"):
        write_report(log, tmp_path / "no" / "report.html")
    with pytest.raises(ActalikeError, match="at_least"):
        write_report(log, tmp_path / "report.html", at_least=0)
    assert list(tmp_path.iterdir()) == []


def test_decisions_are_handed_over_as_their_file_holds_them(tmp_path):
    decisions = Decisions((DecidedGroup("x", ("a", "not here")),), note="n")
    write_report(LOG, tmp_path / "page.html", decisions=decisions, relabelling=Relabelling("no", ""))
    data = json.loads(DATA.search((tmp_path / "page.html").read_text(encoding="utf-8"))[1])
    assert data["digest"] == LOG.digest
    assert data["decisions"] == decisions_content(decisions)
    assert data["relabelling"] == {"words": "no", "command": ""}


def test_decisions_say_how_sure_a_proposal_must_be_unless_the_caller_does(tmp_path):
    def probabilities(given, at_least=None):
        write_report(LOG, tmp_path / "page.html", decisions=Decisions(at_least=given), at_least=at_least)
        data = json.loads(DATA.search((tmp_path / "page.html").read_text(encoding="utf-8"))[1])
        return data["decisions"]["at_least"], data["at_least"]  # where the slider is, and how likely the proposals are at least

    assert probabilities(0.99) == (0.99, 0.5)
    assert probabilities(0.3) == (0.3, 0.3)
    assert probabilities(0.99, 0.8) == (0.8, 0.8)


def test_a_report_takes_nothing_else_for_decisions(tmp_path):
    with pytest.raises(ActalikeError, match="Decisions"):
        write_report(LOG, tmp_path / "page.html", decisions={"a": "b"})
    assert not (tmp_path / "page.html").exists()
