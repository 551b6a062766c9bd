"""Gather the oddest cases of a log for the page: their events, the odd places, and what was expected there instead.

Labels are numbers, as on the rest of the page. Labels that the page does not have yet get the numbers after all others.
"""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from actalike.errors import shortened
from actalike.io import SOURCE
from actalike.log import EventLog, first_equal_cases
from actalike.oddities import KIND_WORDS, KINDS, SCORE_WORDS, OddEvent, odd, odd_counts

CASES = 200  # that are listed; equal ones count once

_OUTSIDE = -1  # stands for what is before the first and after the last event of a case
_PLACES = 5  # that are marked in a case, at most
_IDS = 5  # of equal cases
_LONGEST_ID = 200  # characters: ids are there to be copied, so only those are cut that would make the page heavy
_LONGEST = 60  # characters of an attribute's name or value
_EVENTS = 200  # of a case; of a longer one, those around its odd places
_AROUND = (60, 30, 15, 8, 4)  # events on either side of an odd place, as many as there is room for
_MARKED = 12  # events of one odd place


class OddCases(NamedTuple):
    """Hold cases with the same activities and the same odd places, the oddest first, by their numbers in the log.

    ``places`` are the odd places of the first of them, the oddest first.
    """

    cases: list[int]
    places: list[OddEvent]


def odd_cases_data(log: EventLog, numbers: dict[str, int]) -> tuple[dict[str, Any], list[str]]:
    """Return the oddest cases, and the labels in them that have no number yet: they get the next ones.

    A case is odd if it has an odd place, as :meth:`actalike.Oddities.most` lists them. Cases with the same activities and odd
    places are listed once. ``found`` is how many odd places and cases there are, ``listed`` how many of the cases are listed.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> data, labels = odd_cases_data(log, {"order": 0, "check": 1})
    >>> data["cases"][0]["ids"], data["cases"][0]["events"], labels
    (['51'], [[0, [0, 2]]], ['pay'])
    """
    numbers = dict(numbers)
    known = len(numbers)
    attributes = [name for name in log.attributes if name != SOURCE]  # in which file an event is, is not what it is like
    places = odd(log, attributes).most(None)
    repeated = {case for case, times in Counter(log.case_ids).items() if times > 1}
    cases = [_case(log, alike, repeated, numbers) for alike in oddest_cases(log, places)]
    data = {
        "kinds": [[kind, KIND_WORDS[kind]] for kind in KINDS],
        "about": SCORE_WORDS,
        "found": odd_counts(places),
        "listed": sum(case["number"] for case in cases),
        "cases": cases,
    }
    return data, list(numbers)[known:]


def oddest_cases(log: EventLog, places: Iterable[OddEvent], most: int = CASES) -> list[OddCases]:
    """Return the cases with odd places, which are given the oddest first, in this order. Those with the same activities and the
    same odd places are together."""
    of_case: dict[int, list[OddEvent]] = {}
    for place in places:
        of_case.setdefault(place.case_number, []).append(place)
    first = first_equal_cases(log.codes, log.offsets)
    listed: dict[tuple[Any, ...], OddCases] = {}
    for case, own in of_case.items():
        key = (int(first[case]), *((place.kind, place.position, place.attribute, place.value) for place in own))
        if key in listed:
            listed[key].cases.append(case)
        elif len(listed) < most:
            listed[key] = OddCases([case], own)
    return list(listed.values())


def _case(log: EventLog, alike: OddCases, repeated: Container[str], numbers: dict[str, int]) -> dict[str, Any]:
    """Return one line of the list: ids, events, and the odd places. Cases whose ids others have too have their numbers."""
    shown = alike.cases[:_IDS]
    ids = [log.case_ids[case] for case in shown]
    start, end = log.offsets[alike.cases[0] : alike.cases[0] + 2].tolist()
    codes = [_number(log.activities[code], numbers) for code in log.codes[start:end].tolist()]
    marked = alike.places[:_PLACES]
    return {
        "number": len(alike.cases),
        "ids": [shortened(case, _LONGEST_ID) for case in ids],
        "whole": all(len(case) <= _LONGEST_ID for case in ids),
        "numbers": [number + 1 if log.case_ids[number] in repeated else 0 for number in shown],
        "length": end - start,
        "events": [[first, codes[first:last]] for first, last in _kept(end - start, marked)],
        "places": [_place(place, numbers) for place in marked],
        "unmarked": len(alike.places) - len(marked),
    }


def _place(place: OddEvent, numbers: dict[str, int]) -> list[Any]:
    """Return an odd place with numbers for labels: what every place has, then what only some have, up to the last that it has."""
    has_value = place.attribute is not None
    return _trimmed(
        [
            KINDS.index(place.kind),
            round(place.score, 2),
            place.position,
            _number(place.before, numbers),
            _number(place.after, numbers),
            place.times,
            place.total,
            [[_short(one.value) if has_value else _number(one.value, numbers), one.times] for one in place.expected],
            [] if place.events == (place.position,) else list(place.events[:_MARKED]),
            [_number(label, numbers) for label in place.missing],
            place.belongs,
            _short(place.attribute),
            _short(place.value),
            [] if place.context == (place.before,) else [_number(label, numbers) for label in place.context],
            None if place.seam == place.position else place.seam,
            list(place.occurs or ()),
        ]
    )


def _trimmed(fields: list[Any]) -> list[Any]:
    """Return fields without the last ones that are None or empty.

    >>> _trimmed([0, None, 3, [], None])
    [0, None, 3]
    """
    while fields[-1] is None or fields[-1] == []:
        fields = fields[:-1]
    return fields


def _number(label: str | None, numbers: dict[str, int]) -> int:
    """Return the number of a label; one that has none gets the next."""
    return _OUTSIDE if label is None else numbers.setdefault(label, len(numbers))


def _short(value: str | None) -> str | None:
    return None if value is None else shortened(value, _LONGEST)


def _kept(length: int, places: Sequence[OddEvent]) -> list[tuple[int, int]]:
    """Return which events of a case the page has: the first of each part, and the one after its last."""
    if length <= _EVENTS:
        return [(0, length)]
    positions = [
        at for place in places for at in (place.position, place.seam, place.belongs, *place.events[:_MARKED]) if at is not None
    ]
    for around in _AROUND:
        kept = np.zeros(length, dtype=bool)
        for at in positions:
            kept[max(0, at - around) : at + around + 1] = True
        if kept.sum() <= _EVENTS:
            break
    edges = np.flatnonzero(np.diff(kept.astype(np.int8), prepend=0, append=0)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
