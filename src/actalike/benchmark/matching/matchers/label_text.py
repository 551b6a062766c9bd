"""Match labels by their texts: the same letters, or the same meaning."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from actalike.benchmark.labels.groupers.text_distances import tf_idf_cosines
from actalike.log import EventLog
from actalike.methods import LabelTextEmbedder, embed


class Trigrams:
    """Compare labels by the cosine of their character 3-grams, weighted by TF-IDF over both logs."""

    name = "label-trigrams"
    reads_labels = True

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the cosines."""
        n = len(log_a.activities)
        self.scores_ = tf_idf_cosines([*log_a.activities, *log_b.activities], sizes=(3,))[:n, n:]
        return self


class LabelText:
    """Compare labels by what they mean: the cosine of the vectors of a sentence model."""

    name = "label-text"
    reads_labels = True
    needs = LabelTextEmbedder.needs
    slow = True  # it loads a model

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the cosines."""
        embedding = embed(EventLog.from_traces([[*log_a.activities, *log_b.activities]]), "label-text")
        place = {label: i for i, label in enumerate(embedding.activities)}
        rows, columns = ([place[label] for label in log.activities] for log in (log_a, log_b))
        self.scores_ = 1 - embedding.distances()[np.ix_(rows, columns)]
        return self
