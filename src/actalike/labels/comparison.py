"""Compare two labels, or two groups of labels: what both have, what only one has, when, how fast, by whom, in which cases."""

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.labels.describe import comparison_card, in_words, reason_facts, text_difference_facts, verdict_words, witness_facts
from actalike.labels.relations import AT_LEAST, Group, PairJudgement, Verdict, judge
from actalike.labels.step_probabilities import Reason, SameStep
from actalike.labels.uses import (
    CommonContext,
    ExampleCase,
    LabelUses,
    PeopleCompared,
    PeopleCounts,
    SeparatePeriods,
    Side,
    Together,
    UseOverTime,
    common_contexts,
    differing_contexts,
    example_cases,
    examples_together,
)
from actalike.labels.witnesses import Usage
from actalike.log import EventLog, timeline
from actalike.support.text import counted

_SAME_PLACE = 0.1  # of their neighbours in common, before and after: then the later one may have replaced the earlier one
_ROUNDING = 1e-12
_CONTEXT = 3  # the activity and its two neighbours, of the contexts in common
_DIFFERING = 5  # neighbours that differ, or fewer


def compare_uses(
    log: EventLog, names: tuple[list[str], list[str]], same: SameStep | None = None, counts: WindowCounts | None = None
) -> "Comparison":
    """Compare two sides, given by their labels (:func:`labels_of_sides`); with ``same``, two single labels are judged as well.

    ``counts`` are the log's windows, if they are already counted. Neighbours that are one step by ``same`` count as one.
    """
    names_of = {} if same is None else names_of_steps(same, {*names[0], *names[1]})
    steps = _in_steps(log, names_of)
    beside = LabelUses(steps)
    of_a, of_b = ([steps.activities.index(label) for label in labels] for labels in names)
    before = beside.before(of_a), beside.before(of_b)
    after = beside.after(of_a), beside.after(of_b)
    overlap = min(_in_common(*before), _in_common(*after))
    place = {label: i for i, label in enumerate(log.activities)}
    members_a, members_b = ([place[label] for label in labels] for labels in names)
    uses = LabelUses(log) if names_of else beside
    people_a, people_b = uses.people(members_a), uses.people(members_b)
    return Comparison(
        a=_side(uses, names[0], members_a),
        b=_side(uses, names[1], members_b),
        verdict=None if same is None else _judged(same, counts, names[0][0], names[1][0]),
        overlap=overlap,
        before=_beside(steps, *before, -1),
        after=_beside(steps, *after, 1),
        between=_between(beside, of_a, of_b),
        over_time=_over_time(log, members_a, members_b),
        periods=_periods(log, names, overlap),
        people=tuple(_compared(name, people_a[name], people_b[name]) for name in people_a),
        together=_together(uses, members_a, members_b),
        examples_together=tuple(examples_together(uses, members_a, members_b)),
    )


def names_of_steps(same: SameStep, apart: Collection[str]) -> dict[str, str]:
    """Return for each label that is certainly one step with others what all of them are called together.

    These are spellings of one label, and words of two parts of the log; labels that are ``apart`` keep their names.

    >>> from actalike import EventLog, same_step
    >>> names_of_steps(same_step(EventLog.from_traces([["Check form", "Pay"]] * 30 + [["Check form ", "Pay"]])), {"Pay"})
    {'Check form': 'Check form', 'Check form ': 'Check form'}
    """
    step_of = {label: {label} for label in same.activities}
    partners = (same.merged or same).partners
    likely = [pair[:2] for pair in partners if pair.is_likely and pair.steps > 1 and pair.probability >= AT_LEAST]
    for a, b in [*same.spelled.items(), *likely]:
        if a not in apart and b not in apart and step_of[a] is not step_of[b]:
            step_of[a] |= step_of[b]
            step_of |= dict.fromkeys(step_of[a], step_of[a])
    events = dict(zip(same.activities, same.log.activity_counts.tolist(), strict=True))

    def name(step: set[str]) -> str:
        own = [label for label in step if same.spelled.get(label) not in step]
        return " = ".join(sorted(own, key=lambda label: (-events[label], label)))

    return {label: name(step) for label, step in step_of.items() if len(step) > 1}


def _in_steps(counted: Any, names: Mapping[str, str]) -> Any:
    """Return a log, or counts, in which labels have the names of their steps."""
    return counted.relabel(lambda label: names.get(label, label)) if names else counted


