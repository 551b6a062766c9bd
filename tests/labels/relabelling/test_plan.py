"""What relabelling does to each event."""

import polars as pl
import pytest

from actalike import (
    ActalikeError,
    EventLog,
    UnknownActivityError,
    read_log,
    relabel,
    relabel_file,
    write_log,
)
from actalike.labels.relabelling import ORIGINAL


def test_neighbours_are_those_of_the_order_in_which_the_log_is_read(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("case,activity,time\n1,a,2024-01-03\n2,b,2024-01-01\n1,b,2024-01-01\n1,c,2024-01-02\n")
    relabel_file(log, {"b": "a"}, tmp_path / "time.csv", collapse=True)
    assert read_log(tmp_path / "time.csv").traces() == [["a", "c", "a"], ["a"]]
    relabel_file(log, {"b": "a"}, tmp_path / "file.csv", collapse=True, order="file")
    assert read_log(tmp_path / "file.csv", order="file").traces() == [["a", "c"], ["a"]]


def test_labels_that_the_log_does_not_have_are_refused(tmp_path):
    log = EventLog.from_traces([["Check invoice", "Pay"]])
    with pytest.raises(UnknownActivityError, match="mean 'Check invoice'"):
        relabel(log, {"chek invoice": "Check"})
    write_log(log, tmp_path / "log.xes")
    with pytest.raises(UnknownActivityError, match="unknown"):
        relabel_file(tmp_path / "log.xes", dict.fromkeys("xyzuv", "Pay"), tmp_path / "new.xes")
    assert not (tmp_path / "new.xes").exists()


@pytest.mark.parametrize("role", ["case", "activity", "timestamp"])
def test_a_log_is_not_read_from_the_column_that_keeps_the_old_labels(role, tmp_path):
    columns = {"case": ["1", "1"], "activity": ["a", "b"], "timestamp": ["2024-01-01", "2024-01-02"]}
    frame = pl.DataFrame({ORIGINAL if name == role else name: values for name, values in columns.items()})
    frame.write_csv(tmp_path / "log.csv")
    frame.write_parquet(tmp_path / "log.parquet")
    label = frame.rows()[0][1]
    refused = rf"the {role} is in 'actalike:original', .*rename that column.*Nothing was relabelled"
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ActalikeError, match=refused):
            relabel(source, {label: "x"}, **{role: ORIGINAL})
    for ending in ("csv", "parquet"):
        with pytest.raises(ActalikeError, match=refused):
            relabel_file(tmp_path / f"log.{ending}", {label: "x"}, tmp_path / f"new.{ending}", **{role: ORIGINAL})
    assert not list(tmp_path.glob("new*"))


def test_an_attribute_of_xes_that_keeps_the_old_labels_is_not_relabelled(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]]), tmp_path / "log.xes")
    relabel_file(tmp_path / "log.xes", {"a": "x", "b": "y"}, tmp_path / "new.xes")
    with pytest.raises(ActalikeError, match="actalike:original"):
        relabel_file(tmp_path / "new.xes", {"a": "z"}, tmp_path / "newer.xes", activity=ORIGINAL)
    assert not (tmp_path / "newer.xes").exists()


def test_a_column_of_an_earlier_relabelling_that_cannot_hold_labels_is_refused(tmp_path):
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"], ORIGINAL: [["old"]]})
    frame.write_parquet(tmp_path / "log.parquet")
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ActalikeError, match="actalike:original"):
            relabel(source, {"a": "x"})
    with pytest.raises(ActalikeError, match="actalike:original"):
        relabel_file(tmp_path / "log.parquet", {"a": "x"}, tmp_path / "new.parquet")


def test_a_name_that_is_no_text_of_unicode_is_refused():
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"]})
    for source in (frame, frame.to_pandas(), frame.to_arrow(), EventLog.from_traces([["a"]])):
        with pytest.raises(ActalikeError, match="surrogate"):
            relabel(source, {"a": "\ud800"})
