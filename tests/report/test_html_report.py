"""The file of a report."""

import pytest

import actalike
from actalike import ActalikeError, EventLog, group, write_matching_report, write_report
from actalike.report.report_data import STEPS


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
