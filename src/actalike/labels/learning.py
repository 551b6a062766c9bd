"""Learn from decisions: which labels of a log a person has taken for one step, and which not, adjust the weights of evidence.

Behaviour, and so how likely labels are interchangeable, stays as it is. What is fitted is what makes one step of interchangeable
labels (:mod:`actalike.labels.step_probabilities`). With B the log-odds of being interchangeable:

    log-odds = shipped log-odds + a level(B) + b rise(B) + Σ m_k points_k

- ``base rate``: a, of labels that are likely interchangeable: level(B) is 0 up to B = -2, 1 from 0 on, and linear between.
- ``behaviour``: b, for more of it: rise(B) is 0 up to B = 0, 1 from 10 on, and linear between.
- ``text`` (and the same second name), ``names``, ``pattern``, ``words``, ``scheme``, ``tokens``, ``periods``, ``people``: m, the
  share by which the points of this kind of evidence rise or fall.

All of them are 0 without decisions. They are the most probable ones given the decisions if each is drawn from a normal
distribution around 0 with the standard deviation of ``SPREADS``: a logistic regression with a penalty, by Newton's method. What
results are weights of the same form, so that the reasons of a pair still sum to its log-odds.

A group of n labels tells n (n - 1) / 2 pairs, each of which counts 2 / n: as n - 1 pairs do. Pairs that only the comparison of
two parts of the log calls one step teach nothing, and no decision about them changes other pairs. Only what a person decided
counts, never what actalike accepted and nobody touched.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import UnknownActivityError, shortened
from actalike.labels.decisions import DecidedGroup, Decisions, read_decisions
from actalike.labels.step_probabilities import SameStep
from actalike.support.text import counted
from actalike.support.weights import Points, Weights, log_odds_of

Floats = NDArray[np.float64]

SPREADS = {  # standard deviations of what is learned, before anything is
    "base rate": 1.0,
    "behaviour": 1.0,
    **dict.fromkeys(("text", "names", "pattern", "words", "scheme", "tokens", "periods", "people"), 0.5),
}
LEVEL = Points((-2.0, 0.0), (0.0, 1.0))
RISE = Points((0.0, 10.0), (0.0, 1.0))
THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9)
_FOLDS = 10
_FEWEST = 10  # decided pairs from which on a threshold is suggested
_MOST_MEMBERS = 50  # of a group, the first ones, whose pairs are learned from
_STEPS = 100  # of Newton's method; about five are needed
_DIGITS = 6  # of what is learned


class ThresholdScore(NamedTuple):
    """Hold how a threshold of the probability agrees with the decisions; None where nothing can be said.

    Each pair is judged by what was learned from other decisions: the decisions are divided into ten parts, or fewer.

    - ``precision``: of the decided pairs with so high a probability, the share that was accepted.
    - ``recall``: of the accepted pairs, the share with so high a probability.
    """

    at_least: float
    precision: float | None
    recall: float | None


@dataclass(frozen=True)
class Learned:
    """Hold what was learned from the decisions about the labels of a log.

    - ``accepted``, ``rejected``: the groups of two labels or more that a person decided about.
    - ``accepted_pairs``, ``rejected_pairs``: of how many pairs that was learned.
    - ``adjustments``: what was fitted, by the kind of evidence.
    - ``thresholds``: how probabilities agree with the decisions.
    - ``suggested``: the threshold with the greatest F1, of equal ones the highest; None for fewer than 10 pairs or only
      one verdict.
    """

    accepted: tuple[DecidedGroup, ...]
    rejected: tuple[DecidedGroup, ...]
    accepted_pairs: int
    rejected_pairs: int
    adjustments: dict[str, float]
    thresholds: tuple[ThresholdScore, ...]
    suggested: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike group --decisions --json`` prints as ``learned``."""
        return {
            "decisions": len(self.accepted) + len(self.rejected),
            "accepted": [list(one.activities) for one in self.accepted],
            "rejected": [list(one.activities) for one in self.rejected],
            "accepted_pairs": self.accepted_pairs,
            "rejected_pairs": self.rejected_pairs,
            "adjustments": dict(self.adjustments),
            "thresholds": [score._asdict() for score in self.thresholds],
            "suggested": self.suggested,
        }


