"""Printing odd events."""

from dataclasses import replace

import numpy as np
import pytest

from actalike import EventLog, OddEvent, odd
from actalike.cli.odd_output import case_facts, print_case, print_left_out, print_odd_events, print_oddest_case

LOG = EventLog.from_traces([["a", "b"] * 100, ["a", "c"], ["a", "b"]])
ODD = OddEvent("1", 0, 100, (100,), "a", "repeated", 12.25, "b", "b", 1, 9, (), context=("b",), seam=100)


def test_odd_events_for_one_reason_are_one_entry(capsys):
    events = [
        *(replace(ODD, position=number, events=(number,)) for number in range(100, 112, 2)),
        replace(ODD, total=10, score=3.0),
    ]
    print_odd_events(events, events, LOG, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "7 odd places in 1 case: 7 repeated. Looked at: 204 events of 3 cases.", "",
        "12.2  case 1, event 101: repeated", "      'a' is repeated: after 'b' comes 'a' in 1 of 9",
        "      also case 1, event 103; case 1, event 105; case 1, event 107; and 2 more", "",
        "and 1 more odd place for 1 more reason: --top, or -o FILE", "",
        "A case, event by event: --explain 1", "",
    ]  # fmt: skip
    print_odd_events([], [], LOG, 1)
    assert capsys.readouterr().out == "No odd place. Looked at: 204 events of 3 cases.\n\n"
    print_odd_events([], [ODD], LOG, 1)
    assert capsys.readouterr().out.startswith(
        "No odd place of this kind; of other kinds 1 odd place in 1 case: 1 repeated. Looked"
    )


class Given:
    """Stands for :class:`actalike.Oddities` with some places that are given by hand."""

    log = LOG

    def __init__(self, explained, listed=(), score=9.0, left_out=(0, 0)):
        self.explained, self.listed, self.score = explained, listed, score
        self.left_out_same_time, self.left_out_unseen = left_out

    def explain(self, case):
        return [one for one in self.explained if one.case_number == case]

    def most(self, topn):
        return list(self.listed)

    def case_scores(self):
        return np.array([self.score, 0.0, 0.0])


def test_of_a_long_case_the_odd_places_are_shown_with_what_is_around_them(capsys):
    at_the_end = replace(ODD, position=200, events=(), activity=None, kind="skipped", missing=("c",))
    result = Given([ODD, at_the_end, ODD], [ODD])
    print_case(result, 0, None, 2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("case 1: 200 events, score ")
    assert [line.split()[0] for line in lines[2:-1]] == [
        "1", "...", "99", "100", "101", "12.2", "102", "103", "...", "199", "200", "12.2", "and",
    ]  # fmt: skip
    assert lines[-2] == "and 1 more place: --top"
    print_case(result, 1, None, 2)
    assert capsys.readouterr().out.endswith("\n1  a\n2  c\nnothing is odd about it: no place has a score of 4.6 or more\n\n")


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (Given([ODD], [ODD]), "no place of this kind is odd; 1 of another kind: show all without --kind"),
        (Given([replace(ODD, score=3.0)]), "no single place is odd: several that are less odd add up to the score of the case"),
        (Given([replace(ODD, score=3.0)], score=3.0), "nothing is odd about it: no place has a score of 4.6 or more"),
        (Given([ODD]), "nothing is odd about it: its company was seen too seldom to say what is usual"),
        (
            Given([replace(ODD, kind="late", same_time=True, belongs=98)]),
            "nothing is odd about it: events with the same time have no order that could be wrong",
        ),
    ],
)
def test_it_is_said_why_no_place_of_a_case_is_odd(capsys, result, verdict):
    print_case(result, 0, "inserted", 5)
    assert capsys.readouterr().out.splitlines()[-2] == verdict


def test_what_is_left_out_is_counted_and_only_cases_that_differ_have_an_oddest(capsys):
    print_left_out(Given([], left_out=(1, 2)))
    print_left_out(Given([]))
    print_oddest_case(Given([]))
    print_oddest_case(Given([], score=0.0))
    assert capsys.readouterr().out == (
        "Left out: 1 place for the order of events with the same time and 2 places in a company that was seen fewer than 20 times. "
        "--explain shows them.\n\nThe oddest case is 1: --explain 1\n\n"
    )


def test_the_facts_of_a_case_have_its_score_and_its_place():
    facts = case_facts(odd(LOG), range(3))
    assert [one["events"] for one in facts[1:]] == [["a", "c"], ["a", "b"]]
    assert sorted(one["rank"] for one in facts)[0] == 1
    assert max(facts, key=lambda one: one["score"])["rank"] == 1
