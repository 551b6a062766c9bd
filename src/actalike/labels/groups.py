"""Propose groups of labels from the probabilities that two labels are one step, each with a verdict in words and its reasons.

1. Merge the labels by average linkage, in three rounds (:mod:`actalike.labels.clusters`), as long as the mean probability of a
   merge is ``at_least`` so much; or cut the tree of the first round where ``steps`` labels are left.
2. Give each group a relation. Labels that come together more often than names of one step would *belong together*
   (:mod:`actalike.labels.togetherness`). *Synonyms* need witnesses beside behaviour (:mod:`actalike.labels.witnesses`) that link
   all of them, and no two may be opposites. A witness counts if the two labels it links have a probability of ``at_least`` so
   much; separate periods or people only if kin speaks for the two by 1.0 or more, 3 % of their neighbours are the same, and no
   token of their texts may tell two steps apart (*Register at ER*, *Register at FD*). Every two labels in 20 cases or more must
   have a witness: of three, two that are used side by side may be two outcomes. Labels without such links are *alternatives*:
   they take the same place, as two names of one step do, and as two outcomes of one decision do. If only some are linked, these
   are a group of their own. Alternatives are proposed if they are opposites, or have the probability ``at_least`` in the mean;
   half of it if they have a tenth of their neighbours in common.
3. Look among the other labels for those that take the same place but are not one step, by the same linkage: those that *belong
   together*, and opposites that share fewer than half of their cases, which are *alternatives*. What is left is compared with
   the labels in fewer than 5 cases; such groups are *too rare to judge*.

The same log gives the same groups, whatever the order of its cases: probabilities count to 12 digits, and ties depend on the
order of the labels by their events, cases and texts. ``actalike benchmark labels`` measures how many planted groups are found.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows, log_or_variants
from actalike.embedding import ENOUGH_CASES
from actalike.errors import ActalikeError
from actalike.io import LogLike
from actalike.labels.clusters import average_linkage, by_frequency, cut_to, likely_clusters, mean_of_pairs
from actalike.labels.evidence import THIN_CASES, Caution, SharedNeighbours
from actalike.labels.label_patterns import LabelFamily
from actalike.labels.opposites import opposite_words
from actalike.labels.pair_evidence import WINDOW
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.labels.step_probabilities import Reason, SameStep, check_counts, probability_of, same_step
from actalike.labels.text_differences import distinguishing_tokens
from actalike.labels.togetherness import HALF, Togetherness
from actalike.labels.witnesses import SIMILAR_TEXT, Usage, Witness
from actalike.log import AnyLog, Variants
from actalike.support.progress import tracked

Relation = Literal["synonyms", "alternatives", "belong together", "too rare to judge"]
RELATIONS: tuple[Relation, ...] = ("synonyms", "alternatives", "belong together", "too rare to judge")

AT_LEAST = 0.5  # more likely one step than not
_LEAST_OVERLAP = 0.1  # of alternatives that are less likely one step than not
_MOST_LINKED = 30  # members without a link so far, up to which all pairs are looked at
_SOME_OVERLAP = 0.03  # of two labels, for separate periods or people to be a witness: two processes share no neighbours
_SAME_COMPANY = 1.0  # log-odds by kin, for separate periods or people to be a witness
SHOWN_NEIGHBOURS = 3  # pieces of evidence for each group
_MOST_COMPARED = 600  # members, the most frequent ones, whose pairs the figures of a group are means of


class Group(NamedTuple):
    """Hold labels that are likely one step, or that take the same place.

    - ``activities``: the members, most frequent first.
    - ``name``: the suggested name: the most frequent member that is not blank, or what a pattern has in common. No label outside
      the group and no other group has the same name.
    - ``probability``: the mean probability of two members to be one step; of synonyms, of the pairs that witnesses link.
    - ``overlap``: the mean share of direct neighbours that the same pairs have in common.
    - ``relation``: *synonyms*, *alternatives*, *belong together* or *too rare to judge*.
    - ``together``: the share of the cases with any member that have two or more members.
    - ``pattern``: how the labels are written if they differ only in a number, an id, a date or a name; else None.
    - ``witnesses``: what speaks for synonyms beside behaviour.
    - ``reasons``: why they have their probability: the mean reasons of the same pairs.
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


class Verdict(NamedTuple):
    """Hold how two labels are related, None if they are different steps, with witnesses and cautions as in a group."""

    relation: Relation | None = None
    witnesses: tuple[Witness, ...] = ()
    cautions: tuple[Caution, ...] = ()


@tracked("grouping labels")
def group(
    log: LogLike | Variants,
    at_least: float = AT_LEAST,
    *,
    steps: int | None = None,
    counts: WindowCounts | None = None,
    same: SameStep | None = None,
) -> list[Group]:
    """Return groups of labels: synonyms first, then alternatives, those that belong together, and those too rare to judge.

    ``log`` is an EventLog, Variants, a frame of events (pandas, Polars, pyarrow, ...), a table of an engine (DuckDB, Spark,
    Ibis), whose variants are read, or an event log of pm4py. ``at_least`` is the mean probability that the members of a group
    must have. ``steps=K`` merges until K labels are left, however unlikely the groups are. If you have already counted the log's
    windows (of size 5 or more) or compared its labels (:func:`same_step`), pass the ``counts`` or ``same`` to save the work. No
    label is in two groups.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(proposal.activities, proposal.relation, proposal.evidence[0]) for proposal in group(log)]
    [(('a', 'b'), 'alternatives', SharedNeighbours(before='x', after='y', counts=(20, 20)))]
    """
    check_probability(at_least)
    log = log_or_variants(log, "group", attributes="people")
    if same is None:
        if counts is None:
            counts = count_windows(log, WINDOW)
        same = same_step(log, counts=counts)
    elif same.log is not log and same.log != log:
        raise ActalikeError("The probabilities are those of another log: give same_step of this log.")
    if counts is None:
        counts = count_windows(log, WINDOW)
    else:
        check_counts(log, counts)
    if steps is not None:
        check_steps(steps, len(log.activities))
    order = by_frequency(log)
    proposals = _Proposals(same, counts, at_least)
    if steps is not None:
        cut = [proposals.whole(members) for members in cut_to(same.probabilities(), order, steps)]
        return _in_order(cut, log.activities)
    groups = [one for members in likely_clusters(same, counts, at_least) for one in proposals.likely(members)]
    of_place = probability_of(same.log_odds_of_place)
    for fewest in (ENOUGH_CASES, 1):
        grouped = {label for proposal in groups for label in proposal.activities}
        is_left = [log.activities[i] not in grouped and log.activity_cases[i] >= fewest for i in order.tolist()]
        proposed = (proposals.unlikely(members) for members in average_linkage(of_place, order[is_left], at_least))
        groups += [proposal for proposal in proposed if proposal is not None]
    return _in_order(groups, log.activities)


