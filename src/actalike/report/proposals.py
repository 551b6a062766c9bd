"""Turn groups and evidence into plain data for a page. Activities are numbers; ``page/report/words.js`` makes the sentences."""

from collections.abc import Sequence
from typing import Any

from actalike.embedding import CodedShare
from actalike.labels import OUTSIDE, Group, Neighbour, SharedNeighbours

OUTSIDE_NUMBER = -1


def proposal(group: Group, number: dict[str, int], events: dict[str, int]) -> dict[str, Any]:
    """Return a group for the page. It is sure if it has no warning.

    >>> from actalike.labels import Caution
    >>> cautions = Caution("too rare", ("b",)), Caution("never together")
    >>> group = Group(("a", "b"), 0.9, 0.1, "mixed", 0.25, cautions, (SharedNeighbours("x", None, (3, 4)),))
    >>> data = proposal(group, {"a": 0, "b": 1, "x": 2}, {"a": 4, "b": 8})
    >>> data["members"], data["sure"], data["evidence"]
    ([0, 1], False, [[2, 2, 2, None, 0.5, 0.75]])
    >>> data["cautions"][0]
    {'kind': 'too rare', 'labels': [1], 'times': None, 'warning': True}
    """
    return {
        "members": [number[label] for label in group.activities],
        "similarity": round(group.similarity, 8),
        "boldness": round(group.boldness, 6),
        "relation": group.relation,
        "together": round(group.together, 8),  # 0 only if it is 0
        "cautions": [
            {
                "kind": caution.kind,
                "labels": [number[label] for label in caution.labels],
                "times": caution.times,
                "warning": caution.is_warning,
            }
            for caution in group.cautions
        ],
        "sure": not any(caution.is_warning for caution in group.cautions),
        "evidence": [
            shared_context(context, [events[label] for label in group.activities], number) for context in group.evidence
        ],
    }


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
