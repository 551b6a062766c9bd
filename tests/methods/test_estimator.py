"""What all estimators share: parameters, and fit."""

import numpy as np
import pytest

import actalike
from actalike import (
    ActalikeError,
    EventLog,
)


def test_unknown_parameters_are_found_by_fit():
    with pytest.raises(ActalikeError, match="weighting='tfidf' is none of raw, pmi, ppmi"):
        actalike.CountEmbedder(weighting="tfidf").fit(EventLog.from_traces([["a"]]))


@pytest.mark.parametrize("window", [np.int8(3), np.uint64(3)])
def test_the_window_of_a_method_may_be_an_integer_of_numpy(window):
    log = EventLog.from_traces([["a", "b", "c"], ["a", "c"]] * 20)
    embedding, expected = (actalike.KinEmbedder(window=n).fit(log).embedding_ for n in (window, 3))
    assert embedding.confidence("a", "b") == expected.confidence("a", "b")
