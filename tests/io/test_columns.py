"""Columns are recognised by their names; those that are not read are looked at; second names are chosen."""

from collections import Counter
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, LogError, read_log, relabel, write_log
from actalike.io.columns import choose_names, looks_like_time, paired_share, transition_columns
from actalike.log import Attribute
from tests.helpers.examples import examples
from tests.helpers.reading import read_bytes


def test_the_usual_spellings_are_recognised():
    for header in (
        "case:concept:name,concept:name,time:timestamp",
        "case_id,activity,timestamp",
        "CaseID,ActivityName,DateTime",
        "TRACE,EVENT,DATE",
    ):
        log = read_bytes(f"{header}\n1,b,2024-01-02\n1,a,2024-01-01\n".encode(), "log.csv")
        assert log.traces() == [["a", "b"]]


GOOD = b"case,activity,timestamp,cost\n1,a,2024-01-01,5\n1,b,2024-01-02,6\n2,a,2024-01-01,7\n"


def test_two_similar_columns_must_be_told_apart():
    with pytest.raises(LogError, match="Case ID"):
        read_bytes(b"Case ID,case_id,activity\n1,2,a\n", "log.csv")


def test_an_exact_spelling_wins_over_a_similar_one():
    assert read_bytes(GOOD.replace(b"cost", b"Case"), "log.csv").case_ids == ["1", "2"]


WITH_PEOPLE = b"case,activity,timestamp,cost,Bearbeiter,Team\n1,b,2024-01-02,5,Sue,x\n1,a,2024-01-01,6,,y\n"


def test_attributes_are_read_by_name_or_because_they_name_people():
    people = read_bytes(WITH_PEOPLE, "log.csv", attributes="people")
    assert {name: attribute.texts() for name, attribute in people.attributes.items()} == {
        "Bearbeiter": [None, "Sue"],
        "Team": ["y", "x"],
    }
    assert list(people.people()) == ["Bearbeiter", "Team"]
    named = read_bytes(WITH_PEOPLE, "log.csv", attributes=["Team", "cost", "Team"])
    assert list(named.attributes) == ["Team", "cost"]
    assert list(named.people()) == ["Team"]
    assert read_bytes(GOOD, "log.csv", attributes="people").attributes == read_bytes(GOOD, "log.csv").attributes == {}
    assert list(read_bytes(WITH_PEOPLE, "log.csv", activity="Team", attributes="people").attributes) == ["Bearbeiter"]


def test_an_attribute_that_is_not_there_or_is_read_already_is_refused():
    with pytest.raises(LogError, match="mean 'Team'"):
        read_bytes(WITH_PEOPLE, "log.csv", attributes=["team"])
    for name in ("case", "activity", "timestamp"):
        with pytest.raises(LogError, match="already"):
            read_bytes(WITH_PEOPLE, "log.csv", attributes=[name])
    assert list(read_bytes(WITH_PEOPLE, "log.csv", timestamp="", attributes=["timestamp"]).attributes) == ["timestamp"]


@pytest.mark.parametrize("wanted", ["org:resource", "", [""], [7], [None]])
def test_attributes_are_asked_for_by_a_list_of_names(wanted):
    with pytest.raises(ActalikeError, match="attributes="):
        read_bytes(GOOD, "log.csv", attributes=wanted)


@pytest.mark.parametrize(
    "value",
    [
        "2024-02-29T12:00:00+01:00", "2024-02-29", "2024/02/29 12:00", "31.12.2024 13:45", "1.2.24", "12/31/2024 1:45 PM",
        "01-Feb-2024 10:00:00", "31 Dec 2024", "Dec 31, 2024 13:45", "31.12.2024, 13:45:07", "2024-02-29 12:00:00.123456 +0100",
    ],
)  # fmt: skip
def test_dates_of_many_kinds_look_like_time(value):
    assert looks_like_time(pl.Series("x", [value, None, value]))


@pytest.mark.parametrize(
    "value", ["", "1.2", "12:45", "10.1.1.1.1", "A-12-2024", "2024", "1709164800", "Check 12/2024", "1.000,50"]
)
def test_numbers_and_texts_do_not(value):
    assert not looks_like_time(pl.Series("x", [value, "2024-02-29"]))


