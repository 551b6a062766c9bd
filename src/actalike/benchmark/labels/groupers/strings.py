"""Compare labels by their spelling alone: four usual measures, each with the threshold of its source."""

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.groupers.praeclarus import pairs_above
from actalike.benchmark.labels.groupers.text_distances import (
    jaro_winkler_similarities,
    levenshtein_distances,
    tf_idf_cosines,
    trigram_jaccard,
)
from actalike.benchmark.labels.metrics import join_groups
from actalike.log import EventLog

Floats = NDArray[np.float64]


class Spelling(ABC):
    """Compare labels by a measure, and report pairs above a threshold; a child says both."""

    name: str
    threshold: float
    reads_labels = True
    scores_: Floats
    groups_: list[tuple[str, ...]]

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and report pairs."""
        self.scores_ = self.compare(log.activities)
        self.groups_ = list(pairs_above(self.scores_, self.threshold, log))
        return self

    @abstractmethod
    def compare(self, labels: list[str]) -> Floats:
        """Return the similarities of some labels."""


class Levenshtein(Spelling):
    """Report labels that differ by two letters at most; the score is the negative distance."""

    name = "levenshtein"
    threshold = -2.5

    def compare(self, labels: list[str]) -> Floats:
        """Return negative distances."""
        return -levenshtein_distances(labels)


class JaroWinkler(Spelling):
    """Report labels whose Jaro-Winkler similarity exceeds 0.7."""

    name = "jaro-winkler"
    threshold = 0.7

    def compare(self, labels: list[str]) -> Floats:
        """Return Jaro-Winkler similarities."""
        return jaro_winkler_similarities(labels)


class Trigrams(Spelling):
    """Join labels that have 56 % of their character 3-grams in common, directly or by way of others."""

    name = "trigrams"
    threshold = np.nextafter(0.56, 0)  # 0.56 itself counts

    def compare(self, labels: list[str]) -> Floats:
        """Return the Jaccard index of character 3-grams."""
        return trigram_jaccard(labels)

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and join them."""
        super().fit(log)
        self.groups_ = [tuple(group) for group in join_groups(self.groups_)]
        return self


class TfIdf(Spelling):
    """Report labels whose weighted character 1- to 3-grams have a cosine of 0.4 or more."""

    name = "tf-idf"
    threshold = np.nextafter(0.4, 0)  # 0.4 itself counts

    def compare(self, labels: list[str]) -> Floats:
        """Return cosines."""
        return tf_idf_cosines(labels)
