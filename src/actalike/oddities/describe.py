"""Say what is odd: sentences, their parts for the page, counts, the rows of a table, and the card of a notebook.

A sentence has the claim first ("'Approve' is missing between 'Check' and 'Pay'"), then what is usual in this place, and how often
it is as here. Whatever shows it takes it from here. To say a new kind of odd event, add its words to ``KIND_WORDS`` and its claim
to ``_CLAIMS``.

Labels, case ids and values come from logs and are not trusted: in the card they are escaped and shown as text.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from actalike.labels import table_bytes
from actalike.log import EventLog
from actalike.oddities.control_flow import ODD, Expected, OddEvent
from actalike.oddities.slips import KINDS, Kind
from actalike.oddities.times import TIME_KINDS, OddTime, TimeKind
from actalike.support.files import write_atomically
from actalike.support.text import (
    Foreign,
    Label,
    Parts,
    and_more,
    card,
    counted,
    label_html,
    list_parts,
    one_line,
    percent,
    plain_text,
)

_SHOWN = 3  # alternatives that are named
_NOTABLE = 0.1  # of the most frequent alternative: one that is rarer is not named
_USUAL = 0.1  # share from which on a continuation shows nothing odd about a repetition
_DECIMALS = 4  # of scores and shares in a file
_SHOWN_ON_CARD = 10
_LONGEST = 800  # characters of a reason on a card: its percentages are in the middle

KIND_WORDS: dict[Kind, str] = {
    "skipped": "skipped",
    "inserted": "inserted",
    "repeated": "repeated",
    "early": "too early",
    "late": "too late",
    "swapped": "swapped",
    "replaced": "replaced",
    "attribute": "unusual attribute",
}
SCORE_WORDS = (
    "A score is the evidence for a slip in this place, rather than none: 4.6, from which on places are listed, is 100 to 1, and "
    "1 more is about 2.7 times as much. The probability compares it with the scores of ordinary cases. Rare is not wrong: an odd "
    "event can be an exception that somebody had a reason for."
)
TIME_WORDS: dict[TimeKind, str] = {"slow": "too slow", "fast": "too fast", "doubled": "doubled"}
TIME_SCORE_WORDS = (
    "Scores of times say nothing about order, and have no part in the score of a case: 4.6, from which on they are listed, is a "
    "wait so extreme that one in 100 logs of this size would have it, or a copy where fewer than 1 in 100 events are copies."
)
_UNITS = (("second", 1.0, 90.0), ("minute", 60.0, 5400.0), ("hour", 3600.0, 129_600.0), ("day", 86_400.0, 6.3e7))  # up to
_YEAR = 365.25 * 86_400
_WHOLE = 9.95  # a length of time in its unit from which on it has no fraction

_Odd = TypeVar("_Odd", OddEvent, OddTime)
LabelAt = Callable[[int], str | None]  # the label of the event at a position of a case, None after its end


def odd_sentence(one: OddEvent | OddTime, log: EventLog) -> str:
    """Return what is odd about a place of a case, what is usual there, and how often it is as here.

    >>> log = EventLog.from_traces([["Check", "Archive"], ["Check", "Pay"], ["Check", "Reject"]])
    >>> usual = (Expected("Pay", 700, 700 / 1204), Expected("Reject", 480, 480 / 1204), Expected("Wait", 20, 20 / 1204))
    >>> context = {"context": ("Check",), "seam": 1}
    >>> odd_sentence(OddEvent("1", 0, 1, (1,), "Archive", "inserted", 9.1, "Check", None, 1, 1204, usual, **context), log)
    "after 'Check', 98 % go on to 'Pay' or 'Reject'; here 'Archive' follows (1 of 1,204)"
    """
    parts = time_parts(one) if isinstance(one, OddTime) else sentence_parts(one, labels_of_case(log, one.case_number))
    return plain_text(parts, log.names)


def time_parts(one: OddTime) -> Parts:
    """Return the parts of the sentence that says what is unusual about a time.

    >>> wait = OddTime("7", 6, 2, "Approve", "slow", 9.1, "Submit", 63 * 86400, (86400, 6 * 86400), 1, 1204)
    >>> plain_text(time_parts(wait))
    "'Approve' follows 'Submit' after 63 days; usually 1 to 6 days (1 of 1,204 takes so long)"
    >>> plain_text(time_parts(OddTime("7", 6, 2, "Pay", "doubled", 9.1, "Pay", 0, None, 2, 1204)))
    "'Pay' is there twice at the same time (2 of 1,204 are such copies)"
    """
    verb = "takes" if one.times == 1 else "take"
    if one.usual is None:
        same = "the same time, with the same attributes" if one.with_attributes else "the same time"
        copies = "is such a copy" if one.times == 1 else "are such copies"
        return [Label(one.activity), f" is there twice at {same} ({_count(one)} {copies})"]
    often = f"{verb} so {'long' if one.kind == 'slow' else 'little time'}"
    usual = range_words(*one.usual)
    return [
        Label(one.activity),
        " follows ",
        Label(one.before),
        f" after {wait_words(one.seconds)}; usually {usual} ({_count(one)} {often})",
    ]


def wait_words(seconds: float) -> str:
    """Return a length of time in the unit that suits it.

    >>> [wait_words(seconds) for seconds in (0, 1, 0.25, 90, 5400, 63 * 86400, 1e9)]
    ['0 seconds', '1 second', '0.25 seconds', '1.5 minutes', '1.5 hours', '63 days', '32 years']
    """
    unit, size = _unit_of(seconds)
    number = _number(seconds / size)
    return f"{number} {unit}{'' if number == '1' else 's'}"


def range_words(shortest: float, longest: float) -> str:
    """Return two lengths of time as a range.

    >>> range_words(86400 * 2, 86400 * 6), range_words(60, 86400 * 6), range_words(0, 0)
    ('2 to 6 days', '60 seconds to 6 days', '0 seconds')
    """
    _, size = _unit_of(longest)
    low, high = _number(shortest / size) if shortest >= size else wait_words(shortest), wait_words(longest)
    return high if low in (high, high.split()[0]) else f"{low} to {high}"


def _unit_of(seconds: float) -> tuple[str, float]:
    """Return the unit that suits a length of time, and how many seconds it has."""
    return next(((unit, size) for unit, size, end in _UNITS if seconds < end), ("year", _YEAR))


def _number(times: float) -> str:
    return f"{round(times):,}" if times >= _WHOLE else f"{times:.2g}"


def time_summary(times: Sequence[OddTime]) -> str:
    """Return how many unusual times there are, and how many of each kind.

    >>> time_summary([])
    'no unusual time'
    """
    if not times:
        return "no unusual time"
    kinds = Counter(one.kind for one in times)
    listed = ", ".join(f"{kinds[kind]:,} {TIME_WORDS[kind]}" for kind in TIME_KINDS if kinds[kind])
    return f"{counted(len(times), 'unusual time')} in {counted(len({one.case_number for one in times}), 'case')}: {listed}"


def labels_of_case(log: EventLog, case_number: int) -> LabelAt:
    """Return a function that returns the label at a position of a case, None after its end."""
    start, end = log.offsets[case_number : case_number + 2].tolist()
    return lambda position: log.activities[log.codes[start + position]] if position < end - start else None


def sentence_parts(one: OddEvent, label_at: LabelAt) -> Parts:
    """Return the parts of the sentence that says what is odd about a place of a case; ``label_at`` knows its labels."""
    claim = _CLAIMS[one.kind](one, label_at)
    if one.kind == "attribute":
        return [*claim, f" ({_count(one)})", *_usual_values(one, label_at)]
    usual = _usual_steps(one, label_at)
    if one.kind == "inserted" and one.seam == one.position and 2 * one.times <= one.total:
        return usual  # it says that the event is unexpected
    same_time = [" (only among events of the same time)"] if one.same_time else []
    return [*claim, *same_time, ": ", *(_usual_number(one, label_at) or usual)]


def tag_parts(one: OddEvent) -> Parts:
    """Return what an odd event is marked with: the value that is unusual, or the words of the kind."""
    if one.attribute is None:
        return [KIND_WORDS[one.kind]]
    return [Foreign(one.attribute), ": ", "missing" if one.value is None else Foreign(one.value)]


def place_words(one: OddEvent | OddTime) -> str:
    """Return where in its case an oddity is; events are counted from 1.

    >>> place_words(OddEvent("7", 6, 2, (2, 3), "Pay", "repeated", 9.1, "Check", None, 1, 9, ()))
    'events 3 and 4'
    >>> place_words(OddEvent("7", 6, 2, (2,), "Pay", "skipped", 9.1, "Check", None, 1, 9, ()))
    'before event 3'
    """
    if one.activity is None:
        return "end of the case"
    if one.kind == "skipped":
        return f"before event {one.position + 1:,}"
    positions: list[Parts] = [[f"{position + 1:,}"] for position in one.events]
    return f"event{'s' if len(positions) > 1 else ''} {plain_text(list_parts(positions, 'and'))}"


def odd_summary(events: Sequence[OddEvent]) -> str:
    """Return how many odd places there are, in how many cases, and how many of each kind.

    >>> events = [OddEvent("7", 6, 2, (2,), "Pay", "early", 9.1, "Check", None, 1, 9, ())] * 2
    >>> odd_summary(events), odd_summary([])
    ('2 odd places in 1 case: 2 too early', 'no odd place')
    """
    if not events:
        return "no odd place"
    counts = odd_counts(events)
    listed = ", ".join(f"{number:,} {KIND_WORDS[kind]}" for kind, number in counts["kinds"].items() if number)
    return f"{counted(counts['places'], 'odd place')} in {counted(counts['cases'], 'case')}: {listed}"


def odd_counts(events: Iterable[OddEvent]) -> dict[str, Any]:
    """Return how many odd places there are, in how many cases, and how many of each kind.

    >>> odd_counts([])["kinds"]["skipped"]
    0
    """
    events = list(events)
    kinds: Counter[Kind] = Counter()
    for one in events:
        kinds[one.kind] += one.cases
    cases = {(one.case_number, one.case): one.cases for one in events}
    return {"places": kinds.total(), "cases": sum(cases.values()), "kinds": {kind: kinds[kind] for kind in KINDS}}


def left_out_words(n_same_time: int, n_low_support: int, n_open: int = 0) -> str:
    """Return how many places are not listed although their scores are high enough, and why; an empty text if there are none.

    >>> left_out_words(1, 0)
    'Left out: 1 place for the order of events with the same time.'
    """
    parts = [f"{counted(n_same_time, 'place')} for the order of events with the same time"] if n_same_time else []
    parts += [f"{counted(n_open, 'end')} of cases that may not have ended yet"] if n_open else []
    parts += [f"{counted(n_low_support, 'place')} in contexts seen fewer than 20 times"] if n_low_support else []
    return f"Left out: {plain_text(list_parts([[part] for part in parts], 'and'))}." if parts else ""


def why_not_odd(score: float, explained: Sequence[OddEvent], is_called: bool = True) -> str:
    """Return why no place of a case is listed as odd, by the score of the case and what :meth:`Oddities.explain` says of it."""
    if score >= ODD and not is_called:
        return "it is not called odd: too many ordinary cases score as high (--false-alarms)"
    high = [one for one in explained if one.score >= ODD]
    if any(one.still_open for one in high):
        return "nothing is odd about it: it may not have ended yet"
    if any(one.same_time for one in high):
        return "nothing is odd about it: events with the same time have no order that could be wrong"
    if high:
        return "nothing is odd about it: its context was seen too rarely to say what is usual"
    if score >= ODD:
        return "no single place is odd: several that are less odd add up to the score of the case"
    return f"nothing is odd about it: no place has a score of {ODD:.1f} or more"


class CaseNames:
    """Say which case something is in: by its id, and by its number in the log, from 1, if others have the same id or it has none.

    >>> CaseNames(EventLog(["a"], [0, 0, 0], [0, 1, 2, 3], ["x", "x", "y"])).of(1)
    'x (number 2 of the log)'
    """

    def __init__(self, log: EventLog) -> None:
        self._ids = log.case_ids
        self._unclear = {name for name, times in Counter(log.case_ids).items() if times > 1} | {""}

    def of(self, case_number: int) -> str:
        """Return the id of a case, with its number where the id does not say which it is."""
        name = self._ids[case_number]
        return f"{name or repr(name)}{self.number_words(case_number)}"

    def number_words(self, case_number: int) -> str:
        """Return the number of a case in words, with a space before it, where its id does not say which it is."""
        return f" (number {case_number + 1:,} of the log)" if self._ids[case_number] in self._unclear else ""


def by_reason(events: Iterable[_Odd], log: EventLog) -> list[list[_Odd]]:
    """Return odd events that are odd for the same reason together, so that one reason need not be read twice."""
    groups: dict[tuple[str, str], list[_Odd]] = {}
    for one in events:
        groups.setdefault((one.kind, odd_sentence(one, log)), []).append(one)
    return list(groups.values())


def odd_facts(events: Iterable[OddEvent | OddTime], log: EventLog, of_variants: bool = False) -> list[dict[str, Any]]:
    """Return the rows of the table by the names of its columns: one for each odd event and each unusual time.

    Unlike in an OddEvent, cases and events count from 1, as a person does. ``expected`` is the most frequent of ``alternatives``,
    which are what usually stands there. Unusual times have no probability; of a wait, ``seconds`` is how long it is, and
    ``usual`` how long others are, in seconds. Of variants, ``cases`` is how many cases follow each.
    """
    return [{**_fact(one, log), **({"cases": one.cases} if of_variants else {})} for one in events]


def _fact(one: OddEvent | OddTime, log: EventLog) -> dict[str, Any]:
    fact: dict[str, Any] = dict.fromkeys(_SCHEMA)
    fact |= {name: [] for name in ("context", "missing", "alternatives", "occurs")}
    fact |= {name: getattr(one, name) for name in ("score", "case", "kind", "activity", "before", "times", "total")}
    fact |= {
        "event": one.position + 1,
        "reason": odd_sentence(one, log),
        "events": [position + 1 for position in one.events],
        "case_number": one.case_number + 1,
        "same_time": False,
    }
    if isinstance(one, OddTime):
        return fact | {"seconds": one.seconds, "usual": None if one.usual is None else list(one.usual)}
    return fact | {
        "after": one.after,
        "seam": None if one.kind == "attribute" else one.seam + 1,
        "context": list(one.context),
        "expected": one.expected[0].value if one.expected else None,
        "missing": list(one.missing),
        "belongs_before": None if one.belongs is None else one.belongs + 1,
        "attribute": one.attribute,
        "value": one.value,
        "alternatives": [expected._asdict() for expected in one.expected],
        "occurs": list(one.occurs or ()),
        "same_time": one.same_time,
        "probability": one.probability,
    }


def odd_frame(events: Iterable[OddEvent | OddTime], log: EventLog, of_variants: bool = False) -> pl.DataFrame:
    """Return the table of odd events as a frame."""
    schema = {**_SCHEMA, "cases": pl.Int64()} if of_variants else _SCHEMA
    return pl.DataFrame(odd_facts(events, log, of_variants), schema=schema, orient="row")


def write_odd_events(events: Iterable[OddEvent | OddTime], log: EventLog, path: str | Path, of_variants: bool = False) -> None:
    """Write the table of odd events as a CSV file (docs/file_formats.md), whole or not at all."""
    columns = (*_SCHEMA, *(["cases"] if of_variants else []))
    rows = ([_cell(fact[column]) for column in columns] for fact in odd_facts(events, log, of_variants))
    content = table_bytes((columns, *rows))
    write_atomically(path, lambda part: part.write_bytes(content))


def write_scores(scores: Iterable[pl.DataFrame], path: Path) -> None:
    """Write the scores of cases, which come part by part, as a .csv or .parquet file, whole or not at all."""

    def write(part: Path) -> None:
        if path.suffix == ".csv":
            with part.open("wb") as file:
                for number, piece in enumerate(scores):
                    piece.write_csv(file, include_header=not number)
            return
        pl.concat(scores).write_parquet(part)

    write_atomically(path, write)


def odd_card(events: Sequence[OddEvent], log: EventLog, attributes: Sequence[str]) -> str:
    """Return the HTML that a notebook shows of odd events: how many there are, and the oddest with their reasons."""
    facts = [("log", f"{counted(log.n_cases, 'case')}, {counted(log.n_events, 'event')}"), ("found", odd_summary(events))]
    if attributes:
        facts.append(("attributes", one_line(", ".join(attributes), 120)))
    groups = by_reason(events, log)
    highest = max((one.score for one in events), default=1.0) or 1.0
    names = CaseNames(log)
    rows = [(_subject(group, log, names), f"{group[0].score:.1f}", group[0].score / highest) for group in groups[:_SHOWN_ON_CARD]]
    more = and_more(len(groups) - len(rows), "reason", "reasons")
    shown = card("Odd events", facts, ["odd place", "score"], rows, more)
    return f"<div>{shown}<div><small>{escape(SCORE_WORDS)}</small></div></div>"


def _skipped(one: OddEvent, label_at: LabelAt) -> Parts:
    # it is not always known which step it is that is missing at the end
    missing = list_parts([[Label(label)] for label in one.missing], "and") or ["a step"]
    return [*missing, f" {'are' if len(one.missing) > 1 else 'is'} missing ", *_between(one.before, one.activity)]


def _inserted(one: OddEvent, label_at: LabelAt) -> Parts:
    return [*_here(one, label_at), " does not belong ", *_between(one.before, one.after)]


def _repeated(one: OddEvent, label_at: LabelAt) -> Parts:
    return [*_here(one, label_at), f" {'are' if len(one.events) > 1 else 'is'} repeated"]


def _moved(one: OddEvent, label_at: LabelAt) -> Parts:
    """Return how far from where it belongs an event is, and what is there."""
    assert one.belongs is not None  # those that are too early or too late have it
    many, is_early = len(one.events) > 1, one.kind == "early"
    distance = one.belongs - max(one.events) - 1 if is_early else min(one.events) - one.belongs
    neighbour = _labels([one.belongs - 1 if is_early else one.belongs], label_at)
    shift = f"{counted(distance, 'event')} {KIND_WORDS[one.kind]}"
    where = f"{'they belong' if many else 'it belongs'} {'after' if is_early else 'before'} "
    return [*_here(one, label_at), f" {'come' if many else 'comes'} {shift}, {where}", *neighbour]


def _swapped(one: OddEvent, label_at: LabelAt) -> Parts:
    first, second = ([*_labels([position], label_at)] for position in (one.events[0], one.events[-1]))
    if one.events[1] == one.events[0] + 1:
        return [*first, " comes before ", *second, ", not after it"]
    return [*first, " and ", *second, " are in each other's place"]


def _replaced(one: OddEvent, label_at: LabelAt) -> Parts:
    return [*_here(one, label_at), " instead of ", Label(one.missing[0]), " ", *_between(one.before, one.after)]


def _unusual_value(one: OddEvent, label_at: LabelAt) -> Parts:
    return [Foreign(one.attribute or ""), " is ", *_value(one.value)]


_CLAIMS: dict[Kind, Callable[[OddEvent, LabelAt], Parts]] = {
    "skipped": _skipped,
    "inserted": _inserted,
    "repeated": _repeated,
    "early": _moved,
    "late": _moved,
    "swapped": _swapped,
    "replaced": _replaced,
    "attribute": _unusual_value,
}


def _usual_steps(one: OddEvent, label_at: LabelAt) -> Parts:
    """Return how cases usually go on where it shows best that something is odd, and how often as here."""
    is_first = one.context == (None,)
    label = _labels([one.seam], label_at)
    here = [*label, " comes first" if is_first else " follows"] if label else ["the case ends"]
    others = _notable(one.expected)
    if not others or 2 * one.times > one.total:
        return [*([] if label and is_first else [*_after(one.context), ", "]), *here, f" in {_count(one)}"]
    share = percent(sum(step.share for step in others))
    steps: list[Parts] = [[Label(step.value)] for step in others if step.value is not None]
    end: list[Parts] = [["end"]] if len(steps) < len(others) else []
    if is_first:
        usual = [f"{share} of the cases begin with ", *(list_parts(steps, "or") or ["no event"])]
    else:
        usual = [*_after(one.context), f", {share} {'go on to ' if steps else ''}", *list_parts([*steps, *end], "or")]
    return [*usual, "; here ", *here, f" ({_count(one)})"]


def _usual_number(one: OddEvent, label_at: LabelAt) -> Parts:
    """Return how often a repeated activity occurs in its case, and in how many cases so often, if this is what is odd."""
    if one.occurs is None or one.times <= _USUAL * one.total:
        return []
    here, so_often, at_all = one.occurs
    if so_often * one.total >= one.times * at_all:
        return []  # what comes next is rarer
    cases = f"{so_often:,} of the {at_all:,} cases with it"
    return [*_labels(one.events[:1], label_at), f" occurs {here:,} times here, and so often in {cases}"]


def _after(context: Sequence[str | None]) -> Parts:
    """Return after which labels something comes; the first of them may be the start of the case.

    >>> [plain_text(_after(context)) for context in (("a", "b"), (None, "a"), (None, "a", "b"), (None,))]
    ["after 'a' and then 'b'", "after 'a' at the start", "after 'a' and then 'b' at the start", 'at the start']
    """
    labels = [label for label in context if label is not None]
    after: Parts = [part for i, label in enumerate(labels) for part in (" and then " if i else "after ", Label(label))]
    return [*after, " at the start" if labels else "at the start"] if None in context else after


def _usual_values(one: OddEvent, label_at: LabelAt) -> Parts:
    """Return which values an attribute usually has for this activity."""
    values: list[Parts] = [[*_value(other.value), f" ({percent(other.share)})"] for other in _notable(one.expected)]
    return [": for ", *_here(one, label_at), " it is ", *list_parts(values, "or")] if values else []


def _notable(expected: Sequence[Expected]) -> list[Expected]:
    """Return the alternatives that are not much rarer than the most frequent one."""
    most = max((one.times for one in expected), default=0)
    return [one for one in expected if one.times >= _NOTABLE * most][:_SHOWN]


def _between(before: str | None, after: str | None) -> Parts:
    """Return between which events a place is; None is outside the case.

    >>> [plain_text(_between(*place)) for place in (("a", "b"), (None, "a"), ("b", None), (None, None))]
    ["between 'a' and 'b'", "at the start, before 'a'", "at the end, after 'b'", 'here']
    """
    if before is not None and after is not None:
        return ["between ", Label(before), " and ", Label(after)]
    if before is not None:
        return ["at the end, after ", Label(before)]
    return ["here"] if after is None else ["at the start, before ", Label(after)]


def _here(one: OddEvent, label_at: LabelAt) -> Parts:
    return _labels(one.events, label_at)


def _labels(positions: Iterable[int], label_at: LabelAt) -> Parts:
    """Return the labels of some events of the case as a list; the end of the case has none."""
    labels = [label_at(position) for position in positions]
    return list_parts([[Label(label)] for label in labels if label is not None], "and")


def _value(value: str | None) -> Parts:
    return ["missing"] if value is None else [Foreign(value, quoted=True)]


def _count(one: OddEvent | OddTime) -> str:
    return f"{one.times:,} of {one.total:,}"


def _subject(group: Sequence[OddEvent], log: EventLog, names: CaseNames) -> str:
    """Return the HTML of what is odd for one reason: the oddest place, the reason, and how many other places there are."""
    one = group[0]
    place = f"case {label_html(names.of(one.case_number))}, {escape(place_words(one))}, {escape(KIND_WORDS[one.kind])}"
    others = f" ({escape(and_more(len(group) - 1, 'place', 'places'))})" if len(group) > 1 else ""
    return f"{place}{others}<br><small><bdi>{escape(one_line(odd_sentence(one, log), _LONGEST))}</bdi></small>"


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "score": pl.Float64,
    "case": pl.String,
    "event": pl.Int64,
    "kind": pl.String,
    "activity": pl.String,
    "reason": pl.String,
    "before": pl.String,
    "after": pl.String,
    "seam": pl.Int64,
    "context": pl.List(pl.String),
    "times": pl.Int64,
    "total": pl.Int64,
    "expected": pl.String,
    "missing": pl.List(pl.String),
    "belongs_before": pl.Int64,
    "attribute": pl.String,
    "value": pl.String,
    "events": pl.List(pl.Int64),
    "alternatives": pl.List(pl.Struct({"value": pl.String, "times": pl.Int64, "share": pl.Float64})),
    "case_number": pl.Int64,
    "occurs": pl.List(pl.Int64),
    "same_time": pl.Boolean,
    "probability": pl.Float64,
    "seconds": pl.Float64,
    "usual": pl.List(pl.Float64),
}


def _cell(value: object) -> str:
    """Return a value as the text of a cell; a list as JSON, because labels may have any separator in them."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.{_DECIMALS}f}"
    if isinstance(value, list):
        items = [{**one, "share": round(one["share"], _DECIMALS)} if isinstance(one, dict) else one for one in value]
        return json.dumps(items, ensure_ascii=False) if items else ""
    return "" if value is None else str(value)
