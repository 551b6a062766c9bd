"""The page gets the log's digest, the decisions to begin with, and how to relabel."""

import pytest

from actalike import ActalikeError, DecidedGroup, Decisions, EventLog, write_report
from actalike.labels import decisions_content
from actalike.report.decision_data import Relabelling, decision_data

LOG = EventLog.from_traces([["a", "b"], ["b"]])


def test_decisions_are_handed_over_as_their_file_holds_them():
    decisions = Decisions((DecidedGroup("x", ("a", "not here")),), note="n")
    data = decision_data(LOG, decisions, Relabelling("no", ""))
    assert data == {
        "digest": LOG.digest,
        "decisions": decisions_content(decisions),
        "relabelling": {"words": "no", "command": ""},
    }


def test_a_report_takes_nothing_else_for_decisions(tmp_path):
    with pytest.raises(ActalikeError, match="no Decisions"):
        write_report(LOG, tmp_path / "page.html", decisions={"a": "b"})
    assert not (tmp_path / "page.html").exists()
