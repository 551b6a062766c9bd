"""Find the odd events of a log: how surprising each is given its company, and what was expected instead."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from actalike.io import as_log
from actalike.log import EventLog
from actalike.oddities.odd_arguments import check_attributes, check_kind, number_of_case
from actalike.oddities.odd_card import odd_card
from actalike.oddities.odd_data import Expected, Kind, OddEvent
from actalike.oddities.odd_table import odd_frame, write_odd_events
from actalike.support.frame_kinds import as_kind

_SMOOTHING = 0.5  # added to each count
_EXPECTED = 3  # how many alternatives are listed


class Oddities:
    """Hold how odd each case and each event of a log is, and why, as :func:`odd` finds it."""

    def __init__(self, log: EventLog, attributes: Sequence[str]) -> None:
        self.log = log
        self.attributes: tuple[str, ...] = tuple(attributes)

    def case_scores(self) -> NDArray[np.float64]:
        """Return how odd each case is, in the order of the log; higher is odder."""
        scores = np.zeros(self.log.n_cases)
        np.maximum.at(scores, self._case_of_event, self.event_scores())
        return scores

    def event_scores(self) -> NDArray[np.float64]:
        """Return how odd each event is, in the order of the log; higher is odder."""
        return np.asarray(self.cell_scores().max(axis=1))

    def cell_scores(self) -> NDArray[np.float64]:
        """Return how odd the activity (first column) and each of ``attributes`` (further columns) of each event are."""
        return np.column_stack([self._link_surprise, np.zeros((self.log.n_events, len(self.attributes)))])

    def most(self, topn: int | None = 20, kind: Kind | None = None) -> list[OddEvent]:
        """Return the oddest events with what was expected instead, the oddest first; all of them if ``topn`` is None."""
        check_kind(kind)
        order = np.argsort(-self._link_surprise, kind="stable")[:topn]
        found = [self._odd_event(int(event)) for event in order]
        return [one for one in found if kind in (None, one.kind)]

    def explain(self, case: str | int) -> list[OddEvent]:
        """Return what is odd about a case, the oddest first. The scores sum to that of the case.

        The case is given by its id, or by its number in the log, from 0, if several cases have the same id.
        """
        number = number_of_case(self.log, case)
        events = range(int(self.log.offsets[number]), int(self.log.offsets[number + 1]))
        return sorted((self._odd_event(event) for event in events), key=lambda one: -one.score)

    def to_frame(self, kind: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
        """Return a frame with a row for each odd event, the oddest first: what :meth:`to_csv` writes."""
        return as_kind(odd_frame(self.most(None), self.log), kind)

    def to_csv(self, path: str | Path) -> None:
        """Write all odd events, the oddest first, as a table to look through (docs/file_formats.md)."""
        write_odd_events(self.most(None), self.log, path)

    @cached_property
    def _case_of_event(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.log.n_cases), self.log.lengths)

    @cached_property
    def _previous(self) -> NDArray[np.int64]:
        """Return the activity before each event; the number of activities stands for the start of the case."""
        outside = len(self.log.activities)
        previous = np.append(outside, self.log.codes[:-1]).astype(np.int64)
        previous[self.log.offsets[:-1][self.log.lengths > 0]] = outside
        return previous

    @cached_property
    def _links(self) -> NDArray[np.int64]:
        size = len(self.log.activities) + 1
        return np.bincount(self._previous * size + self.log.codes, minlength=size * size).reshape(size, size)

    @cached_property
    def _link_surprise(self) -> NDArray[np.float64]:
        links, size = self._links, len(self.log.activities) + 1
        pair = links[self._previous, self.log.codes] + _SMOOTHING
        forward = pair / (links.sum(axis=1)[self._previous] + _SMOOTHING * size)
        backward = pair / (links.sum(axis=0)[self.log.codes] + _SMOOTHING * size)
        return np.asarray(-np.log(forward) - np.log(backward))

    def _odd_event(self, event: int) -> OddEvent:
        log, labels = self.log, [*self.log.activities, None]
        case = int(self._case_of_event[event])
        position = event - int(log.offsets[case])
        row = self._links[self._previous[event]]
        likely = np.argsort(-row, kind="stable")[:_EXPECTED].tolist()
        total = int(row.sum())
        return OddEvent(
            case=log.case_ids[case],
            case_number=case,
            position=position,
            events=(position,),
            activity=log.activities[log.codes[event]],
            kind="inserted",
            score=float(self._link_surprise[event]),
            before=labels[self._previous[event]],
            after=log.activities[log.codes[event + 1]] if event + 1 < log.offsets[case + 1] else None,
            times=int(row[log.codes[event]]),
            total=total,
            expected=tuple(Expected(labels[code], int(row[code]), int(row[code]) / total) for code in likely if row[code]),
        )

    def __repr__(self) -> str:
        return f"Oddities({self.log.n_cases:,} cases, {self.log.n_events:,} events)"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return odd_card(self.most(None), self.log, self.attributes)


def odd(log: Any, attributes: Sequence[str] | None = None) -> Oddities:
    """Find which events do not belong in the company that they keep, and what was expected instead.

    A log is an EventLog, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py. ``attributes`` are those of
    the events that are looked at beside the activity; all that the log has if it is None.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> odd(log).most(1)[0].case
    '51'
    """
    log = as_log(log, "odd", attributes)
    return Oddities(log, check_attributes(log, attributes))
