"""One-hot vectors."""

import numpy as np
import pytest
from hypothesis import given

from actalike import OneHotEmbedder, count_windows, embed
from tests.helpers.strategies import logs


@given(logs())
def test_every_activity_is_as_far_from_every_other(log):
    n = len(log.activities)
    embedding = OneHotEmbedder().fit(log).embedding_
    assert (embedding.activities, embedding.method) == (log.activities, "one-hot")
    assert embedding.distances() == pytest.approx(1 - np.eye(n))
    assert (embed(count_windows(log, 3), "one-hot").vectors != embedding.vectors).nnz == 0
