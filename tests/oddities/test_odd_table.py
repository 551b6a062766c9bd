"""Test the table of odd events."""

import csv
import json
from dataclasses import replace

import pytest

from actalike import EventLog, Expected, OddEvent, odd
from actalike.oddities import OddRow, odd_rows, odd_sentence, write_odd_events
from actalike.oddities.odd_table import odd_frame
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
    assert tuple(first) == OddRow._fields
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
    assert tuple(frame.columns) == OddRow._fields
    assert frame.rows(named=True)[0]["alternatives"][1] == {"value": None, "times": 1, "share": 1 / 3}
    assert frame["event"].to_list() == [row.event for row in odd_rows([ODD, END, VALUE], LOG)] == [2, 4, 2]
    assert odd_frame([], LOG).shape == (0, len(OddRow._fields))


def test_a_result_writes_all_its_odd_events_the_oddest_first(tmp_path):
    result = odd(EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"]]))
    result.to_csv(tmp_path / "odd.csv")
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == len(result.most(None)) == len(result.to_frame())
    assert written[0]["case"] == "201"
