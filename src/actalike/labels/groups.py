"""Propose groups of labels from the probabilities that two labels are one step, each with a verdict in words and its reasons.

1. Merge the labels into a tree by average linkage: each step merges the two groups whose pairs have the highest mean
   probability. Cut it where that mean falls below ``at_least``, or where ``steps`` labels are left.
2. Give each group a relation. *Synonyms* need a witness beside behaviour between the most frequent label and each other one
   (:mod:`actalike.labels.witnesses`), and no two of them may be opposites. Without that they are *alternatives*: they take the
   same place, as two names of one step do, and as two outcomes of one decision do.
3. Look among the other labels for those that take the same place but are not one step, by the same linkage: labels that share
   half of their cases or more, and more often than chance (attraction 1.3), *belong together*; opposites are *alternatives*. What is left is compared with the labels in fewer
   than 5 cases; such groups are *too rare to judge*.

The same log gives the same groups, whatever the order of its cases. Of equal probabilities (to 12 digits), those of the more
frequent labels are merged first. ``measurements/planted_splits.py`` measures how many planted groups are found.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES
from actalike.errors import ActalikeError
from actalike.labels.evidence import THIN_CASES, Caution, SharedNeighbours
from actalike.labels.label_patterns import LabelFamily
from actalike.labels.pair_evidence import WINDOW
from actalike.labels.same_step import Reason, SameStep, same_step
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.labels.witnesses import SIMILAR_TEXT, Usage, Witness
from actalike.log import CoOccurrence, EventLog

Relation = Literal["synonyms", "alternatives", "belong together", "too rare to judge"]
RELATIONS: tuple[Relation, ...] = ("synonyms", "alternatives", "belong together", "too rare to judge")

AT_LEAST = 0.5  # more likely one step than not
SHOWN_NEIGHBOURS = 3  # pieces of evidence for each group
_BELONG_TOGETHER = 0.5  # the share of the cases with a member that have two or more
_ATTRACTED = 1.3  # between 1 (names that change from event to event) and 2 (steps that every case has once)
_MOST_PAIRS = 2000  # of a group, of which the mean reasons are told


class Group(NamedTuple):
    """Hold labels that are likely one step, or that take the same place.

    - ``activities``: the members, most frequent first.
    - ``name``: the suggested name: the most frequent member, or what a pattern has in common.
    - ``probability``: the mean probability of two members to be one step.
    - ``overlap``: the mean share of direct neighbours that two members have in common.
    - ``relation``: *synonyms*, *alternatives*, *belong together* or *too rare to judge*.
    - ``together``: the share of the cases with any member that have two or more members.
    - ``pattern``: how the labels are written if they differ only in a number, an id, a date or a name; else None.
    - ``witnesses``: what speaks for synonyms beside behaviour.
    - ``reasons``: why they have their probability: the mean reasons of the pairs.
    - ``evidence``: the direct neighbours that members share, the most telling first.
    - ``cautions``: reasons why the proposal may be wrong.

    All of it is data; :mod:`actalike.labels.words` turns it into sentences.
    """

    activities: tuple[str, ...]
    name: str
    probability: float
    overlap: float
    relation: Relation
    together: float
    pattern: str | None
    witnesses: tuple[Witness, ...]
    reasons: tuple[Reason, ...]
    evidence: tuple[SharedNeighbours, ...]
    cautions: tuple[Caution, ...]


def group(
    log: EventLog,
    at_least: float = AT_LEAST,
    *,
    steps: int | None = None,
    counts: WindowCounts | None = None,
    same: SameStep | None = None,
) -> list[Group]:
    """Return groups of labels: synonyms first, then alternatives, those that belong together, and those too rare to judge.

    ``at_least`` is the mean probability that the members of a group must have. ``steps=K`` merges until K labels are left,
    however unlikely the groups are. If you have already counted the log's windows (of size 5 or more) or compared its labels
    (:func:`same_step`), pass the ``counts`` or ``same`` to save the work. No label is in two groups.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(proposal.activities, proposal.relation, proposal.evidence[0]) for proposal in group(log)]
    [(('a', 'b'), 'alternatives', SharedNeighbours(before='x', after='y', counts=(20, 20)))]
    """
    check_probability(at_least)
    if same is None:
        same = same_step(log, counts=counts)
    elif same.log is not log:
        raise ActalikeError("The probabilities are those of another log: give same_step of this log.")
    n = len(log.activities)
    if steps is not None and not 1 <= steps <= n:
        raise ActalikeError(f"steps={steps} is not between 1 and the number of activities, {n:,}.")
    order = np.lexsort((np.arange(n), -log.activity_cases, -log.activity_counts))
    proposals = _Proposals(same, count_windows(log, WINDOW) if counts is None else counts)
    groups = [proposals.likely(members) for members in _clusters(same.probabilities(), order, at_least, steps)]
    if steps is None:
        of_place = 0.5 * (1 + np.tanh(same.log_odds_of_place / 2))
        for fewest in (ENOUGH_CASES, 1):
            grouped = {label for proposal in groups for label in proposal.activities}
            is_left = [log.activities[i] not in grouped and log.activity_cases[i] >= fewest for i in order.tolist()]
            proposed = (proposals.unlikely(members) for members in _clusters(of_place, order[is_left], at_least, None))
            groups += [proposal for proposal in proposed if proposal is not None]
    return sorted(groups, key=lambda proposal: (RELATIONS.index(proposal.relation), -round(proposal.probability, 9)))


def check_probability(at_least: float) -> None:
    """Raise an error if a number is not a probability above 0."""
    if not 0 < at_least <= 1:
        raise ActalikeError(f"at_least={at_least} is not a probability above 0 and up to 1.")


def _clusters(
    probabilities: NDArray[np.float64], order: NDArray[np.int64], at_least: float, steps: int | None
) -> Iterator[list[int]]:
    """Yield the groups of two or more labels of a tree by average linkage, each in the given order."""
    n = len(order)
    if n < 2:
        return
    from scipy.cluster.hierarchy import fcluster, linkage  # here: it takes long to load, and only groups need it

    rows, columns = np.triu_indices(n, 1)
    tree = linkage((1 - probabilities[order[rows], order[columns]]).round(12), "average")
    number = fcluster(tree, 1 - at_least + 1e-12, "distance") if steps is None else _cut(tree, n, steps)
    members: dict[int, list[int]] = {}
    for place, one in enumerate(number.tolist()):
        members.setdefault(one, []).append(int(order[place]))
    yield from (cluster for cluster in members.values() if len(cluster) > 1)


def _cut(tree: NDArray[np.float64], n: int, steps: int) -> NDArray[np.int64]:
    """Return the number of the group of each label after the first n - steps merges."""
    group_of = np.arange(n)
    for merge in range(n - steps):
        group_of[np.isin(group_of, tree[merge, :2].astype(np.int64))] = n + merge
    return group_of


class _Proposals:
    """Describe groups of labels, given as positions in the log's activities, the most frequent first."""

    def __init__(self, same: SameStep, counts: WindowCounts) -> None:
        self._same, self._log, self._probabilities = same, same.log, same.probabilities()
        self._co_occurrence, self._neighbours = CoOccurrence(same.log), NeighbourCounts(counts)
        self._usage = Usage(same.log)
        self._family = {member: family for family in same.families for member in family.members}

    def likely(self, members: list[int]) -> Group:
        """Return a group whose members are likely one step: synonyms if there are witnesses, otherwise alternatives."""
        first, others = members[0], members[1:]
        witnesses = [self._witnesses(first, other) for other in others]
        is_proven = all(witnesses) and not self._has_opposites(members)
        shown = tuple(witness for found in witnesses for witness in found)
        return self._described(members, "synonyms" if is_proven else "alternatives", shown)

    def unlikely(self, members: list[int]) -> Group | None:
        """Return a group whose members only take the same place, or None if there is nothing to be said of it."""
        if min(self._log.activity_cases[members]) < ENOUGH_CASES:
            return self._described(members, "too rare to judge", ())
        if self._together(members) >= _BELONG_TOGETHER and self._attraction(members) >= _ATTRACTED:
            return self._described(members, "belong together", ())
        return self._described(members, "alternatives", ()) if self._has_opposites(members) else None

    def _described(self, members: list[int], relation: Relation, witnesses: tuple[Witness, ...]) -> Group:
        labels = tuple(self._log.activities[member] for member in members)
        pairs = list(combinations(members[: int((2 * _MOST_PAIRS) ** 0.5)], 2))
        rows, columns = np.array(list(combinations(members, 2)), dtype=np.int64).T
        family = self._family.get(members[0])
        if any(self._family.get(member) is not family for member in members):
            family = None
        return Group(
            labels,
            labels[0] if family is None else _name(family, self._log),
            float(self._probabilities[rows, columns].mean()),
            float(self._same.figures.overlap[rows, columns].mean()),
            relation,
            self._together(members),
            None if family is None else family.pattern,
            witnesses,
            tuple(self._same.reasons(pairs)),
            tuple(self._neighbours.shared_by(members, SHOWN_NEIGHBOURS)),
            tuple(self._cautions(members, labels)),
        )

    def _witnesses(self, a: int, b: int) -> list[Witness]:
        labels = self._log.activities[a], self._log.activities[b]
        family = self._family.get(a)
        if family is not None and family is self._family.get(b):
            return [Witness("pattern", *labels, pattern=family.pattern)]
        text = [Witness("text", *labels)] if self._same.texts[a, b] >= SIMILAR_TEXT else []
        return text + self._usage.witnesses(a, b)

    def _has_opposites(self, members: Sequence[int]) -> bool:
        return any(pair in self._same.opposites for pair in combinations(sorted(members), 2))

    def _together(self, members: list[int]) -> float:
        any_, several, _ = self._co_occurrence.cases(members)
        return several / any_

    def _attraction(self, members: list[int]) -> float:
        """Return the smallest attraction of two members."""
        return float(np.exp(min(self._same.figures.attraction[pair] for pair in combinations(members, 2))))

    def _cautions(self, members: list[int], labels: tuple[str, ...]) -> Iterator[Caution]:
        """Yield the reasons to check a group."""
        cases = dict(zip(labels, self._log.activity_cases[members].tolist(), strict=True))
        rare = tuple(label for label, n in cases.items() if n < ENOUGH_CASES)
        thin = tuple(label for label, n in cases.items() if ENOUGH_CASES <= n < THIN_CASES)
        opposites = [pair for pair in combinations(sorted(members), 2) if pair in self._same.opposites]
        if rare:
            yield Caution("too rare", rare)
        if thin:
            yield Caution("few cases", thin)
        if opposites:
            yield Caution("opposites", tuple(self._log.activities[i] for i in opposites[0]))


def _name(family: LabelFamily, log: EventLog) -> str:
    """Return the name of a family: the label before anything was added to it, or the pattern without what varies."""
    if family.plain is not None:
        return log.activities[family.plain]
    return " ".join(family.pattern.replace("…", " ").strip(" _-:#/.,").split()) or family.pattern
