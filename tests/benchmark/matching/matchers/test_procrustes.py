import numpy as np
import pytest

from actalike.benchmark.matching.matchers import procrustes
from actalike.benchmark.matching.matchers.procrustes import (
    Procrustes,
    ProcrustesAct2Vec,
    ProcrustesCounts,
    csls,
    rotation,
    scaled,
)
from actalike.log import EventLog

POINTS = np.random.default_rng(3).normal(size=(12, 4))
TURN = np.linalg.qr(np.random.default_rng(4).normal(size=(4, 4)))[0]
LOGS = [EventLog.from_traces([[f"{side}{i:02}" for i in range(12)]]) for side in "ab"]


class Turned(Procrustes):
    dimensions = 4

    def vectors(self, log):
        return POINTS if log is LOGS[0] else POINTS @ TURN.T


def test_a_rotation_is_found_from_as_many_pairs_as_dimensions():
    found = rotation(POINTS[:5], POINTS[:5] @ TURN.T)
    assert found == pytest.approx(TURN)
    known = {f"a{i:02}": f"b{i:02}" for i in range(5)}
    assert Turned().fit(*LOGS, known).scores_.argmax(axis=1).tolist() == list(range(12))


def test_without_known_pairs_profiles_begin():
    scores = Turned().fit(*LOGS, {}).scores_
    assert scores.argmax(axis=1).tolist() == list(range(12))


def test_labels_that_are_near_to_everything_count_less():
    x, y = scaled(POINTS), scaled(POINTS[::-1])
    cosines = x @ y.T
    expected = [
        [2 * cosines[i, j] - np.mean(sorted(cosines[i])[-2:]) - np.mean(sorted(cosines[:, j])[-2:]) for j in range(12)]
        for i in range(12)
    ]
    assert csls(x, y) == pytest.approx(np.array(expected))


def test_vectors_of_counts_are_reduced():
    log = EventLog.from_traces([["a", "b", "c"], ["a", "c"]] * 5)
    assert ProcrustesCounts().fit(log, log, {}).scores_.shape == (3, 3)


def test_learned_vectors_are_learned_once_for_a_log(monkeypatch):
    calls = []

    class Embedded:
        vectors = np.eye(3)

    monkeypatch.setattr(procrustes, "embed", lambda log, method: (calls.append(method), Embedded())[1])
    monkeypatch.setattr(procrustes, "_LEARNED", {})
    monkeypatch.setattr(procrustes, "_KEPT", 2)
    log, *others = (EventLog.from_traces([["a", "b", "c"]] * n) for n in (1, 2, 3))
    ProcrustesAct2Vec().fit(log, log, {})
    ProcrustesAct2Vec().fit(log, others[0], {"a": "a"})
    assert calls == ["act2vec-cbow-w3"] * 2
    ProcrustesAct2Vec().fit(others[0], others[1], {})
    assert len(procrustes._LEARNED) == 2
