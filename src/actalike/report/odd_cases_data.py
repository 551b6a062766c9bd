"""Gather the oddest cases of a log for the page: their events, the odd places, and what is said of them.

Labels are numbers, as on the rest of the page. Labels that the page does not have yet get the numbers after all others. What is
said comes as sentences in parts (support/text.py), of which the page only shows labels in its own way.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from actalike.errors import shortened
from actalike.io import SOURCE
from actalike.log import EventLog, first_equal_cases
from actalike.oddities import (
    KIND_WORDS,
    KINDS,
    SCORE_WORDS,
    CaseNames,
    OddEvent,
    Oddities,
    labels_of_case,
    odd,
    odd_counts,
    odd_sentence,
    sentence_parts,
    tag_parts,
    time_summary,
)
from actalike.support.text import Foreign, Part, Parts, counted, json_parts

CASES = 200  # that are listed; equal ones count once

_PLACES = 5  # that are marked in a case, at most
_IDS = 5  # of equal cases
_LONGEST_ID = 200  # characters: ids are there to be copied, so only those are cut that would make the page heavy
_LONGEST = 60  # characters of an attribute's name or value
_EVENTS = 200  # of a case; of a longer one, those around its odd places
_AROUND = (60, 30, 15, 8, 4)  # events on either side of an odd place, as many as there is room for
_MARKED = 12  # events of one odd place
_WITHOUT_IDS = (
    " This page has no case ids and looks at no attributes: with --examples it does, and the command actalike odd lists all."
)


class OddCases(NamedTuple):
    """Hold cases with the same activities and the same odd places, the oddest first, by their numbers in the log.

    ``places`` are the odd places of the first of them, the oddest first.
    """

    cases: list[int]
    places: list[OddEvent]


def odd_cases_data(log: EventLog, numbers: dict[str, int], *, examples: bool = True) -> tuple[dict[str, Any], list[str]]:
    """Return the oddest cases, and the labels in them that have no number yet: they get the next ones.

    A case is odd if it has an odd place, as :meth:`actalike.Oddities.most` lists them. Cases with the same activities and odd
    places are listed once. ``guide`` says how many cases are odd and listed, ``found`` how many odd places and cases there are.
    Odd places name their sentences by their positions in ``sentences``: many are odd for the same reason. Without ``examples``
    there are no case ids, and no attribute is looked at, because most name people.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> data, labels = odd_cases_data(log, {"order": 0, "check": 1})
    >>> data["cases"][0]["ids"], data["cases"][0]["events"], labels
    (['51'], [[0, [0, 2]]], ['pay'])
    >>> data["sentences"][0][:4]
    [{'label': 1}, ' is missing between ', {'label': 0}, ' and ']
    """
    # in which file an event is, is not what it is like
    attributes = [name for name in log.attributes if name != SOURCE] if examples else []
    result = odd(log, attributes)
    places = result.most(None)
    alike = oddest_cases(log, places)
    found = odd_counts(places)
    gathered = _Gathered(log, numbers, examples)
    data = {
        "guide": _guide(found, alike, log.n_cases) + ("" if examples or not alike else _WITHOUT_IDS) + _times(result),
        "kinds": [[kind, KIND_WORDS[kind]] for kind in KINDS],
        "found": found,
        "cases": [gathered.case(one) for one in alike],
        "sentences": gathered.sentences,
    }
    return data, list(gathered.numbers)[len(numbers) :]


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


def _guide(found: dict[str, Any], alike: Sequence[OddCases], n_cases: int) -> str:
    """Return how many places and cases are odd, how many of the cases are listed, and what a score is."""
    if not alike:
        return "No case of this log is odd."
    listed = sum(len(one.cases) for one in alike)
    odd_ones = f"{counted(found['places'], 'odd place')} in {found['cases']:,} of {counted(n_cases, 'case')}"
    some = f"; listed are the {counted(listed, 'case')} with the oddest" if listed < found["cases"] else ""
    once = " Cases with the same events and the same odd places stand once." if listed > len(alike) else ""
    return f"{odd_ones}{some}.{once} {SCORE_WORDS}"


def _times(result: Oddities) -> str:
    """Return how many times are unusual, and the most unusual; nothing if none is."""
    times = result.unusual_times(None) if result.has_times else []
    if not times:
        return ""
    summary, oddest = time_summary(times), odd_sentence(times[0], result.log)
    return f" Beside the order of events: {summary}. {oddest}. The command actalike odd lists them all."


class _Gathered:
    """Hold what cases have in common on the page: the numbers of labels, and the sentences."""

    def __init__(self, log: EventLog, numbers: dict[str, int], examples: bool) -> None:
        self.numbers = dict(numbers)
        self._examples = examples
        self.sentences: list[list[Any]] = []
        self._known: dict[tuple[Part, ...], int] = {}
        self._log = log
        self._names = CaseNames(log)

    def case(self, alike: OddCases) -> dict[str, Any]:
        """Return one line of the list: ids, events, and the odd places."""
        log, shown = self._log, alike.cases[:_IDS] if self._examples else []
        ids = [log.case_ids[case] for case in shown]
        start, end = log.offsets[alike.cases[0] : alike.cases[0] + 2].tolist()
        codes = [self._number(log.activities[code]) for code in log.codes[start:end].tolist()]
        marked = alike.places[:_PLACES]
        unmarked = len(alike.places) - len(marked)
        title, rest = self._title(alike.cases)
        return {
            "title": json_parts(title, self._number, _LONGEST_ID),
            "rest": json_parts(rest, self._number, _LONGEST_ID),
            "number": len(alike.cases),
            "ids": [shortened(case, _LONGEST_ID) for case in ids],
            "whole": bool(ids) and all(len(case) <= _LONGEST_ID for case in ids),
            "length": end - start,
            "events": [[first, codes[first:last]] for first, last in _kept(end - start, marked)],
            "places": [self._place(place) for place in marked],
            "note": f"{counted(unmarked, 'more odd place is', 'more odd places are')} not marked." if unmarked else "",
        }

    def _title(self, cases: Sequence[int]) -> tuple[Parts, Parts]:
        """Return which cases these are: what stands out, and the rest."""
        if not self._examples:
            return [f"{len(cases):,} equal cases" if len(cases) > 1 else "A case"], []
        names: Parts = []
        for case in cases[:_IDS]:
            name = self._log.case_ids[case]
            names += [", " if names else "", Foreign(name) if name else "without an id", self._names.number_words(case)]
        if len(cases) == 1:
            return ["Case ", *names], []
        more = [f", and {len(cases) - _IDS:,} more"] if len(cases) > _IDS else []
        return [f"{len(cases):,} equal cases"], [": ", *names, *more]

    def _place(self, place: OddEvent) -> dict[str, Any]:
        """Return an odd place; what is empty is left out."""
        parts = sentence_parts(place, labels_of_case(self._log, place.case_number))
        number = self._known.setdefault(tuple(parts), len(self.sentences))
        if number == len(self.sentences):
            self.sentences.append(json_parts(parts, self._number, _LONGEST))
        facts = {
            "events": [] if place.events == (place.position,) else list(place.events[:_MARKED]),
            "missing": [self._number(label) for label in place.missing],
            "belongs": place.belongs,
            "attribute": None if place.attribute is None else shortened(place.attribute, _LONGEST),
            "value": None if place.value is None else shortened(place.value, _LONGEST),
        }
        return {
            "kind": KINDS.index(place.kind),
            "score": round(place.score, 2),
            "probability": round(place.probability, 3),
            "position": place.position,
            "times": place.times,
            "total": place.total,
            "sentence": number,
            "tag": json_parts(tag_parts(place), self._number, _LONGEST),
            **{name: value for name, value in facts.items() if value not in (None, [])},
        }

    def _number(self, label: str) -> int:
        """Return the number of a label; one that has none gets the next."""
        return self.numbers.setdefault(label, len(self.numbers))


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
