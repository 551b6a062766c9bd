import numpy as np

from actalike.log.attributes import Attribute
from actalike.log.event_log import EventLog
from actalike.log.label_names import SECOND_NAME, name_attribute, renamed_names


def test_labels_without_a_second_name_have_none_as_an_attribute():
    codes = np.array([0, 1, 2, 1], dtype=np.int32)
    assert name_attribute({"a": "x", "c": "x"}, ["a", "b", "c"], codes)[SECOND_NAME].texts() == ["x", None, "x", None]
    assert name_attribute({}, ["a"], codes) == {}


def test_an_attribute_that_is_called_so_already_is_written_as_it_is():
    own = {SECOND_NAME: Attribute.from_texts(["mine"])}
    log = EventLog(["a"], [0], [0, 1], ["1"], attributes=own, names={"a": "other"})
    assert log.attributes_with_names() == own


def test_of_equally_frequent_labels_the_first_gives_its_name():
    assert renamed_names({"a": "1", "b": "2"}, ["a", "b"], ["x", "x"], np.array([3, 3])) == {"x": "1"}
    assert renamed_names({"a": "1", "b": "2"}, ["a", "b"], ["b", "b"], np.array([9, 3])) == {"b": "2"}
