"""Groups: labels that are likely the same step, or interchangeable, each group with its evidence and its cautions.

The activities are merged step by step, always the two groups whose least similar members are most alike (complete linkage on
the distances of an embedding): all members of a group resemble each other. A group whose least similarity is s is proposed
from boldness 1 - s on.

The same log gives the same groups, in whatever order its cases come. Where similarities are equal (to 12 digits), the more
frequent activities are merged first; the order of the labels decides only between activities that are equally frequent.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.sparse import csc_array
from scipy.spatial.distance import squareform

from actalike.confidence import ENOUGH_CASES
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, embed
from actalike.shared_contexts import SharedContext, SharedContexts

DEFAULT_BOLDNESS = 0.1
EVIDENCE = 3  # contexts named for each group
THIN_CASES = 20  # below it, similarities of chance are common (docs/concepts.md)

Relation = Literal["alternatives", "parallel", "mixed"]


class Group(NamedTuple):
    """Activities that are likely one step.

    - ``activities``: the members, most frequent first; the first is the suggested name.
    - ``similarity``: the least similarity between two members.
    - ``boldness``: from which boldness on (0 to 1) the group is proposed.
    - ``relation``: "alternatives" (never two members in one case), "parallel" (always all in the same cases), or "mixed".
    - ``together``: of the cases with a member, the share with two or more of them.
    - ``cautions``: sentences that say why the proposal may be wrong.
    - ``evidence``: the contexts that the members share, most telling first; each reads as a sentence by ``str``.
    """

    activities: tuple[str, ...]
    similarity: float
    boldness: float
    relation: Relation
    together: float
    cautions: tuple[str, ...]
    evidence: tuple[SharedContext, ...]


def group(log: EventLog, method: str | None = None, boldness: float = DEFAULT_BOLDNESS) -> list[Group]:
    """The groups that are proposed at one boldness, from 0 (only what is equal) to 1; no activity is in two of them.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(found.activities, found.relation, str(found.evidence[0])) for found in group(log)]
    [(('a', 'b'), 'alternatives', "both follow 'x' and precede 'y' (20 and 20 times)")]
    """
    check_boldness(boldness)
    proposed: dict[str, Group] = {}
    for found in merges(log, method):
        if found.boldness <= boldness:  # a later group that is proposed holds the earlier ones of its members
            proposed.update(dict.fromkeys(found.activities, found))
    return list(dict.fromkeys(proposed.values()))


def check_boldness(boldness: float) -> None:
    """Refuse what is not a boldness."""
    if not 0 <= boldness <= 1:
        raise ActalikeError(f"boldness={boldness} is not between 0 (only what is equal) and 1 (all that is vaguely alike).")


def merges(log: EventLog, method: str | None = None) -> list[Group]:
    """Every group of the merge tree, tightest first: what is proposed at each boldness.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [found.activities for found in merges(log)][0]
    ('a', 'b')
    """
    if not isinstance(log, EventLog):
        raise ActalikeError(f"Groups are found in an EventLog, not in {type(log).__name__}: use actalike.read_log(...) first.")
    embedding = embed(log, method or DEFAULT_METHOD)
    if embedding.compare != "cosine":
        raise ActalikeError(f"{embedding.method} scores pairs on a scale of its own, so boldness means nothing: take kin-w5.")
    if len(log.activities) < 2:
        return []
    contexts = SharedContexts(log)
    found = [
        _describe(log, members, similarity, occurrences, contexts)
        for members, similarity, occurrences in _merge_tree(log, embedding)
    ]
    return sorted(found, key=lambda one: (one.boldness, -len(one.activities)))


def _merge_tree(log: EventLog, embedding: Embedding) -> Iterator[tuple[list[int], float, csc_array]]:
    """For each merge: the members, most frequent first, their least similarity, and how many of them each variant has."""
    order = np.lexsort((np.arange(len(log.activities)), -log.activity_cases, -log.activity_counts))
    distances = embedding.distances()[np.ix_(order, order)].round(12)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "complete")
    occurs = _occurrences(log)
    clusters = {i: ([i], occurs[:, [activity]]) for i, activity in enumerate(order.tolist())}
    for number, (left, right, distance, _) in enumerate(tree.tolist(), start=len(order)):
        (one, in_one), (other, in_other) = clusters.pop(int(left)), clusters.pop(int(right))
        ranks, counts = sorted(one + other), csc_array(in_one + in_other)
        clusters[number] = ranks, counts
        yield order[ranks].tolist(), 1.0 - distance, counts


def _occurrences(log: EventLog) -> csc_array:
    """A row for each variant and a column for each activity: 1 where the variant has it."""
    codes, offsets, weights = log.variants
    variant = np.repeat(np.arange(len(weights)), np.diff(offsets))
    shape = len(weights), len(log.activities)
    cells = np.unique(codes.astype(np.int64) * shape[0] + variant)
    ones = np.ones(len(cells), dtype=np.int32)
    return csc_array((ones, (cells % shape[0], cells // shape[0])), shape=shape)


def _describe(log: EventLog, members: list[int], similarity: float, counts: csc_array, contexts: SharedContexts) -> Group:
    weights = log.variants.weights[counts.indices]
    cases, several = int(weights.sum()), int(weights[counts.data > 1].sum())
    relation: Relation = "mixed"
    if not several:
        relation = "alternatives"
    elif (counts.data == len(members)).all():
        relation = "parallel"
    labels = tuple(log.activities[member] for member in members)
    together = several / cases
    return Group(
        labels,
        similarity,
        boldness_of(similarity),
        relation,
        together,
        tuple(_cautions(labels, log.activity_cases[members], relation, together)),
        tuple(contexts.of(members, EVIDENCE)),
    )


def boldness_of(similarity: float) -> float:
    """From which boldness on a similarity is enough: 1 - similarity.

    >>> boldness_of(0.75), boldness_of(-0.5)
    (0.25, 1.0)
    """
    return min(max(1.0 - similarity, 0.0), 1.0)


def _cautions(labels: Sequence[str], cases: NDArray[np.int64], relation: Relation, together: float) -> Iterator[str]:
    for few, judgement in ((ENOUGH_CASES, "too rare to judge"), (THIN_CASES, "thin evidence")):
        least = ENOUGH_CASES if few == THIN_CASES else 0
        rare = [f"{label!r} ({n})" for label, n in zip(labels, cases.tolist(), strict=True) if least <= n < few]
        if rare:
            more = f" and {len(rare) - 3} more" if len(rare) > 3 else ""
            yield f"In fewer than {few} cases, so {judgement}: {', '.join(rare[:3])}{more}."
    if relation == "alternatives":
        yield "Never in the same case: two names of one step, or different outcomes of one decision."
    elif relation == "parallel":
        yield "Always in the same cases: steps that belong together rather than names of one step."
    elif together > 0.5:
        yield f"In {together:.0%} of their cases there are two or more of them: perhaps steps that belong together."
