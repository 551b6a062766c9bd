"""Judge one fitted participant on one task: its figures by name, and its tallies if it gives probabilities."""

import math
from typing import Any, NamedTuple

import numpy as np

from actalike.benchmark.labels.calibration import brier, tally_nearest, tally_pairs
from actalike.benchmark.labels.contract import Grouper
from actalike.benchmark.labels.expert_classes import ClassScores, class_scores, expert_classes
from actalike.benchmark.labels.metrics import (
    GroupScores,
    RankingScores,
    group_scores,
    join_groups,
    partner_mask,
    ranking_scores,
)
from actalike.benchmark.labels.natural import Synonyms, SynonymScores, synonym_scores
from actalike.benchmark.labels.planting import Planted
from actalike.benchmark.scoring import Tally
from actalike.log import EventLog

PROBABILITY = ("brier", "brier_gain")
ALARMS = ("proposed_groups", "proposed_labels", "proposed_pairs")
FIGURES: tuple[str, ...] = tuple(
    dict.fromkeys(
        (*RankingScores._fields, *GroupScores._fields, *PROBABILITY, *ALARMS, *SynonymScores._fields, *ClassScores._fields)
    )
)
Figures = dict[str, float | None]  # by the names of FIGURES; None where there is no value


class Judged(NamedTuple):
    """Hold the figures of a participant, and the tallies of its probabilities: of all sure pairs, and of nearest ones."""

    figures: Figures
    pairs: Tally | None = None
    nearest: Tally | None = None


def judge_planted(fitted: Grouper, planted: Planted) -> Judged:
    """Judge what a participant says of a planted log."""
    labels = planted.log.activities
    figures: dict[str, Any] = {}
    tallies: tuple[Tally | None, Tally | None] = (None, None)
    if fitted.scores_ is not None:
        scores, partners = np.asarray(fitted.scores_, dtype=np.float64), partner_mask(labels, planted.truth)
        figures |= ranking_scores(scores, partners)._asdict()
        if fitted.is_probability:
            figures |= dict(zip(PROBABILITY, brier(scores, partners), strict=True))
            tallies = tally_pairs(scores, partners), tally_nearest(scores, partners)
    if fitted.groups_ is not None:
        figures |= group_scores(fitted.groups_, planted.truth, labels, planted.log.activity_counts)._asdict()
    return Judged(_plain(figures), *tallies)


def judge_unplanted(fitted: Grouper, log: EventLog) -> Judged:
    """Count what a participant proposes where nothing is planted."""
    if fitted.groups_ is None:
        return Judged({})
    joined = join_groups(fitted.groups_)
    pairs = {frozenset((a, b)) for group in fitted.groups_ for a in group for b in group if a != b}
    in_groups = sum(map(len, joined)) / len(log.activities)
    return Judged(dict(zip(ALARMS, (float(len(joined)), in_groups, float(len(pairs))), strict=True)))


def judge_natural(fitted: Grouper, synonyms: Synonyms) -> Judged:
    """Judge how near natural synonyms are."""
    if fitted.scores_ is None:
        return Judged({})
    return Judged(_plain(synonym_scores(np.asarray(fitted.scores_, dtype=np.float64), synonyms)._asdict()))


def judge_classes(fitted: Grouper, coded: Planted, kind: str) -> Judged:
    """Judge how near activities are that experts put into one class, by their old labels."""
    scored, classes = expert_classes(coded.log, kind, coded.origin)
    if fitted.scores_ is None or not len(scored):
        return Judged({})
    scores = np.asarray(fitted.scores_, dtype=np.float64)[np.ix_(scored, scored)]
    return Judged(_plain(class_scores(scores, classes)._asdict()))


def _plain(figures: dict[str, Any]) -> Figures:
    return {name: None if math.isnan(value) else float(value) for name, value in figures.items()}
