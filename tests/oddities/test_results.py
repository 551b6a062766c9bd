"""What a result gives back: its table as a file, a frame and JSON, its card; and errors about what it is asked."""

import csv
import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from actalike import ActalikeError, Attribute, EventLog, Expected, OddEvent, odd
from actalike.log import Reading
from actalike.oddities import check_kind, find_cases, odd_sentence, write_odd_events
from actalike.oddities.describe import odd_card, odd_facts, odd_frame
from actalike.support.text import restore_formula

HOSTILE = '=1+1,\n"x" ; <b>'
LOG = EventLog.from_traces([["Check", HOSTILE, "Approve"], ["Check", "Approve"]])
ODD = OddEvent(
    case="1", case_number=0, position=1, events=(1,), activity=HOSTILE, kind="early", score=9.87654, before="Check",
    after="Approve", times=1, total=2, expected=(Expected("Approve", 1, 1 / 3), Expected(None, 1, 1 / 3)), belongs=3,
)  # fmt: skip
END = replace(ODD, position=3, events=(), activity=None, kind="skipped", missing=("Pay; now", HOSTILE), belongs=None, expected=())
VALUE = replace(ODD, kind="attribute", attribute="=role", value=None, belongs=None)
AGAIN = replace(ODD, kind="repeated", belongs=None, occurs=(2, 3, 7), same_time=True)


@pytest.fixture
def rows(tmp_path):
    write_odd_events([ODD, END, VALUE, AGAIN], LOG, tmp_path / "odd.csv")
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_field_of_an_odd_event_is_in_the_file(rows):
    first, end, value, again = rows
    assert list(first) == odd_frame([], LOG).columns
    facts = {name: first[name] for name in ("score", "case", "event", "kind", "before", "after", "times", "total", "expected")}
    assert list(facts.values()) == ["9.8765", "1", "2", "early", "Check", "Approve", "1", "2", "Approve"]
    assert (first["belongs_before"], first["events"], first["case_number"], first["missing"]) == ("4", "[2]", "1", "")
    assert json.loads(first["alternatives"]) == [
        {"value": "Approve", "times": 1, "share": 0.3333},
        {"value": None, "times": 1, "share": 0.3333},
    ]
    assert (end["event"], end["activity"], end["events"], end["expected"]) == ("4", "", "", "")
    assert json.loads(end["missing"]) == ["Pay; now", HOSTILE]
    assert restore_formula(first["reason"]) == odd_sentence(ODD, LOG)
    assert (value["attribute"], value["value"]) == ("'=role", "")
    assert (again["occurs"], again["same_time"], first["occurs"], first["same_time"]) == ("[2, 3, 7]", "yes", "", "")


def test_no_spreadsheet_runs_a_label(rows):
    assert rows[0]["activity"] == f"'{HOSTILE}"


def test_the_frame_has_the_rows_of_the_file(rows):
    frame = odd_frame([ODD, END, VALUE], LOG)
    assert frame.rows(named=True)[0]["alternatives"][1] == {"value": None, "times": 1, "share": 1 / 3}
    assert frame["event"].to_list() == [row["event"] for row in odd_facts([ODD, END, VALUE], LOG)] == [2, 4, 2]
    assert odd_frame([], LOG).columns == frame.columns


