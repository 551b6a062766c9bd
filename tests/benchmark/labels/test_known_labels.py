"""What real logs tell of their own labels: natural synonyms and expert classes."""

from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import read_log
from actalike.benchmark.tasks.known_labels import (
    NAME_ATTRIBUTE,
    adjusted_rand_index,
    class_names,
    class_scores,
    document_of,
    expert_classes,
    natural_synonyms,
    normalised_mutual_information,
    phase_of,
    subprocess_of,
    synonym_scores,
    verb_of,
)
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
    assert result.mrr < result.mrr_apart == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    scores[0, 1] = scores[1, 0] = 1.0
    assert synonym_scores(scores, synonyms) == (1.0, 1.0, 1.0, 1.0, 0.0)


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


partitions = st.integers(2, 8).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2))


@pytest.mark.parametrize(
    ("label", "subprocess", "phase"),
    [
        ("01_HOOFD_010", "01_HOOFD", "01_HOOFD_0"),
        ("07_OPS_080_2", "07_OPS", "07_OPS_0"),
        ("11_AH_II_055", "11_AH", "11_AH_0"),
        ("01_HOOFD_510_2a", "01_HOOFD", "01_HOOFD_5"),
        ("99_NOCODE_01", "99_NOCODE", None),
        ("Pay out", None, None),
    ],
)
def test_codes_name_subprocess_and_phase(label, subprocess, phase):
    assert (subprocess_of(label), phase_of(label)) == (subprocess, phase)


def test_labels_of_bpic20_name_document_and_verb():
    assert document_of("Permit APPROVED by BUDGET OWNER") == "Permit"
    assert verb_of("Declaration REJECTED by MISSING") == "REJECTED"
    assert (document_of("Payment Handled"), verb_of("Start trip")) == (None, None)
    documents = [f"{name} APPROVED by X" for name in ("Permit", "Declaration", "Request For Payment")]
    assert class_names(documents) == ["document", "verb"]
    assert class_names(documents[:2]) == []


def test_rare_labels_and_classes_of_one_are_not_scored():
    often = ["01_HOOFD_010", "01_HOOFD_020", "02_DRZ_010", "02_DRZ_020", "03_X_010"]
    log_ = EventLog.from_traces([often] * 10 + [["01_HOOFD_030"]])
    scored, classes = expert_classes(log_, "subprocess")
    assert [log_.activities[i] for i in scored] == often[:4]
    assert classes.tolist() == [0, 0, 1, 1]


@given(partitions)
def test_agreement_is_that_of_the_definitions(parts):
    first, second = parts
    n = len(first)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    same = [{(i, j) for i, j in pairs if part[i] == part[j]} for part in parts]
    expected = len(same[0]) * len(same[1]) / comb(n, 2)
    most = (len(same[0]) + len(same[1])) / 2
    ari = (len(same[0] & same[1]) - expected) / (most - expected) if most != expected else 1.0
    assert adjusted_rand_index(np.array(first), np.array(second)) == pytest.approx(ari)
    joint = list(zip(first, second, strict=True))

    def entropy(values):
        return -sum(values.count(v) / n * log(values.count(v) / n) for v in set(values))

    whole = (entropy(first) + entropy(second)) / 2
    shared = entropy(first) + entropy(second) - entropy(joint)
    nmi = normalised_mutual_information(np.array(first), np.array(second))
    assert nmi == pytest.approx(shared / whole if whole else 1.0, abs=1e-9)


def test_as_many_clusters_as_classes_also_where_all_distances_are_equal():
    scores = class_scores(np.eye(6), np.array([0, 0, 1, 1, 2, 2]))
    assert scores.nn == pytest.approx(0.2)
    assert scores.chance == pytest.approx(0.2)
    assert scores.ari_average < 1
    perfect = np.kron(np.eye(3), np.ones((2, 2)))
    assert class_scores(perfect, np.array([0, 0, 1, 1, 2, 2])) == pytest.approx((1.0, 0.2, 1.0, 1.0, 1.0, 1.0))


SIZES = {
    "BPIC15_1": (236, 10, 231, 19),
    "BPIC15_2": (211, 9, 209, 19),
    "BPIC15_4": (201, 11, 194, 18),
    "BPIC15_5": (218, 9, 215, 19),
    "BPIC20_PermitLog": (40, 3, 40, 5),
}


@pytest.mark.parametrize("name", real_logs("BPIC15_4", long=("BPIC15_1", "BPIC15_2", "BPIC15_5", "BPIC20_PermitLog")))
def test_a_log_has_the_classes_that_its_experts_gave_it(name, real_log):
    log_ = real_log(name)
    kinds = class_names(log_.activities)
    assert kinds == (["subprocess", "phase"] if name.startswith("BPIC15") else ["document", "verb"])
    found = [expert_classes(log_, kind) for kind in kinds]
    assert tuple(size for scored, classes in found for size in (len(scored), classes.max() + 1)) == SIZES[name]
