"""Call a case odd if its mean word vector lies in a thin place: word2vec and the local outlier factor."""

import warnings
from typing import Self

import numpy as np

from actalike.log import EventLog
from actalike.support.extras import Extra

GENSIM = Extra("neural", "gensim")
SKLEARN = Extra("benchmark", "sklearn")
_NEIGHBOURS = 20


class WordVectors:
    """Score a case as BPAD's W2V-LOF: word2vec (100 numbers, window 3, 10 epochs), its mean, standardised, outlier factor."""

    name = "w2v-lof"
    needs = (GENSIM, SKLEARN)

    def fit(self, log: EventLog) -> Self:
        """Train the vectors, and compare the cases."""
        models = GENSIM.load("gensim.models", self.name)
        neighbours = SKLEARN.load("sklearn.neighbors", self.name)
        model = models.Word2Vec(log.traces(), vector_size=100, window=3, epochs=10, min_count=1, seed=0, workers=1)
        vectors = np.array([model.wv[label] for label in log.activities], dtype=np.float64)
        sums = np.add.reduceat(vectors[log.codes], log.offsets[:-1])
        means = sums / log.lengths[:, np.newaxis]
        spread = means.std(axis=0)
        standardised = (means - means.mean(axis=0)) / np.where(spread > 0, spread, 1)
        factor = neighbours.LocalOutlierFactor(n_neighbors=min(_NEIGHBOURS, log.n_cases - 1))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # more than 20 cases of one variant have no distance, which is how it was published
            factor.fit(standardised)
        self.case_scores_ = -factor.negative_outlier_factor_
        return self