def _in_order(groups: Sequence[Group], labels: Sequence[str]) -> list[Group]:
    """Return groups by their relation and probability, with names that no label outside the group and no other group has.

    A mapping with such a name would merge labels that nobody proposed to merge. So the most frequent member names the group then.
    A blank name would rename nothing, so it is passed over, as on the page of a report.
    """
    taken = set(labels)
    distinct = []
    for proposal in sorted(groups, key=lambda one: (RELATIONS.index(one.relation), -round(one.probability, 9))):
        others = taken.difference(proposal.activities)
        names = (proposal.name, *proposal.activities, "(no name)")
        name = next((name for name in names if name.strip() and name not in others), proposal.name)
        taken.add(name)
        distinct.append(proposal._replace(name=name))
    return distinct


def check_probability(at_least: float) -> None:
    """Raise an error if something is not a probability above 0."""
    if isinstance(at_least, bool) or not isinstance(at_least, int | float | np.number) or not 0 < at_least <= 1:
        raise ActalikeError(f"at_least={at_least!r} is not a probability above 0 and up to 1.")


def check_steps(steps: int, n: int) -> None:
    """Raise an error if something is not a number of labels that can be left of n."""
    if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or not 1 <= steps <= n:
        raise ActalikeError(f"steps={steps!r} is not a whole number between 1 and the number of activities, {n:,}.")


def judge(same: SameStep, pairs: Sequence[tuple[str, str]], *, counts: WindowCounts | None = None) -> list[Verdict]:
    """Return how two labels are related, for each pair, by the rule of :func:`group`.

    Two labels are different steps (None) only if they are less likely one step than not.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [verdict.relation for verdict in judge(same_step(log), [("a", "b"), ("a", "c")])]
    ['alternatives', None]
    """
    log, verdicts = same.log, []
    proposals = _Proposals(same, count_windows(log, 3) if counts is None else counts, AT_LEAST)
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


class _Proposals:
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

    def likely(self, members: list[int]) -> list[Group]:
        """Return the groups of labels that are likely one step: those that witnesses link, and the others as alternatives."""
        if self._togetherness.is_belonging(members) or self._opposites(members):
            return [self.whole(members)]
        linked = self._linked(members)
        groups = [self._described(component, "synonyms", witnesses) for component, witnesses in linked]
        rest = [member for member in members if all(member not in component for component, _ in linked)]
        if len(rest) > 1 and self._may_be_one_step(rest):
            groups.append(self._described(rest, "alternatives"))
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
            labels[0] if family is None else _name(family, self._log),
            float(self._same.probabilities()[rows, columns].mean()),
            float(self._same.figures.overlap[rows, columns].mean()),
            relation,
            self._togetherness.share(members),
            None if family is None else family.pattern,
            witnesses,
            tuple(self._same.reasons(list(zip(rows.tolist(), columns.tolist(), strict=True)))),
            tuple(self._neighbours.shared_by(members, SHOWN_NEIGHBOURS)),
            tuple(self._cautions(members, labels)),
        )

    def _witnesses(self, a: int, b: int) -> list[Witness]:
        labels = self._log.activities[a], self._log.activities[b]
        family = self._family.get(a)
        if family is not None and family is self._family.get(b):
            return [Witness("pattern", *labels, pattern=family.pattern)]
        text = [Witness("text", *labels)] if self._same.texts[a, b] >= SIMILAR_TEXT else []
        return text + ([] if distinguishing_tokens(*labels) else self._of_use(a, b))

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
            told_apart = (pair for pair in combinations(members, 2) if self._is_set_aside(*pair))
            if pair := next(told_apart, None):
                yield Caution("tokens", tuple(self._log.activities[i] for i in pair))

    def _is_set_aside(self, a: int, b: int) -> bool:
        """Return whether time or people would be witnesses, if the texts did not tell the two labels apart."""
        if distinguishing_tokens(self._log.activities[a], self._log.activities[b]) is None or not self._is_likely(a, b):
            return False
        return bool(self._of_use(a, b)) and not self._witnesses(a, b)


def _pairs(members: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second members of all pairs."""
    first, second = np.triu_indices(len(members), 1)
    return np.asarray(members)[first], np.asarray(members)[second]


def _name(family: LabelFamily, log: AnyLog) -> str:
    """Return the name of a family: the label before anything was added to it, or the pattern without what varies."""
    if family.plain is not None:
        return log.activities[family.plain]
    fixed = re.sub(r"[(<\[{]\s*[…#]\s*[)>\]}]", " ", family.pattern).replace("…", " ")  # no empty brackets
    return " ".join(fixed.strip(" _-:#/.,").split()) or family.pattern
