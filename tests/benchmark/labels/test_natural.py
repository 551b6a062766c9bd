import numpy as np
import pytest

from actalike import read_log
from actalike.benchmark.labels.natural import NAME_ATTRIBUTE, natural_synonyms, synonym_scores
from actalike.log import Attribute, EventLog
from actalike.methods import embed
from tests.helpers.examples import real_logs

PAIRS = {"BPIC15_1": 20, "BPIC15_2": 20, "BPIC15_4": 17, "BPIC15_5": 25}


def named_log(traces, names):
    log = EventLog.from_traces(traces)
    texts = Attribute.from_texts(names.get(label) for trace in traces for label in trace)
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={NAME_ATTRIBUTE: texts})


def test_codes_with_one_name_that_rarely_meet_are_synonyms():
    traces = [["a", "x"]] * 50 + [["b", "x"]] * 50 + [["a", "b"]] + [["c", "d"]] * 30 + [["e"]] * 3
    synonyms = natural_synonyms(named_log(traces, {"a": "Pay", "b": "Pay", "c": "Sign", "d": "Sign", "e": "Pay"}))
    assert synonyms.pairs.tolist() == [[0, 1]]  # c and d share cases, e is rare
    assert synonyms.candidates.tolist() == [0, 1, 2, 3, 5]
    scores = np.zeros((6, 6))
    result = synonym_scores(scores, synonyms)
    assert (result.nn, result.nn_apart, result.zero) == (0.25, pytest.approx(1 / 3), 1.0)
    scores[0, 1] = scores[1, 0] = 1.0
    assert synonym_scores(scores, synonyms) == (1.0, 1.0, 1.0, 0.0)


def test_a_log_without_english_names_has_no_natural_synonyms():
    assert natural_synonyms(EventLog.from_traces([["a"]])) is None
    assert natural_synonyms(named_log([["a", "b"]] * 30, {})) is None


@pytest.mark.parametrize("name", real_logs("BPIC15_4", long=("BPIC15_1", "BPIC15_2", "BPIC15_5")))
def test_bpic15_has_as_many_natural_synonyms_as_the_definition_says(name, log_file):
    log = read_log(log_file(name), order="file", attributes=[NAME_ATTRIBUTE])
    synonyms = natural_synonyms(log)
    assert len(synonyms.pairs) == PAIRS[name]
    scores = synonym_scores(1 - embed(log, "ac-sequence-raw-w3").distances(), synonyms)
    assert scores.nn < scores.nn_apart
