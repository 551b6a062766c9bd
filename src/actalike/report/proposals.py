"""Turn groups and evidence into plain data for a page. Activities are numbers; ``page/report/words.js`` makes the sentences."""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from actalike.embedding import CodedShare
from actalike.labels import OUTSIDE, Group, Neighbour, Reason, ReasonKind, SharedNeighbours, Witness

OUTSIDE_NUMBER = -1
REASON_KINDS: tuple[ReasonKind, ...] = get_args(ReasonKind)


def proposal(group: Group, number: dict[str, int], events: dict[str, int]) -> dict[str, Any]:
    """Return a group for the page.

    >>> from actalike.labels import Caution
    >>> group = Group(
    ...     ("a", "b"), "a", 0.9, 0.75, "synonyms", 0.25, None, (Witness("text", "a", "b"),), (Reason("neighbours", 2.5, 0.75),),
    ...     (SharedNeighbours("x", None, (3, 4)),), (Caution("too rare", ("b",)),),
    ... )
    >>> data = proposal(group, {"a": 0, "b": 1, "x": 2}, {"a": 4, "b": 8})
    >>> data["members"], data["relation"], data["evidence"]
    ([0, 1], 'synonyms', [[2, 2, 2, None, 0.5, 0.75]])
    >>> data["reasons"], data["witnesses"][0]["kind"], data["cautions"]
    ([[1, 2.5, 0.75]], 'text', [{'kind': 'too rare', 'labels': [1]}])
    """
    return {
        "members": [number[label] for label in group.activities],
        "name": group.name,
        "relation": group.relation,
        "probability": _share(group.probability),
        "overlap": _share(group.overlap),
        "together": _share(group.together),
        "pattern": group.pattern,
        "witnesses": witnesses(group.witnesses, number),
        "reasons": [weighed_reason(reason) for reason in group.reasons],
        "cautions": [{"kind": caution.kind, "labels": [number[label] for label in caution.labels]} for caution in group.cautions],
        "evidence": [
            shared_context(context, [events[label] for label in group.activities], number) for context in group.evidence
        ],
    }


def witnesses(found: Iterable[Witness], number: dict[str, int]) -> list[dict[str, Any]]:
    """Return the first witness of each kind and pattern, with all attributes of people, and how many members have such witnesses.

    >>> found = [Witness("text", "a", "b"), Witness("people", "a", "c", "group"), Witness("people", "a", "c", "user")]
    >>> [(one["kind"], one["labels"], one["attribute"], one["members"]) for one in witnesses(found, {"a": 0, "b": 1, "c": 2})]
    [('text', [0, 1], None, 1), ('people', [0, 2], 'group, user', 1)]
    """
    by_kind: dict[tuple[str, str | None], list[Witness]] = {}
    for witness in found:
        by_kind.setdefault((witness.kind, witness.pattern), []).append(witness)
    return [_witness(similar, number) for similar in by_kind.values()]


def _witness(similar: Sequence[Witness], number: dict[str, int]) -> dict[str, Any]:
    first = similar[0]
    attributes = sorted({one.attribute for one in similar if one.attribute is not None})
    return {
        "kind": first.kind,
        "labels": [number[first.a], number[first.b]],
        "members": len({one.b for one in similar}),
        "attribute": ", ".join(attributes) or None,
        "earlier": None if first.earlier is None else number[first.earlier],
        "until": None if first.until is None else str(first.until),
        "since": None if first.since is None else str(first.since),
        "pattern": first.pattern,
        "parts": None if first.parts is None else list(first.parts),
        "steps": first.steps,
    }


def weighed_reason(reason: Reason) -> list[Any]:
    """Return why two labels are one step or not: the number of the reason's kind, its log-odds, its figure.

    >>> weighed_reason(Reason("cases", -1.23456, 0.1 / 3))
    [4, -1.235, 0.03333]
    """
    figure = None if reason.figure is None else float(f"{_share(reason.figure):.4g}")
    return [REASON_KINDS.index(reason.kind), round(reason.log_odds, 3), figure]


def shared_context(context: SharedNeighbours, events: Sequence[int], number: dict[str, int]) -> list[Any]:
    """Return how many members have a context, of how many; the activity before and after (-1: the outside of the case, None:
    any); the members' least and largest share of events in it.

    >>> shared_context(SharedNeighbours(OUTSIDE, "it's", (5, 1, 0)), [10, 10, 10], {"it's": 7})
    [2, 3, -1, 7, 0.1, 0.5]
    """

    def numbered(neighbour: Neighbour) -> int | None:
        if neighbour is OUTSIDE:
            return OUTSIDE_NUMBER
        return None if neighbour is None else number[neighbour]

    shares = [count / n for count, n in zip(context.counts, events, strict=True) if count]
    return [
        len(shares),
        len(context.counts),
        numbered(context.before),
        numbered(context.after),
        round(min(shares), 3),
        round(max(shares), 3),
    ]


def reason(share: CodedShare, numbers: Sequence[int]) -> list[Any]:
    """Return a share of a similarity: its kind, how much it is, its activities (-1: the outside of the case), its place.

    >>> reason(CodedShare("beside", 0.25, (0, -1), -2), numbers=[7])
    ['beside', 0.25, [7, -1], -2]
    """
    codes = [OUTSIDE_NUMBER if code < 0 else numbers[code] for code in share.codes]
    return [share.kind, round(share.share, 4), codes, share.place]


def _share(value: float) -> float:
    """Round so little that only 0 becomes 0, and so much that what was computed as 0 or 1 is just that."""
    return round(float(value), 8) + 0.0  # no -0.0
