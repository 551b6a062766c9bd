"""What all estimators share: parameters, and fit."""

import pytest

import actalike
from actalike import (
    ActalikeError,
    EventLog,
)


def test_unknown_parameters_are_found_by_fit():
    with pytest.raises(ActalikeError, match="weighting='tfidf' is none of raw, pmi, ppmi"):
        actalike.CountEmbedder(weighting="tfidf").fit(EventLog.from_traces([["a"]]))