@dataclass(repr=False, eq=False)
class Comparison:
    """Hold what two labels, or two groups of labels, have in common and what differs, as :func:`actalike.compare` computes it.

    - ``a``, ``b``: the two sides.
    - ``verdict``: the probability and the relation of two single labels; None for groups.
    - ``overlap``: the share of direct neighbours in common, before and after, the smaller of the two.
    - ``before``, ``after``, ``between``: all direct neighbours, and all pairs of them, each with the counts of both sides.
    - ``over_time``: when each side was used; ``periods``: one was used before the other, None if they were not separate.
    - ``people``: who does the steps, for each attribute that names people or organisations.
    - ``together``: how often both are in a case; ``examples_together``: such cases.

    All of it is data; :mod:`actalike.labels.describe` turns it into sentences.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike explain --json`` has under ``comparison``: times in seconds, moments as ISO texts."""
        return {
            "a": _side_facts(self.a),
            "b": _side_facts(self.b),
            "verdict": None if self.verdict is None else self.verdict._asdict(),
            "overlap": self.overlap,
            "before": [_beside_facts(context) for context in self.before],
            "after": [_beside_facts(context) for context in self.after],
            "between": [
                {"before": context.symbols[0], "after": context.symbols[1], **_counts_facts(context)} for context in self.between
            ],
            "over_time": None if self.over_time is None else _over_time_facts(self.over_time),
            "periods": None
            if self.periods is None
            else {**self.periods._asdict(), "until": str(self.periods.until), "since": str(self.periods.since)},
            "people": [_people_facts(one) for one in self.people],
            "together": {**self.together._asdict(), "cases_a": self.a.cases, "cases_b": self.b.cases},
            "examples_together": [_example_facts(example) for example in self.examples_together],
        }

    def __repr__(self) -> str:
        sides = (f"{side.name!r} ({side.size})" for side in (self.a, self.b))
        return f"Comparison({', '.join(sides)}; {counted(self.together.cases, 'case')} with both)"

    def as_dict(self) -> dict[str, Any]:
        """Return :meth:`to_dict`, by its former name."""
        warnings.warn("Comparison.as_dict() is called to_dict() now.", DeprecationWarning, stacklevel=2)
        return self.to_dict()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return comparison_card(self)


