"""Gather the oddest cases of a log for the page: their events, the odd places, and what was expected there instead.

Labels are numbers, as on the rest of the page. Labels that the page does not have yet get the numbers after all others.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import shortened
from actalike.io import SOURCE
from actalike.log import EventLog, first_equal_cases
from actalike.oddities import KINDS, Expected, OddEvent, Oddities, odd

CASES = 200  # that are listed; equal ones count once

_OUTSIDE = -1  # stands for what is before the first and after the last event of a case
_PLACES = 5  # that are marked in a case
_NOTABLE = 0.1  # share of the case's score: a place that makes up less is not marked, unless it makes up most
_IDS = 5  # of equal cases
_LONGEST_ID = 200  # characters: ids are there to be copied, so only those are cut that would make the page heavy
_LONGEST = 60  # characters of an attribute's name or value
_EVENTS = 200  # of a case; of a longer one, those around its odd places
_AROUND = (60, 30, 15, 8, 4)  # events on either side of an odd place, as many as there is room for
_MARKED = 12  # events of one odd place


class OddCases(NamedTuple):
    """Hold cases with the same activities and the same odd places: their numbers in the log, and the places, the oddest first."""

    score: float
    cases: NDArray[np.int64]
    places: list[OddEvent]


def odd_cases_data(log: EventLog, numbers: dict[str, int]) -> tuple[dict[str, Any], list[str]]:
    """Return the oddest cases, and the labels in them that have no number yet: they get the next ones.

    Cases with the same activities and the same odd places are listed once. ``listed`` says how many cases that are, and
    ``all`` that no other case is odd.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> data, labels = odd_cases_data(log, {"order": 0, "check": 1})
    >>> data["cases"][0]["ids"], data["cases"][0]["events"], labels
    (['51'], [[0, [0, 2]]], ['pay'])
    """
    numbers = dict(numbers)
    known = len(numbers)
    attributes = [name for name in log.attributes if name != SOURCE]  # in which file an event is, is not what it is like
    cases = [_case(log, found, numbers) for found in oddest_cases(odd(log, attributes))]
    listed = sum(case["number"] for case in cases)
    return {"kinds": list(KINDS), "listed": listed, "all": len(cases) < CASES, "cases": cases}, list(numbers)[known:]


def oddest_cases(oddities: Oddities, most: int = CASES) -> list[OddCases]:
    """Return the oddest cases, equal ones together. Cases that are not odd at all are not among them."""
    found: list[OddCases] = []
    for cases, score in _alike(oddities):
        rest = cases
        while len(rest):
            if len(found) == most:
                return found
            places = oddities.explain(int(rest[0]))  # by number: several cases may have one id
            if not places:
                break
            same = _with_same_values(oddities.log, rest, places)
            found.append(OddCases(score, rest[same], places))
            rest = rest[~same]
    return found


def _alike(oddities: Oddities) -> Iterator[tuple[NDArray[np.int64], float]]:
    """Yield cases with the same activities and the same score, the odder first."""
    scores = oddities.case_scores().round(6)
    first = first_equal_cases(oddities.log.codes, oddities.log.offsets)
    order = np.lexsort((first, -scores))
    order = order[scores[order] > 0]
    starts = np.flatnonzero((np.diff(first[order], prepend=-1) != 0) | (np.diff(scores[order], prepend=np.inf) != 0))
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
        yield order[start:end], float(scores[order[start]])


def _with_same_values(log: EventLog, cases: NDArray[np.int64], places: Sequence[OddEvent]) -> NDArray[np.bool_]:
    """Return which of the cases have the odd values of attributes that the first one has. Activities and scores are the same."""
    same = np.ones(len(cases), dtype=bool)
    for place in places:
        if place.attribute is not None:
            values = log.attributes[place.attribute].codes[log.offsets[cases] + place.position]
            same &= values == values[0]
    return same


def _case(log: EventLog, found: OddCases, numbers: dict[str, int]) -> dict[str, Any]:
    """Return one line of the list: ids, events, and the odd places that make up most of the score."""
    ids = [log.case_ids[case] for case in found.cases[:_IDS].tolist()]
    marked = [place for place in found.places[:_PLACES] if place.score >= _NOTABLE * found.score] or found.places[:1]
    start, end = log.offsets[found.cases[0] : found.cases[0] + 2].tolist()
    codes = [_number(log.activities[code], numbers) for code in log.codes[start:end].tolist()]
    return {
        "score": round(found.score, 2),
        "number": len(found.cases),
        "ids": [shortened(case, _LONGEST_ID) for case in ids],
        "whole": all(len(case) <= _LONGEST_ID for case in ids),
        "length": end - start,
        "events": [[first, codes[first:last]] for first, last in _kept(end - start, marked)],
        "places": [_place(place, numbers) for place in marked],
        "unmarked": len(found.places) - len(marked),
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
            [_expected(one, _short(one.value) if has_value else _number(one.value, numbers)) for one in place.expected],
            [] if place.events == (place.position,) else list(place.events[:_MARKED]),
            [_number(label, numbers) for label in place.missing],
            place.belongs,
            _short(place.attribute),
            _short(place.value),
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


def _expected(one: Expected, value: int | str | None) -> list[Any]:
    return [value, one.times, round(one.share, 4)]


def _number(label: str | None, numbers: dict[str, int]) -> int:
    """Return the number of a label; one that has none gets the next."""
    return _OUTSIDE if label is None else numbers.setdefault(label, len(numbers))


def _short(value: str | None) -> str | None:
    return None if value is None else shortened(value, _LONGEST)


def _kept(length: int, places: Sequence[OddEvent]) -> list[tuple[int, int]]:
    """Return which events of a case the page has: the first of each part, and the one after its last."""
    if length <= _EVENTS:
        return [(0, length)]
    positions = [at for place in places for at in (place.position, place.belongs, *place.events[:_MARKED]) if at is not None]
    for around in _AROUND:
        kept = np.zeros(length, dtype=bool)
        for at in positions:
            kept[max(0, at - around) : at + around + 1] = True
        if kept.sum() <= _EVENTS:
            break
    edges = np.flatnonzero(np.diff(kept.astype(np.int8), prepend=0, append=0)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
