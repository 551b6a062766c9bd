import numpy as np
import pytest

from actalike.errors import LogError
from actalike.log.attributes import Attribute
from actalike.log.event_log import EventLog
from actalike.log.label_names import SECOND_NAME, name_attribute, renamed_names


def test_labels_without_a_second_name_have_none_as_an_attribute():
    codes = np.array([0, 1, 2, 1], dtype=np.int32)
    assert name_attribute({"a": "x", "c": "x"}, ["a", "b", "c"], codes)[SECOND_NAME].texts() == ["x", None, "x", None]
    assert name_attribute({}, ["a"], codes) == {}


def test_an_attribute_that_is_called_so_already_must_hold_the_same():
    own = {SECOND_NAME: Attribute.from_texts(["mine"])}
    assert EventLog(["a"], [0], [0, 1], ["1"], attributes=own, names={"a": "mine"}).attributes_with_names() == own
    with pytest.raises(LogError, match="rename the attribute"):
        EventLog(["a"], [0], [0, 1], ["1"], attributes=own, names={"a": "other"}).attributes_with_names()


def test_of_equally_frequent_labels_the_first_gives_its_name():
    assert renamed_names({"a": "1", "b": "2"}, ["a", "b"], ["x", "x"], np.array([3, 3])) == {"x": "1"}
    assert renamed_names({"a": "1", "b": "2"}, ["a", "b"], ["b", "b"], np.array([9, 3])) == {"b": "2"}
