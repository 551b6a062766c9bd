"""Gather the oddest cases of a log for the page: their events, the odd places, and what was expected there instead.

Labels are numbers, as on the rest of the page. Labels that the page does not have yet get the numbers after all others.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import shortened
from actalike.io import SOURCE
from actalike.log import EventLog, first_equal_cases
from actalike.oddities import KIND_WORDS, KINDS, ODD, SCORE_WORDS, OddEvent, Oddities, odd

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

    ``score`` is that of the first. ``places`` are those that the page marks, and ``unmarked`` is the number of all others.
    """

    score: float
    cases: list[int]
    places: list[OddEvent]
    unmarked: int


def odd_cases_data(log: EventLog, numbers: dict[str, int]) -> tuple[dict[str, Any], list[str]]:
    """Return the oddest cases, and the labels in them that have no number yet: they get the next ones.

    Cases with the same activities and the same odd places are listed once. ``number`` is how many cases are odd, ``listed`` how
    many of them are listed.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> data, labels = odd_cases_data(log, {"order": 0, "check": 1})
    >>> data["cases"][0]["ids"], data["cases"][0]["events"], labels
    (['51'], [[0, [0, 2]]], ['pay'])
    """
    numbers = dict(numbers)
    known = len(numbers)
    attributes = [name for name in log.attributes if name != SOURCE]  # in which file an event is, is not what it is like
    oddities = odd(log, attributes)
    cases = [_case(log, found, numbers) for found in oddest_cases(oddities)]
    data = {
        "kinds": [[kind, KIND_WORDS[kind]] for kind in KINDS],
        "about": SCORE_WORDS,
        "number": int((oddities.case_scores() >= ODD).sum()),
        "listed": sum(case["number"] for case in cases),
        "cases": cases,
    }
    return data, list(numbers)[known:]


def oddest_cases(oddities: Oddities, most: int = CASES) -> list[OddCases]:
    """Return the oddest cases, those with the same activities and the same odd places together. Cases that are not odd are not
    among them."""
    scores = oddities.case_scores()
    listed: dict[tuple[Any, ...], OddCases] = {}
    variants: set[int] = set()
    for (variant, _), cases in _alike(oddities, scores).items():
        if len(listed) == most and variant not in variants:
            continue  # equal to none of those that are listed
        places = _marked(oddities.explain(cases[0]))  # by number: several cases may have one id
        key = (variant, *((place.kind, place.position, place.attribute, place.value) for place in places[0]))
        if key in listed:
            listed[key].cases.extend(cases)
        elif len(listed) < most:
            listed[key] = OddCases(float(scores[cases[0]]), cases, *places)
            variants.add(variant)
    return list(listed.values())


def _alike(oddities: Oddities, scores: NDArray[np.float64]) -> dict[tuple[int, bytes], list[int]]:
    """Return the odd cases, the oddest first, by their activities and by the values of attributes that may be odd.

    Cases with the same key are odd for the same reasons, so that one of them has to be explained.
    """
    log = oddities.log
    first = first_equal_cases(log.codes, log.offsets)
    codes = np.column_stack([np.zeros(log.n_events, np.int64), *(log.attributes[name].codes for name in oddities.attributes)])
    values = np.where(oddities.cell_scores() >= ODD, codes + 2, 0)[:, 1:]  # 1: there is no value; 0: it is not odd
    alike: dict[tuple[int, bytes], list[int]] = {}
    order = np.argsort(-scores, kind="stable")
    for case in order[scores[order] >= ODD].tolist():
        odd_values = values[log.offsets[case] : log.offsets[case + 1]]
        alike.setdefault((int(first[case]), odd_values.tobytes()), []).append(case)
    return alike


def _marked(places: list[OddEvent]) -> tuple[list[OddEvent], int]:
    """Return the places that the page marks, and how many others there are."""
    marked = [place for place in places[:_PLACES] if place.score >= ODD] or places[:1]
    return marked, len(places) - len(marked)


def _case(log: EventLog, found: OddCases, numbers: dict[str, int]) -> dict[str, Any]:
    """Return one line of the list: ids, events, and the odd places that make up most of the score."""
    ids = [log.case_ids[case] for case in found.cases[:_IDS]]
    start, end = log.offsets[found.cases[0] : found.cases[0] + 2].tolist()
    codes = [_number(log.activities[code], numbers) for code in log.codes[start:end].tolist()]
    return {
        "score": round(found.score, 2),
        "number": len(found.cases),
        "ids": [shortened(case, _LONGEST_ID) for case in ids],
        "whole": all(len(case) <= _LONGEST_ID for case in ids),
        "length": end - start,
        "events": [[first, codes[first:last]] for first, last in _kept(end - start, found.places)],
        "places": [_place(place, numbers) for place in found.places],
        "unmarked": found.unmarked,
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
