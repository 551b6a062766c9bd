"""Put what is odd about an event into English, with counts that can be checked in the log.

A sentence has the claim first ("'Approve' is missing between 'Check' and 'Pay'"), then what is usual in this place, and how often
it is as here. The page says the same: report/page/report/odd_words.js.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from actalike.log import EventLog
from actalike.oddities.odd_data import KINDS, Expected, Kind, OddEvent
from actalike.support.text import percent

_SHOWN = 3  # labels in a row
_NOTABLE = 0.1  # of the most frequent alternative: one that is rarer is not named
_USUAL = 0.1  # share from which on a continuation shows nothing odd about a repetition

KIND_WORDS: dict[Kind, str] = {
    "skipped": "skipped",
    "inserted": "inserted",
    "repeated": "repeated",
    "early": "too early",
    "late": "too late",
    "attribute": "unusual attribute",
}
SCORE_WORDS = (
    "A score is the evidence for a slip in this place, rather than none: 4.6, from which on places are listed, is 100 to 1, and "
    "1 more is about 2.7 times as much. Rare is not wrong: an odd event can be an exception that somebody had a "
    "reason for."
)


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
    places = "1 odd place" if len(events) == 1 else f"{len(events):,} odd places"
    cases = "1 case" if counts["cases"] == 1 else f"{counts['cases']:,} cases"
    return f"{places} in {cases}: {listed}"


def odd_counts(events: Iterable[OddEvent]) -> dict[str, Any]:
    """Return how many odd places there are, in how many cases, and how many of each kind.

    >>> odd_counts([])["kinds"]["skipped"]
    0
    """
    events = list(events)
    kinds = Counter(one.kind for one in events)
    cases = {one.case_number for one in events}
    return {"places": len(events), "cases": len(cases), "kinds": {kind: kinds[kind] for kind in KINDS}}


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
        return f"{name or repr(name)} (number {case_number + 1:,} of the log)" if name in self._unclear else name


def by_reason(events: Iterable[OddEvent], log: EventLog) -> list[list[OddEvent]]:
    """Return odd events that are odd for the same reason together, so that one reason need not be read twice."""
    groups: dict[tuple[str, str], list[OddEvent]] = {}
    for one in events:
        groups.setdefault((one.kind, odd_sentence(one, log)), []).append(one)
    return list(groups.values())


def odd_sentence(one: OddEvent, log: EventLog) -> str:
    """Return what is odd about a place of a case, what is usual there, and how often it is as here.

    >>> log = EventLog.from_traces([["Check", "Archive"], ["Check", "Pay"], ["Check", "Reject"]])
    >>> usual = (Expected("Pay", 700, 700 / 1204), Expected("Reject", 480, 480 / 1204), Expected("Wait", 20, 20 / 1204))
    >>> context = {"context": ("Check",), "seam": 1}
    >>> odd_sentence(OddEvent("1", 0, 1, (1,), "Archive", "inserted", 9.1, "Check", None, 1, 1204, usual, **context), log)
    "after 'Check' 98 % go on to 'Pay' or 'Reject'; here: 'Archive', 1 of 1,204"
    """
    if one.kind == "attribute":
        return f"{odd_claim(one, log)} ({_count(one)}){_usual_values(one, log)}"
    if one.kind == "inserted" and one.seam == one.position and 2 * one.times <= one.total:
        return _usual_steps(one, log)  # it says that the event is unexpected
    same_time = " (only among events of the same time)" if one.same_time else ""
    return f"{odd_claim(one, log)}{same_time}: {_usual_number(one, log) or _usual_steps(one, log)}"


def odd_claim(one: OddEvent, log: EventLog) -> str:
    """Return in a few words what is odd about a place of a case, for tables.

    >>> log = EventLog.from_traces([["Check", "Pay"], ["Check", "Approve", "Pay"]])
    >>> odd_claim(OddEvent("1", 0, 1, (1,), "Pay", "skipped", 9.1, "Check", None, 1, 1204, (), ("Approve",)), log)
    "'Approve' is missing between 'Check' and 'Pay'"
    """
    labels = _labels(one, log, one.events)
    here = _listed([_label(label, log) for label in labels], "and")
    many = len(labels) > 1
    match one.kind:
        case "skipped":  # it is not always known which step it is that is missing at the end
            missing = _listed([_label(label, log) for label in one.missing], "and") or "a step"
            return f"{missing} {'are' if len(one.missing) > 1 else 'is'} missing {_between(one.before, one.activity, log)}"
        case "inserted":
            return f"{here} does not belong {_between(one.before, one.after, log)}"
        case "repeated":
            return f"{here} {'are' if many else 'is'} repeated"
        case "early" | "late":
            return f"{here} {'come' if many else 'comes'} {_shift(one, log)}"
        case "attribute":
            return f"{one.attribute} is {_value(one.value)}"


def place_words(one: OddEvent) -> str:
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
    places = [f"{position + 1:,}" for position in one.events]
    return f"event{'s' if len(places) > 1 else ''} {_listed(places, 'and')}"


def _usual_steps(one: OddEvent, log: EventLog) -> str:
    """Return how cases usually go on where it shows best that something is odd, and how often as here."""
    labels = _labels(one, log, range(one.seam, one.seam + 1))
    here = _label(labels[0], log) if labels else "the case ends"
    others = _notable(one.expected)
    if not others or 2 * one.times > one.total:
        return f"{_after(one.context, log)} {f'comes {here}' if labels else here} in {_count(one)}"
    share = percent(sum(step.share for step in others))
    steps = [_label(step.value, log) for step in others if step.value is not None]
    end = ["end"] if len(steps) < len(others) else []
    if one.context == (None,):
        usual = f"{share} of the cases begin with {_listed(steps, 'or') or 'no event'}"
    else:
        usual = f"{_after(one.context, log)} {share} {'go on to ' if steps else ''}{_listed([*steps, *end], 'or')}"
    return f"{usual}; here: {here}, {_count(one)}"


def _usual_number(one: OddEvent, log: EventLog) -> str:
    """Return how often a repeated activity occurs in its case, and in how many cases so often, if this is what is odd."""
    if one.occurs is None or one.times <= _USUAL * one.total:
        return ""
    here, so_often, at_all = one.occurs
    if so_often * one.total >= one.times * at_all:
        return ""  # what comes next is rarer
    label = _label(_labels(one, log, one.events)[0], log)
    return f"{label} occurs {here:,} times here, and so often in {so_often:,} of the {at_all:,} cases with it"


def _after(context: Sequence[str | None], log: EventLog) -> str:
    """Return after which labels something comes; the first of them may be the start of the case.

    >>> log = EventLog.from_traces([["a", "b"]])
    >>> [_after(context, log) for context in (("a", "b"), (None, "a"), (None, "a", "b"), (None,))]
    ["after 'a' and then 'b'", "after 'a' at the start", "after 'a' and then 'b' at the start", 'at the start']
    """
    labels = " and then ".join(_label(label, log) for label in context if label is not None)
    start = ["at the start"] if None in context else []
    return " ".join([*([f"after {labels}"] if labels else []), *start])


def _usual_values(one: OddEvent, log: EventLog) -> str:
    """Return which values an attribute usually has for this activity."""
    others = _notable(one.expected)
    if not others:
        return ""
    values = [f"{_value(value.value)} ({percent(value.share)})" for value in others]
    (activity,) = _labels(one, log, one.events)
    return f": for {_label(activity, log)} it is {_listed(values, 'or')}"


def _notable(expected: Sequence[Expected]) -> list[Expected]:
    """Return the alternatives that are not much rarer than the most frequent one."""
    most = max((one.times for one in expected), default=0)
    return [one for one in expected if one.times >= _NOTABLE * most][:_SHOWN]


def _shift(one: OddEvent, log: EventLog) -> str:
    """Return how far from where it belongs an event is, and what is there."""
    assert one.belongs is not None  # those that are too early or too late have it
    is_early = one.kind == "early"
    distance = one.belongs - max(one.events) - 1 if is_early else min(one.events) - one.belongs
    (neighbour,) = _labels(one, log, [one.belongs - 1 if is_early else one.belongs])
    belong = "they belong" if len(one.events) > 1 else "it belongs"
    where = f"{belong} {'after' if is_early else 'before'} {_label(neighbour, log)}"
    return f"{distance:,} event{'s' if distance > 1 else ''} {KIND_WORDS[one.kind]}, {where}"


def _between(before: str | None, after: str | None, log: EventLog) -> str:
    """Return between which events a place is; None is outside the case.

    >>> log = EventLog.from_traces([["a", "b"]])
    >>> [_between(*place, log) for place in (("a", "b"), (None, "a"), ("b", None), (None, None))]
    ["between 'a' and 'b'", "at the start, before 'a'", "at the end, after 'b'", 'here']
    """
    if before is not None and after is not None:
        return f"between {_label(before, log)} and {_label(after, log)}"
    if before is not None:
        return f"at the end, after {_label(before, log)}"
    return "here" if after is None else f"at the start, before {_label(after, log)}"


def _labels(one: OddEvent, log: EventLog, positions: Iterable[int]) -> list[str]:
    """Return the labels of some events of the case; the end of the case has none."""
    codes = log.codes[log.offsets[one.case_number] : log.offsets[one.case_number + 1]]
    return [log.activities[codes[position]] for position in positions if position < len(codes)]


def _label(label: str, log: EventLog) -> str:
    """Return a label in quotes, with its second name if it has one that differs from it."""
    name = log.names.get(label, label)
    return repr(label) if name == label else f"{label!r} [{name}]"


def _value(value: str | None) -> str:
    return "missing" if value is None else repr(value)


def _count(one: OddEvent) -> str:
    return f"{one.times:,} of {one.total:,}"


def _listed(words: Sequence[str], last: str) -> str:
    """Return words as a list in a sentence; of many only the first are named."""
    if len(words) > _SHOWN:
        words = [*words[:_SHOWN], f"{len(words) - _SHOWN:,} more"]
        last = "and"
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
