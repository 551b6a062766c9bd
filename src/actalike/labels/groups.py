"""Propose groups of labels, and the likeliest pairs, from the probabilities that two labels are one step.

Before all else, spellings of a label are merged (:func:`actalike.labels.slips.spellings`): labels that differ in spaces, case,
punctuation or slips of the keyboard. What follows is computed on the log with one label for each, so a misspelt label is in the
group of its own label or in none, and names no group. The groups are then written in the labels of the log.

For groups (:func:`group`):

1. Merge the labels by average linkage, in three rounds (:func:`likely_clusters`), as long as the mean probability of a
   merge is ``at_least`` so much; or cut the tree of the first round where ``steps`` labels are left.
2. Give each group a relation. Labels that come together more often than names of one step would *belong together*
   (:mod:`actalike.labels.relations`). *Synonyms* need witnesses beside behaviour (:mod:`actalike.labels.relations`) that link
   all of them, and no two may be opposites. A witness counts if the two labels it links have a probability of ``at_least`` so
   much; separate periods or people only if kin speaks for the two by 1.0 or more, 3 % of their neighbours are the same, and no
   token of their texts may tell two steps apart (*Register at ER*, *Register at FD*). Every two labels in 20 cases or more must
   have a witness: of three, two that are used side by side may be two outcomes. What more than a tenth of the unrelated pairs of
   the log show is no witness. Labels without such links are *alternatives*: they take the same place, as two names of one step
   do, and as two outcomes of one decision do. If only some are linked, these are a group of their own; not if only separate
   periods or people link them, and another label is as interchangeable with them. Alternatives are proposed if they are
   opposites, or have the probability ``at_least`` in the mean; half of it if they have a tenth of their neighbours in common.
3. Look among the other labels for those that take the same place but are not one step, by the same linkage: those that *belong
   together*, and opposites that share fewer than half of their cases, which are *alternatives*. What is left is compared with
   the labels in fewer than 5 cases; such groups are *too rare to judge*.

The same log gives the same groups, whatever the order of its cases: probabilities count to 12 digits, and ties depend on the
order of the labels by their events, cases and texts. ``actalike benchmark labels`` measures how many planted groups are found.

How labels are merged (:func:`likely_clusters`): first, the labels that two parts of the log use for one step are merged: where
adjacent steps have two names each, the neighbours of both differ until they are. Then labels are merged by average linkage:
each step merges the two groups whose pairs have the highest mean probability. Then the log is looked at again with the merged
labels, and what is likely one step now is merged too: of a step with four names, each name has three rivals and few cases, and
the last one is recognised when the other three are together. After three such rounds little changes. After the first of them
texts do not count (but opposites do), because one label then stands for several.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, get_type_hints

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES
from actalike.errors import ActalikeError
from actalike.labels.describe import GroupRow, group_facts, group_rows, groups_card
from actalike.labels.evidence import WINDOW
from actalike.labels.learning import Learned, as_spelled
from actalike.labels.mapping import RENAMED, mapping_of
from actalike.labels.relations import AT_LEAST, RELATIONS, Caution, Group, Proposals, Relation, by_frequency, judge
from actalike.labels.step_probabilities import (
    SameStep,
    check_counts,
    compare_labels,
    same_behaviour,
)
from actalike.labels.witnesses import Witness
from actalike.log import AnyLog
from actalike.support.frames import FrameKind, as_kind
from actalike.support.weights import probability_of

ROUNDS = 4  # the first one is for vocabularies


def propose_groups(
    same: SameStep,
    at_least: float = AT_LEAST,
    *,
    steps: int | None = None,
    counts: WindowCounts | None = None,
    learned: Learned | None = None,
) -> "Groups":
    """Return the groups of :func:`actalike.group` from what is known of every two labels of a log.

    ``counts`` are the log's windows, of 5 symbols or more, if they are already counted. ``learned`` has what was decided:
    accepted groups come first, as they were accepted, and no group has two labels that were rejected as one step.
    """
    check_probability(at_least)
    log = same.log
    if counts is None:
        counts = count_windows(log, WINDOW)
    else:
        check_counts(log, counts)
    if steps is not None:
        check_steps(steps, len(log.activities))
    labels = _Labels(same, counts, at_least)
    if steps is not None:
        cut = [labels.whole(members) for members in cut_to(same.proposable, by_frequency(log), steps)]
        return Groups(_in_order(cut, log.activities), log, at_least, steps)
    groups = _groups_of_steps(labels.steps, labels.proposals, labels.counts, at_least)
    if learned is None:
        return Groups(_in_order(list(labels.written(groups)), log.activities), log, at_least)
    place = {label: i for i, label in enumerate(log.activities)}
    taken = {label for one in learned.accepted for label in one.activities}
    of_steps = [set(as_spelled(one, same.spelled).activities) for one in learned.rejected]
    apart = {label for one, steps in zip(learned.rejected, of_steps, strict=True) if len(steps) == 1 for label in one.activities}
    accepted = []
    for one in learned.accepted:
        members = [*one.activities, *labels.further_spellings(one.activities, {*taken, *apart, *(one.proposed or ())})]
        taken.update(members)
        accepted.append(_as_accepted(labels.whole([place[label] for label in members]), one.name))
    rejected = [steps for steps in of_steps if len(steps) > 1]
    still_open = [part for one in groups for part in _still_open(labels, one, taken, rejected)]
    written = list(labels.written(still_open, {*taken, *apart}))
    names = {one.name for one in accepted}
    decided = Groups([*accepted, *_in_order(written, log.activities, names)], log, at_least)
    decided.learned = learned
    return decided


def _groups_of_steps(same: SameStep, proposals: Proposals, counts: WindowCounts, at_least: float) -> list[Group]:
    """Return the groups of labels that are all spelled in one way."""
    log, order = same.log, by_frequency(same.log)
    groups = [one for members in likely_clusters(same, counts, at_least) for one in proposals.likely(members)]
    groups += proposals.partners({label for proposal in groups for label in proposal.activities})
    of_place = probability_of(same.log_odds_of_place)
    for fewest in (ENOUGH_CASES, 1):
        grouped = {label for proposal in groups for label in proposal.activities}
        is_left = [log.activities[i] not in grouped and log.activity_cases[i] >= fewest for i in order.tolist()]
        proposed = (proposals.unlikely(members) for members in average_linkage(of_place, order[is_left], at_least))
        groups += [proposal for proposal in proposed if proposal is not None]
    return groups + proposals.named_alike({label for proposal in groups for label in proposal.activities})


def _as_accepted(group: Group, name: str) -> Group:
    return group._replace(relation="synonyms", name=name if name.strip() else group.name)


def _still_open(labels: "_Labels", group: Group, taken: set[str], rejected: list[set[str]]) -> list[Group]:
    """Return a group if nothing was decided about its labels; else the parts of it that are still to be proposed.

    Each label goes to the first part with none of the labels that were rejected with it. Labels of accepted groups are in none.
    """
    parts: list[list[str]] = []
    for label in group.activities:
        apart = set().union(*(some for some in rejected if label in some)) if label not in taken else set()
        part = next((part for part in parts if apart.isdisjoint(part)), None)
        if label not in taken and part is not None:
            part.append(label)
        elif label not in taken:
            parts.append([label])
    if parts == [list(group.activities)]:
        return [group]
    found: list[Group] = []
    place, proposals = {label: i for i, label in enumerate(labels.steps.activities)}, labels.proposals
    for part in parts:
        members = [place[label] for label in part]
        if len(members) > 1 and group.relation in ("synonyms", "alternatives"):
            found += proposals.likely(members)
        elif len(members) > 1 and group.relation == "same name":
            found += proposals.named_alike(place.keys() - set(part))
        elif len(members) > 1:
            found += [one for one in [proposals.unlikely(members)] if one is not None]
    return found


class _Labels:
    """Write groups of steps, each by one label, in the labels of the log: with all spellings of each."""

    def __init__(self, same: SameStep, counts: WindowCounts, at_least: float) -> None:
        self._same, self._own = same, Proposals(same, counts, at_least)
        self.steps, self.counts, self.proposals = same, counts, self._own
        if same.merged is not None:
            self.steps, self.counts = same.merged, counts.relabel(partial(_new_name, same.spelled))
            self.proposals = Proposals(self.steps, self.counts, at_least)
        self._rank = {same.activities[i]: rank for rank, i in enumerate(by_frequency(same.log).tolist())}
        self._spellings: dict[str, list[str]] = {}
        for label in sorted(same.spelled, key=self._rank.__getitem__):
            self._spellings.setdefault(same.spelled[label], []).append(label)

    def whole(self, members: list[int]) -> Group:
        """Return one group of all members, given by their positions among the labels of the log."""
        inside = [self._same.activities[i] for i in members]
        steps = dict.fromkeys(self._same.spelled.get(label, label) for label in inside)
        if len(steps) == 1:
            return self._own.whole(members)
        group = self.proposals.whole([self.steps.activities.index(step) for step in steps])
        return self._in_labels(group, inside)

    def further_spellings(self, labels: Sequence[str], decided: Collection[str]) -> list[str]:
        """Return the other spellings of some labels about which nothing was decided."""
        steps = dict.fromkeys(self._same.spelled.get(label, label) for label in labels)
        further = [label for step in steps for label in [step, *self._spellings.get(step, ())]]
        return [label for label in further if label not in decided and label not in labels]

    def written(self, groups: Sequence[Group], decided: Collection[str] = ()) -> Iterator[Group]:
        """Yield groups with the spellings of their labels, and the spellings of each other label as a group of its own.

        Only synonyms are sure to be one step, so labels of other groups that are spelled in several ways leave them. Spellings
        that are in an accepted group, or were rejected, are in no other group.
        """
        left = {step: [label for label in labels if label not in decided] for step, labels in self._spellings.items()}
        left = {step: labels for step, labels in left.items() if labels and step not in decided}
        beside: dict[str, tuple[str, ...]] = {}
        for group in groups:
            if group.relation == "synonyms":
                members = [*group.activities, *(label for step in group.activities for label in left.pop(step, ()))]
                yield self._in_labels(group, sorted(members, key=self._rank.__getitem__))
                continue
            beside |= {step: group.activities for step in group.activities if group.relation == "alternatives"}
            members = [step for step in group.activities if step not in left]
            if len(members) == len(group.activities):
                yield group
            elif len(members) > 1:
                places = [self.steps.activities.index(step) for step in members]
                yield self.proposals.whole(places)._replace(relation=group.relation)
        for step, labels in left.items():
            members = sorted([step, *labels], key=self._rank.__getitem__)
            group = self._own.whole([self._same.activities.index(label) for label in members])
            others = tuple(label for label in beside.get(step, ()) if label != step)
            yield group._replace(cautions=(*group.cautions, Caution("same place", others))) if others else group

    def _in_labels(self, group: Group, labels: list[str]) -> Group:
        """Return a group of steps as one of these labels, which spell them."""
        if labels == list(group.activities):
            return group
        members = [self._same.activities.index(label) for label in labels]
        steps = [i for i, label in zip(members, labels, strict=True) if label not in self._same.spelled]
        spellings = [Witness("text", step, label) for label in labels if (step := self._same.spelled.get(label)) in labels]
        return group._replace(
            activities=tuple(labels),
            together=self._own.together(members),
            witnesses=(*group.witnesses, *spellings),
            evidence=tuple(self._own.shared_neighbours(members, steps or members)),
        )


class Groups(list[Group]):
    """Hold the groups that :func:`group` proposes, in their order, with the log, the options, and what decisions taught."""

    def __init__(self, groups: Iterable[Group], log: AnyLog, at_least: float = AT_LEAST, steps: int | None = None) -> None:
        super().__init__(groups)
        self.log, self.at_least, self.steps = log, at_least, steps
        self.by: str | None = None
        self.learned: Learned | None = None

    def mapping(self, relations: Collection[Relation] = RENAMED) -> dict[str, str]:
        """Return the name of its group for each label of a group of these relations; without any, of synonyms only."""
        return mapping_of(self, relations)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike group --json`` prints (docs/reference/json.md).

        >>> from actalike import EventLog
        >>> from actalike import group
        >>> facts = group(EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 20)).to_dict()
        >>> facts["schema"], facts["groups"][0]["activities"]
        ('actalike/group/1', ['a', 'b'])
        """
        return {
            "schema": "actalike/group/1",
            "at_least": self.at_least,
            "by": self.by,
            "steps": self.steps,
            "groups": [group_facts(one) for one in self],
            "names": dict(self.log.names),
            **({} if self.learned is None else {"learned": self.learned.to_dict()}),
        }

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each label of each group: its group, relation, probability, reasons.

        ``kind`` is "polars", "pandas" or "pyarrow"; without it, that of the frame that was read, Polars for other logs.
        """
        types = {float: pl.Float64, int: pl.Int64}
        schema = {name: types.get(hint, pl.String) for name, hint in get_type_hints(GroupRow).items()}
        frame = pl.DataFrame(list(group_rows(self, self.log)), schema=schema, orient="row")
        return as_kind(frame, kind or self.log.frame_kind)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return groups_card(self, self.log)


def _in_order(groups: Sequence[Group], labels: Sequence[str], names: Collection[str] = ()) -> list[Group]:
    """Return groups by their relation and probability, with names that no label outside the group and no other group has.

    A mapping with such a name would merge labels that nobody proposed to merge. So the most frequent member names the group then.
    ``names`` are those of accepted groups.
    A blank name would rename nothing, so it is passed over, as on the page of a report.
    """
    taken = {*labels, *names}
    distinct = []
    for proposal in sorted(
        groups, key=lambda one: (RELATIONS.index(one.relation), -round(one.probability, 9), -round(one.interchangeable, 9))
    ):
        others = taken.difference(proposal.activities)
        names = (proposal.name, *proposal.activities, "(no name)")
        name = next((name for name in names if name.strip() and name not in others), proposal.name)
        taken.add(name)
        distinct.append(proposal._replace(name=name))
    return distinct


class JudgedPair(NamedTuple):
    """Hold two labels, how likely they are one step, and how they are related; None if they are different steps.

    - ``interchangeable``: how likely they are interchangeable in the control flow.
    - ``overlap``: the share of direct neighbours that they have in common.
    - ``count_a``, ``count_b``, ``cases_a``, ``cases_b``: the events and the cases of each.
    """

    a: str
    b: str
    probability: float
    interchangeable: float
    overlap: float
    relation: Relation | None
    count_a: int
    count_b: int
    cases_a: int
    cases_b: int


class LikelyPairs(list[JudgedPair]):
    """Hold the pairs that are most likely one step, of a log or with one ``activity``. :func:`likely_pairs` makes it."""

    def __init__(self, pairs: Iterable[JudgedPair], log: AnyLog, activity: str | None = None) -> None:
        super().__init__(pairs)
        self.log, self.activity = log, activity

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike similar --json`` prints (docs/reference/json.md)."""
        names = dict(self.log.names)
        if self.activity is None:
            return {"schema": "actalike/similar/1", "pairs": [pair._asdict() for pair in self], "names": names}
        neighbours = [
            {
                "activity": pair.b,
                "probability": pair.probability,
                "interchangeable": pair.interchangeable,
                "overlap": pair.overlap,
                "relation": pair.relation,
                "count": pair.count_b,
                "cases": pair.cases_b,
            }
            for pair in self
        ]
        return {"schema": "actalike/similar/1", "activity": self.activity, "most_similar": neighbours, "names": names}

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each pair; ``kind`` is that of the frame that was read, Polars for other logs."""
        types: dict[str, Any] = {"a": pl.String, "b": pl.String, "relation": pl.String}
        types |= dict.fromkeys(("probability", "interchangeable", "overlap"), pl.Float64)
        schema = {name: types.get(name, pl.Int64) for name in JudgedPair._fields}
        return as_kind(pl.DataFrame(list(self), schema=schema, orient="row"), kind or self.log.frame_kind)


def likely_pairs(
    same: SameStep, counts: WindowCounts, activity: str | None = None, topn: int = 10, min_cases: int = 1
) -> LikelyPairs:
    """Return the most likely pairs of all labels, or with one, each judged; those with a label that is too rare come last.

    Two spellings of one label are never too rare: that is certain without behaviour. Labels in fewer cases than ``min_cases`` are
    left out. ``counts`` are the log's windows, of 5 symbols or more.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(pair.a, pair.b, pair.relation) for pair in likely_pairs(compare_labels(log), count_windows(log, 5), topn=1)]
    [('a', 'b', 'alternatives')]
    """
    log = same.log
    pairs = same.most_likely(topn, activity, min_cases=min_cases, rare_last=ENOUGH_CASES)
    verdicts = judge(same, [(pair.a, pair.b) for pair in pairs], counts=counts)
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    judged = [
        JudgedPair(*pair, verdict.relation, events[pair.a], events[pair.b], cases[pair.a], cases[pair.b])
        for pair, verdict in zip(pairs, verdicts, strict=True)
    ]
    return LikelyPairs(judged, log, activity)


def check_probability(at_least: float) -> None:
    """Raise an error if something is not a probability above 0."""
    if isinstance(at_least, bool) or not isinstance(at_least, int | float | np.number) or not 0 < at_least <= 1:
        raise ActalikeError(f"at_least={at_least!r} is not a probability above 0 and up to 1: 80 % is 0.8.")


def check_steps(steps: int, n: int) -> None:
    """Raise an error if something is not a number of labels that can be left of n."""
    if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or not 1 <= steps <= n:
        raise ActalikeError(f"steps={steps!r} is not a whole number between 1 and the number of activities, {n:,}.")


def likely_clusters(same: SameStep, counts: WindowCounts, at_least: float) -> list[list[int]]:
    """Return the groups of two or more labels whose mean probability is ``at_least`` so much in some round.

    Labels are positions in the log's activities, the most frequent first. ``counts`` are the log's windows, of 5 symbols or more.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "c", "y"], ["y", "d"]] * 20)
    >>> [[log.activities[i] for i in cluster] for cluster in likely_clusters(compare_labels(log), count_windows(log, 5), 0.5)]
    [['a', 'b', 'c']]
    """
    log, original = same.log, same.log
    merged = {label: [i] for i, label in enumerate(original.activities)}  # by the label that stands for the group
    for number in range(ROUNDS):
        name_of: dict[str, str] = {}
        if number == 0:
            groups = _of_vocabularies(same, at_least)
        else:
            groups = average_linkage(same.proposable, by_frequency(log), at_least)
        for members in groups:
            labels = [log.activities[i] for i in members]
            name_of |= dict.fromkeys(labels, labels[0])
            merged[labels[0]] = [i for label in labels for i in merged.pop(label)]
        if not name_of:
            if number > 0:
                break
            continue
        rename = partial(_new_name, name_of)
        log, counts = log.variants.relabel(rename), counts.relabel(rename)
        again = same_behaviour(log, counts) if number > 0 else compare_labels(log, counts)
        same = replace(again, weights=same.weights)
    rank = np.argsort(by_frequency(original))
    return [sorted(cluster, key=lambda i: rank[i]) for cluster in merged.values() if len(cluster) > 1]


def _of_vocabularies(same: SameStep, at_least: float) -> Iterator[list[int]]:
    """Yield the labels that parts of the log use for one step, and that have so high a probability, the most frequent first."""
    group_of: dict[int, list[int]] = {}
    for pair in same.partners:
        i, j = (same.activities.index(label) for label in pair[:2])
        if pair.is_likely and same.probabilities()[i, j] >= at_least:
            united = list(dict.fromkeys([*group_of.get(i, [i]), *group_of.get(j, [j])]))
            group_of |= dict.fromkeys(united, united)
    rank = np.argsort(by_frequency(same.log))
    for members in {id(members): members for members in group_of.values()}.values():
        yield sorted(members, key=lambda i: rank[i])


def _new_name(name_of: Mapping[str, str], label: str) -> str:
    return name_of.get(label, label)


def average_linkage(probabilities: NDArray[np.float64], order: NDArray[np.int64], at_least: float) -> Iterator[list[int]]:
    """Yield the groups of two or more labels whose mean probability is at least so much, each in the given order.

    Of equal probabilities (to 12 digits), those of the labels that come first are merged first.
    """
    if len(order) < 2:
        return
    from scipy.cluster.hierarchy import fcluster  # here: it takes long to load, and only groups need it

    yield from _of_two_or_more(fcluster(_tree(probabilities, order), 1 - at_least + 1e-12, "distance"), order)


def cut_to(probabilities: NDArray[np.float64], order: NDArray[np.int64], steps: int) -> Iterator[list[int]]:
    """Yield the groups of two or more labels that are there when so many groups are left, each in the given order."""
    if len(order) < 2:
        return
    tree, n = _tree(probabilities, order), len(order)
    group_of = np.arange(n)
    for merge in range(n - steps):
        group_of[np.isin(group_of, tree[merge, :2].astype(np.int64))] = n + merge
    yield from _of_two_or_more(group_of, order)


def _tree(probabilities: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    from scipy.cluster.hierarchy import linkage

    rows, columns = np.triu_indices(len(order), 1)
    tree: NDArray[np.float64] = linkage((1 - probabilities[order[rows], order[columns]]).round(12), "average")
    return tree


def _of_two_or_more(group_of: NDArray[np.int64], order: NDArray[np.int64]) -> Iterator[list[int]]:
    members: dict[int, list[int]] = {}
    for place, number in enumerate(group_of.tolist()):
        members.setdefault(number, []).append(int(order[place]))
    yield from (group for group in members.values() if len(group) > 1)
