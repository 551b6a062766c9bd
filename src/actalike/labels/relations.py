"""Judge how labels are related: synonyms, alternatives, steps that belong together, or too rare to judge.

Labels that are likely one step are *synonyms* if there is a witness beside behaviour between the first label and each other one
(:mod:`actalike.labels.witnesses`), and no two of them are opposites. Without that they are *alternatives*: they take the same
place, as two names of one step do, and as two outcomes of one decision do.

Labels that take the same place but are not likely one step *belong together* if they share half of their cases or more, and more
often than chance (attraction 1.3); opposites among them are *alternatives*; with a label in fewer than 5 cases they are *too rare
to judge*.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from actalike.embedding import ENOUGH_CASES
from actalike.labels.same_step import SameStep
from actalike.labels.witnesses import SIMILAR_TEXT, Usage, Witness
from actalike.log import CoOccurrence

Relation = Literal["synonyms", "alternatives", "belong together", "too rare to judge"]
RELATIONS: tuple[Relation, ...] = ("synonyms", "alternatives", "belong together", "too rare to judge")

AT_LEAST = 0.5  # more likely one step than not
_BELONG_TOGETHER = 0.5  # the share of the cases with a member that have two or more
_ATTRACTED = 1.3  # between 1 (names that change from event to event) and 2 (steps that every case has once)


class Verdict(NamedTuple):
    """Hold a relation, None if the labels are different steps, and what speaks for synonyms beside behaviour."""

    relation: Relation | None
    witnesses: tuple[Witness, ...] = ()


class Relations:
    """Judge how labels of a log are related. Labels are given as positions in the log's activities, most frequent first."""

    def __init__(self, same: SameStep) -> None:
        self._same, self._log = same, same.log
        self._co_occurrence, self._usage = CoOccurrence(same.log), Usage(same.log)
        self._family = {member: family for family in same.families for member in family.members}

    def of_pair(self, a: str, b: str, at_least: float = AT_LEAST) -> Verdict:
        """Return the verdict about two labels, by the rule of :func:`actalike.group`.

        >>> from actalike import EventLog, same_step
        >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
        >>> Relations(same_step(log)).of_pair("a", "b").relation, Relations(same_step(log)).of_pair("a", "c").relation
        ('alternatives', None)
        """
        pair = sorted(
            (self._log.activities.index(label) for label in (a, b)),
            key=lambda i: (-self._log.activity_counts[i], -self._log.activity_cases[i], i),
        )
        if self._same.probability(a, b) >= at_least:
            return self.likely(pair)
        if min(self._log.activity_cases[pair]) < ENOUGH_CASES:
            return Verdict("too rare to judge")
        takes_the_place = self._same.log_odds_of_place[*pair] >= np.log(at_least / (1 - at_least)) if at_least < 1 else False
        return self.unlikely(pair) if takes_the_place else Verdict(None)

    def likely(self, members: Sequence[int]) -> Verdict:
        """Return the verdict about labels that are likely one step: synonyms if there are witnesses, otherwise alternatives."""
        first, others = members[0], members[1:]
        witnesses = [self._witnesses(first, other) for other in others]
        is_proven = all(witnesses) and not self.opposites(members)
        return Verdict("synonyms" if is_proven else "alternatives", tuple(one for found in witnesses for one in found))

    def unlikely(self, members: Sequence[int]) -> Verdict:
        """Return the verdict about labels that only take the same place."""
        if min(self._log.activity_cases[list(members)]) < ENOUGH_CASES:
            return Verdict("too rare to judge")
        if self.together(members) >= _BELONG_TOGETHER and self._attraction(members) >= _ATTRACTED:
            return Verdict("belong together")
        return Verdict("alternatives" if self.opposites(members) else None)

    def together(self, members: Sequence[int]) -> float:
        """Return the share of the cases with any of the labels that have two or more of them."""
        any_, several, _ = self._co_occurrence.cases(members)
        return several / any_

    def opposites(self, members: Sequence[int]) -> list[tuple[int, int]]:
        """Return which two of the labels are opposites."""
        return [pair for pair in combinations(sorted(members), 2) if pair in self._same.opposites]

    def _witnesses(self, a: int, b: int) -> list[Witness]:
        labels = self._log.activities[a], self._log.activities[b]
        family = self._family.get(a)
        if family is not None and family is self._family.get(b):
            return [Witness("pattern", *labels, pattern=family.pattern)]
        text = [Witness("text", *labels)] if self._same.texts[a, b] >= SIMILAR_TEXT else []
        return text + self._usage.witnesses(a, b)

    def _attraction(self, members: Sequence[int]) -> float:
        """Return the smallest attraction of two labels."""
        return float(np.exp(min(self._same.figures.attraction[pair] for pair in combinations(members, 2))))
