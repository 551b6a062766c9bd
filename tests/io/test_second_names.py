from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, LogError, read_log, relabel, write_log
from actalike.io.second_names import choose_names
from actalike.log import Attribute
from tests.helpers.examples import examples

ROWS = {
    "case": ["1", "1", "1", "2", "2", "2"],
    "activity": ["01", "02", "01", "01", "02", "03"],
    "text": ["Check", "Pay", "Verify", "Check", " ", None],
    "User": ["Sue", "Sue", "Bob", "Bob", "Sue", "Sue"],
}


@examples(50)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), min_size=1, max_size=20))
def test_the_most_frequent_name_is_chosen_and_of_equals_the_first(events):
    values = ["a", "b", " ", "d"]
    codes, names = (np.array(part, dtype=np.int32) for part in zip(*events, strict=True))
    expected = {}
    for label in range(4):
        seen = [values[name] for code, name in events if code == label and name >= 0 and values[name].strip()]
        if seen:
            expected[str(label)] = Counter(seen).most_common(1)[0][0]  # Counter keeps the order of equals
    assert choose_names(["0", "1", "2", "3"], codes, Attribute(values, names))[0] == expected


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet", "xes"])
def test_second_names_are_read_from_every_kind_of_source(tmp_path, kind):
    frame = pl.DataFrame(ROWS)
    source = frame if kind == "frame" else tmp_path / f"log.{kind}"
    if kind == "csv":
        frame.write_csv(source)
    elif kind == "parquet":
        frame.write_parquet(source)
    elif kind == "xes":
        write_log(read_log(frame, attributes=["text", "User"]), source)
    log = read_log(source, name="text")
    assert log.names == {"01": "Check", "02": "Pay"}
    assert not log.attributes
    assert "second name = text (2 of 3 labels)" in str(log.reading)
    assert log.reading.remarks() == [
        "1 label has more than one name in text: 01 has 'Check' and 'Verify'; the more frequent one is shown."
    ]
    assert set(read_log(source, name="text", attributes="people").attributes) == {"User"}
    assert set(read_log(source, name="text", attributes=["text"]).attributes) == {"text"}
    with pytest.raises(LogError, match=r"has no .* 'txt' \(given as name\)\. Did you mean 'text'"):
        read_log(source, name="txt")
    with pytest.raises(LogError, match="is the activity of the log, so it is no second name"):
        read_log(source, name="concept:name" if kind == "xes" else "activity")


@pytest.mark.parametrize("ending", ["xes", "csv", "parquet"])
def test_second_names_are_written_and_read_again(tmp_path, ending):
    log = read_log(pl.DataFrame(ROWS), name="text")
    write_log(log, tmp_path / f"log.{ending}")
    assert read_log(tmp_path / f"log.{ending}", name="second name") == log
    assert read_log(tmp_path / f"log.{ending}") != log
    assert read_log(log.to_frame(), name="second name").names == log.names


def test_a_merged_label_keeps_the_name_of_the_label_it_is_called_by():
    log = EventLog.from_traces([["a", "b", "b", "c"]])
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, names={"a": "first", "b": "second"})
    assert "[" in log._repr_html_()
    assert relabel(log, {"b": "a"}).names == {"a": "first"}
    assert relabel(log, {"a": "x", "b": "x"}).names == {"x": "second"}  # the more frequent one
    assert relabel(log, {"b": "c"}, collapse=True).names == {"a": "first", "c": "second"}


def test_appended_transitions_keep_the_names_of_their_events():
    rows = pl.DataFrame({**ROWS, "lifecycle": ["start", "start", "complete"] * 2})
    assert read_log(rows, name="text", lifecycle="append").names == {
        "01+start": "Check", "02+start": "Pay", "01+complete": "Verify",
    }  # fmt: skip
    assert read_log(rows, name="text", lifecycle="complete").names == {"01": "Verify"}


def test_the_names_of_municipal_codes_are_read(log_file):
    log = read_log(log_file("BPIC15_1"), name="activityNameEN")
    assert len(log.names) == len(log.activities) == 398
    assert log.names["01_HOOFD_010"] == "register submission date request"


def test_an_attribute_that_is_called_as_second_names_are_written_is_not_written_in_their_place(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity,nm,second name\n1,a,Check,other\n1,b,Pay,else\n")
    log = read_log(tmp_path / "log.csv", name="nm", attributes=["second name"])
    for ending in ("xes", "csv", "parquet"):
        with pytest.raises(LogError, match=r"attribute 'second name', and the second names .* rename the attribute"):
            write_log(log, tmp_path / f"new.{ending}")
        assert not (tmp_path / f"new.{ending}").exists()
    with pytest.raises(LogError, match="nothing was written"):
        log.to_frame()
    same = read_log(tmp_path / "log.csv", name="second name", attributes=["second name"])
    assert same.to_frame()["second name"].to_list() == ["other", "else"]
