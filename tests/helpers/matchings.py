"""Matchings that are made up, to test what is said of them whatever the logs are."""

from dataclasses import dataclass, field

import numpy as np

from actalike import EventLog, MatchedPair, MatchReason, SplitStep, Unmatched, count_windows


@dataclass
class MadeMatching:
    """What tables, words and cards need of a matching; pairs have the probability that is given with them."""

    log_a: EventLog
    log_b: EventLog
    pairs: list[MatchedPair]
    splits: list[SplitStep] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    use_labels: bool = False
    apart: frozenset[tuple[str, str]] = frozenset()
    others: dict[tuple[str, str], float] = field(default_factory=dict)  # probabilities of further candidates

    def __post_init__(self):
        self.pairs = [MatchedPair(*pair) for pair in self.pairs]
        self.variants_a, self.variants_b = self.log_a.variants, self.log_b.variants
        self.windows_a, self.windows_b = count_windows(self.log_a, 5), count_windows(self.log_b, 5)
        self.names_a, self.names_b = self.log_a.names, self.log_b.names
        self.activities_a, self.activities_b = list(self.log_a.activities), list(self.log_b.activities)
        none_a, none_b = (np.clip(1 - self.probabilities().sum(axis=axis), 0, 1) for axis in (1, 0))
        paired_a, paired_b = {pair.a for pair in self.pairs}, {pair.b for pair in self.pairs}
        self.unmatched_a = [
            Unmatched(label, float(p)) for label, p in zip(self.activities_a, none_a, strict=True) if label not in paired_a
        ]
        self.unmatched_b = [
            Unmatched(label, float(p)) for label, p in zip(self.activities_b, none_b, strict=True) if label not in paired_b
        ]

    def probabilities(self):
        probabilities = np.zeros((len(self.activities_a), len(self.activities_b)))
        for a, b, probability in [*self.pairs, *((*pair, p) for pair, p in self.others.items())]:
            probabilities[self.activities_a.index(a), self.activities_b.index(b)] = probability
        return probabilities

    def explain(self, a, b, topn=10):
        return [MatchReason(1.0, -1, None, None)][:topn]
