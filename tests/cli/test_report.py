"""The command report."""

import json

import actalike
from tests.helpers.commands import fails, ok


def test_a_page_is_written_and_summarised(log, tmp_path):
    page = tmp_path / "report.html"
    text = ok("report", log, "-o", page)
    assert text.startswith(f"{page}: 30 activities, ")
    facts = json.loads(ok("report", log, "-o", tmp_path / "again.html", "--json"))
    assert facts["bytes"] == page.stat().st_size
    assert page.read_bytes() == (tmp_path / "again.html").read_bytes()
    assert (facts["activities"], facts["proposals"]) == (28, len(actalike.group(actalike.read_log(log))))


def test_any_method_can_be_named_without_its_window_too(log, tmp_path):
    facts = json.loads(ok("report", log, "-o", tmp_path / "report.html", "-m", "substitution", "--json"))
    assert (facts["method"], facts["proposals"]) == ("substitution-w3", 0)


def test_wrong_calls_are_errors_before_anything_is_read(log, tmp_path):
    assert "should end in .html" in fails("report", log, "-o", tmp_path / "x.pdf")
    assert "there is no folder" in fails("report", log, "-o", tmp_path / "no" / "x.html")
    assert "needs the log itself" in fails("report", tmp_path / "x.actalike", "-o", tmp_path / "x.html")
    assert "No method" in fails("report", log, "-o", tmp_path / "x.html", "-m", "w2v")
