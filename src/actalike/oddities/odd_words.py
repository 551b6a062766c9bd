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
    "A score says how surprising a place of a case is, given the rest of the log: 1 more is about 2.7 times less likely. "
    "Rare is not wrong: an odd event can be an exception that somebody had a reason for."
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


def by_reason(events: Iterable[OddEvent]) -> list[list[OddEvent]]:
    """Return odd events that are odd for the same reason together, so that one reason need not be read twice."""
    groups: dict[tuple[object, ...], list[OddEvent]] = {}
    for one in events:
        moved = None if one.belongs is None else one.belongs - one.position
        reason = one.kind, one.before, one.activity, one.times, one.total, one.missing, moved, one.attribute, one.value
        groups.setdefault(reason, []).append(one)
    return list(groups.values())


def odd_sentence(one: OddEvent, log: EventLog) -> str:
    """Return what is odd about a place of a case, what is usual there, and how often it is as here.

    >>> log = EventLog.from_traces([["Check", "Archive"], ["Check", "Pay"], ["Check", "Reject"]])
    >>> usual = (Expected("Pay", 700, 700 / 1204), Expected("Reject", 480, 480 / 1204), Expected("Wait", 20, 20 / 1204))
    >>> here = OddEvent("1", 0, 1, (1,), "Archive", "inserted", 9.1, "Check", None, 1, 1204, usual)
    >>> odd_sentence(here, log)
    "after 'Check' 98 % go on to 'Pay' or 'Reject'; here: 'Archive', 1 of 1,204"
    """
    if one.kind == "attribute":
        return f"{odd_claim(one, log)} ({_count(one)}){_usual_values(one, log)}"
    usual = _usual_steps(one, log)
    return usual if one.kind == "inserted" else f"{odd_claim(one, log)}: {usual}"


def odd_claim(one: OddEvent, log: EventLog) -> str:
    """Return in a few words what is odd about a place of a case, for tables.

    >>> log = EventLog.from_traces([["Check", "Pay"], ["Check", "Approve", "Pay"]])
    >>> odd_claim(OddEvent("1", 0, 1, (1,), "Pay", "skipped", 9.1, "Check", None, 1, 1204, (), ("Approve",)), log)
    "'Approve' is missing between 'Check' and 'Pay'"
    """
    labels = _labels(one, log)
    here = _listed([_label(label, log) for label in labels], "and") or "the end"
    many = len(labels) > 1
    match one.kind:
        case "skipped":
            missing = _listed([_label(label, log) for label in one.missing], "and") or "a step"
            return f"{missing} {'are' if len(one.missing) > 1 else 'is'} missing {_gap(one, log)}"
        case "inserted":
            return f"{here} {'are' if many else 'is'} unexpected {_after(one, log)}"
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
    """Return how cases usually go on in this place, and how often as here."""
    if not one.total:
        return f"no other case shows what comes {_after(one, log)}"
    others = _notable([step for step in one.expected if step.value != one.activity])
    here = "the case ends" if one.activity is None else _label(one.activity, log)
    if not others or 2 * one.times > one.total:
        return f"{_after(one, log)} {here if one.activity is None else f'comes {here}'} in {_count(one)}"
    share = percent(sum(step.share for step in others))
    steps = _listed([_label(step.value, log) for step in others if step.value is not None], "or")
    if one.before is None:
        usual = f"{share} of the cases begin with {steps or 'no event'}"
    elif steps:
        usual = f"{_after(one, log)} {share} go on to {steps}{' or end' if any(step.value is None for step in others) else ''}"
    else:
        usual = f"{_after(one, log)} {share} end"
    return f"{usual}; here: {here}, {_count(one)}"


def _usual_values(one: OddEvent, log: EventLog) -> str:
    """Return which values an attribute usually has for this activity."""
    others = _notable([value for value in one.expected if value.value != one.value])
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
    case = log.codes[log.offsets[one.case_number] : log.offsets[one.case_number + 1]]
    neighbour = one.belongs - 1 if one.kind == "early" else one.belongs
    if distance < 1 or not 0 <= neighbour < len(case):
        return how
    label = _label(log.activities[case[neighbour]], log)
    belong = "they belong" if len(one.events) > 1 else "it belongs"
    side = "after" if one.kind == "early" else "before"
    return f"{distance:,} event{'s' if distance > 1 else ''} {how}, {belong} {side} {label}"


def _gap(one: OddEvent, log: EventLog) -> str:
    """Return between which events a step is missing."""
    if one.activity is None:
        return "at the end" if one.before is None else f"at the end, after {_label(one.before, log)}"
    if one.before is None:
        return f"at the start, before {_label(one.activity, log)}"
    return f"between {_label(one.before, log)} and {_label(one.activity, log)}"


def _after(one: OddEvent, log: EventLog) -> str:
    return "at the start" if one.before is None else f"after {_label(one.before, log)}"


def _labels(one: OddEvent, log: EventLog) -> list[str]:
    """Return the labels of all events of an oddity."""
    start = int(log.offsets[one.case_number])
    return [log.activities[log.codes[start + position]] for position in one.events]


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
