"""The intervals of similarities, as the commands show them."""

import numpy as np

from actalike import Embedding, EventLog, embed
from actalike.cli.pairs import find_intervals, interval_facts, interval_words
from actalike.embedding import Confidence
from tests.helpers.commands import refuses

JUDGED = Confidence(0.9, 0.84, 0.951, (40, 1700))
RARE = Confidence(0.9, None, None, (4000, 1))
LOG = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 5)
PAIRS = [("a", "b"), ("x", "y")]


def test_an_interval_in_words():
    assert interval_words(JUDGED) == ", 95 % interval 0.840 to 0.951 (cases resampled)"
    assert interval_words(RARE) == ", but that is too rare to judge: they are in 4,000 and 1 cases"
    assert interval_words(None) == ""


def test_an_interval_as_data():
    assert interval_facts(JUDGED) == {"low": 0.84, "high": 0.951, "cases": (40, 1700), "too_rare": False}
    assert interval_facts(RARE) == {"low": None, "high": None, "cases": (4000, 1), "too_rare": True}
    assert interval_facts(None) == {"low": None, "high": None, "cases": None, "too_rare": None}


def test_intervals_are_those_of_the_embedding(capsys):
    assert find_intervals(embed(LOG), PAIRS, 20) == embed(LOG).confidences(PAIRS, 20)
    assert capsys.readouterr() == ("", "")


def test_intervals_that_were_not_validated_come_with_a_note(capsys):
    find_intervals(embed(LOG, "ac-sequence-pmi-w3"), PAIRS, 20)
    assert "the intervals of ac-sequence-pmi-w3 may be too narrow" in capsys.readouterr().err


def test_without_cases_or_resamples_there_is_no_interval_and_no_note(capsys):
    assert find_intervals(embed(LOG, "ac-sequence-pmi-w3"), PAIRS, 0) == [None, None]
    assert find_intervals(Embedding(["a", "b"], np.eye(2)), [("a", "b")], 100) == [None]
    assert capsys.readouterr() == ("", "")


def test_a_negative_number_of_resamples_is_refused(log):
    refuses("similar", log, "--resamples", -1)
