"""Turn groups and evidence into plain data for a page. Activities are numbers; sentences come as parts (support/text.py)."""

from collections.abc import Callable, Sequence
from typing import Any

from actalike.embedding import CodedShare
from actalike.labels import (
    RELATIONS,
    Argument,
    Group,
    Reason,
    ReasonKind,
    SharedNeighbours,
    group_arguments,
    reason_words,
    shared_neighbours_parts,
    strongest_arguments,
    verdict_words,
)
from actalike.support.text import Parts, json_parts, percent

OUTSIDE_NUMBER = -1
_NEVER_TOLD: tuple[ReasonKind, ...] = ("any pair", "rarity", "opposites")  # but in the sum: other lines say it better
_LONGEST = 200  # characters of a text that is no label
_PLACE = "{}"  # where the page puts a percentage


class Sentences:
    """Hold the sentences of a page, each once; reasons and contexts name them by their numbers.

    >>> sentences = Sentences(["a"].index)
    >>> sentences.number(["never in the same case"]), sentences.number(["x"]), sentences.number(["never in the same case"])
    (0, 1, 0)
    """

    def __init__(self, number_of: Callable[[str], int]) -> None:
        self.all: list[list[Any]] = []
        self.untold: set[int] = set()
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._number_of = number_of

    def number(self, parts: Parts) -> int:
        """Return the number of a sentence."""
        number = self._numbers.setdefault(tuple(parts), len(self.all))
        if number == len(self.all):
            self.all.append(json_parts(parts, self._number_of, _LONGEST))
        return number

    def reason(self, reason: Reason, members: int = 2) -> list[float]:
        """Return why two labels are one step or not: log-odds, and the number of the sentence.

        Sentences that stand in the sum only, because they have no figure to check or cautions say them better, are ``untold``.
        """
        number = self.number([reason_words(reason, members)])
        if reason.kind in _NEVER_TOLD or (reason.kind == "company" and reason.log_odds >= 0):
            self.untold.add(number)
        return [round(reason.log_odds, 3), number]

    def context(self, shared: SharedNeighbours, events: Sequence[int]) -> list[Any]:
        """Return a context that labels share: the number of its sentence, and in which share of their events it is.

        >>> sentences = Sentences(["x"].index)
        >>> sentences.context(SharedNeighbours("x", None, (5, 1, 0)), [10, 10, 10]), sentences.all
        ([0, '10 % to 50 % of events'], [['2 of them follow ', {'label': 0}]])
        """
        shares = [count / n for count, n in zip(shared.counts, events, strict=True) if count]
        ends = dict.fromkeys(percent(round(end, 3)) for end in (min(shares), max(shares)))
        return [self.number(shared_neighbours_parts(shared)), f"{' to '.join(ends)} of events"]

    def lines(self, arguments: Sequence[Argument]) -> list[list[Any]]:
        """Return lines of why a group has its verdict: signs and numbers of sentences."""
        return [[argument.sign, self.number(argument.parts)] for argument in arguments]


def verdicts() -> dict[str, str]:
    """Return what is said of two labels, or of a group by its relation; in the place of ``{}`` stands a percentage."""
    relations: dict[str, str] = {relation: verdict_words(relation, 0).replace(percent(0), _PLACE) for relation in RELATIONS}
    return {**relations, "pair": relations["synonyms"], "overlap": f"{_PLACE} of neighbours the same"}


def proposal(group: Group, number: dict[str, int], events: dict[str, int], sentences: Sentences) -> dict[str, Any]:
    """Return a group for the page: ``shown`` are the lines that it begins with, ``more`` the others.

    >>> from actalike.labels import Caution, Witness
    >>> group = Group(
    ...     ("a", "b"), "a", 0.9, 0.75, "synonyms", 0.25, None, (Witness("text", "a", "b"),), (Reason("neighbours", 2.5, 0.75),),
    ...     (SharedNeighbours("x", None, (3, 4)),), (Caution("too rare", ("b",)),),
    ... )
    >>> number, sentences = {"a": 0, "b": 1, "x": 2}, Sentences(["a", "b", "x"].index)
    >>> data = proposal(group, number, {"a": 4, "b": 8}, sentences)
    >>> data["members"], data["relation"], data["reasons"]
    ([0, 1], 'synonyms', [[2.5, 4]])
    >>> [(sign, sentences.all[number]) for sign, number in data["shown"]][1:]
    [('+', [{'label': 0}, ' and ', {'label': 1}, ' are spelled alike']),
     ('-', ['in fewer than 5 cases, too rare to judge by behaviour: ', {'label': 1}])]
    """
    arguments = list(group_arguments(group))
    shown = strongest_arguments(arguments)
    return {
        "members": [number[label] for label in group.activities],
        "name": group.name,
        "relation": group.relation,
        "probability": _share(group.probability),
        "overlap": _share(group.overlap),
        "pattern": group.pattern,
        "shown": sentences.lines(shown),
        "more": sentences.lines([argument for argument in arguments if argument not in shown]),
        "evidence": [sentences.context(context, [events[label] for label in group.activities]) for context in group.evidence],
        "reasons": [sentences.reason(reason, len(group.activities)) for reason in group.reasons],
        "together": f"{percent(group.together)} of their cases have two or more of them."
        if group.together > 0 and len(group.activities) > 2
        else "",
    }


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
