"""The command odd."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from actalike import Attribute, EventLog, OddEvent, odd, read_log, write_log
from actalike.cli.odd import _print_case, _print_odd_events
from actalike.oddities import KINDS, SCORE_WORDS
from tests.helpers.commands import fails, ok, run

TRACES = [["order", "check", "pay"]] * 200 + [["order", "pay"], ["order", "check", "check", "pay"]]
HOSTILE = "\x1b[31m\u202e\n<b>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    log = EventLog.from_traces(TRACES)
    people = {"org:resource": Attribute.from_texts(["Sue"] * (log.n_events - 1) + ["Bob"])}
    write_log(EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=people), folder / "orders.csv")
    write_log(EventLog(["a", "b"], [0, 1, 0, 1], [0, 2, 3, 3, 4], ["x", "x", "none", "3"]), folder / "twice.xes")
    return folder


def test_the_oddest_events_are_listed_with_their_reasons(folder):
    text = ok("odd", folder / "orders.csv", "--attributes", "", "--top", 1)
    first, _, entry, reason, *_ = text.splitlines()
    assert " odd place" in first
    assert first.endswith(". Looked at: 606 events of 202 cases.")
    assert "  case 20" in entry
    assert re.search(r"\d+ of \d+", reason)
    assert text.splitlines()[-3].startswith("A case, event by event: --explain 20")
    assert text.splitlines()[-1] == SCORE_WORDS


def test_the_file_has_all_odd_events_and_the_screen_says_so(folder, tmp_path):
    text = ok("odd", folder / "orders.csv", "--top", 1, "-o", tmp_path / "odd.csv")
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert f"odd.csv has {len(rows):,} odd place" in text
    facts = json.loads(ok("odd", folder / "orders.csv", "--json", "--top", 2))
    assert [one["case"] for one in facts["odd"]] == [row["case"] for row in rows[:2]]
    assert facts["odd"][0]["reason"] == rows[0]["reason"]
    assert facts["attributes"] == ["org:resource"]
    assert facts["read"]["cases"] == 202
    assert facts["summary"] in text
    assert (facts["found"]["places"], facts["found"]["cases"]) == (len(rows), len({row["case"] for row in rows}))
    assert sum(facts["found"]["kinds"].values()) == len(rows)
    assert facts["left_out"] == {"same_time": 0, "open": 0, "unseen": 0}
    told = odd(read_log(folder / "orders.csv", attributes=["org:resource"])).to_dict(2)
    assert told | {name: facts[name] for name in ("output", "read")} == facts


def test_a_kind_can_be_chosen(folder):
    assert "|".join(KINDS) in "".join(ok("odd", "--help").split())
    for kind in KINDS:
        facts = json.loads(ok("odd", folder / "orders.csv", "--kind", kind, "--json"))
        assert {one["kind"] for one in facts["odd"]} <= {kind}
    assert ". Did you mean 'early'?\n" in fails("odd", folder / "orders.csv", "--kind", "too early")
    text = ok("odd", folder / "orders.csv", "--attributes", "", "--kind", "late")
    assert re.match(r"No odd place of this kind; of other kinds \d odd places? in ", text)
    assert "oddest case" not in text
    text = ok("odd", folder / "orders.csv", "--attributes", "", "--explain", "201", "--kind", "late")
    assert "\nno place of this kind is odd; 1 of another kind: show all without --kind\n" in text


def test_a_case_is_explained_event_by_event(folder):
    text = ok("odd", folder / "orders.csv", "--explain", "201")
    assert text.startswith("case 201: 2 events, score ")
    assert "\n1  order\n" in text
    assert "\n2  pay\n" in text
    (case,) = json.loads(ok("odd", folder / "orders.csv", "--explain", "201", "--json"))["cases"]
    assert (case["case_number"], case["events"]) == (201, ["order", "pay"])
    assert case["score"] > 4.6
    assert case["rank"] in (1, 2)
    written = ok("odd", folder / "orders.csv", "--explain", "201", "-o", folder / "one.csv")
    assert "one.csv has what is shown here: " in written
    rows = csv.DictReader((folder / "one.csv").read_text(encoding="utf-8").splitlines())
    assert {row["case"] for row in rows} == {"201"}
    assert "has no case '2011'. Did you mean" in fails("odd", folder / "orders.csv", "--explain", "2011")


def test_a_log_without_odd_events_names_its_oddest_case(folder):
    text = ok("odd", folder / "twice.xes")
    assert text.startswith("No odd place. Looked at: 4 events of 4 cases.\n\nThe oddest case is ")
    assert ": --explain " in text
    write_log(EventLog.from_traces([["a", "b", "c"]] * 30), folder / "equal.csv")
    assert "oddest" not in ok("odd", folder / "equal.csv")


def test_all_cases_with_an_id_are_explained(folder):
    text = ok("odd", folder / "twice.xes", "--explain", "x")
    assert "case x (number 1 of the log): 2 events" in text
    assert "case x (number 2 of the log): 1 event, " in text
    assert "case none: 0 events, score " in ok("odd", folder / "twice.xes", "--explain", "none")


def test_wrong_calls_are_one_line(folder):
    assert "has no column 'resource' (given as an attribute). Did you mean 'org:resource'?" in fails(
        "odd", folder / "orders.csv", "--attributes", "resource"
    )
    assert "CSV" in fails("odd", folder / "orders.csv", "-o", folder / "odd.txt")


def test_the_file_of_an_event_is_no_attribute_to_look_at(folder, tmp_path):
    for name in ("one.csv", "two.csv"):
        Path(tmp_path / name).write_text("case,activity,role\n1,a,x\n1,b,y\n", encoding="utf-8")
    assert json.loads(ok("odd", tmp_path, "--cases", "separate", "--json"))["attributes"] == ["role"]


def test_an_attribute_that_says_nothing_is_named(tmp_path):
    rows = [f"{case},{label},{case}{label}" for case in range(20) for label in "ab"]
    Path(tmp_path / "log.csv").write_text("\n".join(["case,activity,key", *rows]), encoding="utf-8")
    done = run("odd", tmp_path / "log.csv", "--attributes", "key")
    assert "\nactalike: key is not looked at: nearly every event has another value of it" in done.stderr
    assert done.returncode == 0


LOG = EventLog.from_traces([["a", "b"] * 100, ["a", "c"], ["a", "b"]])
ODD = OddEvent("1", 0, 100, (100,), "a", "repeated", 12.25, "b", "b", 1, 9, (), context=("b",), seam=100)


class Given:
    """Stands for :class:`actalike.Oddities` with some places that are given by hand."""

    log, variants = LOG, None

    def __init__(self, explained, listed=(), score=9.0, left_out=(0, 0)):
        self.explained, self.listed, self.score = explained, listed, score
        self.n_same_time, self.n_low_support = left_out
        self.n_open = 0

    def explain(self, case):
        return [one for one in self.explained if one.case_number == case]

    def most(self, topn):
        return list(self.listed)

    def case_scores(self):
        return np.array([self.score, 0.0, 0.0])

    def probabilities(self):
        return np.array([0.25, 0.0, 0.0])

    @property
    def called(self):
        return self.case_scores() > 0

    def rank(self, case_number):
        return case_number + 1


def show(events, listed, top):
    """Print some of the places that are listed."""
    _print_odd_events(Given([], listed, 0.0), events, None, top)


def test_odd_events_for_one_reason_are_one_entry(capsys):
    events = [
        *(replace(ODD, position=number, events=(number,)) for number in range(100, 112, 2)),
        replace(ODD, total=10, score=3.0),
    ]
    show(events, events, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "7 odd places in 1 case: 7 repeated. Looked at: 204 events of 3 cases.", "",
        "12.2  case 1, event 101: repeated (0 % probable)", "      'a' is repeated: after 'b', 'a' follows in 1 of 9",
        "      also case 1, event 103; case 1, event 105; case 1, event 107; and 2 more", "",
        "and 1 more odd place for 1 more reason: --top, or -o FILE", "",
        "A case, event by event: --explain 1", "",
    ]  # fmt: skip
    show([], [], 1)
    assert capsys.readouterr().out == "No odd place. Looked at: 204 events of 3 cases.\n\n"
    show([], [ODD], 1)
    assert capsys.readouterr().out.startswith(
        "No odd place of this kind; of other kinds 1 odd place in 1 case: 1 repeated. Looked"
    )


def test_of_a_long_case_the_odd_places_are_shown_with_what_is_around_them(capsys):
    at_the_end = replace(ODD, position=200, events=(), activity=None, kind="skipped", missing=("c",))
    result = Given([ODD, at_the_end, ODD], [ODD])
    _print_case(result, 0, None, 2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("case 1: 200 events, score ")
    assert [line.split()[0] for line in lines[2:-1]] == [
        "1", "...", "99", "100", "101", "12.2", "102", "103", "...", "199", "200", "12.2", "and",
    ]  # fmt: skip
    assert lines[-2] == "and 1 more place: --top"
    _print_case(result, 1, None, 2)
    assert capsys.readouterr().out.endswith("\n1  a\n2  c\nnothing is odd about it: no place has a score of 4.6 or more\n\n")


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (Given([ODD], [ODD]), "no place of this kind is odd; 1 of another kind: show all without --kind"),
        (Given([replace(ODD, score=3.0)]), "no single place is odd: several that are less odd add up to the score of the case"),
        (Given([replace(ODD, score=3.0)], score=3.0), "nothing is odd about it: no place has a score of 4.6 or more"),
        (Given([ODD]), "nothing is odd about it: its context was seen too rarely to say what is usual"),
        (
            Given([replace(ODD, kind="late", same_time=True, belongs=98)]),
            "nothing is odd about it: events with the same time have no order that could be wrong",
        ),
    ],
)
def test_it_is_said_why_no_place_of_a_case_is_odd(capsys, result, verdict):
    _print_case(result, 0, "inserted", 5)
    assert capsys.readouterr().out.splitlines()[-2] == verdict


def test_what_is_left_out_is_counted_and_only_cases_that_differ_have_an_oddest(capsys):
    def said(result, kind=None):
        _print_odd_events(result, [], kind, 1)
        return capsys.readouterr().out.split("\n\n", 1)[1]

    oddest = "The oddest case is 1: --explain 1\n\n"
    assert said(Given([], left_out=(1, 2))) == (
        "Left out: 1 place for the order of events with the same time and 2 places in contexts seen fewer than 20 times. "
        f"--explain shows them.\n\n{oddest}"
    )
    assert said(Given([], left_out=(1, 2)), "late") == said(Given([])) == oddest
    assert said(Given([], score=0.0)) == ""
