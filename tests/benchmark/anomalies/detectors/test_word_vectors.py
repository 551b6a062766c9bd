import numpy as np
import pytest

from actalike import EventLog
from actalike.benchmark.anomalies.detectors.word_vectors import WordVectors


def test_a_case_far_from_the_others_is_the_oddest():
    pytest.importorskip("gensim")
    pytest.importorskip("sklearn")
    traces = [["a", "b", "c", "d"][: 2 + i % 3] for i in range(60)] + [["z", "y", "z"]]
    one, same = (WordVectors().fit(EventLog.from_traces(traces)).case_scores_ for _ in range(2))
    assert np.array_equal(one, same)
    assert one.shape == (61,)
    assert one.argmax() == 60
