"""Find the odd events of a log: slips that make a case more probable when they are undone, and what was expected instead."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from actalike.io import LogLike, as_log
from actalike.log import EventLog, checked_attribute
from actalike.oddities.attribute_model import AttributeModel, attribute_model
from actalike.oddities.attribute_symbols import Symbols, attribute_symbols
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.case_slips import find_slips
from actalike.oddities.distinct_cases import DistinctCases
from actalike.oddities.occurrences import Occurrences
from actalike.oddities.odd_arguments import attribute_names, check_attributes, check_kind, check_path, check_topn, number_of_case
from actalike.oddities.odd_card import odd_card
from actalike.oddities.odd_data import Kind, OddEvent
from actalike.oddities.odd_reasons import ENOUGH, Reasons
from actalike.oddities.odd_table import odd_frame, write_odd_events
from actalike.oddities.odds import Weighing, any_of, marked_events
from actalike.support.frames import as_kind
from actalike.support.progress import tracked

ODD = float(np.log(100))  # the score from which on a place is odd: if 1 % of the cases have a slip, this is more likely one

Floats = NDArray[np.float64]


class Oddities:
    """Hold how odd each case and each event of a log is, and why, as :func:`odd` finds it.

    A score is ln (1 + odds), where the odds are how much more probable a case is with a slip than without any (docs/odd.md).
    ``attributes`` are those that were looked at. ``ignored`` say nothing, because nearly every event has another value, or all
    have the same, or they are the copy of another attribute.
    """

    def __init__(self, log: EventLog, attributes: Sequence[str]) -> None:
        self.log = log
        symbols = {
            name: attribute_symbols(checked_attribute(name, log.attributes[name], log.n_events), name) for name in attributes
        }
        self._symbols: dict[str, Symbols] = {}
        for name, one in symbols.items():
            if one.informative and not any(_say_the_same(one, other) for other in self._symbols.values()):
                self._symbols[name] = one
        self.attributes: tuple[str, ...] = tuple(self._symbols)
        self.ignored: tuple[str, ...] = tuple(name for name in symbols if name not in self._symbols)
        self._cases = DistinctCases(log)
        self._probabilities = CaseProbabilities(self._cases)
        self._occurrences = Occurrences(self._cases)
        self._slips = find_slips(self._cases, self._probabilities, self._occurrences)
        weighing = Weighing(log, self._probabilities, self._slips, self._surprise())
        self._odds, self._event_of_variant = weighing.odds(), weighing.event_of_variant

    @property
    def caution(self) -> float:
        """Return by how much the evidence was made smaller: 1 is not at all (docs/odd.md)."""
        return self._odds.caution

    def case_scores(self) -> Floats:
        """Return how odd each case is, in the order of the log; higher is odder."""
        return np.log1p(self._odds.cases)

    def event_scores(self) -> Floats:
        """Return how odd each event is, in the order of the log; higher is odder."""
        return np.log1p(self._slipped + self._odds.inserted + any_of(self._odds.values))

    def cell_scores(self) -> Floats:
        """Return how odd the activity (first column) and each of ``attributes`` (further columns) of each event are."""
        values = np.column_stack([self._slipped, self._odds.values])
        return np.log1p(values + self._odds.inserted[:, None])

    def most(self, topn: int | None = 20, kind: Kind | None = None) -> list[OddEvent]:
        """Return the oddest events with what was expected instead, the oddest first; all odd ones if ``topn`` is None.

        Odd are places with a score of ln 100 or more. Two kinds of them are left out: events that would only change places with
        others of the same time, and places whose context was seen fewer than 20 times, so that it shows nothing.
        """
        check_kind(kind)
        check_topn(topn)
        if topn is None:
            return [one for one in self._odd_places if _is_listed(one) and kind in (None, one.kind)]
        events: list[OddEvent] = []
        scores = self.case_scores()
        for case in self._odd_cases:
            if _enough(events, topn, scores[case]):
                break  # no place of a case is odder than the case
            events += [one for one in self._reasons_of(case) if one.score >= ODD and _is_listed(one) and kind in (None, one.kind)]
        return sorted(events, key=lambda one: -one.score)[:topn]

    @property
    def left_out_same_time(self) -> int:
        """Return how many places :meth:`most` leaves out because events would only change places with others of the same time."""
        return sum(one.same_time for one in self._odd_places)

    @property
    def left_out_unseen(self) -> int:
        """Return how many further places :meth:`most` leaves out because their context was seen fewer than 20 times."""
        return sum(not one.same_time and not _is_listed(one) for one in self._odd_places)

    def explain(self, case: str | int) -> list[OddEvent]:
        """Return what is odd about a case, the oddest first.

        The odds of a place are exp(score) - 1. Those of all places make up the odds of the case, as odds.py says; what has odds
        below 1 and below a thousandth of these is left out. The case is given by its id, or by its number in the
        log, from 0, if several cases have the same id.
        """
        return self._reasons.of_case(number_of_case(self.log, case))

    def to_frame(self, kind: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
        """Return a frame with a row for each odd event, the oddest first: what :meth:`to_csv` writes."""
        return as_kind(odd_frame(self.most(None), self.log), kind)

    def to_csv(self, path: str | Path) -> None:
        """Write all odd events, the oddest first, as a table to look through (docs/file_formats.md); a file there is replaced."""
        check_path(path)
        write_odd_events(self.most(None), self.log, path)

    @cached_property
    def _odd_cases(self) -> list[int]:
        """Return the numbers of the cases that may have an odd place, the oddest first."""
        scores = self.case_scores()
        order = np.argsort(-scores, kind="stable")
        return [int(case) for case in order[: int((scores >= ODD).sum())]]

    @cached_property
    def _odd_places(self) -> list[OddEvent]:
        """Return all places with a score of ``ODD`` or more, the oddest first, also those that are not listed."""
        places = [one for case in self._odd_cases for one in self._reasons_of(case) if one.score >= ODD]
        return sorted(places, key=lambda one: -one.score)

    @cached_property
    def _slipped(self) -> Floats:
        """Return for each event of the log the odds of all slips that make it odd, but for insertions."""
        numbers, events = marked_events(self._cases, self._slips)
        odds = np.where(self._slips.is_inserted, 0.0, self._odds.slips)[numbers]
        slipped = np.bincount(events, weights=odds, minlength=len(self._cases.places)) + self._odds.breaks[self._cases.places]
        long = self._cases.lengths > 0  # what is odd about the end of a case is odd about its last event
        slipped[self._cases.offsets[1:][long] - 1] += self._odds.breaks[self._cases.ends[long]]
        return np.asarray(slipped[self._event_of_variant])

    @cached_property
    def _reasons(self) -> Reasons:
        attributes = list(self._symbols.items())
        return Reasons(self.log, self._cases, self._probabilities, self._slips, self._odds, attributes, self._occurrences)

    def _reasons_of(self, case: int) -> Iterator[OddEvent]:
        """Return what is odd about a case; without attributes, all cases of a variant are odd for the same reasons."""
        if self.attributes:
            yield from self._reasons.of_case(case)
            return
        variant = int(self._cases.variant_of_case[case])
        if variant not in self._reasons_of_variant:
            self._reasons_of_variant[variant] = self._reasons.of_case(case)
        for one in self._reasons_of_variant[variant]:
            yield replace(one, case=self.log.case_ids[case], case_number=case)

    @cached_property
    def _reasons_of_variant(self) -> dict[int, list[OddEvent]]:
        return {}

    def _surprise(self) -> Floats:
        """Return for each event how surprising its values are, with a column for each attribute."""
        models: list[AttributeModel] = []
        earlier: list[NDArray[np.int64]] = []  # each attribute is judged by those before it
        for symbols in self._symbols.values():
            models.append(attribute_model(self.log, symbols.codes, earlier))
            earlier.append(symbols.codes)
        return np.stack([model.surprise() for model in models], axis=1) if models else np.zeros((self.log.n_events, 0))

    def __repr__(self) -> str:
        return f"Oddities({self.log.n_cases:,} cases, {self.log.n_events:,} events)"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return odd_card(self.most(None), self.log, self.attributes)


@tracked("looking for odd events")
def odd(log: LogLike, attributes: Sequence[str] | None = None) -> Oddities:
    """Find which events do not belong in the company that they keep, and what was expected instead.

    A log is an EventLog, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py. ``attributes`` are those of
    the events that are looked at beside the activity. If it is None, these are all that an EventLog was read with, and of a frame
    or an event log of pm4py those whose names are usual for resources and organisations, as on the command line.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> oddest = odd(log).most(1)[0]
    >>> oddest.case, oddest.kind, oddest.missing
    ('51', 'skipped', ('check',))
    """
    names = attribute_names(attributes)
    log = as_log(log, "odd", "people" if names is None else names)
    return Oddities(log, check_attributes(log, names))


def _say_the_same(one: Symbols, other: Symbols) -> bool:
    """Return whether each value of an attribute stands with one value of another, and the other way round."""
    if len(one.names) != len(other.names):
        return False
    return len(np.unique(one.codes * len(other.names) + other.codes)) == len(one.names)


def _is_listed(one: OddEvent) -> bool:
    """Return whether an odd place shows something: its order means something, and its context was seen often enough."""
    return not one.same_time and one.total >= ENOUGH


def _enough(events: Sequence[OddEvent], topn: int, score: float) -> bool:
    """Return whether at least ``topn`` events are odder than all that are still to come, whose scores are at most ``score``."""
    return sum(one.score >= score for one in events) >= topn
