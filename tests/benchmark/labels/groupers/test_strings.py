import pytest

from actalike.benchmark.labels.groupers.strings import JaroWinkler, Levenshtein, Spelling, TfIdf, Trigrams
from actalike.log import EventLog

LOG = EventLog.from_traces([["Pay out", "Pay uot", "pay out!", "Close the file", "Close the file (2)", "Close the file (23)"]])


@pytest.mark.parametrize("grouper", [Levenshtein, JaroWinkler, Trigrams, TfIdf])
def test_slips_of_one_label_are_proposed(grouper):
    fitted = grouper().fit(LOG)
    assert ("Pay out", "Pay uot") in fitted.groups_ or ("Pay out", "pay out!") in fitted.groups_
    assert fitted.reads_labels


def test_a_distance_of_two_is_near_enough():
    assert Levenshtein().fit(EventLog.from_traces([["a", "abc", "abcd"]])).groups_ == [("a", "abc"), ("abc", "abcd")]


def test_trigrams_are_joined_by_way_of_others():
    groups = Trigrams().fit(LOG).groups_
    assert ("Close the file", "Close the file (2)", "Close the file (23)") in groups


def test_a_measure_must_be_named():
    with pytest.raises(TypeError, match="abstract"):
        Spelling()
