"""Put a comparison of labels into English, for the command line and for notebooks: one sentence for each fact."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from actalike.labels.comparison_data import ComparisonData, PeopleCompared, Side, UseOverTime
from actalike.labels.label_uses import Gaps
from actalike.labels.pair_contexts import CommonContext
from actalike.labels.use_examples import ExampleCase
from actalike.labels.words import day_words
from actalike.support.text import percent

_DIFFERENCES = 4  # neighbours that are named
_NOTABLE = 0.05  # a difference of shares below it is not worth a sentence
_EXAMPLES = 1  # of each side, and of both together
_SAME_UNIT = 1.5  # a number of a unit from which that unit is used
_UNITS = (("days", 86_400), ("h", 3_600), ("min", 60))


class ComparisonWords(NamedTuple):
    """Hold the sentences of a comparison by subject: ``neighbours``, ``time``, ``people``, ``cases`` and ``examples``."""

    neighbours: list[str]
    time: list[str]
    people: list[str]
    cases: list[str]
    examples: list[str]


def comparison_sentences(comparison: ComparisonData) -> ComparisonWords:
    """Return a comparison in sentences: the largest differences, when and how fast, who, together, and examples.

    >>> from actalike import EventLog, compare
    >>> words = comparison_sentences(compare(EventLog.from_traces([["x", "a", "y"], ["x", "b", "z"]] * 20), "a", "b"))
    >>> words.neighbours[0], words.cases
    ("'a' is followed by 'y' in 100 % of its events, 'b' never.", ['They are never in the same case.'])
    >>> words.examples[0]
    "Case 1 with 'a': x → [a] → y"
    """
    a, b = comparison.a, comparison.b
    return ComparisonWords(
        neighbours=list(_neighbours(comparison)),
        time=[
            *_periods(comparison),
            *_gaps("from the step before", a, b, a.to_previous, b.to_previous),
            *_gaps("to the next step", a, b, a.to_next, b.to_next),
        ],
        people=[_people(a, b, one) for one in _with_equal_ones_together(comparison.people)],
        cases=[_together(comparison)],
        examples=[
            *(
                f"Case {one.case} with {side.name!r}: {sequence_words(one)}"
                for side in (a, b)
                for one in side.examples[:_EXAMPLES]
            ),
            *(f"Case {one.case} with both: {sequence_words(one)}" for one in comparison.examples_together[:_EXAMPLES]),
        ],
    )


def _neighbours(comparison: ComparisonData) -> Iterator[str]:
    differing = [context for context in comparison.differing if context.kind == "beside"]
    notable = [context for context in differing if abs(np.subtract(*comparison.shares(context))) >= _NOTABLE]
    for context in notable[:_DIFFERENCES]:
        yield difference_words(comparison, context)
    if not differing:
        yield "They have the same neighbours in the same shares of their events."
    elif not notable:
        yield "No neighbour before or after them differs by 5 % of their events or more."


def difference_words(comparison: ComparisonData, context: CommonContext) -> str:
    """Return in which share of its events each side has a neighbour, the side that has it more often first."""
    shares = comparison.shares(context)
    sides = [(comparison.a, shares[0]), (comparison.b, shares[1])]
    (more, high), (less, low) = sides if shares[0] >= shares[1] else sides[::-1]
    (symbol,) = context.symbols
    if symbol is None:
        what = "begins the case" if context.place < 0 else "ends the case"
    else:
        what = f"follows {symbol!r}" if context.place < 0 else f"is followed by {symbol!r}"
    seldom = f"in {percent(low)}" if low else "never"
    return f"{more.name!r} {what} in {percent(high)} of its events, {less.name!r} {seldom}."


def _periods(comparison: ComparisonData) -> Iterator[str]:
    periods, over_time, sides = comparison.periods, comparison.over_time, (comparison.a.name, comparison.b.name)
    if periods is not None:
        earlier, later = sides if periods.earlier == "a" else sides[::-1]
        since, until = day_words(periods.since), day_words(periods.until)
        if periods.replaces:
            yield f"{later!r} replaces {earlier!r} from {since} on; {earlier!r} is used until {until} (95 % of their cases)."
        else:
            yield f"{earlier!r} is used until {until}, {later!r} from {since} on (95 % of their cases)."
    elif over_time is not None:
        spans = [_span(over_time, counts) for counts in (over_time.counts_a, over_time.counts_b)]
        if spans[0] == spans[1] and spans[0]:
            yield f"Both are used {spans[0]}."
        elif all(spans):
            yield f"{sides[0]!r} is used {spans[0]}, {sides[1]!r} {spans[1]}."


def _span(over_time: UseOverTime, counts: np.ndarray) -> str:
    """Return from when to when a side is used; an empty text if it has no timestamps."""
    used = np.flatnonzero(counts)
    if not len(used):
        return ""
    first, last = (period_words(over_time.starts[place], over_time.unit) for place in used[[0, -1]])
    preposition = "on" if over_time.unit in ("hour", "day") else "in"
    return f"{preposition} {first}" if first == last else f"from {first} to {last}"


def period_words(start: np.datetime64, unit: str) -> str:
    """Return a period such as March 2024, by its first day.

    >>> [period_words(np.datetime64("2024-04-01"), unit) for unit in ("day", "week", "month", "quarter", "year")]
    ['1 April 2024', 'the week of 1 April 2024', 'April 2024', 'April to June 2024', '2024']
    >>> period_words(np.datetime64("2024-04-01T09", "h"), "hour")
    '1 April 2024, 09:00'
    """
    day = day_words(start.astype("datetime64[D]"))
    match unit:
        case "hour":
            return f"{day}, {str(start)[-2:]}:00"
        case "day":
            return day
        case "week":
            return f"the week of {day}"
        case "year":
            return str(start.astype("datetime64[Y]"))
    month = day.split(" ", 1)[-1]
    if unit == "month":
        return month
    last = day_words((start.astype("datetime64[M]") + 2).astype("datetime64[D]")).split(" ", 1)[-1]
    return f"{month.split(' ')[0]} to {last}"


def _gaps(what: str, a: Side, b: Side, gaps_a: Gaps | None, gaps_b: Gaps | None) -> Iterator[str]:
    words = [
        f"{side.name!r} {duration(gaps.median)} ({duration(gaps.lower)} to {duration(gaps.upper)})"
        for side, gaps in ((a, gaps_a), (b, gaps_b))
        if gaps is not None
    ]
    if words:
        yield f"Time {what}, median and quartiles: {', '.join(words)}."


def duration(seconds: float) -> str:
    """Return a time in the largest unit of which it has 1.5 or more.

    >>> [duration(seconds) for seconds in (0, 12.4, 100, 5400, 130_000, 2_000_000, -7200)]
    ['0 s', '12 s', '1.7 min', '1.5 h', '1.5 days', '23 days', '-2.0 h']
    """
    for unit, length in _UNITS:
        if abs(seconds) >= _SAME_UNIT * length:
            amount = seconds / length
            return f"{amount:.0f} {unit}" if abs(amount) >= 9.95 else f"{amount:.1f} {unit}"
    return f"{seconds:.0f} s"


def _with_equal_ones_together(people: Sequence[PeopleCompared]) -> list[PeopleCompared]:
    """Return one entry for attributes that say the same of all events, such as the resource under two names."""
    together: dict[tuple[object, ...], PeopleCompared] = {}
    for one in people:
        key = (one.values, one.not_recorded)
        before = together.get(key)
        together[key] = one if before is None else before._replace(attribute=f"{before.attribute}, {one.attribute}")
    return list(together.values())


def _people(a: Side, b: Side, people: PeopleCompared) -> str:
    recorded = (a.events - people.not_recorded[0], b.events - people.not_recorded[1])
    if people.in_common is None:
        missing = " and ".join(repr(side.name) for side, events in zip((a, b), recorded, strict=True) if not events)
        return f"{people.attribute}: it is not recorded for {missing}."
    first = max(people.values, key=lambda value: value[1])
    second = max(people.values, key=lambda value: value[2])
    words = f"{people.attribute}: {percent(people.in_common)} in common"
    if first[0] == second[0]:
        shares = percent(first[1] / recorded[0]), percent(first[2] / recorded[1])
        return f"{words}; both most often by {first[0]!r} ({shares[0]} and {shares[1]} of their events)."
    return (
        f"{words}; {a.name!r} most often by {first[0]!r} ({percent(first[1] / recorded[0])}), "
        f"{b.name!r} by {second[0]!r} ({percent(second[2] / recorded[1])})."
    )


def _together(comparison: ComparisonData) -> str:
    together, a, b = comparison.together, comparison.a, comparison.b
    if not together.cases:
        return "They are never in the same case."
    cases = f"{together.cases:,} case{'s' * (together.cases != 1)}"
    shares = (
        f"{percent(together.cases / a.cases)} of those of {a.name!r}, {percent(together.cases / b.cases)} of those of {b.name!r}"
    )
    if together.a_before_b or together.b_before_a:
        before, after = _times(together.a_before_b), _times(together.b_before_a)
        beside = f"{a.name!r} is directly before {b.name!r} {before}, directly after it {after}"
    else:
        beside = "they never directly follow each other"
    instants = "" if together.instants is None else f"; at the same instant {_times(together.instants)}"
    return f"They share {cases} ({shares}); {beside}{instants}."


def _times(count: int) -> str:
    return "never" if not count else "once" if count == 1 else f"{count:,} times"


def sequence_words(example: ExampleCase) -> str:
    """Return an example as text: the marked labels in brackets, dots where the case goes on.

    >>> sequence_words(ExampleCase("7", ("x", "a", None, "b"), (1, 3), before=2, after=0, moment=None))
    '… → x → [a] → … → [b]'
    """
    labels = [
        "…" if label is None else f"[{label}]" if place in example.marked else label for place, label in enumerate(example.labels)
    ]
    return " → ".join([*["…"] * (example.before > 0), *labels, *["…"] * (example.after > 0)])