def learned_words(learned: Learned) -> list[str]:
    """Return what was learned: from how many decisions, how thresholds agree with them, and which one is suggested.

    >>> scores = (ThresholdScore(0.3, 0.75, 1.0), ThresholdScore(0.9, None, 0.0))
    >>> one = Learned((DecidedGroup("a", ("a", "b")),), (), 1, 0, {}, scores, None)
    >>> for line in learned_words(one):
    ...     print(line)
    Learned from 1 decision: 1 pair accepted, 0 rejected.
      probability  accepted of those with it  of the accepted, have it
      0.3 or more                      75 %                     100 %
      0.9 or more                         -                       0 %
    """
    n = len(learned.accepted) + len(learned.rejected)
    pairs = counted(learned.accepted_pairs, "pair")
    first = f"Learned from {counted(n, 'decision')}: {pairs} accepted, {learned.rejected_pairs:,} rejected."
    if not n:
        return [first]
    rows = [
        f"  {score.at_least} or more  {_share(score.precision):>24}  {_share(score.recall):>24}" for score in learned.thresholds
    ]
    head = "  probability  accepted of those with it  of the accepted, have it"
    last = [] if learned.suggested is None else [f"Suggested: --at-least {learned.suggested}"]
    return [first, head, *rows, *last]


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


class Lessons(NamedTuple):
    """Hold decided pairs for a fit: their log-odds without decisions, what is adjusted, the verdict, the weight, the decision."""

    log_odds: Floats
    figures: Floats
    accepted: NDArray[np.bool_]
    weights: Floats
    decision: NDArray[np.int64]


def learn(same: SameStep, decisions: Decisions | str | Path) -> tuple[SameStep, Learned]:
    """Return what is known of labels with the weights that decisions adjust, and what was learned.

    >>> from actalike import EventLog, same_step
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same = same_step(log)
    >>> adjusted, learned = learn(same, Decisions((DecidedGroup("a", ("a", "b"), "rejected"),)))
    >>> learned.rejected_pairs, adjusted.probability("a", "b") < same.probability("a", "b")
    (1, True)
    """
    if not isinstance(decisions, Decisions):
        path, decisions = decisions, read_decisions(decisions)
        _require_labels(same, decisions, f"{path}: ")
    else:
        _require_labels(same, decisions, "")
    decided = [group for group in decisions.groups if group.by == "person" and len(group.activities) > 1]
    accepted = tuple(group for group in decided if group.decision == "accepted")
    rejected = tuple(group for group in decided if group.decision == "rejected")
    lessons = lessons_of(same, accepted, rejected)
    fitted = fit(lessons)
    if fitted.any():
        same = same.with_weights(same.weights._replace(same_step=adjusted_weights(same.weights.same_step, fitted)))
    scores = tuple(_scores(lessons))
    n_accepted = int(lessons.accepted.sum())
    n_rejected = len(lessons.accepted) - n_accepted
    adjustments = dict(zip(SPREADS, fitted.tolist(), strict=True))
    has_both = n_accepted + n_rejected >= _FEWEST and n_accepted > 0 and n_rejected > 0
    suggested = max(scores, key=_f1_then_threshold).at_least if has_both else None
    return same, Learned(accepted, rejected, n_accepted, n_rejected, adjustments, scores, suggested)


def lessons_of(same: SameStep, accepted: Sequence[DecidedGroup], rejected: Sequence[DecidedGroup]) -> Lessons:
    """Return the pairs of decided groups. A pair that was rejected in one group and accepted in another is accepted.

    Spellings of a label are that label: that they are one step was not the question.
    """
    if same.merged is not None:
        return lessons_of(same.merged, *(tuple(as_spelled(one, same.spelled) for one in some) for some in (accepted, rejected)))
    place = {label: i for i, label in enumerate(same.activities)}
    verdicts: dict[tuple[int, int], tuple[bool, float, int]] = {}
    for number, group in enumerate((*rejected, *accepted)):
        members = sorted(place[label] for label in group.activities[:_MOST_MEMBERS])
        for pair in combinations(members, 2):
            verdicts[pair] = (group.decision == "accepted", 2 / len(members), number)
    pairs = sorted(verdicts)
    known = [verdicts[pair] for pair in pairs]
    return Lessons(
        np.array([same.log_odds[pair] for pair in pairs], dtype=np.float64),
        np.array([_figures(same, pair) for pair in pairs], dtype=np.float64).reshape(len(pairs), len(SPREADS)),
        np.array([verdict[0] for verdict in known], dtype=bool),
        np.array([verdict[1] for verdict in known], dtype=np.float64),
        np.array([verdict[2] for verdict in known], dtype=np.int64),
    )


