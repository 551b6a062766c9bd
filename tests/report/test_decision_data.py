"""The page gets the log's digest, the decisions to begin with, and how to relabel."""

import json
import re

import pytest

from actalike import ActalikeError, DecidedGroup, Decisions, EventLog, write_report
from actalike.labels import decisions_content
from actalike.report.decision_data import Relabelling, decision_data

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>')
LOG = EventLog.from_traces([["a", "b"], ["b"]])


def test_decisions_are_handed_over_as_their_file_holds_them():
    decisions = Decisions((DecidedGroup("x", ("a", "not here")),), note="n")
    data = decision_data(LOG, decisions, Relabelling("no", ""))
    assert data == {
        "digest": LOG.digest,
        "decisions": decisions_content(decisions),
        "relabelling": {"words": "no", "command": ""},
    }


def test_decisions_say_how_sure_a_proposal_must_be_unless_the_caller_does(tmp_path):
    def probabilities(given, at_least=None):
        write_report(LOG, tmp_path / "page.html", decisions=Decisions(at_least=given), at_least=at_least)
        data = json.loads(DATA.search((tmp_path / "page.html").read_text(encoding="utf-8"))[1])
        return data["decisions"]["at_least"], data["at_least"]  # where the slider is, and how likely the proposals are at least

    assert probabilities(0.99) == (0.99, 0.5)
    assert probabilities(0.3) == (0.3, 0.3)
    assert probabilities(0.99, 0.8) == (0.8, 0.8)


def test_a_report_takes_nothing_else_for_decisions(tmp_path):
    with pytest.raises(ActalikeError, match="no Decisions"):
        write_report(LOG, tmp_path / "page.html", decisions={"a": "b"})
    assert not (tmp_path / "page.html").exists()
