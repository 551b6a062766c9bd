"""Comparisons of labels and groups: against the definitions, in sentences, as a card."""

import json
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given

from actalike import ActalikeError, Attribute, EventLog, UnknownActivityError, compare, group, same_step
from actalike.demo.loan_desk import loan_desk
from actalike.grouping import judge_pair
from actalike.labels.comparison import names_of_steps
from actalike.labels.describe import comparison_sentences
from actalike.log import timeline
from tests.helpers.examples import examples
from tests.helpers.naive_uses import dated_logs, naive_contexts, naive_events, naive_together, of


@pytest.fixture(scope="module")
def desk():
    return loan_desk()


def check(log, a, b):
    comparison, events = compare(log, a, b), naive_events(log)
    for side, labels in ((comparison.a, a), (comparison.b, b)):
        assert (side.events, side.cases) == (len(of(events, labels)), len({event.case for event in of(events, labels)}))
    names = names_of_steps(same_step(log), {*a, *b}) if len(a) == len(b) == 1 else {}
    expected = naive_contexts(naive_events(log.relabel(lambda label: names.get(label, label))), a, b)
    found = [comparison.before, comparison.after, comparison.between]
    for contexts, table in zip(found, expected, strict=True):
        symbols = [context.symbols if len(context.symbols) == 2 else context.symbols[0] for context in contexts]
        counts = [(context.count_a, context.count_b) for context in contexts]
        assert dict(zip(symbols, counts, strict=True)) == table
        shares = [max(comparison.shares(context)) for context in contexts]
        assert shares == sorted(shares, reverse=True)
    overlaps = []
    for table in expected[:2]:
        totals = [sum(counts[side] for counts in table.values()) for side in (0, 1)]
        overlaps.append(sum(min(counts[0] / totals[0], counts[1] / totals[1]) for counts in table.values()))
    assert comparison.overlap == pytest.approx(min(overlaps))
    cases, instants, a_before_b, b_before_a = naive_together(events, a, b)
    instants = instants if log.timestamps is not None else None
    assert comparison.together == (cases, instants, a_before_b, b_before_a)
    for people in comparison.people:
        values = {event.people[people.attribute] for event in of(events, [*a, *b])} - {None}
        counts = {
            value: tuple(sum(event.people[people.attribute] == value for event in of(events, one)) for one in (a, b))
            for value in values
        }
        assert {value: (count_a, count_b) for value, count_a, count_b in people.values} == counts
        recorded = [sum(pair[side] for pair in counts.values()) for side in (0, 1)]
        common = sum(min(pair[0] / recorded[0], pair[1] / recorded[1]) for pair in counts.values()) if all(recorded) else None
        assert people.in_common == (None if common is None else pytest.approx(common))
    assert json.loads(json.dumps(comparison.to_dict()))["together"]["cases"] == cases
    return comparison


@examples(20)
@given(dated_logs())
def test_a_comparison_is_that_of_all_events(log):
    if len(log.activities) > 1:
        check(log, [log.activities[0]], [log.activities[-1]])
    if len(log.activities) > 3:
        check(log, log.activities[:2], log.activities[2:4])


def test_the_comparison_of_the_loan_desk_s_old_and_new_name(desk):
    comparison = check(desk, ["Pay out"], ["Transfer loan"])
    same = same_step(desk)
    pair = ("Pay out", "Transfer loan")
    assert comparison.verdict == (same.probability(*pair), same.interchangeable(*pair), "synonyms")
    assert comparison.verdict == judge_pair(desk, *pair).comparison.verdict == compare(desk, *pair, same=same).verdict
    assert next(one for one in group(desk) if set(pair) == set(one.activities)).probability == pytest.approx(
        comparison.verdict.probability
    )
    assert comparison.overlap > same.overlap("Pay out", "Transfer loan")  # words of two offices are one neighbour
    assert comparison.periods == ("a", np.datetime64("2024-03-17"), np.datetime64("2024-03-18"), True)
    weekly = timeline(desk)
    assert comparison.over_time.counts_a.tolist() == weekly.counts[desk.activities.index("Pay out")].tolist()
    turned = compare(desk, "Transfer loan", "Pay out")
    assert turned.periods.earlier == "b"
    assert [context.symbols for context in turned.only_a] == [context.symbols for context in comparison.only_b]
    assert all(context.count_a and context.count_b for context in comparison.shared)
    differences = [abs(np.subtract(*comparison.shares(context))).round(9) for context in comparison.differing]
    assert differences == sorted(differences, reverse=True)


