"""Call a case odd if few random cuts separate its bag of activities from the others: an isolation forest."""

from typing import Self

import numpy as np
from scipy.sparse import csr_array

from actalike.log import EventLog, first_equal_cases
from actalike.support.extras import Extra

SKLEARN = Extra("benchmark", "sklearn")
_SAMPLE = 256  # cases that a tree is grown with


class BagForest:
    """Score a case by an isolation forest of 100 trees on how often it has each activity."""

    name = "isolation-forest"
    needs = (SKLEARN,)

    def fit(self, log: EventLog) -> Self:
        """Grow the forest with the bags of all cases, and score each variant once."""
        ensemble = SKLEARN.load("sklearn.ensemble", self.name)
        case = np.repeat(np.arange(log.n_cases, dtype=np.int32), log.lengths)  # trees take no sparse matrix with wider indices
        shape = log.n_cases, len(log.activities)
        bags = csr_array((np.ones(log.n_events, dtype=np.float32), (case, log.codes)), shape=shape)
        forest = ensemble.IsolationForest(max_samples=min(_SAMPLE, log.n_cases), random_state=0).fit(bags)
        first, place = np.unique(first_equal_cases(log.codes, log.offsets), return_inverse=True)
        self.case_scores_ = -forest.score_samples(bags[first])[place]
        return self