def test_seconds_since_1970_look_like_time_under_a_telling_name():
    assert looks_like_time(pl.Series("event_time", ["1709164800", "1709164801"]))
    assert looks_like_time(pl.Series("Zeitstempel", [1709164800000]))
    assert not looks_like_time(pl.Series("order number", [1709164800]))


def test_columns_of_other_types():
    assert looks_like_time(pl.Series("x", [0], dtype=pl.Datetime("ms")))
    assert looks_like_time(pl.Series("x", [0], dtype=pl.Date))
    assert not looks_like_time(pl.Series("x", [None, None]))
    assert not looks_like_time(pl.Series("time", [1.5]))
    assert transition_columns(pl.DataFrame({"n": [1, 2], "b": [True, False]})) == []


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(["start", "COMPLETE", "schedule", None]))))
def test_the_share_of_paired_events_is_that_of_the_definition(events):
    starts = [event[:2] for event in events if event[2] == "start"]
    completes = [event[:2] for event in events if event[2] == "COMPLETE"]
    pairs = sum(min(starts.count(step), completes.count(step)) for step in set(starts))
    if events:
        cases, codes, transitions = zip(*events, strict=True)
        share = paired_share(np.array(cases), np.array(codes, dtype=np.int32), pl.Series(transitions, dtype=pl.String))
        assert share == 2 * pairs / len(events)


def test_what_is_not_read_cannot_stop_the_reading():
    """A column that is not needed may hold anything: it is only looked at."""
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"], "extra": [[1, 2]], "odd": [b"x"], "when": ["2024-01-01"]})
    assert read_log(frame).reading.unused_times == ("when",)
    assert read_log(frame.to_pandas()).reading.unused_times == ("when",)


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
    assert list(log.attributes) == ["User"]
    assert "second name = text (2 of 3 labels)" in str(log.reading)
    assert log.reading.remarks() == [
        "1 label has more than one name in text: 01 has 'Check' and 'Verify'; the more frequent one is shown."
    ]
    assert set(read_log(source, name="text", attributes="people").attributes) == {"User"}
    assert set(read_log(source, name="text", attributes=["text"]).attributes) == {"text"}
    with pytest.raises(LogError, match="mean 'text'"):
        read_log(source, name="txt")
    with pytest.raises(LogError, match="second name"):
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
        with pytest.raises(LogError, match="second name"):
            write_log(log, tmp_path / f"new.{ending}")
        assert not (tmp_path / f"new.{ending}").exists()
    with pytest.raises(LogError, match="written"):
        log.to_frame()
    same = read_log(tmp_path / "log.csv", name="second name", attributes=["second name"])
    assert same.to_frame()["second name"].to_list() == ["other", "else"]


@pytest.mark.parametrize("name", ["^x$", "^.*$", "^attribute:source$"])
@pytest.mark.parametrize("role", ["attributes", "name", "timestamp", "case", "activity"])
@pytest.mark.parametrize("kind", ["csv", "parquet", "frame"])
def test_a_column_may_be_called_like_a_pattern(name, role, kind, tmp_path):
    columns = {"case": ["1", "1"], "activity": ["a", "b"], name: ["2024-01-01", "2024-01-02"]}
    options = {role: [name] if role == "attributes" else name}
    days = [date(2024, 1, 1), date(2024, 1, 2)]
    for frame in (pl.DataFrame(columns), pl.DataFrame(columns | {name: days})):
        source = frame if kind == "frame" else tmp_path / f"log.{kind}"
        if kind != "frame":
            getattr(frame, f"write_{kind}")(source)
        log = read_log(source, **options)
        plain = read_log(frame.rename({name: "x"}), **{role: ["x"] if role == "attributes" else "x"})
        assert (log.traces(), log.case_ids) == (plain.traces(), plain.case_ids)
        assert [each.texts() for each in log.attributes.values()] == [each.texts() for each in plain.attributes.values()]


def test_labels_in_a_column_called_like_a_pattern_are_renamed():
    frame = pl.DataFrame({"case": ["1", "1"], "^x$": ["a", "b"]})
    for each in (frame, frame.cast({pl.String: pl.Categorical})):
        assert relabel(each, {"a": "c"}, activity="^x$").rows() == [("1", "c", "a"), ("1", "b", None)]
