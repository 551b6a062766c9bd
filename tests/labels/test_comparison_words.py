"""The sentences of a comparison."""

import numpy as np
import pytest

from actalike import Attribute, EventLog, compare
from actalike.demo.loan_desk import loan_desk
from actalike.labels.describe import comparison_sentences


@pytest.fixture(scope="module")
def words():
    return comparison_sentences(compare(loan_desk(), "Pay out", "Transfer loan"))


def test_each_subject_is_said_in_sentences(words):
    assert words.neighbours[0] == "'Pay out' is followed by 'Close file' in 59 % of its events, 'Transfer loan' in 51 %."
    assert words.time[0].startswith("'Transfer loan' replaces 'Pay out' from 22 March 2024 on; 'Pay out' is used until 13 March")
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
