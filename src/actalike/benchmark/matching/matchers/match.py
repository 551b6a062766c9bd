"""Match labels by :func:`actalike.match`: by their company alone, or by their texts too."""

from collections.abc import Mapping
from typing import Self

from actalike.log import EventLog
from actalike.two_logs import match

LIKELY = 0.5  # an activity without a pair has no partner if that is more likely; otherwise it has one, but which one is not clear


class Match:
    """Take the scores, the probabilities and the answers of ``match``."""

    name = "match"
    reads_labels = False

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Match the logs."""
        matching = match(log_a, log_b, known, use_labels=self.reads_labels)
        self.scores_, self.probabilities_ = matching.scores(), matching.probabilities()
        self.pairs_ = [(pair.a, pair.b) for pair in matching.pairs]
        for split in matching.splits:
            self.pairs_ += [(split.activity, part) if split.side == "a" else (part, split.activity) for part in split.parts]
        self.unmatched_a_ = [one.activity for one in matching.unmatched_a if one.probability > LIKELY]
        self.unmatched_b_ = [one.activity for one in matching.unmatched_b if one.probability > LIKELY]
        return self


class MatchLabels(Match):
    """Let ``match`` read the labels too."""

    name = "match-labels"
    reads_labels = True
