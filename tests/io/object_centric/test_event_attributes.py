"""Attributes of events are kept if they are wanted; for a look, those of the first events."""

import pytest

from actalike import ActalikeError, LogError
from actalike.io.object_centric import event_attributes
from actalike.io.object_centric.event_attributes import EventAttributes, SampledAttributes


def place(event):
    return f"event {event + 1}"


def test_an_attribute_that_an_event_has_twice_is_left_out_of_people(tmp_path):
    attributes = EventAttributes(tmp_path, "people")
    for name, event in [("user", 0), ("user", 0), ("team", 1), ("colour", 1)]:
        if attributes.wants(name):
            attributes.add(event, name, "x")
    assert list(attributes.attributes(3, place)) == ["team"]
    assert attributes.attributes(3, place)["team"].texts() == [None, "x", None]


def test_too_many_attributes_of_people_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(event_attributes, "_MOST_PEOPLE", 2)
    attributes = EventAttributes(tmp_path, "people")
    assert all(map(attributes.wants, ("user", "team")))
    with pytest.raises(LogError, match="more than 2 attributes whose names are usual for people"):
        attributes.wants("role")


def test_an_attribute_with_missing_values_only_is_there(tmp_path):
    attributes = EventAttributes(tmp_path, ["note"])
    assert attributes.wants("note")
    assert attributes.attributes(2, place)["note"].texts() == [None, None]


def test_more_distinct_values_than_fit_into_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(event_attributes, "_VALUES_AT_A_TIME", 10)
    monkeypatch.setenv("ACTALIKE_MEMORY", "70MB")
    attributes = EventAttributes(tmp_path, ["note"])

    def add_many():
        for event in range(200):
            attributes.add(event, "note", f"{event}" + "x" * (1 << 19))

    with pytest.raises(ActalikeError, match=r"the attribute 'note' has .* distinct values already"):
        add_many()


def test_a_sample_is_bounded():
    sample = SampledAttributes(2, 1)
    assert [sample.wants(name) for name in ("a", "b", "a")] == [True, False, True]
    for event in range(4):
        sample.add(event, "a", "long" * 1000)
    assert list(sample.events) == [0, 1]
    assert len(sample.events[0]["a"]) < 300
    assert sample.left_out == {"b"}
