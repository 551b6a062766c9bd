"""Compute kin across two logs: activities are the same step if the activities around them are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actalike.comparison.activity_profiles import profile_likeness, profiles_of
from actalike.counting import count_windows
from actalike.log import EventLog
from actalike.methods import Surroundings, surroundings_of

Floats = NDArray[np.float64]
WINDOW, SHRINKAGE, ROUNDS, POWER, SCALINGS = 5, 2.0, 6, 4, 10


@dataclass(frozen=True)
class CrossKin:
    """Hold the scores of all pairs, and what explains them: the surroundings of both logs and the likeness of neighbours."""

    scores: Floats
    around_a: tuple[Surroundings, ...]
    around_b: tuple[Surroundings, ...]
    alike: Floats  # M of the last round, with PAD


def cross_kin(log_a: EventLog, log_b: EventLog, known: NDArray[np.int64]) -> CrossKin:
    """Compute the scores of all pairs of activities; ``known`` has the codes of a pair in each row."""
    around_a, around_b = (surroundings_of(count_windows(log, WINDOW), SHRINKAGE) for log in (log_a, log_b))
    rows_a, rows_b = (
        [part.seen.toarray() + np.outer(part.given, part.usual) for part in around] for around in (around_a, around_b)
    )
    profile = profile_likeness(profiles_of(log_a), profiles_of(log_b))
    scores = _with_known(profile / profile.max(), known)
    alike = np.zeros((len(log_a.activities) + 1, len(log_b.activities) + 1))
    for _ in range(ROUNDS):
        alike[:-1, :-1] = balanced(scores**POWER)
        alike[-1, -1] = 1
        total = sum(a.weight * (x @ alike @ y.T) for a, x, y in zip(around_a, rows_a, rows_b, strict=True))
        scores = total / total.max() * np.sqrt(profile)
        scores = _with_known(scores / scores.max(), known)
    return CrossKin(scores, around_a, around_b, alike)


def balanced(weights: Floats) -> Floats:
    """Scale rows and columns in turn to sums of 1, and return the weights divided by the largest."""
    for _ in range(SCALINGS):
        weights = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        weights = weights / np.maximum(weights.sum(axis=0, keepdims=True), 1e-300)
    return weights / weights.max()


def _with_known(scores: Floats, known: NDArray[np.int64]) -> Floats:
    """Return the scores with 1 for known pairs, and 0 for all other pairs of their activities."""
    scores = scores.copy()
    scores[known[:, 0]] = 0
    scores[:, known[:, 1]] = 0
    scores[known[:, 0], known[:, 1]] = 1
    return scores
