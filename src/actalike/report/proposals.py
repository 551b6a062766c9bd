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
from actalike.support.text import Label, Parts, counted, json_parts, list_parts, percent

_NEVER_SHOWN: tuple[ReasonKind, ...] = ("any pair", "base rate", "rarity", "opposites", "tokens", "names")  # others say it
_LONGEST = 200  # characters of a string that is not a label
_PLACE = "{}"  # where the page puts a percentage
_DISTANCES = {1: "directly", 2: "two steps", 3: "three steps", 4: "four steps"}


class Sentences:
    """Hold the sentences of a page, each once; reasons and contexts name them by their numbers.

    >>> sentences = Sentences(["a"].index)
    >>> sentences.number(["never in the same case"]), sentences.number(["x"]), sentences.number(["never in the same case"])
    (0, 1, 0)
    """

    def __init__(self, number_of: Callable[[str], int]) -> None:
        self.all: list[list[Any]] = []
        self.quiet: set[int] = set()
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

        Sentences that stand in the sum only, because they have no figure to check or cautions say them better, are ``quiet``.
        """
        number = self.number([reason_words(reason, members)])
        if reason.kind in _NEVER_SHOWN or (reason.kind == "company" and reason.log_odds >= 0):
            self.quiet.add(number)
        return [round(reason.log_odds, 3), number]

    def share(self, share: CodedShare, label: Callable[[int], str]) -> list[float]:
        """Return a share of a similarity: how much it is, and the number of its sentence."""
        return [round(share.share, 4), self.number(share_parts(share, label))]

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
    ...     ("a", "b"), "a", 0.9, 0.95, 0.75, "synonyms", 0.25, None, (Witness("text", "a", "b"),),
    ...     (Reason("neighbours", 2.5, 0.75),), (SharedNeighbours("x", None, (3, 4)),), (Caution("too rare", ("b",)),),
    ... )
    >>> number, sentences = {"a": 0, "b": 1, "x": 2}, Sentences(["a", "b", "x"].index)
    >>> data = proposal(group, number, {"a": 4, "b": 8}, sentences)
    >>> data["members"], data["relation"], data["reasons"]
    ([0, 1], 'synonyms', [[2.5, 4]])
    >>> sign, sentence = data["shown"][0]
    >>> sign, sentences.all[sentence]
    ('+', [{'label': 0}, ' and ', {'label': 1}, ' are spelled alike'])
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


def share_parts(share: CodedShare, label: Callable[[int], str]) -> Parts:
    """Return what a share of a similarity comes from, as the parts of a sentence; a code below 0 is the outside of the case.

    >>> from actalike.support.text import plain_text
    >>> print(plain_text(share_parts(CodedShare("beside", 0.25, (0, 0), -2), ["Pay"].__getitem__)))
    both come two steps after 'Pay'
    >>> print(plain_text(share_parts(CodedShare("between", 0.25, (-1, 0, 0), 1), ["Pay"].__getitem__)))
    both begin the case and precede 'Pay' → 'Pay'
    """
    match share.kind:
        case "beside" if share.share < 0:
            return ["one more, the other less than usual: ", *_beside_parts(share, label)]
        case "beside":
            return _beside_parts(share, label)
        case "seldom":
            return ["less than usual: ", *_beside_parts(share, label)]
        case "constant":
            return ["what all activities of this log have in common"]
        case "between":
            return _between_parts(share.codes[: share.place], share.codes[share.place :], label)
        case "among":
            around: list[Parts] = [["the outside of the case"] if code < 0 else [Label(label(code))] for code in share.codes]
            return ["both have around them ", *list_parts(around, "and", len(around))]
        case _:
            return ["both are like ", Label(label(share.codes[0]))]


def _beside_parts(share: CodedShare, label: Callable[[int], str]) -> Parts:
    """Return what is so far before or after both."""
    first, last, distance = share.codes[0], share.codes[-1], abs(share.place)
    side, other = ("before", "after") if share.place < 0 else ("after", "before")
    if first < 0:
        edge = "beginning" if share.place < 0 else "end"
        if distance == 1:
            return ["both begin the case" if share.place < 0 else "both end the case"]
        return [f"both are near the {edge} of the case (at most {counted(distance - 1, 'event')} {side} them)"]
    where = f"{_DISTANCES.get(distance, f'{distance} steps')} {other} "
    if first == last:
        return [f"both come {where}", Label(label(first))]
    return [f"one comes {where}", Label(label(first)), f", the other {other} ", Label(label(last)), ", which are alike"]


def _between_parts(before: Sequence[int], after: Sequence[int], label: Callable[[int], str]) -> Parts:
    """Return which paths both follow and precede."""
    sides: list[Parts] = []
    for codes, verb, edge in ((before, "follow", "begin"), (after, "precede", "end")):
        path: Parts = []
        for code in codes:
            if code >= 0:
                path += [" → ", Label(label(code))] if path else [Label(label(code))]
        at_edge = f" at the {'beginning' if edge == 'begin' else 'end'} of the case" if min(codes, default=0) < 0 else ""
        if path:
            sides.append([f"{verb} ", *path, at_edge] if at_edge else [f"{verb} ", *path])
        elif at_edge:
            sides.append([f"{edge} the case"])
    return ["both ", *list_parts(sides, "and")]


def _share(value: float) -> float:
    """Round so little that only 0 becomes 0, and so much that what was computed as 0 or 1 is just that."""
    return round(float(value), 8) + 0.0  # no -0.0
