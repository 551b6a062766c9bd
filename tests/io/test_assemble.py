"""From events as they were read to a log: lifecycle, order, cases together."""

import numpy as np
import pytest

from actalike import LogError, read_log
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, document


@pytest.mark.parametrize(
    ("name", "append"), [("BPIC12", 36), ("BPIC12_W", 19), ("BPIC13_open_problems", 5), ("CCC19", 58), ("Helpdesk", 14)]
)
def test_lifecycle_options_on_real_logs(log_file, name, append):
    assert len(read_log(log_file(name), lifecycle="append").activities) == append


def test_keeping_complete_events_gives_the_complete_log(log_file):
    kept = read_log(log_file("BPIC12_W"), lifecycle="complete")
    published = read_log(log_file("BPIC12_W_Complete"))
    assert kept.n_events == published.n_events == 72413
    assert sorted(kept.traces()) == sorted(published.traces())


def test_events_keep_the_files_order_unless_told_otherwise():
    text = document(("1", [("b", "2024-01-02T00:00:00Z"), ("a", "2024-01-01T00:00:00Z"), ("c", "2024-01-01T00:00:00+00:00")]))
    assert read_bytes(text, "log.xes").traces() == [["b", "a", "c"]]
    by_time = read_bytes(text, "log.xes", order="time")
    assert by_time.traces() == [["a", "c", "b"]]  # the tie in file order
    assert by_time.timestamps.tolist() == sorted(by_time.timestamps.tolist())


def test_missing_timestamps_are_an_error_only_where_they_are_needed():
    text = GOOD.replace(b'<date key="time:timestamp" value="2024-01-02T00:00:00Z"/>', b"")
    log = read_bytes(text, "log.xes")
    assert np.isnat(log.timestamps).tolist() == [False, True, False]
    with pytest.raises(LogError, match=r"trace 1 \('1'\), event 2, has no timestamp, and no other event lacks one.*--order file"):
        read_bytes(text, "log.xes", order="time")
    with pytest.raises(LogError, match="has no timestamps"):
        read_bytes(GOOD.replace(b"time:timestamp", b"other"), "log.xes", order="time")


def test_missing_transitions_are_an_error_only_where_they_are_needed():
    none = GOOD.replace(b"lifecycle:transition", b"other")
    some = GOOD.replace(b"lifecycle:transition", b"other", 1)
    assert read_bytes(none, "log.xes").n_events == 3
    with pytest.raises(LogError, match="no lifecycle transitions"):
        read_bytes(none, "log.xes", lifecycle="complete")
    with pytest.raises(LogError, match="event 1, has no lifecycle transition"):
        read_bytes(some, "log.xes", lifecycle="append")
    started = GOOD.replace(b'"complete"', b'"start"')
    with pytest.raises(LogError, match="no event whose transition is 'complete'"):
        read_bytes(started, "log.xes", lifecycle="complete")