def test_a_group_is_compared_as_its_members_together(desk):
    old, new = ["Pay out", "Query credit bureau"], ["Transfer loan", "Query credit agency"]
    comparison = check(desk, old, new)
    assert comparison.verdict is None
    assert comparison.a.name == "Pay out and 1 more"
    merged = desk.relabel(lambda label: "old" if label in old else "new" if label in new else label)
    expected = compare(merged, "old", "new")
    assert comparison.periods == expected.periods
    assert comparison.periods.replaces
    assert comparison.together.cases == expected.together.cases
    assert (comparison.a.to_previous, comparison.b.to_next) == (expected.a.to_previous, expected.b.to_next)


def test_labels_of_separate_periods_in_other_places_do_not_replace_each_other():
    days = np.arange("2024-01-01", "2024-02-20", dtype="datetime64[D]")
    traces = [["x", "a", "y"]] * 25 + [["x", "y", "b"]] * 25
    log = EventLog.from_traces(traces)
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, np.repeat(days, 3).astype("datetime64[us]"))
    periods = compare(log, "b", "a").periods
    assert (periods.earlier, periods.replaces) == ("b", False)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("a", "a", "'a' is on both sides"),
        (["a", "x"], ["y", "x"], "'x' is on both sides"),
        ([], "a", "has no label"),
        ("a", ["Y"], "No activity is called 'Y'. Did you mean 'y'?"),
        ("a", [3], "labels are texts"),
    ],
)
def test_what_cannot_be_compared_is_refused(a, b, words):
    log = EventLog.from_traces([["x", "a", "y"], ["x", "y"]])
    with pytest.raises(ActalikeError, match=words.replace("?", r"\?")) as error:
        compare(log, a, b)
    assert isinstance(error.value, UnknownActivityError) == ("No activity" in words)


def test_a_log_without_timestamps_or_people_is_compared_too():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "a", "b"]])
    comparison = check(log, ["a"], ["b"])
    assert (comparison.over_time, comparison.periods, comparison.people) == (None, None, ())
    assert comparison.together.instants is None


def test_a_side_may_be_a_group_or_texts_of_numpy():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["z", "c"]] * 20)
    (alike,) = group(log)
    assert compare(log, alike, "c").a.labels == alike.activities
    assert compare(log, "c", alike).b.labels == alike.activities
    assert repr(compare(log, np.array(["a"]), np.str_("c"))) == (
        "Comparison('a' (20 events, 20 cases), 'c' (20 events, 20 cases); 0 cases with both)"
    )
    once = compare(EventLog.from_traces([["a", "b"]]), "a", "b")
    assert repr(once) == "Comparison('a' (1 event, 1 case), 'b' (1 event, 1 case); 1 case with both)"
    assert "1 event, 1 case<" in once._repr_html_()


@pytest.mark.parametrize("side", [None, 7, [None], ["a", 7], [["a"]], b"a"], ids=repr)
def test_a_side_that_is_neither_label_nor_labels_is_refused(side):
    with pytest.raises(ActalikeError, match="comparison"):
        compare(EventLog.from_traces([["a", "b"]]), side, "b")


def test_a_comparison_says_briefly_what_it_is_of():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "c"]])
    assert repr(compare(log, "a", ["b", "c"])) == (
        "Comparison('a' (1 event, 1 case), 'b and 1 more' (3 events, 2 cases); 0 cases with both)"
    )


def test_the_data_of_a_comparison_are_plain():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "a"]])
    data = compare(log, "a", "b").to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["before"] == [{"label": "x", "count_a": 1, "count_b": 1}, {"label": "b", "count_a": 1, "count_b": 0}]
    assert data["between"][0] == {"before": "x", "after": "a", "count_a": 0, "count_b": 1}
    example = {"case": "2", "labels": ["x", "b", "a"], "marked": [1, 2], "before": 0, "after": 0, "moment": None, "position": 2}
    assert data["examples_together"] == [example]
    assert data["together"] == {"cases": 1, "instants": None, "a_before_b": 0, "b_before_a": 1, "cases_a": 2, "cases_b": 1}


