"""What relabelling does to each event."""

import pytest

from actalike import (
    EventLog,
    UnknownActivityError,
    read_log,
    relabel,
    relabel_file,
    write_log,
)


def test_neighbours_are_those_of_the_order_in_which_the_log_is_read(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("case,activity,time\n1,a,2024-01-03\n2,b,2024-01-01\n1,b,2024-01-01\n1,c,2024-01-02\n")
    relabel_file(log, {"b": "a"}, tmp_path / "time.csv", collapse=True)
    assert read_log(tmp_path / "time.csv").traces() == [["a", "c", "a"], ["a"]]
    relabel_file(log, {"b": "a"}, tmp_path / "file.csv", collapse=True, order="file")
    assert read_log(tmp_path / "file.csv", order="file").traces() == [["a", "c"], ["a"]]


def test_labels_that_the_log_does_not_have_are_refused(tmp_path):
    log = EventLog.from_traces([["Check invoice", "Pay"]])
    with pytest.raises(UnknownActivityError, match=r"no activity 'chek invoice'\. Did you mean 'Check invoice'\?.*Nothing was"):
        relabel(log, {"chek invoice": "Check"})
    write_log(log, tmp_path / "log.xes")
    with pytest.raises(
        UnknownActivityError, match=r"no activity 'x'\..*And none 'y'\..*5 labels of the mapping are unknown in all"
    ):
        relabel_file(tmp_path / "log.xes", dict.fromkeys("xyzuv", "Pay"), tmp_path / "new.xes")
    assert not (tmp_path / "new.xes").exists()
