"""Estimate 95 % intervals of similarities by resampling the cases of a log (a bootstrap).

Cases are resampled with replacement, and the activities are compared again. Cases of one variant are equal, so only the weights
of the variants are resampled, and each window keeps its number: a resample costs one bincount.

The interval is that of the resampled similarities, shifted so that their median is the similarity itself: a resample has fewer
distinct cases than the log, which biases all resamples a little. The interval says where the similarity in another log of the
same size would lie, not in an infinite one. docs/concepts.md says how often that holds.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import PAD, WindowCounts, contexts_first, window_columns
from actalike.log import AnyLog
from actalike.support.arrays import group_rows

RESAMPLES = 100
FEWEST_RESAMPLES = 20  # fewer have no 2.5 % at either end
LEVEL = 0.95
ENOUGH_CASES = 5  # of an activity. An activity with k cases is missing from a resample with probability exp(-k)


class Confidence(NamedTuple):
    """Hold a similarity, the bounds of its interval, and the number of cases of each of the two activities.

    ``low`` and ``high`` are None if an activity is in fewer than 5 cases: too rare to judge.

    >>> str(Confidence(0.9, 0.84, 0.951, (40, 17))), str(Confidence(0.9, None, None, (40, 1)))
    ('0.840 to 0.951', 'too rare to judge')
    """

    similarity: float
    low: float | None
    high: float | None
    cases: tuple[int, int]

    @property
    def too_rare(self) -> bool:
        """Return whether one of the two activities is in too few cases for an interval."""
        return self.low is None

    def __str__(self) -> str:
        return "too rare to judge" if self.low is None else f"{self.low:.3f} to {self.high:.3f}"


class Resampler:
    """Resample the cases of a log and compare the activities again with an estimator."""

    def __init__(self, log: AnyLog, estimator: Any, window: int) -> None:
        self.log = log
        self.estimator = estimator
        self.window = window

    @cached_property
    def _windows(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the distinct windows, in the order of WindowCounts, and the number of each event's window."""
        variants = self.log.variants
        columns = window_columns(variants.codes, variants.lengths, self.window)
        sample, number = group_rows(contexts_first(columns), len(self.log.activities) + 1)
        return np.stack([column[sample] for column in columns]).T, number

    def draw(self, rng: np.random.Generator) -> WindowCounts:
        """Return the window counts of one resample: as many cases, drawn with replacement, and only their activities."""
        windows, number = self._windows
        variants = self.log.variants
        drawn = rng.multinomial(self.log.n_cases, variants.weights / self.log.n_cases)
        counts = np.bincount(number, weights=np.repeat(drawn, variants.lengths), minlength=len(windows)).astype(np.int64)
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
        limit: float,
        resamples: int,
        level: float,
        seed: int,
        done: Callable[[str], object] = lambda step: None,
    ) -> list[Confidence]:
        """Return the intervals of some pairs, all from the same resamples.

        ``limit`` is the upper bound of the absolute similarity. ``done`` is called after each resample. If no pair can have an
        interval, because an activity is too rare or compared with itself, nothing is resampled.
        """
        in_cases = dict(zip(self.log.activities, self.log.activity_cases.tolist(), strict=True))
        cases = [(in_cases[a], in_cases[b]) for a, b in pairs]
        judged = [i for i, (a, b) in enumerate(pairs) if a != b and min(cases[i]) >= ENOUGH_CASES]
        draws = dict(zip(judged, self._draws([pairs[i] for i in judged], resamples, seed, done).T, strict=True))
        intervals = []
        for i, ((a, b), similarity) in enumerate(zip(pairs, similarities, strict=True)):
            drawn = draws[i][~np.isnan(draws[i])] if i in draws else np.zeros(0)
            if a == b:
                intervals.append(Confidence(similarity, similarity, similarity, cases[i]))
            elif not len(drawn):
                intervals.append(Confidence(similarity, None, None, cases[i]))
            else:
                low, middle, high = np.quantile(drawn, [(1 - level) / 2, 0.5, (1 + level) / 2]).tolist()
                shift = similarity - middle
                intervals.append(Confidence(similarity, max(low + shift, -limit), min(high + shift, limit), cases[i]))
        return intervals

    def _draws(
        self, pairs: Sequence[tuple[str, str]], resamples: int, seed: int, done: Callable[[str], object]
    ) -> NDArray[np.float64]:
        """Return a row for each resample with the similarities of the pairs, NaN if an activity is missing from it."""
        rng = np.random.default_rng(seed)
        similarities = np.full((resamples, len(pairs)), np.nan)
        for number, row in enumerate(similarities if pairs else []):
            table = self.draw(rng)
            present = set(table.activities)
            there = [i for i, (a, b) in enumerate(pairs) if a in present and b in present]
            if there:
                row[there] = self.estimator.pair_similarities(table, [pairs[i] for i in there])
            done(f"resample {number + 1}")
        return similarities