@pytest.fixture(scope="module")
def words():
    return comparison_sentences(compare(loan_desk(), "Pay out", "Transfer loan"))


def test_each_subject_is_said_in_sentences(words):
    assert words.neighbours == ["No neighbour before or after them differs by 5 % of their events or more."]
    assert words.time[0] == "'Transfer loan' replaces 'Pay out' from 18 March 2024 on; 'Pay out' is used until 17 March 2024."
    assert words.time[1] == (
        "Time from the step before, median and quartiles: 'Pay out' 2.0 h (29 min to 5.0 h), 'Transfer loan' 2.0 h (18 min to 4.6 h)."
    )
    assert words.people[0] == ("org:group: 95 % in common; both most often by 'North' (60 % and 55 % of their events).")
    assert words.cases == ["They are never in the same case."]
    assert words.examples[0].startswith("Case L-0001 with 'Pay out': … → ")


def dated(traces, days, users=None):
    log = EventLog.from_traces(traces)
    attributes = {} if users is None else {"User": Attribute.from_texts(users), "Clerk": Attribute.from_texts(users)}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, np.array(days, dtype="datetime64[D]"), None, attributes)


def test_what_happens_together_and_at_the_ends_of_cases_is_said():
    days = ["2024-01-01", "2024-01-02", "2024-01-02", "2024-01-01", "2024-05-02"]
    words = comparison_sentences(compare(dated([["a", "b", "b"], ["b", "c"]], days), "a", "b"))
    assert words.neighbours[0] == "'a' begins the case in 100 % of its events, 'b' in 33 %."
    assert words.cases == [
        "They share 1 case (100 % of those of 'a', 50 % of those of 'b'); 'a' is directly before 'b' once, directly after it never; "
        "at the same instant never."
    ]
    assert words.examples[-1] == "Case 1 with both: [a] → [b] → b"
    assert (
        words.time[0] == "'a' is used in the week of 1 January 2024, 'b' in the week of 1 January 2024."
        or "Both" in words.time[0]
    )


def test_people_are_named_once_if_two_attributes_say_the_same():
    days = ["2024-01-01"] * 4
    words = comparison_sentences(compare(dated([["a", "b"], ["a", "b"]], days, ["Sue", "Bob", None, "Bob"]), "a", "b"))
    assert words.people == ["User, Clerk: 0 % in common; 'a' most often by 'Sue' (100 %), 'b' by 'Bob' (100 %)."]
    words = comparison_sentences(compare(dated([["a", "b"], ["a", "b"]], days, ["Sue", None, None, None]), "a", "b"))
    assert words.people == ["User, Clerk: it is not recorded for 'b'."]


def test_equal_labels_have_no_difference():
    words = comparison_sentences(compare(EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]]), "a", "b"))
    assert words.neighbours == ["They have the same neighbours in the same shares of their events."]
    assert words.time == words.people == []


def test_labels_of_one_case_that_never_touch_are_said_to():
    words = comparison_sentences(compare(EventLog.from_traces([["a", "x", "b"]]), "a", "b"))
    assert words.cases == [
        "They share 1 case (100 % of those of 'a', 100 % of those of 'b'); they never directly follow each other."
    ]


HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"


def test_what_a_log_contains_is_escaped_in_the_card():
    log = EventLog.from_traces([[HOSTILE, "a" + HOSTILE], [HOSTILE, "b" + HOSTILE]])
    users = {"User" + HOSTILE: Attribute.from_texts([HOSTILE] * 4), "User": Attribute.from_texts([HOSTILE, "x", "y", "z"])}
    days = np.arange("2024-01-01", "2024-01-05", dtype="datetime64[D]")
    log = EventLog(log.activities, log.codes, log.offsets, [HOSTILE, HOSTILE + "2"], days, attributes=users)
    html = compare(log, "a" + HOSTILE, "b" + HOSTILE)._repr_html_()
    assert "<img" not in html
    assert "&lt;img src=x" in html
    assert "<bdi>" in html


def test_the_card_has_bars_a_picture_of_time_and_the_sentences():
    html = compare(loan_desk(), "Customer declines", "Offer expires")._repr_html_()
    opened = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attributes):
            opened.append(tag)

    Parser().feed(html)
    assert opened.count("rect") > 20
    assert opened.count("tr") > 8
    assert "They are never in the same case." in html
    assert "and 1 more" not in html or "more</td>" in html
