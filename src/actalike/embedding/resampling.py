"""Confidence: how far a similarity could have come out otherwise, had other cases happened to be in the log.

The cases are drawn anew from the log, with replacement (a bootstrap), and the activities compared again. Cases of one variant
are alike, so only the weights of the variants are drawn, and each window keeps its number: a draw is one bincount.

The interval is that of the draws, moved so that their median lies on the similarity itself: a draw has fewer distinct cases
than the log, and so all draws lie a little aside. It says where the similarity of another log of the same size would lie, not
what an endless log would show. ``measurements/confidence.py`` measures how often that is true.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import PAD, WindowCounts, contexts_first, window_columns
from actalike.log import EventLog
from actalike.support.row_deduplication import group_rows

RESAMPLES = 100
FEWEST_RESAMPLES = 20  # fewer have no 2.5 % at either end
LEVEL = 0.95
ENOUGH_CASES = 5  # of an activity. In a draw, one of k cases is missing altogether with probability exp(-k)


class Confidence(NamedTuple):
    """A similarity, the bounds between which it lies, and how many cases have each of the two activities.

    ``low`` and ``high`` are None where an activity is in fewer than 5 cases: too rare to judge.

    >>> str(Confidence(0.9, 0.84, 0.951, (40, 17))), str(Confidence(0.9, None, None, (40, 1)))
    ('0.840 to 0.951', 'too rare to judge')
    """

    similarity: float
    low: float | None
    high: float | None
    cases: tuple[int, int]

    @property
    def too_rare(self) -> bool:
        """Whether one of the two activities is in too few cases for any judgement."""
        return self.low is None

    def __str__(self) -> str:
        return "too rare to judge" if self.low is None else f"{self.low:.3f} to {self.high:.3f}"


class Resampler:
    """Draws the cases of a log anew and lets an estimator compare the activities again."""

    def __init__(self, log: EventLog, estimator: Any, window: int) -> None:
        self.log = log
        self.estimator = estimator
        self.window = window

    @cached_property
    def _windows(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The distinct windows, in the order of a table, and the number of each event's window."""
        codes, offsets, _ = self.log.variants
        columns = window_columns(codes, np.diff(offsets), self.window)
        sample, number = group_rows(contexts_first(columns), len(self.log.activities) + 1)
        return np.stack([column[sample] for column in columns]).T, number

    def draw(self, rng: np.random.Generator) -> WindowCounts:
        """The window counts of as many cases, drawn with replacement; just the activities that they have."""
        windows, number = self._windows
        _, offsets, weights = self.log.variants
        drawn = rng.multinomial(self.log.n_cases, weights / self.log.n_cases)
        counts = np.bincount(number, weights=np.repeat(drawn, np.diff(offsets)), minlength=len(windows)).astype(np.int64)
        windows, counts = windows[counts > 0], counts[counts > 0]
        present = np.zeros(len(self.log.activities) + 1, dtype=bool)
        present[windows] = True
        present[PAD] = False
        code = np.append(np.cumsum(present[:-1], dtype=np.int32) - 1, PAD).astype(np.int32)
        return WindowCounts([self.log.activities[i] for i in np.flatnonzero(present)], code[windows], counts)

    def confidences(
        self,
        pairs: Sequence[tuple[str, str]],
        similarities: Sequence[float],
        most: float,
        resamples: int,
        level: float,
        seed: int,
    ) -> list[Confidence]:
        """The intervals of some pairs, all from the same draws; ``most`` is what no similarity exceeds, up or down."""
        draws = self._draws(pairs, resamples, seed)
        in_cases = dict(zip(self.log.activities, self.log.activity_cases.tolist(), strict=True))
        found = []
        for (a, b), similarity, drawn in zip(pairs, similarities, draws.T, strict=True):
            cases = in_cases[a], in_cases[b]
            drawn = drawn[~np.isnan(drawn)]
            if a == b:
                found.append(Confidence(similarity, similarity, similarity, cases))
            elif min(cases) < ENOUGH_CASES or not len(drawn):
                found.append(Confidence(similarity, None, None, cases))
            else:
                low, middle, high = np.quantile(drawn, [(1 - level) / 2, 0.5, (1 + level) / 2]).tolist()
                aside = similarity - middle
                found.append(Confidence(similarity, max(low + aside, -most), min(high + aside, most), cases))
        return found

    def _draws(self, pairs: Sequence[tuple[str, str]], resamples: int, seed: int) -> NDArray[np.float64]:
        """A row for each draw: the pairs' similarities, NaN where an activity is not in it."""
        rng = np.random.default_rng(seed)
        found = np.full((resamples, len(pairs)), np.nan)
        for row in found:
            table = self.draw(rng)
            present = set(table.activities)
            if not present:  # nothing but cases without events was drawn
                continue
            embedding = self.estimator.fit(table).embedding_
            for i, (a, b) in enumerate(pairs):
                if a in present and b in present:
                    row[i] = embedding.similarity(a, b)
        return found
