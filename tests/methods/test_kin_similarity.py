"""The similarities of kin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, embed
from actalike.matrices import factor
from actalike.methods.kin import KinEmbedder
from actalike.methods.kin_similarity import kin
from tests import oracle
from tests.helpers.examples import examples
from tests.helpers.strategies import traces


@examples(30)
@given(traces(st.sampled_from("abcd")), st.integers(2, 5), st.integers(1, 3), st.sampled_from([0.5, 2.0]))
def test_similarities_are_as_defined(cases, window, rounds, shrinkage):
    log = EventLog.from_traces(cases)
    expected = oracle.kin(cases, window, rounds, shrinkage)
    similarities, _ = kin(count_windows(log, window), rounds, shrinkage)
    found = KinEmbedder(window, rounds, shrinkage).fit(log).embedding_
    for i, a in enumerate(log.activities):
        for j, b in enumerate(log.activities):
            assert similarities[i, j] == pytest.approx(expected[a, b], abs=1e-9)
            assert found.similarity(a, b) == pytest.approx(expected[a, b], abs=1e-7)


@pytest.mark.parametrize("name", ["Helpdesk", "CCC19", "BPIC13_closed_problems"])
def test_similarities_are_as_defined_on_real_logs(real_log, name):
    log = real_log(name)
    expected = oracle.kin(log.traces(), 5, 4, 2.0)
    found = 1 - embed(log, "kin-w5").distances()
    assert found == pytest.approx(np.array([[expected[a, b] for b in log.activities] for a in log.activities]), abs=1e-9)


@given(traces(st.sampled_from("abcd")), st.integers(2, 6))
def test_similarities_are_cosines(cases, window):
    similarities, _ = kin(count_windows(EventLog.from_traces(cases), window), 3, 2.0)
    assert np.linalg.eigvalsh(similarities).min() > -1e-10
    vectors = factor(similarities)
    assert vectors @ vectors.T == pytest.approx(similarities, abs=1e-9)


def test_contexts_no_longer_shatter_when_a_neighbour_has_look_alikes():
    log = EventLog.from_traces(
        [[x, a, y] for x in ("x1", "x2") for a in ("a1", "a2") for y in ("y1", "y2")] * 5 + [["p", "q"]] * 40
    )
    assert embed(log, "kin-w3").similarity("a1", "a2") > 0.99
    apart = [["x1", "a1", "y1"], ["x2", "a2", "y2"], ["x1", "c", "y1"], ["x2", "c", "y2"], ["x1", "y2"], ["x2", "y1"]]
    log = EventLog.from_traces(apart * 10)
    assert embed(log, "kin-w3").similarity("a1", "a2") > 0.5
    assert embed(log, "ac-sequence-raw-w3").similarity("a1", "a2") == 0
