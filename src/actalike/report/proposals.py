"""Groups and the contexts that activities share, as plain data for a page: activities are numbers, sentences are made there."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from actalike.groups import Group
from actalike.shared_contexts import SharedContext

_LABEL = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""  # as repr writes it, so it ends where the quote is closed
_WORDS = re.compile(
    rf"(both|all|\d+ of them) (?:follow (?P<before>{_LABEL})|(?P<begin>begin the case))?(?: and )?"
    rf"(?:precede (?P<after>{_LABEL})|(?P<end>end the case))?",
    re.DOTALL,
)


def proposal(group: Group, number: dict[str, int], events: dict[str, int]) -> dict[str, Any]:
    """A group for the page. It is sure if nothing speaks against it: that alternatives are never in one case does not.

    >>> group = Group(("a", "b"), 0.9, 0.1, "mixed", 0.25, ("Take care.",), (SharedContext("both follow 'x'", (3, 4)),))
    >>> found = proposal(group, {"a": 0, "b": 1, "x": 2}, {"a": 4, "b": 8})
    >>> found["members"], found["sure"], found["evidence"]
    ([0, 1], False, [['both', 2, None, 0.5, 0.75]])
    """
    return {
        "members": [number[label] for label in group.activities],
        "similarity": round(group.similarity, 4),
        "boldness": round(group.boldness, 6),
        "relation": group.relation,
        "together": round(group.together, 4),
        "cautions": list(group.cautions),
        "sure": len(group.cautions) == (group.relation == "alternatives"),
        "evidence": [
            shared_context(context, [events[label] for label in group.activities], number) for context in group.evidence
        ],
    }


def shared_context(context: SharedContext, events: Sequence[int], number: dict[str, int]) -> list[Any]:
    """Who shares it; the activity before and after (-1: the outside of the case, None: any); the members' least and largest
    share of events in it.

    >>> shared_context(SharedContext("2 of them begin the case and precede \\"it's\\"", (5, 1, 0)), [10, 10, 10], {"it's": 7})
    ['2 of them', -1, 7, 0.1, 0.5]
    """
    said = _WORDS.fullmatch(context.words)
    assert said is not None, context.words

    def neighbour(label: str | None, outside: str | None) -> int | None:
        return number[ast.literal_eval(label)] if label is not None else -1 if outside is not None else None

    shares = [count / n for count, n in zip(context.counts, events, strict=True) if count]
    return [
        said[1],
        neighbour(said["before"], said["begin"]),
        neighbour(said["after"], said["end"]),
        round(min(shares), 3),
        round(max(shares), 3),
    ]