def as_spelled(group: DecidedGroup, spelled: Mapping[str, str]) -> DecidedGroup:
    """Return a decided group with the labels that its labels spell, each once."""
    return replace(group, activities=tuple(dict.fromkeys(spelled.get(label, label) for label in group.activities)))


def fit(lessons: Lessons) -> Floats:
    """Return the most probable adjustments, in the order of ``SPREADS``."""
    x, y = lessons.figures, lessons.accepted
    precision = np.array([spread**-2 for spread in SPREADS.values()])
    theta = np.zeros(len(SPREADS))

    def loss(at: Floats) -> float:
        log_odds = lessons.log_odds + x @ at
        surprise = np.logaddexp(0, np.where(y, -log_odds, log_odds))
        return float(lessons.weights @ surprise + 0.5 * precision @ at**2)

    for _ in range(_STEPS):
        p = 0.5 * (1 + np.tanh((lessons.log_odds + x @ theta) / 2))
        slope = x.T @ (lessons.weights * (p - y)) + precision * theta
        curvature = (x.T * (lessons.weights * p * (1 - p))) @ x + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        if np.abs(step).max() < 10.0 ** -(_DIGITS + 3):
            break
        before = loss(theta)
        while loss(theta - step) > before:  # far from the end, a whole step may lead beyond it
            step = step / 2
            if np.abs(step).max() < 10.0 ** -(_DIGITS + 3):
                break
        theta = theta - step
    return theta.round(_DIGITS) + 0.0


def adjusted_weights(weights: Weights, fitted: Floats) -> Weights:
    """Return the weights of *same step* with adjustments, in the order of ``SPREADS``."""
    of = dict(zip(SPREADS, fitted.tolist(), strict=True))
    pieces = dict(weights.pieces)
    at = np.array(sorted({*pieces["interchangeable"].at, *LEVEL.at, *RISE.at}))
    points = pieces["interchangeable"].of(at) + of.pop("base rate") * LEVEL.of(at) + of.pop("behaviour") * RISE.of(at)
    pieces["interchangeable"] = Points(tuple(at.tolist()), tuple(points.tolist()))
    for kind, share in of.items():
        pieces[kind] = Points(pieces[kind].at, tuple((1 + share) * points for points in pieces[kind].points))
    return weights._replace(pieces=pieces)


def _figures(same: SameStep, pair: tuple[int, int]) -> list[float]:
    """Return what the adjustments of a pair are multiplied with, in the order of ``SPREADS``."""
    found = Counter[str]()
    for reason in same.reasons([pair]):
        kind = "behaviour" if reason.is_behaviour else "text" if reason.kind == "name" else reason.kind
        found[kind] += reason.log_odds  # type: ignore[assignment]
    if found["vocabularies"]:
        return [0.0] * len(SPREADS)
    odds = np.array(same.log_odds_interchangeable[pair])
    of_behaviour = {"base rate": float(LEVEL.of(odds)), "behaviour": float(RISE.of(odds))}
    return [of_behaviour.get(kind, float(found[kind])) for kind in SPREADS]


def _scores(lessons: Lessons) -> Iterator[ThresholdScore]:
    """Yield how thresholds agree with the decisions, if each is judged by what was learned from others."""
    held = lessons.log_odds.copy()
    for part in range(_FOLDS):
        inside = lessons.decision % _FOLDS == part
        others = Lessons(*(figures[~inside] for figures in lessons))
        held[inside] += lessons.figures[inside] @ fit(others)
    for threshold in THRESHOLDS:
        proposed = held >= log_odds_of(threshold)
        right, n_proposed, n_accepted = ((proposed & lessons.accepted).sum(), proposed.sum(), lessons.accepted.sum())
        yield ThresholdScore(
            threshold,
            float(right / n_proposed) if n_proposed else None,
            float(right / n_accepted) if n_accepted else None,
        )


def _f1_then_threshold(score: ThresholdScore) -> tuple[float, float]:
    precision, recall = score.precision or 0.0, score.recall or 0.0
    return (2 * precision * recall / (precision + recall) if precision + recall else 0.0, score.at_least)


def _require_labels(same: SameStep, decisions: Decisions, place: str) -> None:
    known = set(same.activities)
    labels = dict.fromkeys(label for group in decisions.groups for label in group.activities)
    if unknown := [label for label in labels if label not in known]:
        first = ", ".join(repr(shortened(label)) for label in unknown[:3])
        more = f" and {len(unknown) - 3:,} more" if len(unknown) > 3 else ""
        raise UnknownActivityError(f"{place}The decisions are about labels that the log does not have: {first}{more}.")
