"""Judge how labels are related: names of one step, outcomes of one decision, or steps that belong together; with witnesses.

Names of one step and outcomes of one decision take the same place in a case, so the company they keep cannot tell them apart. A
witness says, beside behaviour, that two labels are names of one step (:class:`Witness`):

- ``text``: the labels are spelled alike (similarity 0.9 or more, see :mod:`actalike.labels.text`). A slip of the keyboard is rare
  beside the label itself: with more than a tenth of its events, it may be a word of its own, and is no witness.
- ``pattern``: they differ only in a number, an id, a date or a name, and behave alike.
- ``periods``: one is used before the other. D is the largest difference between the shares of both labels' cases (by the first
  event of the label) up to any day (UTC); D must be 0.9 or more and unlikely by chance, 2 exp(-2 D² n m / (n + m)) <= 0.0001
  with n and m cases. The later one must not be a larger step: the earlier one's last 50 cases and as much use of all labels after
  them are compared; with more than 2.5 times as many cases, and 5 standard deviations more, it is.
- ``people``: other resources, organisations or sources use them, which otherwise do the same. At most 10 % of the values of an
  attribute (Σ min of the shares) are in common, where a random assignment of the same events would have at least half in
  common; and those who use the one do other steps in about the same shares as those who use the other (60 % in common). So two
  offices are witnesses, and a clerk and a manager are not: different steps are done by different roles.
- ``name``: they have the same second name, and share less than a fifth of the cases of the rarer one.
- ``vocabularies``: they are words of two parts of the log, such as two offices or the time before and after a new system, and the
  flows of both parts match (:class:`actalike.labels.step_probabilities.PartnerLabels`). One token in which they differ
  (*B register*, *S register*) tells steps apart unless other partners of the same parts differ in the same tokens.

Of time and people, both labels must be in 20 cases or more. Labels with different second names are called two steps by the log
itself: then only their own texts are witnesses.

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
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise, takewhile
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES
from actalike.labels.patterns import LabelFamily
from actalike.labels.step_probabilities import PERIOD, PartnerLabels, Reason, SameStep, probability_of
from actalike.labels.text import actors, distinguishing_tokens
from actalike.labels.uses import NeighbourCounts, SharedNeighbours
from actalike.labels.words import opposite_words
from actalike.log import BY_CHANCE, AnyLog, CoOccurrence, Uses, names_people, plain_name

Relation = Literal["synonyms", "alternatives", "belong together", "same name", "too rare to judge"]
RELATIONS: tuple[Relation, ...] = ("synonyms", "alternatives", "belong together", "same name", "too rare to judge")
WitnessKind = Literal["text", "pattern", "periods", "people", "vocabularies", "name"]
CautionKind = Literal["too rare", "few cases", "opposites", "tokens", "role", "names", "same place", "one pair"]

AT_LEAST = 0.5  # more likely one step than not
THIN_CASES = 20  # in fewer cases, chance has a large part in a similarity (docs/concepts.md)
SHOWN_NEIGHBOURS = 3  # pieces of evidence for each group
_LEAST_OVERLAP = 0.1  # of alternatives that are less likely one step than not
_FEWEST_BRIDGED = 3  # members of a group that one pair alone cannot divide into two groups
_MOST_LINKED = 30  # members without a link so far, up to which all pairs are looked at
_SOME_OVERLAP = 0.03  # of two labels, for separate periods or people to be a witness: two processes share no neighbours
_SAME_COMPANY = 1.0  # log-odds by kin, for separate periods or people to be a witness
_MOST_COMPARED = 600  # members, the most frequent ones, whose pairs the figures of a group are means of
SIMILAR_TEXT = 0.9
_SEPARATE_PERIODS = 0.9
_BY_CHANCE = 1e-4
_NEXT_TO_CHANGE = 50  # cases of the earlier label
_MORE_USE = 2.5
_CERTAIN = 5.0  # standard deviations
_SEPARATE_PEOPLE = 0.1
_EXPECTED_IN_COMMON = 0.5
_SAME_WORK = 0.6
_SOURCES = {"source", "sourcesystem", "system", "file", "filename", "site", "location", "branch", "office", "region", "country"}
HALF = 0.5  # of the cases with any label
_SOME_CASES = 0.2  # of the rarer of two labels
_ATTRACTED = 1.3  # between 1 (names that change from event to event) and 2 (two steps that every case has once)
_EARLY, _LATE = 0.05, 0.95  # quantiles: a few late events of an old label do not make it used side by side


class Witness(NamedTuple):
    """Hold what speaks for ``a`` and ``b`` being names of one step.

    - ``attribute``: of people, the name of the attribute; of vocabularies the column that divides the cases, or ``"period"``.
    - ``earlier``: of periods, which label came first; ``until``: when it was last used (95 % of its cases); ``since``: when the
      other one was first used (5 %).
    - ``pattern``: of a pattern, how it is written.
    - ``parts``: of vocabularies, what the parts of the log are called that use ``a`` and ``b``; ``steps``: how many steps of both
      parts are matched.
    - ``name``: of labels with the same second name, that name.
    """

    kind: WitnessKind
    a: str
    b: str
    attribute: str | None = None
    earlier: str | None = None
    until: np.datetime64 | None = None
    since: np.datetime64 | None = None
    pattern: str | None = None
    parts: tuple[str, str] | None = None
    steps: int | None = None
    name: str | None = None


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
    """Hold the probability that two labels are one step, and how they are related; None if they are different steps."""

    probability: float
    relation: Relation | None


def judge(same: SameStep, pairs: Sequence[tuple[str, str]], *, counts: WindowCounts | None = None) -> list[Verdict]:
    """Return how two labels are related, for each pair, by the rule of :func:`group`.

    Two labels are different steps (None) only if they are less likely one step than not.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> from actalike import EventLog, same_step
    >>> [verdict.relation for verdict in judge(same_step(log), [("a", "b"), ("a", "c")])]
    ['alternatives', None]
    """
    log, verdicts = same.log, []
    proposals = Proposals(same, count_windows(log, 3) if counts is None else counts, AT_LEAST)
    rank = np.argsort(by_frequency(log))
    for a, b in pairs:
        same.evidence(a, b)  # refuses an unknown label, and a label compared with itself
        members = sorted((log.activities.index(a), log.activities.index(b)), key=lambda i: rank[i])
        takes_the_place = probability_of(same.log_odds_of_place[*members]) >= AT_LEAST
        if same.probability(a, b) >= AT_LEAST:
            proposal: Group | None = proposals.likely(members)[0]
        elif takes_the_place or min(log.activity_cases[members]) < ENOUGH_CASES:
            proposal = proposals.unlikely(members)
        else:
            proposal = None
        verdicts.append(Verdict() if proposal is None else Verdict(proposal.relation, proposal.witnesses, proposal.cautions))
    return verdicts


class Proposals:
    """Describe groups of labels, given as positions in the log's activities, the most frequent first."""

    def __init__(self, same: SameStep, counts: WindowCounts, at_least: float) -> None:
        self._same, self._log, self._at_least = same, same.log, at_least
        self._togetherness = Togetherness(same.log, counts)
        self._neighbours = NeighbourCounts(counts)
        self._usage = Usage(same.log)
        self._family = {member: family for family in same.families for member in family.members}
        self._opposites_of: dict[int, set[int]] = {}
        for i, j in same.opposites:
            self._opposites_of.setdefault(i, set()).add(j)
        self._partners = _by_positions(same.partners, same.activities)
        self._tokens = Counter(tokens for pair in same.partners if (tokens := _tokens_by_part(pair)) is not None)

    def likely(self, members: list[int]) -> list[Group]:
        """Return the groups of labels that are likely one step: those that witnesses link, and the others as alternatives."""
        if self._togetherness.is_belonging(members) or self._opposites(members):
            return [self.whole(members)]
        linked = self._linked(members)
        groups = [self._described(component, "synonyms", witnesses) for component, witnesses in linked]
        rest = [member for member in members if all(member not in component for component, _ in linked)]
        if len(rest) > 1 and self._may_be_one_step(rest):
            groups.append(self._described(rest, "alternatives"))
        return [self._beside(group, members) for group in groups]

    def _beside(self, group: Group, members: Sequence[int]) -> Group:
        """Return a group with the labels that are likely one step with it, but are not in it."""
        inside = [i for i in members if self._log.activities[i] in group.activities]
        of_group = [(i, self._same.probabilities()[inside, [i] * len(inside)].mean()) for i in members if i not in inside]
        others = tuple(self._log.activities[i] for i, probability in of_group if probability >= self._at_least)
        return group._replace(cautions=(*group.cautions, Caution("same place", others))) if others else group

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

    def _may_be_one_step(self, members: list[int]) -> bool:
        probability = mean_of_pairs(self._same.probabilities(), members)
        overlap = mean_of_pairs(self._same.figures.overlap, members)
        return probability >= self._at_least or (probability >= self._at_least / 2 and overlap >= _LEAST_OVERLAP)

    def whole(self, members: list[int]) -> Group:
        """Return one group of all members: synonyms if witnesses link all of them, else alternatives."""
        if self._togetherness.is_belonging(members):
            return self._described(members, "belong together")
        for component, witnesses in self._linked(members):
            if len(component) == len(members) and not self._opposites(members):
                return self._described(members, "synonyms", witnesses)
        return self._described(members, "alternatives")

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
            float(self._probabilities(rows, columns).mean()),
            float(self._same.figures.overlap[rows, columns].mean()),
            relation,
            self._togetherness.share(members),
            None if family is None else family.pattern,
            witnesses,
            tuple(self._same.reasons(list(zip(rows.tolist(), columns.tolist(), strict=True)))),
            tuple(self._neighbours.shared_by(members, SHOWN_NEIGHBOURS)),
            tuple(self._cautions(members, labels)),
        )

    def _probabilities(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        pairs = [self._partners.get(pair) for pair in zip(rows.tolist(), columns.tolist(), strict=True)]
        by_parts = np.array([0.0 if pair is None else pair.probability for pair in pairs])
        probabilities: NDArray[np.float64] = np.maximum(self._same.probabilities()[rows, columns], by_parts)
        return probabilities

    def _witnesses(self, a: int, b: int) -> list[Witness]:
        labels = self._log.activities[a], self._log.activities[b]
        family = self._family.get(a)
        if family is not None and family is self._family.get(b):
            return [Witness("pattern", *labels, pattern=family.pattern)]
        is_spelled_alike = self._same.texts[a, b] >= SIMILAR_TEXT and (a, b) not in self._same.frequent_slips
        text = [Witness("text", *labels)] if is_spelled_alike else []
        if self._same.named_alike(a, b) and self._togetherness.share_of_rarer(a, b) < _SOME_CASES:
            text.append(Witness("name", *labels, name=self._log.names[labels[0]]))
        if self._are_named_apart(a, b):
            return text
        use = [] if distinguishing_tokens(*labels) else self._of_use(a, b)
        if self._are_partners(a, b) and not (self._partners[a, b].by == PERIOD and any(one.kind == "periods" for one in use)):
            return [*text, *use, self._of_vocabularies(a, b)]
        return text + use

    def _are_named_apart(self, a: int, b: int) -> bool:
        """Return whether both labels have a second name, and not the same: then the log itself calls them two steps."""
        names = self._log.names
        return all(self._log.activities[i] in names for i in (a, b)) and not self._same.named_alike(a, b)

    def _are_partners(self, a: int, b: int) -> bool:
        pair = self._partners.get((a, b))
        if pair is None or not pair.is_likely:
            return False
        if pair.by == PERIOD and actors(pair.a, pair.b) is not None:
            return False
        tokens = _tokens_by_part(pair)
        return tokens is None or self._tokens[tokens] > 1

    def _of_vocabularies(self, a: int, b: int) -> Witness:
        pair, label = self._partners[a, b], self._log.activities[a]
        parts = pair.parts if label == pair.a else pair.parts[::-1]
        return Witness("vocabularies", label, self._log.activities[b], pair.by, parts=parts, steps=pair.steps)

    def _of_use(self, a: int, b: int) -> list[Witness]:
        """Return the witnesses of time and people, if behaviour speaks for the two."""
        is_alike = self._same.figures.overlap[a, b] >= _SOME_OVERLAP and self._keep_the_same_company(a, b)
        return self._usage.witnesses(a, b) if is_alike else []

    def _keep_the_same_company(self, a: int, b: int) -> bool:
        """Return whether kin speaks for the two: that they are used apart does not, because any two labels of two periods are."""
        return sum(reason.log_odds for reason in self._same.reasons([(a, b)]) if reason.kind == "company") >= _SAME_COMPANY

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
        if self._are_named_apart(a, b):
            return Caution("names", labels)
        replaced = next((one for one in self._usage.witnesses(a, b) if one.kind == "periods"), None)
        if replaced is None or actors(*labels) is None:
            return Caution("tokens", labels)
        return Caution("role", labels if replaced.earlier == labels[0] else labels[::-1], replaced.since)

    def _only_link(self, members: Sequence[int]) -> tuple[int, int] | None:
        """Return the only likely pair that links two parts of a group, of two labels or more each; None if there is none."""
        links = [pair for pair in combinations(members, 2) if self._is_likely(*pair)]
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
        if not (has_tokens or self._are_named_apart(a, b)) or not self._is_likely(a, b):
            return False
        return bool(self._of_use(a, b)) and not self._witnesses(a, b)


class _Days(NamedTuple):
    """Hold days, from 1970, and how many cases there are up to each of them."""

    days: NDArray[np.int64]
    cases: NDArray[np.int64]

    @property
    def n_cases(self) -> int:
        return int(self.cases[-1]) if len(self.cases) else 0

    def until(self, days: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many cases there are up to some days."""
        return np.append(0, self.cases)[np.searchsorted(self.days, days, "right")]

    def of_case(self, number: int) -> np.datetime64:
        """Return the day of a case, in the order of time."""
        return np.datetime64(int(self.days[np.searchsorted(self.cases, number, "right")]), "D")


@dataclass
class Usage:
    """Compare when, and by whom, the labels of a log are used."""

    log: AnyLog
    _tables: dict[str, csc_array] = field(default_factory=dict, repr=False)

    def witnesses(self, a: int, b: int) -> list[Witness]:
        """Return the witnesses of time and people for two activities, given by their positions."""
        if min(self.log.activity_cases[a], self.log.activity_cases[b]) < THIN_CASES:
            return []
        witnesses = [self._periods(a, b), *(self._people(a, b, name) for name in self._separating)]
        return [witness for witness in witnesses if witness is not None]

    @cached_property
    def _separating(self) -> list[str]:
        """Return the attributes that name people, organisations or sources; others, such as an outcome, are no witnesses."""
        return sorted(name for name in self._uses.values if names_people(name) or plain_name(name) in _SOURCES)

    @cached_property
    def _uses(self) -> Uses:
        return self.log.variants.uses or Uses(None, None, {})

    @cached_property
    def _first_days(self) -> list[_Days]:
        """Return for each activity the days on which it is used first in a case, and in how many cases up to each of them."""
        table = self._uses.days
        if table is None:
            return [_Days(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))] * len(self.log.activities)
        bounds = np.searchsorted(table.keys[:, 1], np.arange(len(self.log.activities) + 1))
        return [
            _Days(table.keys[start:end, 2], np.cumsum(table.counts[start:end, 0])) for start, end in pairwise(bounds.tolist())
        ]

    def _periods(self, a: int, b: int) -> Witness | None:
        first, second = self._first_days[a], self._first_days[b]
        n, m = first.n_cases, second.n_cases
        if not n or not m:
            return None
        days = np.union1d(first.days, second.days)
        ahead = first.until(days) / n - second.until(days) / m
        distance = float(np.abs(ahead).max())
        if distance < _SEPARATE_PERIODS or 2 * np.exp(-2 * distance**2 * n * m / (n + m)) > _BY_CHANCE:
            return None
        labels = self.log.activities
        earlier, later = (a, b) if ahead.max() >= -ahead.min() else (b, a)
        if self._is_used_more(later, earlier, days[[int(np.abs(ahead).argmax())]]):
            return None
        return Witness("periods", labels[a], labels[b], None, labels[earlier], self._until(earlier), self._since(later))

    def _is_used_more(self, later: int, earlier: int, until: NDArray[np.int64]) -> bool:
        """Return whether a label is used much more after a day than another one was before it, by the use of all labels."""
        before, after, anything = self._first_days[earlier], self._first_days[later], self._of_any_label
        n = int(before.until(until)[0])
        cases = min(n, _NEXT_TO_CHANGE)
        since = np.array([before.of_case(n - cases).astype(np.int64)])
        use = anything.until(until) - anything.until(since - 1)
        then = anything.days[[np.searchsorted(anything.cases, min(int((anything.until(until) + use)[0]), anything.n_cases))]]
        expected = cases * float((anything.until(then) - anything.until(until))[0] / use[0])
        found = int((after.until(then) - after.until(until))[0])
        by_chance = np.sqrt(found + expected**2 / cases)
        return bool(found > _MORE_USE * expected and found - expected > _CERTAIN * by_chance)

    @cached_property
    def _of_any_label(self) -> _Days:
        """Return on which days labels are used first in a case, and how many such uses there are up to each of them."""
        table = self._uses.days
        if table is None:
            return _Days(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        days, place = np.unique(table.keys[:, 2], return_inverse=True)
        return _Days(days, np.cumsum(np.bincount(place, weights=table.counts[:, 0])).astype(np.int64))

    def period(self, activity: int) -> tuple[np.datetime64, np.datetime64] | None:
        """Return since when and until when a label is used, without 5 % of its cases at either end; None in too few cases."""
        if self._first_days[activity].n_cases < THIN_CASES:
            return None
        return self._since(activity), self._until(activity)

    def _since(self, activity: int) -> np.datetime64:
        first = self._first_days[activity]
        return first.of_case(first.n_cases - 1 - int((1 - _EARLY) * (first.n_cases - 1)))

    def _until(self, activity: int) -> np.datetime64:
        first = self._first_days[activity]
        return first.of_case(int(_LATE * (first.n_cases - 1)))

    def _people(self, a: int, b: int, name: str) -> Witness | None:
        events = self._events_by_value(name)
        of_a, of_b = (events[:, [activity]].toarray()[:, 0] for activity in (a, b))
        n, m = of_a.sum(), of_b.sum()
        if not n or not m:
            return None
        first, second = of_a / n, of_b / m
        pooled = (first * n + second * m) / (n + m)
        spread = np.sqrt(2 / np.pi * pooled * (1 - pooled) * (1 / n + 1 / m))  # the mean difference of two samples of one source
        expected = float(np.maximum(pooled - spread / 2, 0).sum())
        if np.minimum(first, second).sum() > _SEPARATE_PEOPLE or expected < _EXPECTED_IN_COMMON:
            return None
        others = np.maximum(events.sum(axis=1) - of_a - of_b, 1)  # the other events of each value
        in_common = np.minimum(events.T @ (first / others), events.T @ (second / others))  # of other work, by activity
        in_common[[a, b]] = 0
        return Witness("people", self.log.activities[a], self.log.activities[b], name) if in_common.sum() >= _SAME_WORK else None

    def _events_by_value(self, name: str) -> csc_array:
        """Return how many events of each activity (column) have each value (row) of an attribute."""
        if name not in self._tables:
            texts, table = self._uses.values[name]
            shape = len(texts), len(self.log.activities)
            events = table.counts[:, 0].astype(np.float64)
            self._tables[name] = csc_array((events, (table.keys[:, 2], table.keys[:, 1])), shape=shape)
        return self._tables[name]


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


def _tokens_by_part(pair: PartnerLabels) -> tuple[str, tuple[str, str], str, str] | None:
    """Return the column, the parts, and the token of each part in which partners differ if it may tell two steps apart."""
    tokens = distinguishing_tokens(pair.a, pair.b)
    return None if tokens is None else (pair.by, pair.parts, *tokens)


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
