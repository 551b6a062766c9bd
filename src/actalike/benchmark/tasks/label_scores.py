"""Score rankings, probabilities and proposed groups of labels against the names that are known to be of one step.

Rankings are scored exactly on ties. Groups may overlap, as pairs do. Their pairs count as they are;
wherever whole groups count, groups that overlap are joined, because relabelling would join them. Probabilities are judged
over the pairs that have a planted name, because only their truth is known for sure.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.scoring import (
    Floats,
    Mask,
    Tally,
    average_precision,
    first_hits,
    plain_figures,
    reciprocal_ranks,
    tally_answers,
)
from actalike.benchmark.tasks.groupers import Grouper, Groups, join_groups
from actalike.benchmark.tasks.known_labels import (
    ClassScores,
    Synonyms,
    SynonymScores,
    class_scores,
    expert_classes,
    synonym_scores,
)
from actalike.benchmark.tasks.planted_labels import Planted
from actalike.log import EventLog


class RankingScores(NamedTuple):
    """Hold how near the other names of a step are: the mean over all planted names, and over pairs for ``ap``; NaN if none.

    - ``nn``: how often the nearest other label is another name of the step (hit@1).
    - ``mrr``: the mean of 1 / rank of the nearest other name of the step.
    - ``ap``: average precision of all pairs with a planted name.
    """

    nn: float
    mrr: float
    ap: float


class GroupScores(NamedTuple):
    """Hold how well proposed groups match the truth; 0 where a share is of nothing.

    - ``precision``, ``recall``, ``f``: of pairs of labels.
    - ``sure_precision``: precision over pairs with a planted name only, whose truth is known for sure.
    - ``whole``, ``exact``: share of split steps whose names are all in one group, and nothing else with them.
    - ``restored``: share of the events under lesser names that relabelling returns to the most frequent name of their step.
    - ``other_groups``, ``other_labels``: groups without a planted name, and the share of all labels in them.
    """

    precision: float
    recall: float
    f: float
    sure_precision: float
    whole: float
    exact: float
    restored: float
    other_groups: int
    other_labels: float


def partner_mask(labels: Sequence[str], truth: Groups) -> Mask:
    """Return which two different labels are names of one step.

    >>> partner_mask(["a", "b", "c"], [("a", "c")]).astype(int).tolist()
    [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    """
    place = {label: i for i, label in enumerate(labels)}
    mask = np.zeros((len(labels), len(labels)), dtype=bool)
    for group in truth:
        members = [place[label] for label in group]
        mask[np.ix_(members, members)] = True
    np.fill_diagonal(mask, False)
    return mask


def ranking_scores(scores: Floats, partners: Mask) -> RankingScores:
    """Score a square array of scores (higher: more likely one step) against the known partners of each label.

    >>> scores = np.array([[1.0, 0.9, 0.2], [0.9, 1.0, 0.9], [0.2, 0.9, 1.0]])
    >>> ranking_scores(scores, partner_mask(["a", "b", "c"], [("a", "b")]))
    RankingScores(nn=0.75, mrr=0.875, ap=0.75)
    """
    planted = np.flatnonzero(partners.any(axis=1))
    if not len(planted):
        return RankingScores(np.nan, np.nan, np.nan)
    others = np.ones((len(planted), len(scores)), dtype=bool)
    others[np.arange(len(planted)), planted] = False
    hits = first_hits(scores[planted], partners[planted], others)
    reciprocal = reciprocal_ranks(scores[planted], partners[planted], others)
    values, is_partner = sure_pairs(scores, partners)
    return RankingScores(float(hits.mean()), float(reciprocal.mean()), average_precision(values, is_partner))


def sure_pairs(scores: Floats, partners: Mask) -> tuple[Floats, Mask]:
    """Return the scores of all pairs that have a planted name, and whether the two are names of one step."""
    rows, columns = np.triu_indices(len(scores), 1)
    planted: Mask = np.asarray(partners.any(axis=1))
    keep = planted[rows] | planted[columns]
    rows, columns = rows[keep], columns[keep]
    return scores[rows, columns], partners[rows, columns]


def group_scores(groups: Groups, truth: Groups, labels: Sequence[str], counts: NDArray[np.int64]) -> GroupScores:
    """Score proposed groups; ``counts`` has the number of events of each label.

    >>> counts = np.array([5, 3, 2, 2])
    >>> group_scores([("a", "b"), ("c", "d")], [("a", "b")], ["a", "b", "c", "d"], counts)
    GroupScores(precision=0.5, recall=1.0, f=0.6666666666666666, sure_precision=1.0, whole=1.0, exact=1.0, restored=1.0,
                other_groups=1, other_labels=0.5)
    """
    place = {label: i for i, label in enumerate(labels)}
    proposed, true = (_pairs([[place[label] for label in group] for group in given], len(labels)) for given in (groups, truth))
    planted = {label for group in truth for label in group}
    is_planted = np.array([label in planted for label in labels])
    n_hits = len(np.intersect1d(proposed, true, assume_unique=True))
    n_sure = int((is_planted[proposed // len(labels)] | is_planted[proposed % len(labels)]).sum())
    precision, recall = _share(n_hits, len(proposed)), _share(n_hits, len(true))
    joined = join_groups(groups)
    group_of = {label: set(group) for group in joined for label in group}
    wholes = [set(names) <= group_of.get(names[0], set()) for names in truth]
    exacts = [set(names) == group_of.get(names[0], set()) for names in truth]
    others = [group for group in joined if planted.isdisjoint(group)]
    return GroupScores(
        precision,
        recall,
        _share(2 * precision * recall, precision + recall),
        _share(n_hits, n_sure),
        _share(sum(wholes), len(truth)),
        _share(sum(exacts), len(truth)),
        _restored(joined, truth, place, counts),
        len(others),
        sum(map(len, others)) / len(labels),
    )


def _restored(joined: Groups, truth: Groups, place: dict[str, int], counts: NDArray[np.int64]) -> float:
    """Return the share of the events under lesser names that get the most frequent name of their step."""
    name_of = {label: min(group, key=lambda one: (-counts[place[one]], one)) for group in joined for label in group}
    lesser = [(label, names[0]) for names in truth for label in names[1:]]
    n = sum(int(counts[place[label]]) for label, _ in lesser)
    return _share(sum(int(counts[place[label]]) for label, first in lesser if name_of.get(label) == first), n)


def _pairs(groups: Sequence[Sequence[int]], n: int) -> NDArray[np.int64]:
    """Return the distinct pairs of members of all groups, each as one number."""
    couples = np.array([group for group in groups if len(group) == 2], dtype=np.int64).reshape(-1, 2)
    couples = np.sort(couples[couples[:, 0] != couples[:, 1]], axis=1)
    pairs = [couples[:, 0] * n + couples[:, 1]]
    for group in groups:
        if len(group) > 2:
            members = np.unique(np.asarray(group, dtype=np.int64))
            first, second = np.triu_indices(len(members), 1)
            pairs.append(members[first] * n + members[second])
    return np.unique(np.concatenate(pairs))


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


# --- probabilities ------------------------------------------------------------------------------------------------------------


def tally_pairs(probabilities: Floats, partners: Mask) -> Tally:
    """Tally all pairs with a planted name."""
    values, is_partner = sure_pairs(probabilities, partners)
    return tally_answers(values, is_partner.astype(np.float64))


def tally_nearest(probabilities: Floats, partners: Mask) -> Tally:
    """Tally each planted name with its most probable partner only; of equally probable ones, the mean counts."""
    planted = np.flatnonzero(partners.any(axis=1))
    rows = probabilities[planted].round(12)
    rows[np.arange(len(planted)), planted] = -np.inf
    best = rows.max(axis=1, initial=-np.inf)
    tied = rows == best[:, np.newaxis]
    return tally_answers(best, (tied & partners[planted]).sum(axis=1) / tied.sum(axis=1).clip(1))


def brier(probabilities: Floats, partners: Mask) -> tuple[float, float]:
    """Return the mean squared error of the probabilities, and its gain over always saying the base rate (1: no error).

    >>> brier(np.array([[1.0, 0.8], [0.8, 1.0]]), np.array([[False, True], [True, False]]))[0].__round__(2)
    0.04
    """
    values, is_partner = sure_pairs(probabilities, partners)
    if not len(values):
        return float("nan"), float("nan")
    error, base = float(((values - is_partner) ** 2).mean()), float(is_partner.mean())
    by_base_rate = base * (1 - base)
    return error, 1 - error / by_base_rate if by_base_rate else float("nan")


# --- answers, judged task by task ---------------------------------------------------------------------------------------------


PROBABILITY = ("brier", "brier_gain")
ACCEPTED = ("accepted", "accepted_precision", "trapped")
ALARMS = ("proposed_groups", "proposed_labels", "proposed_pairs")
FIGURES: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *RankingScores._fields,
            *GroupScores._fields,
            *PROBABILITY,
            *ACCEPTED,
            *ALARMS,
            *SynonymScores._fields,
            *ClassScores._fields,
        )
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
        accepted = accepted_groups(fitted)
        scores_of = group_scores(accepted, planted.truth, labels, planted.log.activity_counts)
        has_any = any(not {label for names in planted.truth for label in names}.isdisjoint(group) for group in accepted)
        figures |= {"accepted": scores_of.recall, "accepted_precision": scores_of.sure_precision if has_any else np.nan}
    return Judged(plain_figures(figures), *tallies)


def accepted_groups(fitted: Grouper) -> Groups:
    """Return the groups that a participant would merge without asking: all that it proposes, unless it says which."""
    groups: Groups = getattr(fitted, "accepted_", fitted.groups_) or ()
    return groups


def judge_trapped(fitted: Grouper, pairs: Groups) -> Judged:
    """Count the pairs of different steps that a participant would merge without asking."""
    if fitted.groups_ is None:
        return Judged({})
    merged = [set(group) for group in join_groups(accepted_groups(fitted))]
    return Judged({"trapped": sum(any(group.issuperset(pair) for group in merged) for pair in pairs) / len(pairs)})


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
    return Judged(plain_figures(synonym_scores(np.asarray(fitted.scores_, dtype=np.float64), synonyms)._asdict()))


def judge_classes(fitted: Grouper, coded: Planted, kind: str) -> Judged:
    """Judge how near activities are that experts put into one class, by their old labels."""
    scored, classes = expert_classes(coded.log, kind, coded.origin)
    if fitted.scores_ is None or not len(scored):
        return Judged({})
    scores = np.asarray(fitted.scores_, dtype=np.float64)[np.ix_(scored, scored)]
    return Judged(plain_figures(class_scores(scores, classes)._asdict()))
