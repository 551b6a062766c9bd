"""Groups: labels that are likely the same step, or interchangeable, each group with its evidence and its cautions.

1. The activities are merged step by step, always the two groups whose least similar members are most alike (complete linkage on
   the distances of an embedding): all members of a group resemble each other. That gives a tree of groups.
2. A group stands out if its members are nearer to each other than to anybody else. Its contrast is r = h / o, where h is the
   largest distance between two members, and o the least from a member to any other activity, at most 1 (nothing in common).
   This goes by the log itself: in one log 0.99 is the similarity of any two activities, in another that of no two.
3. The groups are taken by r, the least first, unless they overlap with one taken before; r must be less than 1.
4. A group is proposed from boldness r on; from (1 + r) / 2 on if there is a reason for doubt: a member is in fewer than 5 cases,
   too few to judge, or two members are in the same cases more often than two names of one step would be (attraction
   above 1.3, see :mod:`actalike.log.co_occurrence`).

So with more boldness there are more groups, and those that were there stay as they are. The same log gives the same groups, in
whatever order its cases come. Where distances are equal (to 12 digits), the more frequent activities are merged first; the order
of the labels decides only between activities that are equally frequent. ``measurements/planted_splits.py``
measures what is found.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES, Embedding
from actalike.errors import ActalikeError
from actalike.labels.evidence import Caution, SharedContext
from actalike.labels.shared_contexts import SharedContexts
from actalike.labels.words import THIN_CASES
from actalike.log import CoOccurrence, EventLog
from actalike.methods import DEFAULT_METHOD, embed

DEFAULT_BOLDNESS = 0.4  # members at least 2.5 times as near to each other as to anybody else; measured: docs/grouping.md
MOST_ATTRACTION = 1.3  # between 1, names that change from event to event, and 2, steps that every case has once
EVIDENCE = 3  # contexts named for each group

Relation = Literal["alternatives", "parallel", "mixed"]


class Group(NamedTuple):
    """Activities that are likely one step.

    - ``activities``: the members, most frequent first; the first is the suggested name.
    - ``similarity``: the least similarity between two members.
    - ``boldness``: from which boldness on (0 to 1) the group is proposed.
    - ``relation``: "alternatives" (never two members in one case), "parallel" (always all in the same cases), or "mixed".
    - ``together``: of the cases with a member, the share with two or more of them.
    - ``cautions``: why the proposal may be wrong.
    - ``evidence``: the contexts that the members share, most telling first.

    Cautions and evidence are data; :mod:`actalike.labels.words` makes sentences of them.
    """

    activities: tuple[str, ...]
    similarity: float
    boldness: float
    relation: Relation
    together: float
    cautions: tuple[Caution, ...]
    evidence: tuple[SharedContext, ...]


def group(
    log: EventLog,
    method: str | None = None,
    boldness: float = DEFAULT_BOLDNESS,
    *,
    embedding: Embedding | None = None,
    counts: WindowCounts | None = None,
) -> list[Group]:
    """Return the groups that are proposed at one boldness, the most convincing first; no activity is in two of them.

    Boldness goes from 0 (only what cannot be told apart) to 1 (all that is nearer to each other than to the rest). Whoever has
    embedded the log or counted its windows already hands over the ``embedding`` or the ``counts`` (of windows of 3 or more).

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(proposal.activities, proposal.relation, proposal.evidence[0]) for proposal in group(log)]
    [(('a', 'b'), 'alternatives', SharedContext(before='x', after='y', counts=(20, 20)))]
    """
    check_boldness(boldness)
    return [found for found in merges(log, method, embedding=embedding, counts=counts) if found.boldness <= boldness]


def check_boldness(boldness: float) -> None:
    """Refuse what is not a boldness."""
    if not 0 <= boldness <= 1:
        raise ActalikeError(f"boldness={boldness} is not between 0 (only what cannot be told apart) and 1.")


def merges(
    log: EventLog,
    method: str | None = None,
    *,
    embedding: Embedding | None = None,
    counts: WindowCounts | None = None,
) -> list[Group]:
    """Return all groups that are proposed at some boldness, the most convincing first: what a slider needs.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(found.activities, round(found.boldness, 2)) for found in merges(log)]
    [(('a', 'b'), 0.0), (('y', 'c'), 0.79)]
    """
    if not isinstance(log, EventLog):
        raise ActalikeError(f"Groups are found in an EventLog, not in {type(log).__name__}: use actalike.read_log(...) first.")
    if embedding is None:
        embedding = embed(log, method or DEFAULT_METHOD, counts=counts)
    elif embedding.activities != log.activities:
        raise ActalikeError("The embedding has other activities than the log: give the log that was embedded.")
    elif method not in (None, embedding.method):
        raise ActalikeError(f"The embedding is that of {embedding.method}, not of {method}: give one of the two.")
    if counts is None:
        counts = count_windows(log, 3)
    if embedding.compare != "cosine":
        raise ActalikeError(
            f"{embedding.method} scores pairs on a scale of its own, where nothing is near: take {DEFAULT_METHOD}."
        )
    order = np.lexsort((np.arange(len(log.activities)), -log.activity_cases, -log.activity_counts))
    distances = embedding.distances()[np.ix_(order, order)].round(12)
    company, contexts = CoOccurrence(log), SharedContexts(counts)
    attraction = company.attraction()[np.ix_(order, order)]
    doubted = log.activity_cases[order] < ENOUGH_CASES
    found = []
    for node in _stand_out(_tree(distances, attraction, doubted)):
        members = order[node.members].tolist()
        relation, together = _relation(company, members)
        labels = tuple(log.activities[member] for member in members)
        cautions = tuple(_cautions(labels, log.activity_cases[members], relation, node.attraction))
        evidence = tuple(contexts.of(members, EVIDENCE))
        found.append(Group(labels, 1.0 - node.height, node.boldness, relation, together, cautions, evidence))
    return found


class _Node(NamedTuple):
    """A group of the tree; members are numbered by frequency."""

    members: NDArray[np.int64]
    height: float
    boldness: float  # more than 1: never proposed
    attraction: float


def _tree(distances: NDArray[np.float64], attraction: NDArray[np.float64], doubted: NDArray[np.bool_]) -> Iterator[_Node]:
    """The groups of the merge tree, but for the last, which has all activities and says nothing."""
    n = len(distances)
    if n < 3:
        return
    np.fill_diagonal(distances, 0.0)
    from scipy.cluster.hierarchy import linkage  # here: it takes long to load, and only groups need it
    from scipy.spatial.distance import squareform

    merged = linkage(squareform(distances, checks=False), "complete")
    members = {i: np.array([i]) for i in range(n)}
    nearest = {i: distances[i] for i in range(n)}  # of each activity: its least distance to a member
    attracted = dict.fromkeys(range(n), 0.0)  # the largest attraction between two members
    for number, (left, right, height, _) in enumerate(merged[:-1].tolist(), start=n):
        one, other = int(left), int(right)
        between = float(attraction[np.ix_(members[one], members[other])].max())
        members[number] = np.sort(np.concatenate([members.pop(one), members.pop(other)]))
        nearest[number] = np.minimum(nearest.pop(one), nearest.pop(other))
        attracted[number] = max(attracted.pop(one), attracted.pop(other), between)
        outside = min(float(np.delete(nearest[number], members[number]).min()), 1.0)
        contrast = height / outside if height < outside else 2.0
        doubtful = attracted[number] > MOST_ATTRACTION or bool(doubted[members[number]].any())
        yield _Node(members[number], height, (1 + contrast) / 2 if doubtful else contrast, attracted[number])


def _stand_out(nodes: Iterator[_Node]) -> Iterator[_Node]:
    """The groups that are proposed at some boldness, by boldness; where two overlap, the first of them."""
    taken: set[int] = set()
    for node in sorted(nodes, key=lambda node: (node.boldness, -len(node.members), node.members.tolist())):
        if node.boldness <= 1 and taken.isdisjoint(node.members.tolist()):
            taken.update(node.members.tolist())
            yield node


def _relation(company: CoOccurrence, members: list[int]) -> tuple[Relation, float]:
    any_, several, all_ = company.cases(members)
    if not several:
        return "alternatives", 0.0
    return "parallel" if all_ == any_ else "mixed", several / any_


def _cautions(labels: tuple[str, ...], cases: NDArray[np.int64], relation: Relation, attraction: float) -> Iterator[Caution]:
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
    elif attraction > MOST_ATTRACTION:
        yield Caution("often together", times=attraction)
