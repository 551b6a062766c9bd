"""Functions that take a log take frames as well, of every library."""

import duckdb
import polars as pl
import pytest

from actalike import ActalikeError, LogError, compare, embed, group, read_log, same_step, write_report
from actalike.demo.loan_desk import loan_desk
from actalike.io import as_log

KINDS = ("polars", "pandas", "pyarrow")


def test_every_kind_of_frame_gives_what_its_log_gives(tmp_path):
    log = read_log(loan_desk(20).to_frame(), attributes="people")
    groups, vectors = group(log), embed(log).vectors
    for kind in KINDS:
        frame = log.to_frame(kind)
        assert group(frame) == groups
        assert (embed(frame).vectors == vectors).all()
        assert compare(frame, *log.activities[:2]).as_dict() == compare(log, *log.activities[:2]).as_dict()
        assert (same_step(frame).probabilities() == same_step(log).probabilities()).all()
    written = write_report(log.to_frame("pandas"), tmp_path / "report.html")
    assert (written.activities, written.synonyms) == (len(log.activities), sum(one.relation == "synonyms" for one in groups))


def test_lazy_frames_and_relations_are_read():
    events = pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]})
    assert as_log(events.lazy(), "embed").traces() == [["a", "b"]]
    assert as_log(duckdb.sql("select '1' as 'case', 'a' as activity"), "embed").traces() == [["a"]]


def test_an_error_says_where_options_of_reading_go():
    with pytest.raises(LogError, match=r"no column is recognised as the case.*embed\(actalike\.read_log\(frame, case=\.\.\.\)\)"):
        embed(pl.DataFrame({"order": [1], "activity": ["a"]}))
    with pytest.raises(ActalikeError, match=r"group takes an EventLog or a frame .* not str"):
        group("orders.csv")
