"""Judge how labels are related: names of one step, outcomes of one decision, or steps that belong together; with witnesses.

The relation of two labels follows from two numbers (:mod:`actalike.labels.step_probabilities`):

- *synonyms*: they are more likely one step than not. Behaviour alone never says so; a witness does (:class:`Witness`): their
  texts, a pattern, a second name, separate periods or people (:mod:`actalike.labels.witnesses`), or two vocabularies.
- *alternatives*: they are more likely interchangeable than not, and less likely one step: two outcomes of one decision, say; or
  only that they are used apart speaks for one step, which many unrelated labels of this log are, too.
- *too rare to judge*: one of them is in fewer than 5 cases, and no text says that they are one step.

Labels *belong together* (two blood tests of one sample) if half of the cases with any of them have two or more, every two of them
share a fifth of the rarer one's cases, and one of three attractions is 1.3 or more:

- in cases: the smallest attraction of two of them (:meth:`actalike.log.CoOccurrence.attraction`);
- of direct neighbours: among events that follow each other directly;
- at one instant: among events of one case with the same timestamp.

The last two find steps that are repeated. Take the T pairs of such events that both have one of the labels; M of them have
different labels. If they were names of one step, given by chance, a share of c = 1 - Σ p² would be different, where p is each
label's share of the events. The attraction is (M + 5 c) / (T + 5) / c.

How these relations are given to groups: :mod:`actalike.labels.groups`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, takewhile
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES
from actalike.labels.patterns import LabelFamily
from actalike.labels.step_probabilities import PERIOD, SIMILAR_TEXT, PartnerLabels, Reason, SameStep
from actalike.labels.text import actors, distinguishing_tokens
from actalike.labels.uses import NeighbourCounts, SharedNeighbours
from actalike.labels.witnesses import THIN_CASES, Witness
from actalike.labels.words import opposite_words
from actalike.log import BY_CHANCE, AnyLog, CoOccurrence
from actalike.support.weights import probability_of

Relation = Literal["synonyms", "alternatives", "belong together", "same name", "too rare to judge"]
RELATIONS: tuple[Relation, ...] = ("synonyms", "alternatives", "belong together", "same name", "too rare to judge")
CautionKind = Literal["too rare", "few cases", "opposites", "tokens", "role", "names", "same place", "one pair"]

AT_LEAST = 0.5  # more likely one step than not
_COMMON = 0.1  # what so many unrelated pairs of a log show is no proof
SHOWN_NEIGHBOURS = 3  # pieces of evidence for each group
_FEWEST_BRIDGED = 3  # members of a group that one pair alone cannot divide into two groups
_MOST_LINKED = 30  # members without a link so far, up to which all pairs are looked at
_MOST_COMPARED = 600  # members, the most frequent ones, whose pairs the figures of a group are means of
HALF = 0.5  # of the cases with any label
_SOME_CASES = 0.2  # of the rarer of two labels
_SOME_OVERLAP = 0.1  # of the neighbours of interchangeable labels
_BY_USE = {"periods", "people", "vocabularies"}  # witnesses that two outcomes may have, too
_ATTRACTED = 1.3  # between 1 (names that change from event to event) and 2 (two steps that every case has once)


class Caution(NamedTuple):
    """Hold a reason to check a group before accepting it.

    - ``too rare``: ``labels`` occur in fewer than 5 cases, too few to judge.
    - ``few cases``: ``labels`` occur in fewer than 20 cases.
    - ``opposites``: the two ``labels`` say the opposite.
    - ``tokens``: the two ``labels`` differ in one token, which may tell two steps apart; so other people or periods are no proof.
    - ``role``: the two ``labels`` differ in who does the step, and the second one replaced the first on the day ``since``: the
      same step by another role, or another step.
    - ``names``: the two ``labels`` have other second names; so other people or periods are no proof.
    - ``same place``: the ``labels`` are not in the group, or in a group of their own, because no witness links them to it;
      they are likely one step with it, or take its place.
    - ``one pair``: only the two ``labels`` link the two parts of the group.
    """

    kind: CautionKind
    labels: tuple[str, ...]
    since: np.datetime64 | None = None


class Group(NamedTuple):
    """Hold labels that are likely one step, or that take the same place.

    - ``activities``: the members, most frequent first.
    - ``name``: the suggested name: the second name of the most frequent member; what the labels have in common beside ids; or the
      most frequent member that is not blank. No label outside the group and no other group has the same name.
    - ``probability``: the mean probability of two members to be one step; of synonyms, of the pairs that witnesses link.
    - ``interchangeable``: how likely the same pairs are interchangeable, in the mean.
    - ``overlap``: the mean share of direct neighbours that the same pairs have in common.
    - ``relation``: *synonyms*, *alternatives*, *belong together* or *too rare to judge*.
    - ``together``: the share of the cases with any member that have two or more members.
    - ``pattern``: how the labels are written if they differ only in a number, an id, a date or a name; else None.
    - ``witnesses``: what speaks for synonyms beside behaviour.
    - ``reasons``: why they have their probability: the mean reasons of the same pairs.
    - ``evidence``: the direct neighbours that members share, the most telling first.
    - ``cautions``: reasons why the proposal may be wrong.

    All of it is data; :mod:`actalike.labels.describe` turns it into sentences.
    """

    activities: tuple[str, ...]
    name: str
    probability: float
    interchangeable: float
    overlap: float
    relation: Relation
    together: float
    pattern: str | None
    witnesses: tuple[Witness, ...]
    reasons: tuple[Reason, ...]
    evidence: tuple[SharedNeighbours, ...]
    cautions: tuple[Caution, ...]


class Verdict(NamedTuple):
    """Hold how two labels are related, None if they are different steps, with witnesses and cautions as in a group."""

    relation: Relation | None = None
    witnesses: tuple[Witness, ...] = ()
    cautions: tuple[Caution, ...] = ()


class PairJudgement(NamedTuple):
    """Hold how likely two labels are one step, and interchangeable; how they are related, None if they are different steps."""

    probability: float
    interchangeable: float
    relation: Relation | None


def judge(same: SameStep, pairs: Sequence[tuple[str, str]], *, counts: WindowCounts | None = None) -> list[Verdict]:
    """Return how two labels are related, for each pair, by the rule of :func:`group`.

    Two labels are different steps (None) only if they are neither likely one step nor interchangeable.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> from actalike import EventLog, same_step
    >>> [verdict.relation for verdict in judge(same_step(log), [("a", "b"), ("a", "c")])]
    ['alternatives', None]
    """
    counts = count_windows(same.log, 3) if counts is None else counts
    own = steps = Proposals(same, counts, AT_LEAST)
    if same.merged is not None:
        steps = Proposals(same.merged, counts.relabel(lambda label: same.spelled.get(label, label)), AT_LEAST)
    verdicts = []
    for a, b in pairs:
        same.evidence(a, b)  # refuses an unknown label, and a label compared with itself
        of_steps = [same.spelled.get(label, label) for label in (a, b)]
        proposal = own.of_pair(a, b) if of_steps[0] == of_steps[1] else steps.of_pair(*of_steps)
        verdicts.append(Verdict() if proposal is None else Verdict(proposal.relation, proposal.witnesses, proposal.cautions))
    return verdicts


class Proposals:
    """Describe groups of labels, given as positions in the log's activities, the most frequent first."""

    def __init__(self, same: SameStep, counts: WindowCounts, at_least: float) -> None:
        self._same, self._log, self._at_least = same, same.log, at_least
        self._togetherness = Togetherness(same.log, counts)
        self._neighbours = NeighbourCounts(counts)
        self._family = {member: family for family in same.families for member in family.members}
        self._opposites_of: dict[int, set[int]] = {}
        for i, j in same.opposites:
            self._opposites_of.setdefault(i, set()).add(j)
        self._partners = _by_positions(same.partners, same.activities)

    def of_pair(self, a: str, b: str) -> Group | None:
        """Return what is proposed of two labels, None if they are different steps."""
        rank = np.argsort(by_frequency(self._log))
        members = sorted(map(self._log.activities.index, (a, b)), key=lambda i: rank[i])
        if self._same.proposable[*members] >= self._at_least:
            return self.likely(members)[0]
        of_place = probability_of(self._same.log_odds_of_place[*members])
        is_judged = of_place >= self._at_least or min(self._log.activity_cases[members]) < ENOUGH_CASES
        return self.unlikely(members) if is_judged else None

    def likely(self, members: list[int]) -> list[Group]:
        """Return the groups of labels that are likely one step: those that witnesses link, and the others as alternatives."""
        linked = [
            (component, witnesses)
            for component, witnesses in self._linked(members)
            if not self._opposites(component) and not self._has_rival(component, witnesses, members)
        ]
        if not linked and self._opposites(members):
            return [self.whole(members)]
        if not linked and self._togetherness.is_belonging(members):
            return [self._described(members, "belong together")]
        groups = [self._described(component, "synonyms", witnesses) for component, witnesses in linked]
        rest = [member for member in members if all(member not in component for component, _ in linked)]
        if len(rest) > 1 and self._are_interchangeable(rest):
            groups.append(self._described(rest, "alternatives"))
        return [self._with_others(group, members) for group in groups]

    def _has_rival(self, component: Sequence[int], witnesses: Sequence[Witness], members: Sequence[int]) -> bool:
        """Return whether only separate use links labels, and another member may be a further name, or the other one.

        Beside words of two periods only a label of a third one may be a further name, beside words of two sites none.
        """
        if not {one.kind for one in witnesses} <= _BY_USE:
            return False
        rivals = self._beside(component, members)
        pairs = [
            pair for one in combinations(component, 2) if (pair := self._partners.get(one)) and self._same.are_partners(pair)
        ]
        if any(pair.by != PERIOD for pair in pairs):
            return False
        if pairs:
            rivals = [i for i in rivals if any(one.kind == "periods" for j in component for one in self._same.uses_apart(i, j))]
        return bool(rivals)

    def _are_interchangeable(self, members: list[int]) -> bool:
        """Return whether labels are that likely interchangeable in the mean; half as likely with some neighbours in common."""
        likely = mean_of_pairs(self._same.proposable, members)
        some = mean_of_pairs(self._same.figures.overlap, members) >= _SOME_OVERLAP
        return likely >= (self._at_least / 2 if some else self._at_least)

    def _beside(self, inside: Sequence[int], members: Sequence[int]) -> list[int]:
        """Return the members that are likely one step with those of a group, but are not in it."""
        others = [i for i in members if i not in inside]
        return [i for i in others if self._same.proposable[list(inside), [i] * len(inside)].mean() >= self._at_least]

    def _with_others(self, group: Group, members: Sequence[int]) -> Group:
        """Return a group with a caution about the labels that are likely one step with it, but are not in it."""
        others = self._beside([i for i in members if self._log.activities[i] in group.activities], members)
        labels = tuple(self._log.activities[i] for i in others)
        return group._replace(cautions=(*group.cautions, Caution("same place", labels))) if others else group

    def named_alike(self, grouped: Collection[str]) -> list[Group]:
        """Return groups of labels with the same second name that are in no group yet: nothing else speaks for one step."""
        left = [i for i in by_frequency(self._log).tolist() if self._log.activities[i] not in grouped]
        groups = []
        while left:
            first = left.pop(0)
            members = [first, *(other for other in left if self._same.named_alike(first, other))]
            left = [other for other in left if other not in members]
            if len(members) > 1:
                groups.append(self._described(members, "same name"))
        return groups

    def partners(self, grouped: Collection[str]) -> list[Group]:
        """Return groups of two labels that two parts of the log use in the same place, of labels that are in no group yet."""
        groups, taken = list[Group](), set(grouped)
        for pair in sorted(self._same.partners, key=lambda pair: (-pair.probability, pair.a, pair.b)):
            if pair.probability < self._at_least or not taken.isdisjoint(pair[:2]):
                continue
            members = sorted(map(self._log.activities.index, pair[:2]), key=lambda i: (-self._log.activity_counts[i], i))
            if not self._togetherness.is_belonging(members):
                groups.append(self._described(members, "alternatives", (self._of_vocabularies(*members),)))
                taken.update(pair[:2])
        return groups

    def whole(self, members: list[int]) -> Group:
        """Return one group of all members: synonyms if witnesses link all of them, else alternatives."""
        for component, witnesses in self._linked(members):
            if len(component) == len(members) and not self._opposites(members):
                return self._described(members, "synonyms", witnesses)
        relation: Relation = "belong together" if self._togetherness.is_belonging(members) else "alternatives"
        return self._described(members, relation)

    def _linked(self, members: list[int]) -> list[tuple[list[int], tuple[Witness, ...]]]:
        """Return the sets of two or more members that witnesses link, each in the order of the members, with the witnesses.

        Of very many members only witnesses of the most frequent one of a set are sought.
        """
        linked = []
        left = list(members)
        while len(left) > 1:
            component, witnesses = [left.pop(0)], list[Witness]()
            for member in component:
                for other in list(left):
                    links = self._witnesses(member, other) if self._is_likely(member, other) else []
                    if links:
                        left.remove(other)
                        component.append(other)
                        witnesses += links
                if len(left) > _MOST_LINKED:
                    break
            if len(component) > 1 and self._are_apart(component):
                linked.append((sorted(component, key=members.index), tuple(witnesses)))
        return linked

    def _are_apart(self, component: Sequence[int]) -> bool:
        """Return whether every two frequent labels have a witness; two that are used side by side may be two outcomes."""
        frequent = [member for member in component if self._log.activity_cases[member] >= THIN_CASES]
        return len(component) > _MOST_LINKED or all(self._witnesses(a, b) for a, b in combinations(frequent, 2))

    def _is_likely(self, a: int, b: int) -> bool:
        return bool(self._same.probabilities()[a, b] >= self._at_least)

    def unlikely(self, members: list[int]) -> Group | None:
        """Return a group whose members only take the same place, or None if there is nothing to be said of it."""
        if min(self._log.activity_cases[members]) < ENOUGH_CASES:
            return self._described(members, "too rare to judge")
        if self._togetherness.is_belonging(members):
            return self._described(members, "belong together")
        are_outcomes = self._opposites(members) and self._togetherness.share(members) < HALF
        return self._described(members, "alternatives") if are_outcomes else None

    def together(self, members: Sequence[int]) -> float:
        """Return the share of the cases with any of the labels that have two or more."""
        return self._togetherness.share(members)

    def shared_neighbours(self, members: Sequence[int], telling: Sequence[int] | None = None) -> list[SharedNeighbours]:
        """Return the neighbours that labels share, those first that say the most of all of them, or of some that are given."""
        return self._neighbours.shared_by(members, SHOWN_NEIGHBOURS, telling)

    def _described(self, members: list[int], relation: Relation, witnesses: tuple[Witness, ...] = ()) -> Group:
        labels = tuple(self._log.activities[member] for member in members)
        place = dict(zip(labels, members, strict=True))
        links = sorted({(place[witness.a], place[witness.b]) for witness in witnesses})
        rows, columns = np.transpose(links) if links else _pairs(members[:_MOST_COMPARED])
        family = self._family.get(members[0])
        if any(self._family.get(member) is not family for member in members):
            family = None
        return Group(
            labels,
            _step_name(labels, family, self._log),
            float(self._same.probabilities()[rows, columns].mean()),
            float(self._same.interchangeabilities()[rows, columns].mean()),
            float(self._same.figures.overlap[rows, columns].mean()),
            relation,
            self.together(members),
            None if family is None else family.pattern,
            witnesses,
            tuple(self._same.reasons(list(zip(rows.tolist(), columns.tolist(), strict=True)))),
            tuple(self.shared_neighbours(members)),
            tuple(self._cautions(members, labels)),
        )

    def _witnesses(self, a: int, b: int) -> list[Witness]:
        labels = self._log.activities[a], self._log.activities[b]
        family = self._family.get(a)
        if family is not None and family is self._family.get(b):
            return [Witness("pattern", *labels, pattern=family.pattern)]
        text = [Witness("text", *labels)] if self._same.texts[a, b] >= SIMILAR_TEXT else []
        if self._same.named_alike(a, b) and self._togetherness.share_of_rarer(a, b) < _SOME_CASES:
            text.append(Witness("name", *labels, name=self._log.names[labels[0]]))
        if self._same.named_apart(a, b):
            return text
        use = [one for one in self._same.uses_apart(a, b) if self._same.chance.get(one.kind, 1.0) <= _COMMON]
        use = [] if distinguishing_tokens(*labels) else use
        pair = self._partners.get((a, b))
        if pair is None or not self._same.are_partners(pair) or (pair.by == PERIOD and any(one.kind == "periods" for one in use)):
            return text + use
        return [*text, *use, self._of_vocabularies(a, b)]

    def _of_vocabularies(self, a: int, b: int) -> Witness:
        pair, label = self._partners[a, b], self._log.activities[a]
        parts = pair.parts if label == pair.a else pair.parts[::-1]
        return Witness("vocabularies", label, self._log.activities[b], pair.by, parts=parts, steps=pair.steps)

    def _opposites(self, members: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of members that are opposites; of few members also those that have opposite words beside others."""
        inside = set(members)
        pairs = {(i, j) for i in members for j in self._opposites_of.get(i, set()) & inside}
        if len(members) <= _MOST_LINKED:
            labels = self._log.activities
            pairs |= {(i, j) for i, j in combinations(sorted(members), 2) if opposite_words(labels[i], labels[j]) is not None}
        return sorted(pairs)

    def _cautions(self, members: list[int], labels: tuple[str, ...]) -> Iterator[Caution]:
        """Yield the reasons to check a group."""
        cases = dict(zip(labels, self._log.activity_cases[members].tolist(), strict=True))
        rare = tuple(label for label, n in cases.items() if n < ENOUGH_CASES)
        thin = tuple(label for label, n in cases.items() if ENOUGH_CASES <= n < THIN_CASES)
        opposites = self._opposites(members)
        if rare:
            yield Caution("too rare", rare)
        if thin:
            yield Caution("few cases", thin)
        if opposites:
            yield Caution("opposites", tuple(self._log.activities[i] for i in opposites[0]))
        elif len(members) <= _MOST_LINKED:
            if (link := self._only_link(members)) is not None:
                yield Caution("one pair", tuple(self._log.activities[i] for i in link))
            told_apart = (pair for pair in combinations(members, 2) if self._is_set_aside(*pair))
            if pair := next(told_apart, None):
                yield self._setting_apart(*pair)

    def _setting_apart(self, a: int, b: int) -> Caution:
        """Return why time and people are no proof that two labels are one step."""
        labels = self._log.activities[a], self._log.activities[b]
        if self._same.named_apart(a, b):
            return Caution("names", labels)
        replaced = next((one for one in self._same.usage.witnesses(a, b) if one.kind == "periods"), None)
        if replaced is None or actors(*labels) is None:
            return Caution("tokens", labels)
        return Caution("role", labels if replaced.earlier == labels[0] else labels[::-1], replaced.since)

    def _only_link(self, members: Sequence[int]) -> tuple[int, int] | None:
        """Return the only likely pair that links two parts of a group, of two labels or more each; None if there is none."""
        links = [pair for pair in combinations(members, 2) if self._same.proposable[pair] >= self._at_least]
        for link in links if len(members) > _FEWEST_BRIDGED else []:
            part, reached = [link[0]], {link[0]}
            for member in part:
                for a, b in links:
                    other = b if a == member else a if b == member else None
                    if other is not None and other not in reached and (a, b) != link:
                        reached.add(other)
                        part.append(other)
            if link[1] not in reached and min(len(part), len(members) - len(part)) > 1:
                return link
        return None

    def _is_set_aside(self, a: int, b: int) -> bool:
        """Return whether time or people would be witnesses, if the texts did not tell the two labels apart."""
        has_tokens = distinguishing_tokens(self._log.activities[a], self._log.activities[b]) is not None
        if not (has_tokens or self._same.named_apart(a, b)):
            return False
        return bool(self._same.uses_apart(a, b)) and not self._witnesses(a, b)


class Togetherness:
    """Compare how often labels, given by their positions, come together."""

    def __init__(self, log: AnyLog, counts: WindowCounts) -> None:
        self._log, self._table = log, counts.marginal(3)
        self._co_occurrence = CoOccurrence(log)

    def share(self, members: Sequence[int]) -> float:
        """Return the share of the cases with any of the labels that have two or more."""
        any_, several, _ = self._co_occurrence.cases(members)
        return several / any_

    def share_of_rarer(self, a: int, b: int) -> float:
        """Return the share of the cases of the rarer of two labels that have both."""
        shared = self._co_occurrence.shared_between(np.array([a]), np.array([b]))[0, 0]
        return float(shared / min(self._log.activity_cases[[a, b]]))

    def is_belonging(self, members: Sequence[int]) -> bool:
        """Return whether labels belong together.

        >>> from actalike import count_windows
        >>> from actalike import EventLog
        >>> log = EventLog.from_traces([["admit", "crp", "count"], ["admit", "count", "crp"]] * 20)
        >>> togetherness = Togetherness(log, count_windows(log, 3))
        >>> log.activities[1:], togetherness.is_belonging([1, 2])
        (['count', 'crp'], True)
        """
        if self.share(members) < HALF or not self._all_share_cases(members):
            return False
        places = np.array(members)
        in_cases = self._co_occurrence.attraction_between(places, places)[np.triu_indices(len(members), 1)].min()
        return bool(max(in_cases, self._of_neighbours(members), self._at_one_instant(members)) >= _ATTRACTED)

    def _all_share_cases(self, members: Sequence[int]) -> bool:
        places = np.array(members)
        shared, cases = self._co_occurrence.shared_between(places, places), self._log.activity_cases[places]
        return bool((shared >= _SOME_CASES * np.minimum.outer(cases, cases)).all())

    def _of_neighbours(self, members: Sequence[int]) -> float:
        first, second = self._table.focal, self._table.windows[:, 2]
        is_pair = np.isin(first, members) & np.isin(second, members)
        counts = self._table.counts[is_pair]
        different = counts[first[is_pair] != second[is_pair]]
        return self._compared_with_chance(members, float(different.sum()), float(counts.sum()))

    def _at_one_instant(self, members: Sequence[int]) -> float:
        uses = self._log.variants.uses
        if uses is None or uses.instants is None:
            return 1.0
        (_, first, second), pairs = uses.instants.keys.T, uses.instants.counts[:, 0]
        is_pair = np.isin(first, members) & np.isin(second, members)
        different = pairs[is_pair & (first != second)]
        return self._compared_with_chance(members, float(different.sum()), float(pairs[is_pair].sum()))

    def _compared_with_chance(self, members: Sequence[int], different: float, pairs: float) -> float:
        events = self._log.activity_counts[list(members)]
        by_chance = 1 - float(((events / events.sum()) ** 2).sum())
        return (different + BY_CHANCE * by_chance) / (pairs + BY_CHANCE) / by_chance


def by_frequency(log: AnyLog) -> NDArray[np.int64]:
    """Return the positions of all activities, the most frequent first; of equally frequent ones, that with more cases."""
    return np.lexsort((np.arange(len(log.activities)), -log.activity_cases, -log.activity_counts))


def mean_of_pairs(values: NDArray[np.float64], members: list[int]) -> float:
    """Return the mean over all pairs of members."""
    rows, columns = np.triu_indices(len(members), 1)
    places = np.array(members, dtype=np.int64)
    return float(values[places[rows], places[columns]].mean())


def _pairs(members: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second members of all pairs."""
    first, second = np.triu_indices(len(members), 1)
    return np.asarray(members)[first], np.asarray(members)[second]


def _by_positions(partners: Sequence[PartnerLabels], labels: Sequence[str]) -> dict[tuple[int, int], PartnerLabels]:
    """Return partners by the positions of their labels, in both orders; of equal ones the first."""
    place = {label: i for i, label in enumerate(labels)}
    found: dict[tuple[int, int], PartnerLabels] = {}
    for pair in partners:
        i, j = place[pair.a], place[pair.b]
        for cell in ((i, j), (j, i)):
            found.setdefault(cell, pair)
    return found


def _step_name(labels: tuple[str, ...], family: LabelFamily | None, log: AnyLog) -> str:
    """Return what a step is called: the second name of its most frequent label, what its labels have in common, or that label."""
    second = log.names.get(labels[0], "")
    if second.strip():
        return second
    return _common_part(labels) if family is None else _name(family, log)


def _common_part(labels: tuple[str, ...]) -> str:
    """Return what labels have in common if they differ in words with digits only; else the first label.

    >>> _common_part(("Forward to KRA04", "Forward to MVU01")), _common_part(("Pay by post", "Pay by e-mail"))
    ('Forward to …', 'Pay by post')
    """
    words = [label.split() for label in labels]
    start = _equal_words(words)
    end = _equal_words([some[start:][::-1] for some in words])
    rests = [some[start : len(some) - end] for some in words]
    common = [*words[0][:start], "…", *words[0][len(words[0]) - end :]]
    has_name = any(len(word) > 2 and word.isalpha() for word in common)
    if has_name and all(rest and all(re.search(r"\d", word) for word in rest) for rest in rests):
        return " ".join(common)
    return labels[0]


def _equal_words(lists: list[list[str]]) -> int:
    """Return with how many equal words lists begin."""
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(*lists, strict=False)))


def _name(family: LabelFamily, log: AnyLog) -> str:
    """Return the name of a family: the label before anything was added to it, or the pattern without what varies."""
    if family.plain is not None:
        return log.activities[family.plain]
    fixed = re.sub(r"[(<\[{]\s*[…#]\s*[)>\]}]", " ", family.pattern).replace("…", " ")  # no empty brackets
    return " ".join(fixed.strip(" _-:#/.,").split()) or family.pattern
