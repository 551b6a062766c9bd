"""Test what is said of cases, attributes and kinds that there are not."""

import numpy as np
import polars as pl
import pytest

from actalike import ActalikeError, Attribute, EventLog, odd
from actalike.log import Reading
from actalike.oddities.odd_arguments import (
    attribute_names,
    cases_called,
    check_attributes,
    check_kind,
    check_path,
    check_topn,
    number_of_case,
)

LOG = EventLog(
    ["a", "b"], [0, 1, 0, 1], [0, 2, 3, 4], ["order 1", "order 2", "order 1"],
    attributes={"org:resource": Attribute.from_texts(["Sue", "Bob", "Sue", None])},
)  # fmt: skip


def test_a_case_is_found_by_its_id_and_by_its_number():
    assert number_of_case(LOG, "order 2") == 1
    assert number_of_case(LOG, 2) == 2
    assert cases_called(LOG, "order 1") == [0, 2]
    assert {one.case_number for one in odd(LOG).explain(2)} == {2}


def test_an_unknown_case_is_an_error_that_proposes_one():
    with pytest.raises(ActalikeError, match="mean 'order 2'"):
        odd(LOG).explain("ordr 2")
    named = EventLog(LOG.activities, LOG.codes, LOG.offsets, LOG.case_ids, reading=Reading("orders.csv", "case", "activity"))
    with pytest.raises(ActalikeError, match="order 1"):
        cases_called(named, "x")
    for number in (-1, 3):
        with pytest.raises(ActalikeError, match=rf"no case number {number}: they go from 0 to 2"):
            number_of_case(LOG, number)


def test_two_cases_with_one_id_are_told_apart_by_their_numbers():
    with pytest.raises(ActalikeError, match="order 1"):
        odd(LOG).explain("order 1")


def test_a_long_list_of_ids_is_searched_in_a_moment():
    log = EventLog.from_traces([["a"]] * 50_000)
    with pytest.raises(ActalikeError, match="mean '49999'"):
        cases_called(log, "49999x")
    with pytest.raises(ActalikeError, match="has no case"):
        cases_called(log, "9" * 100_000)


def test_attributes_are_those_of_the_log():
    assert check_attributes(LOG, None) == check_attributes(LOG, ["org:resource"]) == ["org:resource"]
    assert attribute_names(iter(["role", "role"])) == ["role"]
    assert attribute_names(None) is None
    assert check_attributes(LOG, []) == []
    with pytest.raises(ActalikeError, match="mean 'org:resource'"):
        odd(LOG, attributes=["resource"])
    with pytest.raises(ActalikeError, match="read_log"):
        odd(EventLog.from_traces([["a"]]), attributes=["role"])
    for wrong in ("org:resource", b"x", 5):
        with pytest.raises(ActalikeError, match="org:resource"):
            odd(LOG, attributes=wrong)
    with pytest.raises(ActalikeError, match="attributes"):
        odd(LOG, attributes=["org:resource", 5])


def test_a_kind_is_one_of_those_that_there_are():
    check_kind(None)
    check_kind("early")
    for wrong, meant in (("skip", "skipped"), ("too early", "early")):
        with pytest.raises(ActalikeError, match=meant):
            odd(LOG).most(kind=wrong)


def test_wrong_numbers_cases_and_paths_are_errors_with_words(tmp_path):
    assert odd(LOG).most(0) == []
    for right in (None, 1, np.int64(3)):
        check_topn(right)
    for wrong in (1.5, "3", -1, True):
        with pytest.raises(ActalikeError, match="topn"):
            odd(LOG).most(wrong)
    assert number_of_case(LOG, np.int64(1)) == 1
    for wrong in (1.0, True, None, b"x"):
        with pytest.raises(ActalikeError, match=r" is no case: give the id of one, a text, or its number in the log, from 0\.$"):
            odd(LOG).explain(wrong)
    check_path(tmp_path)
    for wrong in (None, 5, b"x"):
        with pytest.raises(ActalikeError, match="path"):
            odd(LOG).to_csv(wrong)


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
