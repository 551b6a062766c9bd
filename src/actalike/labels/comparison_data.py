"""Define what a comparison of two labels, or two groups of labels, holds. Sentences: :mod:`actalike.labels.comparison_words`."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.labels.groups import Relation
from actalike.labels.label_uses import Gaps
from actalike.labels.pair_contexts import CommonContext
from actalike.labels.use_examples import ExampleCase

_ROUNDING = 1e-12


class PairJudgement(NamedTuple):
    """Hold the probability that two labels are one step, and how they are related; None if they are different steps."""

    probability: float
    relation: Relation | None


class Side(NamedTuple):
    """Hold one side of a comparison: a label, or a group of labels, with its counts, the times beside it, and example cases.

    ``to_previous`` and ``to_next`` are the seconds from the event before and to the event after; None if there are none.
    """

    labels: tuple[str, ...]
    events: int
    cases: int
    to_previous: Gaps | None
    to_next: Gaps | None
    examples: tuple[ExampleCase, ...]

    @property
    def name(self) -> str:
        """Return the label, or the first one and how many others there are."""
        return self.labels[0] if len(self.labels) == 1 else f"{self.labels[0]} and {len(self.labels) - 1} more"

    @property
    def size(self) -> str:
        """Return in words how many events and cases there are."""
        return f"{_counted(self.events, 'event')}, {_counted(self.cases, 'case')}"


class UseOverTime(NamedTuple):
    """Hold how many events each side has in each period; the fields are those of :class:`actalike.log.Timeline`."""

    unit: Literal["hour", "day", "week", "month", "quarter", "year"]
    starts: NDArray[np.datetime64]
    counts_a: NDArray[np.int64]
    counts_b: NDArray[np.int64]
    undated_a: int
    undated_b: int


class SeparatePeriods(NamedTuple):
    """Hold that one side was used before the other, as the witness of periods says (:mod:`actalike.labels.witnesses`).

    - ``earlier``: which side came first; ``until``: when it was last used (95 % of its cases); ``since``: when the other one was
      first used (5 %).
    - ``replaces``: whether they also have a tenth of their direct neighbours in common, so that the later side took the place
      of the earlier one. Without it they may be steps of two processes.
    """

    earlier: Literal["a", "b"]
    until: np.datetime64
    since: np.datetime64
    replaces: bool


class PeopleCompared(NamedTuple):
    """Hold who does the steps, by one attribute.

    - ``values``: each value with the events of either side, those with the largest share of a side first.
    - ``not_recorded``: how many events of either side have no value.
    - ``in_common``: Σ min of both shares of each value, of the events that have one; None if one side has none.
    """

    attribute: str
    values: tuple[tuple[str, int, int], ...]
    not_recorded: tuple[int, int]
    in_common: float | None


class Together(NamedTuple):
    """Hold how often both sides occur in one case.

    - ``cases``: the cases with both; 0 means never.
    - ``instants``: how often both occur in a case with the same timestamp; None without timestamps.
    - ``a_before_b``, ``b_before_a``: how often the one directly follows the other.
    """

    cases: int
    instants: int | None
    a_before_b: int
    b_before_a: int


@dataclass(frozen=True, repr=False, eq=False)
class ComparisonData:
    """Hold what two labels, or two groups of labels, have in common and what differs.

    - ``a``, ``b``: the two sides.
    - ``verdict``: the probability and the relation of two single labels; None for groups.
    - ``overlap``: the share of direct neighbours in common, before and after, the smaller of the two.
    - ``before``, ``after``, ``between``: all direct neighbours, and all pairs of them, each with the counts of both sides.
    - ``over_time``: when each side was used; ``periods``: one was used before the other, None if they were not separate.
    - ``people``: who does the steps, for each attribute that names people or organisations.
    - ``together``: how often both are in a case; ``examples_together``: such cases.

    All of it is data; :mod:`actalike.labels.comparison_words` turns it into sentences.
    """

    a: Side
    b: Side
    verdict: PairJudgement | None
    overlap: float
    before: tuple[CommonContext, ...]
    after: tuple[CommonContext, ...]
    between: tuple[CommonContext, ...]
    over_time: UseOverTime | None
    periods: SeparatePeriods | None
    people: tuple[PeopleCompared, ...]
    together: Together
    examples_together: tuple[ExampleCase, ...]

    @property
    def contexts(self) -> tuple[CommonContext, ...]:
        """Return the neighbours before, those after, and the pairs of neighbours."""
        return (*self.before, *self.after, *self.between)

    @property
    def shared(self) -> list[CommonContext]:
        """Return the contexts that both sides have, those that are frequent for both first."""
        both = [context for context in self.contexts if context.count_a and context.count_b]
        return sorted(both, key=lambda context: -min(self.shares(context)))

    @property
    def differing(self) -> list[CommonContext]:
        """Return the contexts that one side has more often than the other, as a share of its events, by that difference."""
        by_difference = [(abs(np.subtract(*self.shares(context))), context) for context in self.contexts]
        differing = [(difference, context) for difference, context in by_difference if difference > _ROUNDING]
        return [context for _, context in sorted(differing, key=lambda one: -one[0].round(12))]

    @property
    def only_a(self) -> list[CommonContext]:
        """Return the contexts that side a has and side b has not, the most frequent first."""
        return sorted((one for one in self.contexts if not one.count_b), key=lambda context: -context.count_a)

    @property
    def only_b(self) -> list[CommonContext]:
        """Return the contexts that side b has and side a has not, the most frequent first."""
        return sorted((one for one in self.contexts if not one.count_a), key=lambda context: -context.count_b)

    def shares(self, context: CommonContext) -> tuple[float, float]:
        """Return in which share of its events each side has a context."""
        return context.count_a / self.a.events, context.count_b / self.b.events

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data, for JSON: times in seconds, moments as ISO texts."""
        return {
            "a": _side(self.a),
            "b": _side(self.b),
            "verdict": None if self.verdict is None else self.verdict._asdict(),
            "overlap": self.overlap,
            "before": [_beside(context) for context in self.before],
            "after": [_beside(context) for context in self.after],
            "between": [
                {"before": context.symbols[0], "after": context.symbols[1], **_counts(context)} for context in self.between
            ],
            "over_time": None if self.over_time is None else _over_time(self.over_time),
            "periods": None
            if self.periods is None
            else {**self.periods._asdict(), "until": str(self.periods.until), "since": str(self.periods.since)},
            "people": [_people(one) for one in self.people],
            "together": {**self.together._asdict(), "cases_a": self.a.cases, "cases_b": self.b.cases},
            "examples_together": [_example(example) for example in self.examples_together],
        }

    def __repr__(self) -> str:
        sides = (f"{side.name!r} ({side.size})" for side in (self.a, self.b))
        return f"Comparison({', '.join(sides)}; {_counted(self.together.cases, 'case')} with both)"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "labels": list(side.labels),
        "events": side.events,
        "cases": side.cases,
        "to_previous": None if side.to_previous is None else side.to_previous._asdict(),
        "to_next": None if side.to_next is None else side.to_next._asdict(),
        "examples": [_example(example) for example in side.examples],
    }


def _counts(context: CommonContext) -> dict[str, int]:
    return {"count_a": context.count_a, "count_b": context.count_b}


def _beside(context: CommonContext) -> dict[str, Any]:
    return {"label": context.symbols[0], **_counts(context)}


def _example(example: ExampleCase) -> dict[str, Any]:
    moment = None if example.moment is None else np.datetime_as_string(example.moment, unit="s")
    sequence = {"labels": list(example.labels), "marked": list(example.marked)}
    return {**example._asdict(), **sequence, "position": example.position, "moment": moment}


def _over_time(over_time: UseOverTime) -> dict[str, Any]:
    return {
        "unit": over_time.unit,
        "starts": np.datetime_as_string(over_time.starts).tolist(),
        "counts_a": over_time.counts_a.tolist(),
        "counts_b": over_time.counts_b.tolist(),
        "undated_a": over_time.undated_a,
        "undated_b": over_time.undated_b,
    }


def _people(people: PeopleCompared) -> dict[str, Any]:
    values = [{"value": value, "count_a": count_a, "count_b": count_b} for value, count_a, count_b in people.values]
    return {**people._asdict(), "values": values, "not_recorded": list(people.not_recorded)}
