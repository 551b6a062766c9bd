"""Put what is odd about an event into English, with counts that can be checked in the log.

A sentence has the claim first ("'Approve' is missing between 'Check' and 'Pay'"), then what is usual in this place, and how often
it is as here.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from actalike.labels import percent
from actalike.log import EventLog
from actalike.oddities.odd_data import KINDS, Expected, Kind, OddEvent

_SHOWN = 3  # labels in a row
_NOTABLE = 0.1  # of the most frequent alternative: one that is rarer is not named

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
    cases = len({one.case_number for one in events})
    kinds = Counter(one.kind for one in events)
    listed = ", ".join(f"{kinds[kind]:,} {KIND_WORDS[kind]}" for kind in KINDS if kinds[kind])
    places = "1 odd place" if len(events) == 1 else f"{len(events):,} odd places"
    return f"{places} in {'1 case' if cases == 1 else f'{cases:,} cases'}: {listed}"


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
    return f"{odd_claim(one, log)}: {_usual_steps(one, log)}"


def odd_claim(one: OddEvent, log: EventLog) -> str:
    """Return in a few words what is odd about a place of a case, for tables.

    >>> log = EventLog.from_traces([["Check", "Pay"], ["Check", "Approve", "Pay"]])
    >>> odd_claim(OddEvent("1", 0, 1, (1,), "Pay", "skipped", 9.1, "Check", None, 1, 1204, (), ("Approve",)), log)
    "'Approve' is missing between 'Check' and 'Pay'"
    """
    labels = _labels(one, log, one.events)
    here = _listed([_label(label, log) for label in labels], "and") or "the end"
    many = len(labels) > 1
    match one.kind:
        case "skipped":
            missing = _listed([_label(label, log) for label in one.missing], "and") or "a step"
            return f"{missing} {'are' if len(one.missing) > 1 else 'is'} missing {_gap(one, log)}"
        case "inserted":
            between = "at the start" if one.before is None else f"after {_label(one.before, log)}"
            return f"{here} {'are' if many else 'is'} unexpected {between}"
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
    activity = "this activity" if one.activity is None else _label(one.activity, log)
    return f": for {activity} it is {_listed(values, 'or')}"


def _notable(expected: Sequence[Expected]) -> list[Expected]:
    """Return the alternatives that are not much rarer than the most frequent one."""
    most = max((one.times for one in expected), default=0)
    return [one for one in expected if one.times >= _NOTABLE * most][:_SHOWN]


def _shift(one: OddEvent, log: EventLog) -> str:
    """Return how far from where it belongs an event is, and what is there."""
    how = KIND_WORDS[one.kind]
    if one.belongs is None:
        return how
    distance = one.belongs - max(one.events) - 1 if one.kind == "early" else min(one.events) - one.belongs
    neighbour = one.belongs - 1 if one.kind == "early" else one.belongs
    labels = _labels(one, log, [neighbour])
    if distance < 1 or not labels:
        return how
    belong = "they belong" if len(one.events) > 1 else "it belongs"
    side = "after" if one.kind == "early" else "before"
    return f"{distance:,} event{'s' if distance > 1 else ''} {how}, {belong} {side} {_label(labels[0], log)}"


def _gap(one: OddEvent, log: EventLog) -> str:
    """Return between which events a step is missing."""
    if one.activity is None:
        return "at the end" if one.before is None else f"at the end, after {_label(one.before, log)}"
    if one.before is None:
        return f"at the start, before {_label(one.activity, log)}"
    return f"between {_label(one.before, log)} and {_label(one.activity, log)}"


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
