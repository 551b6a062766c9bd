"""Propose groups of labels that are likely the same step or interchangeable, each with its evidence and its cautions.

1. Merge the activities into a tree of groups by complete linkage on the distances of an embedding: each step merges the two
   groups whose least similar members are the most similar. So all members of a group resemble each other.
2. Compute the contrast of each group, r = h / o. h is the largest distance between two members; o is the smallest distance
   from a member to any other activity, and at most 1 (nothing in common). A group stands out if r is less than 1: its members
   are nearer to each other than to any other activity. The contrast is relative to the log, because similarities are not
   comparable between logs: in one log any two activities have a similarity of 0.99, in another no two have.
3. Take the groups with r less than 1 in ascending order of r. Skip a group that overlaps with one already taken.
4. Propose a group if the boldness is at least r. If there is a reason for doubt, it must be at least (1 + r) / 2. The reasons
   for doubt are: a member occurs in fewer than 5 cases, too few to judge; or two members share cases more often than two names
   of one step would (attraction above 1.3, see :mod:`actalike.log.co_occurrence`).

A larger boldness therefore adds groups and does not change the others. The same log gives the same groups, whatever the order
of its cases. If distances are equal (to 12 digits), the more frequent activities are merged first; the order of the labels
decides only between equally frequent activities. ``measurements/planted_splits.py`` measures how many planted groups are found.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES, Embedding
from actalike.errors import ActalikeError
from actalike.labels.evidence import THIN_CASES, Caution, SharedNeighbours
from actalike.labels.merge_tree import MAX_ATTRACTION, Between, Node, outstanding_nodes
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.log import CoOccurrence, EventLog
from actalike.methods import DEFAULT_METHOD, embed, full_name, make_method
from actalike.support.memory_estimates import require_memory

DEFAULT_BOLDNESS = 0.4  # any other activity is at least 2.5 times as far as the farthest member; measured: docs/grouping.md
_FEW = 2000  # activities: the attraction of all pairs takes 32 MB
SHOWN_NEIGHBOURS = 3  # pieces of evidence for each group

Relation = Literal["alternatives", "parallel", "mixed"]


class Group(NamedTuple):
    """Hold activities that are likely one step.

    - ``activities``: the members, most frequent first; the first is the suggested name.
    - ``similarity``: the smallest similarity between two members.
    - ``boldness``: the smallest boldness (0 to 1) at which the group is proposed.
    - ``relation``: "alternatives" (no case has two members), "parallel" (a case has all members or none), or "mixed".
    - ``together``: the share of the cases with any member that have two or more members.
    - ``cautions``: reasons why the proposal may be wrong.
    - ``evidence``: the direct neighbours that members share, the most telling first.

    Cautions and evidence are data; :mod:`actalike.labels.words` turns them into sentences.
    """

    activities: tuple[str, ...]
    similarity: float
    boldness: float
    relation: Relation
    together: float
    cautions: tuple[Caution, ...]
    evidence: tuple[SharedNeighbours, ...]


def group(
    log: EventLog,
    method: str | None = None,
    boldness: float = DEFAULT_BOLDNESS,
    *,
    embedding: Embedding | None = None,
    counts: WindowCounts | None = None,
) -> list[Group]:
    """Return the groups that are proposed at one boldness, the most convincing first. No activity is in two groups.

    ``boldness`` ranges from 0 (only activities with equal vectors) to 1 (all groups that stand out). If you have already embedded
    the log or counted its windows (of size 3 or more), pass the ``embedding`` or the ``counts`` to save the work.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(proposal.activities, proposal.relation, proposal.evidence[0]) for proposal in group(log)]
    [(('a', 'b'), 'alternatives', SharedNeighbours(before='x', after='y', counts=(20, 20)))]
    """
    check_boldness(boldness)
    proposals = merges(log, method, embedding=embedding, counts=counts)
    return [proposal for proposal in proposals if proposal.boldness <= boldness]


def check_boldness(boldness: float) -> None:
    """Raise an error if a number is not a boldness."""
    if not 0 <= boldness <= 1:
        raise ActalikeError(f"boldness={boldness} is not between 0 (only activities that cannot be distinguished) and 1.")


def merges(
    log: EventLog,
    method: str | None = None,
    *,
    embedding: Embedding | None = None,
    counts: WindowCounts | None = None,
) -> list[Group]:
    """Return the groups of every boldness, the most convincing first, so that a page can offer a slider.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(proposal.activities, round(proposal.boldness, 2)) for proposal in merges(log)]
    [(('a', 'b'), 0.0), (('y', 'c'), 0.79)]
    """
    if not isinstance(log, EventLog):
        raise ActalikeError(f"Groups are found in an EventLog, not in {type(log).__name__}: use actalike.read_log(...) first.")
    if counts is None:
        counts = count_windows(log, _window(method) if embedding is None else 3)
    elif counts.activities != log.activities or counts.n_events != log.n_events:
        raise ActalikeError("The counts have other activities or events than the log: give the counts of this log.")
    is_own = embedding is None
    if embedding is None:
        embedding = embed(log, method or DEFAULT_METHOD, counts=counts)
        embedding.explanation = None  # not needed here, and of many activities it is large
    elif embedding.activities != log.activities:
        raise ActalikeError("The embedding has other activities than the log: give the log that was embedded.")
    elif method is not None and full_name(method) != embedding.method:
        raise ActalikeError(f"The embedding was made by {embedding.method}, not by {method}: give only one of the two.")
    if embedding.compare != "cosine":
        raise ActalikeError(
            f"{embedding.method} scores pairs on a scale of its own, which has no distances: use {DEFAULT_METHOD}."
        )
    n = len(log.activities)
    require_memory(
        8 * n * n,  # the distances of all pairs, and what complete linkage makes of them
        f"Merging {n:,} activities",
        "merge rare activities first (actalike relabel), or look at the most similar pairs (actalike similar)",
    )
    order = np.lexsort((np.arange(n), -log.activity_cases, -log.activity_counts))
    distances = embedding.condensed_distances(order)
    if is_own:
        del embedding  # its similarities are no longer needed, and of many activities they are large
    co_occurrence, neighbours = CoOccurrence(log), NeighbourCounts(counts)
    is_rare = log.activity_cases[order] < ENOUGH_CASES
    groups = []
    for node in _select(outstanding_nodes(distances, n, _attraction_by_frequency(co_occurrence, order), is_rare)):
        members = order[node.members].tolist()
        relation, together = _relation(co_occurrence, members)
        labels = tuple(log.activities[member] for member in members)
        cautions = tuple(_cautions(labels, log.activity_cases[members], relation, node.attraction))
        evidence = tuple(neighbours.shared_by(members, SHOWN_NEIGHBOURS))
        groups.append(Group(labels, 1.0 - node.height, node.boldness, relation, together, cautions, evidence))
    return groups


def _window(method: str | None) -> int:
    """Return a window that serves the method and the neighbours on both sides."""
    estimator = make_method(method or DEFAULT_METHOD)
    return max(3, estimator.window or 0) if estimator.takes == "counts" else 3


def _attraction_by_frequency(co_occurrence: CoOccurrence, order: NDArray[np.int64]) -> Between:
    """Return a function that looks up the attraction of activities, which it takes by their numbers in the merge tree.

    Of few activities, the attraction of all pairs is computed at once, which is faster.
    """
    if len(order) > _FEW:
        return lambda rows, columns: co_occurrence.attraction_between(order[rows], order[columns])
    attraction = co_occurrence.attraction()[np.ix_(order, order)]
    return lambda rows, columns: attraction[np.ix_(rows, columns)]


def _select(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield groups in the order of their boldness. Of groups that overlap, only the first is taken."""
    taken: set[int] = set()
    for node in sorted(nodes, key=lambda node: (node.boldness, -len(node.members), node.members.tolist())):
        if taken.isdisjoint(node.members.tolist()):
            taken.update(node.members.tolist())
            yield node


def _relation(co_occurrence: CoOccurrence, members: list[int]) -> tuple[Relation, float]:
    """Return how the members share cases, and the share of their cases that have two or more of them."""
    any_, several, all_ = co_occurrence.cases(members)
    if not several:
        return "alternatives", 0.0
    return "parallel" if all_ == any_ else "mixed", several / any_


def _cautions(labels: tuple[str, ...], cases: NDArray[np.int64], relation: Relation, attraction: float) -> Iterator[Caution]:
    """Yield the reasons to check a group, given the number of cases of each member."""
    rare = tuple(label for label, n in zip(labels, cases.tolist(), strict=True) if n < ENOUGH_CASES)
    thin = tuple(label for label, n in zip(labels, cases.tolist(), strict=True) if ENOUGH_CASES <= n < THIN_CASES)
    if rare:
        yield Caution("too rare", rare)
    if thin:
        yield Caution("few cases", thin)
    if relation == "alternatives":
        yield Caution("never together")
    elif relation == "parallel":
        yield Caution("always together")
    elif attraction > MAX_ATTRACTION:
        yield Caution("often together", times=attraction)