def test_a_result_writes_all_its_odd_events_the_oddest_first(tmp_path):
    result = odd(EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"]]))
    result.to_csv(tmp_path / "odd.csv")
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == len(result.most(None)) == len(result.to_frame())
    assert written[0]["case"] == "201"


ORDERS = EventLog(
    ["a", "b"], [0, 1, 0, 1], [0, 2, 3, 4], ["order 1", "order 2", "order 1"],
    attributes={"org:resource": Attribute.from_texts(["Sue", "Bob", "Sue", None])},
)  # fmt: skip


def test_a_case_is_found_by_its_id_and_by_its_number():
    assert find_cases(ORDERS, "order 1") == [0, 2]
    for case, number in (("order 2", 1), (2, 2), (np.int64(1), 1)):
        assert {one.case_number for one in odd(ORDERS).explain(case)} == {number}


def test_an_unknown_case_is_an_error_that_proposes_one():
    with pytest.raises(ActalikeError, match="mean 'order 2'"):
        odd(ORDERS).explain("ordr 2")
    named = EventLog(
        ORDERS.activities, ORDERS.codes, ORDERS.offsets, ORDERS.case_ids, reading=Reading("orders.csv", "case", "activity")
    )
    with pytest.raises(ActalikeError, match="order 1"):
        find_cases(named, "x")
    for number in (-1, 3):
        with pytest.raises(ActalikeError, match=rf"no case number {number}: they go from 0 to 2"):
            odd(ORDERS).explain(number)


def test_two_cases_with_one_id_are_told_apart_by_their_numbers():
    with pytest.raises(ActalikeError, match="order 1"):
        odd(ORDERS).explain("order 1")


def test_a_long_list_of_ids_is_searched_in_a_moment():
    log = EventLog.from_traces([["a"]] * 50_000)
    with pytest.raises(ActalikeError, match="mean '49999'"):
        find_cases(log, "49999x")
    with pytest.raises(ActalikeError, match="has no case"):
        find_cases(log, "9" * 100_000)


def test_attributes_are_those_of_the_log():
    for given in (None, ["org:resource"], iter(["org:resource", "org:resource"])):
        result = odd(ORDERS, given)
        assert result.attributes + result.ignored == ("org:resource",)
    assert odd(ORDERS, []).attributes == odd(ORDERS, []).ignored == ()
    with pytest.raises(ActalikeError, match="mean 'org:resource'"):
        odd(ORDERS, attributes=["resource"])
    with pytest.raises(ActalikeError, match="read_log"):
        odd(EventLog.from_traces([["a"]]), attributes=["role"])
    for wrong in ("org:resource", b"x", 5):
        with pytest.raises(ActalikeError, match="org:resource"):
            odd(ORDERS, attributes=wrong)
    with pytest.raises(ActalikeError, match="attributes"):
        odd(ORDERS, attributes=["org:resource", 5])


def test_a_kind_is_one_of_those_that_there_are():
    check_kind(None)
    check_kind("early")
    for wrong, meant in (("skip", "skipped"), ("too early", "early")):
        with pytest.raises(ActalikeError, match=meant):
            odd(ORDERS).most(kind=wrong)


def test_wrong_numbers_cases_and_paths_are_errors_with_words(tmp_path):
    assert odd(ORDERS).most(0) == []
    for right in (None, 1, np.int64(3)):
        assert odd(ORDERS).most(right) == []
    for wrong in (1.5, "3", -1, True):
        with pytest.raises(ActalikeError, match="topn"):
            odd(ORDERS).most(wrong)
    for wrong in (1.0, True, None, b"x"):
        with pytest.raises(ActalikeError, match="is no case"):
            odd(ORDERS).explain(wrong)
    odd(ORDERS).to_csv(tmp_path / "odd.csv")
    for wrong in (None, 5, b"x"):
        with pytest.raises(ActalikeError, match="path"):
            odd(ORDERS).to_csv(wrong)


def test_of_a_frame_the_attributes_of_people_are_looked_at():
    events = {
        "case": [1, 1, 2, 2, 3, 3] * 5,
        "activity": ["a", "b"] * 15,
        "resource": ["x", "y", "x"] * 10,
        "key": ["k", "l"] * 15,
    }
    frame = pl.DataFrame(events)
    assert odd(frame).attributes == odd(frame, ["resource"]).attributes == ("resource",)
    assert odd(frame, []).attributes == ()


MARKUP = "<img src=x onerror=alert(1)> & \u202e \n"
MARKED = EventLog(
    [MARKUP, "b"], [0, 1, 1], [0, 2, 3], [MARKUP, "2"], attributes={MARKUP: Attribute.from_texts([MARKUP, None, "x"])}
)
STRANGE = OddEvent(MARKUP, 0, 1, (1,), "b", "attribute", 9.0, MARKUP, None, 1, 2, (), attribute=MARKUP, value=MARKUP)


def test_the_card_shows_the_oddest_and_labels_are_text():
    others = [replace(STRANGE, score=0.0, total=total) for total in range(3, 15)]
    html = odd_card([STRANGE, replace(STRANGE, kind="inserted"), STRANGE, *others], MARKED, [MARKUP])
    assert "<img" not in html
    assert html.count("&lt;img src=x") >= 20
    for words in (
        "15 odd places in 1 case: 1 inserted, 14 unusual attribute",
        "(and 1 more place)",
        "and 4 more reasons",
        "Rare is not wrong",
    ):
        assert words in html
    assert "2 cases, 3 events" in html


def test_a_result_shows_its_card_also_without_odd_events():
    assert "<strong>Odd events</strong>" in odd(MARKED)._repr_html_()
    assert "no odd place" in odd_card([], MARKED, [])


def test_a_result_becomes_a_frame_of_the_kind_that_was_read():
    frame = EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"]]).to_frame()
    for kind, read in (("polars", frame), ("pandas", frame.to_pandas()), ("pyarrow", frame.to_arrow())):
        result = odd(read)
        assert type(result.to_frame()) is type(read)
        assert result.to_frame("polars").equals(odd_frame(result.most(None), result.log))
        assert type(result.to_frame(kind)) is type(read)


def test_a_result_becomes_json_of_the_oddest_events_or_of_cases():
    log = EventLog(
        ["order", "check", "pay"], [0, 1, 2] * 200 + [0, 2] * 2, [*range(0, 601, 3), 602, 604], [*map(str, range(200)), "x", "x"]
    )
    result = odd(log)
    facts = result.to_dict()
    assert json.loads(json.dumps(facts)) == facts
    assert facts["schema"] == "actalike/odd/1"
    assert [one["case_number"] for one in facts["odd"]] == [201, 202]
    assert facts["found"]["places"] == len(result.most(None)) == 2
    assert len(result.to_dict(topn=1)["odd"]) == 1
    assert result.to_dict(kind="late")["odd"] == []
    both, one = result.to_dict(case="x"), result.to_dict(case=201)
    assert [case["case_number"] for case in both["cases"]] == [201, 202]
    assert [case["rank"] for case in both["cases"]] == [1, 1]
    assert (one["cases"], one["found"]["cases"]) == (both["cases"][1:], 1)
    assert one["odd"] == both["odd"][1:]
    with pytest.raises(ActalikeError, match="no case"):
        result.to_dict(case="nosuch")


def test_the_end_of_a_case_that_may_go_on_is_not_listed_as_cut():
    traces = [list("abcd")] * 300 + [list("abc")] * 2
    days = [day for start in range(300) for day in (start, start + 1, start + 2, start + 5)] + [0, 1, 2, 302, 303, 304]
    times = np.array("2024-01-01", dtype="datetime64[ns]") + np.array(days).astype("timedelta64[D]")
    log = EventLog.from_traces(traces)
    result = odd(EventLog(log.activities, log.codes, log.offsets, log.case_ids, times))
    assert [(one.case, one.missing) for one in result.most(None)] == [("301", ("d",))]
    assert result.n_open == 1
    assert next(iter(result.explain("302"))).still_open