class PairVerdict(NamedTuple):
    """Hold the verdict about two labels, its reasons, and what both have in common and what differs.

    - ``probability``, ``interchangeable``: how likely they are one step, and take the same place in the control flow;
      ``overlap``: the share of direct neighbours in common.
    - ``verdict``: how they are related, with witnesses and cautions; ``reasons``: log-odds that sum to the probability.
    - ``common``: the contexts of both, ``differing``: the neighbours that one of them has more often; ``comparison``: their use,
      None of variants, which have no events.
    """

    a: str
    b: str
    probability: float
    interchangeable: float
    overlap: float
    verdict: Verdict
    reasons: list[Reason]
    common: list[CommonContext]
    differing: list[CommonContext]
    comparison: Comparison | None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike explain --json`` prints (docs/reference/json.md)."""
        return {
            "schema": "actalike/explain/1",
            "a": self.a,
            "b": self.b,
            "probability": self.probability,
            "interchangeable": self.interchangeable,
            "overlap": self.overlap,
            "relation": self.verdict.relation,
            "verdict": verdict_words(self.verdict.relation, self.probability),
            "witnesses": [witness_facts(witness) for witness in self.verdict.witnesses],
            "cautions": [in_words(caution) for caution in self.verdict.cautions],
            "texts": text_difference_facts(self.a, self.b),
            "reasons": [reason_facts(reason) for reason in self.reasons],
            "common_contexts": [context.as_dict() for context in self.common],
            "differing_contexts": [context.as_dict() for context in self.differing],
            **({} if self.comparison is None else {"comparison": self.comparison.to_dict()}),
        }

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return "" if self.comparison is None else self.comparison._repr_html_()


def judge_pair(same: SameStep, counts: WindowCounts, a: str, b: str, topn: int = 10) -> PairVerdict:
    """Judge two labels of a log, and say why. ``counts`` are the log's windows, of 5 symbols or more. How they are used
    needs events: variants have none.

    >>> from actalike import EventLog, count_windows, same_step
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "z"]] * 20)
    >>> pair = judge_pair(same_step(log), count_windows(log, 5), "a", "b")
    >>> pair.verdict.relation, [context.context for context in pair.common]
    ('alternatives', ['x → ● → y'])
    """
    in_steps = _in_steps(counts, names_of_steps(same, {a, b}))
    return PairVerdict(
        a=a,
        b=b,
        probability=same.probability(a, b),
        interchangeable=same.interchangeable(a, b),
        overlap=same.overlap(a, b),
        reasons=same.evidence(a, b),
        verdict=judge(same, [(a, b)], counts=counts)[0],
        common=common_contexts(in_steps.marginal(_CONTEXT), a, b, topn=topn),
        differing=differing_contexts(in_steps, a, b, min(topn, _DIFFERING)),
        comparison=compare_uses(same.log, ([a], [b]), same, counts) if isinstance(same.log, EventLog) else None,
    )


def labels_of_sides(log: EventLog, a: str | Sequence[str] | Group, b: str | Sequence[str] | Group) -> tuple[list[str], list[str]]:
    """Return the labels of two sides, each once; raise an error if one is on both sides, or does not occur in the log."""
    names = _members(log, a), _members(log, b)
    if both := sorted(set(names[0]) & set(names[1])):
        raise ActalikeError(f"{both[0]!r} is on both sides, so it would be compared with itself: name each label on one side.")
    return names


def _members(log: EventLog, given: str | Sequence[str] | Group) -> list[str]:
    """Return the labels of a side, each once; raise an error if one does not occur in the log."""
    several = given.activities if isinstance(given, Group) else [given] if isinstance(given, str) else given
    members = list(several) if isinstance(several, Iterable) else [several]
    if not all(isinstance(label, str) for label in members):
        other = "" if isinstance(given, Iterable) else f", not {type(given).__name__}"
        raise ActalikeError(f"A side of the comparison is a label, a list of labels, or a group{other}: labels are texts.")
    labels = list(dict.fromkeys(map(str, members)))  # plain texts, whatever kind of text numpy made of them
    if not labels:
        raise ActalikeError("A side of the comparison has no label: give a label, or a list of labels.")
    known = set(log.activities)
    for label in labels:
        if label not in known:
            raise UnknownActivityError(f"No activity is called {label!r}.{did_you_mean(str(label), log.activities)}")
    return labels


def _side(uses: LabelUses, labels: list[str], members: list[int]) -> Side:
    return Side(
        labels=tuple(labels),
        events=len(uses.events_of(members)),
        cases=len(uses.cases_of(members)),
        to_previous=uses.to_previous(members),
        to_next=uses.to_next(members),
        examples=tuple(example_cases(uses, members)),
    )


def _judged(same: SameStep, counts: WindowCounts | None, a: str, b: str) -> PairJudgement:
    relation = judge(same, [(a, b)], counts=counts)[0].relation
    return PairJudgement(same.probability(a, b), same.interchangeable(a, b), relation)


def _in_common(counts_a: NDArray[np.int64], counts_b: NDArray[np.int64]) -> float:
    """Return the share in common: the sum of the smaller of both shares."""
    return float(np.minimum(counts_a / max(counts_a.sum(), 1), counts_b / max(counts_b.sum(), 1)).sum())


def _beside(
    log: EventLog, counts_a: NDArray[np.int64], counts_b: NDArray[np.int64], place: Literal[-1, 1]
) -> tuple[CommonContext, ...]:
    """Return all direct neighbours on one side with both counts, those with the largest share for either first."""
    share = np.maximum(counts_a / counts_a.sum(), counts_b / counts_b.sum())
    order = np.argsort(-share, kind="stable")[: np.count_nonzero(share)].tolist()
    symbols: list[str | None] = [*log.activities, None]
    return tuple(CommonContext("beside", (symbols[i],), place, int(counts_a[i]), int(counts_b[i])) for i in order)


def _between(uses: LabelUses, a: list[int], b: list[int]) -> tuple[CommonContext, ...]:
    """Return all pairs of direct neighbours, before and after, with both counts, in the order of :func:`_beside`."""
    n = uses.outside + 1
    pairs = [uses.codes_before[events].astype(np.int64) * n + uses.codes_after[events] for events in map(uses.events_of, (a, b))]
    every = np.unique(np.concatenate(pairs))
    counts_a, counts_b = (np.bincount(np.searchsorted(every, one), minlength=len(every)) for one in pairs)
    share = np.maximum(counts_a / counts_a.sum(), counts_b / counts_b.sum())
    symbols: list[str | None] = [*uses.log.activities, None]
    return tuple(
        CommonContext("between", (symbols[every[i] // n], symbols[every[i] % n]), 1, int(counts_a[i]), int(counts_b[i]))
        for i in np.argsort(-share, kind="stable").tolist()
    )


def _over_time(log: EventLog, a: list[int], b: list[int]) -> UseOverTime | None:
    periods = timeline(log)
    if periods is None:
        return None
    return UseOverTime(
        periods.unit,
        periods.starts,
        periods.counts[a].sum(axis=0),
        periods.counts[b].sum(axis=0),
        int(periods.undated[a].sum()),
        int(periods.undated[b].sum()),
    )


def _periods(log: EventLog, names: tuple[list[str], list[str]], overlap: float) -> SeparatePeriods | None:
    """Return which side was used before the other, as the witness of periods says; a group is taken for one label."""
    first, second = (labels[0] for labels in names)
    merged = {label: labels[0] for labels in names for label in labels}
    as_labels = log if len(merged) == 2 else log.relabel(lambda label: merged.get(label, label))
    witnesses = Usage(as_labels).witnesses(as_labels.activities.index(first), as_labels.activities.index(second))
    for witness in witnesses:
        if witness.kind == "periods" and witness.until is not None and witness.since is not None:
            earlier: Literal["a", "b"] = "a" if witness.earlier == first else "b"
            return SeparatePeriods(earlier, witness.until, witness.since, overlap >= _SAME_PLACE)
    return None


def _compared(name: str, a: PeopleCounts, b: PeopleCounts) -> PeopleCompared:
    """Return who does the one and the other, the values that have the largest share of either first."""
    of_a, of_b = dict(a.values), dict(b.values)
    total_a, total_b = max(sum(of_a.values()), 1), max(sum(of_b.values()), 1)
    shares = {value: (of_a.get(value, 0) / total_a, of_b.get(value, 0) / total_b) for value in sorted({*of_a, *of_b})}
    order = sorted(shares, key=lambda value: (-max(shares[value]), value))
    values = tuple((value, of_a.get(value, 0), of_b.get(value, 0)) for value in order)
    known = bool(of_a) and bool(of_b)
    in_common = sum(min(pair) for pair in shares.values()) if known else None
    return PeopleCompared(name, values, (a.not_recorded, b.not_recorded), in_common)


def _together(uses: LabelUses, a: list[int], b: list[int]) -> Together:
    after_a, after_b = (np.bincount(uses.codes_after[uses.events_of(one)], minlength=uses.outside) for one in (a, b))
    is_dated = uses.log.timestamps is not None
    return Together(
        cases=len(np.intersect1d(uses.cases_of(a), uses.cases_of(b))),
        instants=len(np.intersect1d(uses.instants_of(a), uses.instants_of(b))) if is_dated else None,
        a_before_b=int(after_a[b].sum()),
        b_before_a=int(after_b[a].sum()),
    )


def _side_facts(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "labels": list(side.labels),
        "events": side.events,
        "cases": side.cases,
        "to_previous": None if side.to_previous is None else side.to_previous._asdict(),
        "to_next": None if side.to_next is None else side.to_next._asdict(),
        "examples": [_example_facts(example) for example in side.examples],
    }


def _beside_facts(context: CommonContext) -> dict[str, Any]:
    return {"label": context.symbols[0], **_counts_facts(context)}


def _counts_facts(context: CommonContext) -> dict[str, int]:
    return {"count_a": context.count_a, "count_b": context.count_b}


def _example_facts(example: ExampleCase) -> dict[str, Any]:
    moment = None if example.moment is None else np.datetime_as_string(example.moment, unit="s")
    sequence = {"labels": list(example.labels), "marked": list(example.marked)}
    return {**example._asdict(), **sequence, "position": example.position, "moment": moment}


def _over_time_facts(over_time: UseOverTime) -> dict[str, Any]:
    return {
        "unit": over_time.unit,
        "starts": np.datetime_as_string(over_time.starts).tolist(),
        "counts_a": over_time.counts_a.tolist(),
        "counts_b": over_time.counts_b.tolist(),
        "undated_a": over_time.undated_a,
        "undated_b": over_time.undated_b,
    }


def _people_facts(people: PeopleCompared) -> dict[str, Any]:
    values = [{"value": value, "count_a": count_a, "count_b": count_b} for value, count_a, count_b in people.values]
    return {**people._asdict(), "values": values, "not_recorded": list(people.not_recorded)}
