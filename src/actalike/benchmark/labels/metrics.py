"""Score rankings and proposed groups of labels against the names that are known to be of one step.

Rankings are scored exactly on ties: equal scores (to 12 decimals) may stand in any order, and the value is the mean over all of
them. Groups may overlap, as pairs do. Their pairs count as they are; wherever whole groups count, groups that overlap are joined,
because relabelling would join them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Groups = Sequence[Sequence[str]]


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


def first_hits(rows: Floats, partners: Mask, candidates: Mask) -> Floats:
    """Return for each query how likely its best candidate is a partner; NaN without a candidate.

    >>> everyone = np.ones((1, 3), dtype=bool)
    >>> first_hits(np.array([[0.5, 0.5, 0.1]]), np.array([[True, False, False]]), everyone).tolist()
    [0.5]
    """
    values = np.where(candidates, rows.round(12), -np.inf)
    tied = candidates & (values == values.max(axis=1, keepdims=True))
    n_tied = tied.sum(axis=1)
    return np.divide((tied & partners).sum(axis=1), n_tied, out=np.full(len(rows), np.nan), where=n_tied > 0)


def reciprocal_ranks(rows: Floats, partners: Mask, candidates: Mask) -> Floats:
    """Return for each query the expected 1 / rank of its best partner among the candidates; NaN without a partner among them.

    >>> everyone = np.ones((1, 3), dtype=bool)
    >>> reciprocal_ranks(np.array([[0.5, 0.5, 0.1]]), np.array([[True, False, False]]), everyone).tolist()
    [0.75]
    """
    values = np.where(candidates, rows.round(12), -np.inf)
    relevant = partners & candidates
    expected = np.full(len(rows), np.nan)
    for query in np.flatnonzero(relevant.any(axis=1)).tolist():
        best = values[query, relevant[query]].max()
        better, tied = int((values[query] > best).sum()), candidates[query] & (values[query] == best)
        n_tied, n_relevant = int(tied.sum()), int((tied & relevant[query]).sum())
        chance, value = n_relevant / n_tied, 0.0  # that the first partner stands at place 1 of the tied, then at the next ones
        for place in range(1, n_tied - n_relevant + 2):
            value += chance / (better + place)
            chance *= (n_tied - place - n_relevant + 1) / (n_tied - place) if place < n_tied else 0.0
        expected[query] = value
    return expected


def average_precision(scores: Floats, relevant: Mask) -> float:
    """Return the mean precision at the place of each relevant one, in expectation over all orders of ties; NaN if none is.

    >>> average_precision(np.array([3.0, 2.0, 1.0]), np.array([True, False, True])).__round__(3)
    0.833
    """
    if not relevant.any():
        return float("nan")
    values = scores.round(12)
    order = np.argsort(-values, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(values[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    hits = np.add.reduceat(relevant[order].astype(np.int64), starts)
    before = np.cumsum(hits) - hits
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, len(order) + 1))])
    reciprocals = harmonic[starts + sizes] - harmonic[starts]  # sum of 1 / place over the tied
    slope = np.divide(hits - 1, sizes - 1, out=np.zeros(len(starts)), where=sizes > 1)  # relevant ones among the tied before
    precisions = slope * sizes + (before + 1 - slope * (starts + 1)) * reciprocals
    return float((hits / sizes * precisions).sum() / relevant.sum())


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


def join_groups(groups: Groups) -> list[list[str]]:
    """Join groups that have a label in common; leave out groups of one.

    >>> join_groups([("a", "b"), ("c", "d"), ("b", "e"), ("f",)])
    [['a', 'b', 'e'], ['c', 'd']]
    """
    parent: dict[str, str] = {}

    def root(label: str) -> str:
        parent.setdefault(label, label)
        while parent[label] != label:
            parent[label] = parent[parent[label]]
            label = parent[label]
        return label

    for group in groups:
        first = root(group[0]) if len(group) else ""
        for label in group[1:]:
            parent[root(label)] = first
    members: dict[str, list[str]] = {}
    for label in parent:
        members.setdefault(root(label), []).append(label)
    return [group for group in members.values() if len(group) > 1]


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
