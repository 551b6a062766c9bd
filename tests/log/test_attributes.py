"""Attributes of events: coded, checked, people recognised by their names; second names of labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, LogError
from actalike.log import names_people
from actalike.log.attributes import SECOND_NAME, canonical, name_attribute, renamed_names
from tests.helpers.strategies import any_text

texts = st.lists(st.none() | any_text, min_size=1, max_size=20)


@given(texts)
def test_texts_come_back_as_they_were_given(given_texts):
    attribute = Attribute.from_texts(given_texts)
    assert attribute.texts() == given_texts
    assert attribute.values == sorted(set(given_texts) - {None})
    assert attribute.codes.dtype == np.int32


@given(texts, st.randoms(use_true_random=False))
def test_values_may_be_given_in_any_order_repeated_and_unused(given_texts, random):
    present = [text for text in given_texts if text is not None]
    values = [*present, "unused", *present]
    places = [[i for i, value in enumerate(values) if value == text] for text in given_texts]
    codes = [-1 if text is None else random.choice(place) for text, place in zip(given_texts, places, strict=True)]
    expected = Attribute.from_texts(given_texts)
    assert canonical(values, np.array(codes)) == expected
    log = EventLog(["a"], [0] * len(codes), [0, len(codes)], ["1"], attributes={"x": Attribute(values, np.array(codes))})
    assert log.attributes["x"] == expected
    chosen = np.array([random.random() < 0.5 for _ in codes])
    kept = [text for text, keep in zip(given_texts, chosen, strict=True) if keep]
    assert expected.at(chosen) == Attribute.from_texts(kept)


def test_attributes_are_equal_by_content():
    one = Attribute.from_texts(["a", None])
    assert one == Attribute.from_texts(["a", None])
    assert one != Attribute.from_texts(["a", "a"])
    assert one != Attribute.from_texts([None, "a"])
    assert one != Attribute.from_texts(["b", None])


@pytest.mark.parametrize(
    ("attribute", "words"),
    [
        (Attribute(["x"], np.array([0])), "codes"),
        (Attribute(["x"], np.array([0, 1])), "positions"),
        (Attribute(["x"], np.array([0, -2])), "positions"),
        (Attribute(["x"], np.array([0.0, 0.5])), "positions"),
        (Attribute([7], np.array([0, 0])), "value"),
        (Attribute(["\ud800"], np.array([0, 0])), "surrogate"),
    ],
)
def test_an_attribute_that_does_not_fit_the_log_is_refused(attribute, words):
    with pytest.raises(LogError, match=words):
        EventLog(["a"], [0, 0], [0, 2], ["1"], attributes={"user": attribute})
    with pytest.raises(LogError, match="surrogate"):
        EventLog(["a"], [0], [0, 1], ["1"], attributes={"\ud800": Attribute.from_texts(["x"])})


def test_the_usual_names_of_people_are_recognised_however_they_are_spelt():
    usual = [
        "org:resource",
        "ORG_GROUP",
        "org.role",
        "Resource",
        "User ID",
        "user_name",
        "Employee",
        "performer",
        "agent",
        "owner",
    ]
    usual += ["Organisation", "organization", "Department", "team", "Group", "Benutzer", "Bearbeiter", "Sachbearbeiter"]
    usual += ["Mitarbeiter-ID", "Abteilung", "Zuständiger", "medewerker", "Afdeling"]
    assert [name for name in usual if not names_people(name)] == []
    others = [
        "concept:name",
        "amount",
        "userdata",
        "case:owner",
        "grouping",
        "",
        "org:",
        "time:timestamp",
        "lifecycle:transition",
    ]
    assert [name for name in others if names_people(name)] == []


def test_labels_without_a_second_name_have_none_as_an_attribute():
    codes = np.array([0, 1, 2, 1], dtype=np.int32)
    assert name_attribute({"a": "x", "c": "x"}, ["a", "b", "c"], codes)[SECOND_NAME].texts() == ["x", None, "x", None]
    assert name_attribute({}, ["a"], codes) == {}


def test_an_attribute_that_is_called_so_already_must_hold_the_same():
    own = {SECOND_NAME: Attribute.from_texts(["mine"])}
    assert EventLog(["a"], [0], [0, 1], ["1"], attributes=own, names={"a": "mine"}).attributes_with_names() == own
    with pytest.raises(LogError, match="rename"):
        EventLog(["a"], [0], [0, 1], ["1"], attributes=own, names={"a": "other"}).attributes_with_names()


def test_of_equally_frequent_labels_the_first_gives_its_name():
    assert renamed_names({"a": "1", "b": "2"}, ["a", "b"], ["x", "x"], np.array([3, 3])) == {"x": "1"}
    assert renamed_names({"a": "1", "b": "2"}, ["a", "b"], ["b", "b"], np.array([9, 3])) == {"b": "2"}
