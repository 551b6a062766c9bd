"""Kin similarities of a few pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows
from actalike.methods import kin as kin_module
from actalike.methods.kin import KinEmbedder
from actalike.methods.kin_pairs import similarities_of_pairs
from actalike.methods.kin_similarity import kin
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


@examples(30)
@given(logs(), st.integers(2, 6), st.sampled_from([0.5, 2.0]), st.data())
def test_the_similarities_of_some_pairs_are_those_of_all(log, window, shrinkage, data):
    similarities, shares = kin(count_windows(log, window), 2, shrinkage)
    number = st.integers(0, len(log.activities) - 1)
    pairs = np.array(data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=5)))
    found = similarities_of_pairs(shares.surroundings, pairs)
    assert found == pytest.approx(similarities[pairs[:, 0], pairs[:, 1]], abs=1e-13)
    assert found.max() <= 1


def test_intervals_of_many_activities_are_those_of_comparing_all_of_them(monkeypatch):
    random = np.random.default_rng(1)
    names = np.array([f"a{i:03}" for i in range(120)])
    log = EventLog.from_traces([list(names[random.integers(0, 120, 8)]) for _ in range(400)])
    embedding = KinEmbedder().fit(log).embedding_
    pairs = [("a000", "a001"), ("a002", "a077"), ("a119", "a119")]
    expected = embedding.confidences(pairs, 20)
    monkeypatch.setattr(kin_module, "MANY_ACTIVITIES", 100)
    for found, interval in zip(embedding.confidences(pairs, 20), expected, strict=True):
        assert found[1:3] == pytest.approx(interval[1:3], abs=1e-12)
        assert found.cases == interval.cases


@pytest.mark.parametrize("name", ["BPIC15_1"])
def test_the_similarities_of_some_pairs_are_those_of_all_on_real_logs(real_log, name):
    log = real_log(name)
    similarities, shares = kin(count_windows(log, 5), 2, 2.0)
    pairs = np.random.default_rng(1).integers(0, len(log.activities), (50, 2))
    assert similarities_of_pairs(shares.surroundings, pairs) == pytest.approx(similarities[pairs[:, 0], pairs[:, 1]], abs=1e-13)
