"""Say which anomalies apply to a case, and draw their values: names that occur nowhere else, or those of the log."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.anomalies.case_draws import CaseDraws
from actalike.benchmark.anomalies.edits import (
    ACTIVITY,
    Edit,
    insert_events,
    move_early,
    move_late,
    repeat_events,
    replace_values,
    skip_events,
)
from actalike.benchmark.anomalies.other_edits import cut_case, insert_block, insert_real_events, replace_label, swap_events
from actalike.benchmark.anomalies.tasks import CUT, FOREIGN
from actalike.log import EventLog

_MOVES = {
    "skipped": skip_events,
    "repeated": repeat_events,
    "early": move_early,
    "late": move_late,
    "swapped": swap_events,
    CUT: cut_case,
}
_INSERTIONS = {"plausible": insert_real_events, "block": insert_block}
_SHORTEST = (
    dict.fromkeys(("skipped", "early", "late", "swapped"), 3)
    | dict.fromkeys(("repeated", "inserted", "plausible", CUT, "block"), 2)
    | dict.fromkeys(("attribute", FOREIGN, "replaced"), 1)
)


class PlantingValues:
    """Hold the cells of a log by column (activity, then attributes), and draw edits of its cases.

    ``names`` has the texts of each column's codes: those of the log, then the made-up ones of inserted events, if they have any.
    """

    def __init__(self, log: EventLog, as_published: bool) -> None:
        self.log = log
        self.as_published = as_published
        self.columns: list[NDArray[np.int32]] = [log.codes, *(attribute.codes for attribute in log.attributes.values())]
        known = {"activity": log.activities, **{name: attribute.values for name, attribute in log.attributes.items()}}
        self.n_known = [len(values) for values in known.values()]
        self.names: list[list[str]] = [
            [*values, *(f"Random {name} {i}" for i in range(1, max(len(values), 2)))] if as_published else list(values)
            for name, values in known.items()
        ]

    def applies(self, kind: str, length: int) -> bool:
        """Return whether a case of this length can have an anomaly of a kind."""
        return length >= _SHORTEST[kind] and (self.changes_flow(kind) or len(self.columns) > 1)

    @staticmethod
    def changes_flow(kind: str) -> bool:
        """Return whether an anomaly changes the sequence of activities."""
        return kind not in ("attribute", FOREIGN)

    def draw_edit(self, kind: str, case: int, draws: CaseDraws) -> Edit | None:
        """Draw an anomaly of a case; None if there is no value to draw."""
        start, end = (int(bound) for bound in self.log.offsets[case : case + 2])
        n_columns = len(self.columns)
        if kind in _MOVES:
            return _MOVES[kind](end - start, draws)
        if kind == "inserted":
            return insert_events(end - start, draws, self._new_value, n_columns)
        if kind in _INSERTIONS:
            return _INSERTIONS[kind](end - start, draws, self._real_event)
        if kind == "replaced":
            return replace_label(end - start, draws, lambda at, d: self._other_value(start + at, ACTIVITY, d))
        draw_value = self._foreign_value if kind == FOREIGN else self._any_value if self.as_published else self._other_value
        return replace_values(end - start, draws, lambda at, column, d: draw_value(start + at, column, d), n_columns)

    def new_codes(self, case: int, edit: Edit) -> NDArray[np.int32]:
        """Return the activities of a case after an edit."""
        old = self.log.codes[self.log.offsets[case] : self.log.offsets[case + 1]]
        codes = old[[max(source, 0) for source in edit.sources]]
        for (position, column), code in edit.values.items():
            if column == ACTIVITY:
                codes[position] = code
        return codes

    def differs(self, case: int, edit: Edit) -> bool:
        """Return whether a case has other activities after an edit."""
        old = self.log.codes[self.log.offsets[case] : self.log.offsets[case + 1]]
        return not np.array_equal(self.new_codes(case, edit), old)

    def _new_value(self, column: int, draws: CaseDraws) -> int:
        """Draw a value of an inserted event: as published, a name that no other event has."""
        n_known = self.n_known[column]
        return n_known + draws.below(max(n_known - 1, 1)) if self.as_published else draws.below(n_known)

    def _real_event(self, draws: CaseDraws) -> list[int]:
        """Draw a label of the log, then one of the events that have it, and return the codes of this event."""
        events, offsets = self._events_of_label
        label = draws.below(self.n_known[ACTIVITY])
        first, end = (int(bound) for bound in offsets[label : label + 2])
        event = events[first + draws.below(end - first)]
        return [int(column[event]) for column in self.columns]

    @cached_property
    def _events_of_label(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the events in the order of their labels, and where those of each label begin."""
        counts = np.bincount(self.log.codes, minlength=self.n_known[ACTIVITY])
        return np.argsort(self.log.codes, kind="stable"), np.concatenate([[0], np.cumsum(counts)])

    def _any_value(self, event: int, column: int, draws: CaseDraws) -> int:
        return draws.below(self.n_known[column])

    def _other_value(self, event: int, column: int, draws: CaseDraws) -> int | None:
        """Draw one of the values that differ from the old one."""
        old, n_known = int(self.columns[column][event]), self.n_known[column]
        if old < 0:
            return draws.below(n_known)
        if n_known < 2:
            return None
        value = draws.below(n_known - 1)
        return value + (value >= old)

    def _foreign_value(self, event: int, column: int, draws: CaseDraws) -> int | None:
        """Draw one of the values that the activity of the event never has."""
        foreign = self._foreign[column][int(self.log.codes[event])]
        return int(foreign[draws.below(len(foreign))]) if len(foreign) else None

    @cached_property
    def _foreign(self) -> list[list[NDArray[np.int64]]]:
        """Return the values that each activity never has, by column and activity."""
        n_activities = len(self.log.activities)
        foreign: list[list[NDArray[np.int64]]] = [[]]
        for column, n_known in zip(self.columns[1:], self.n_known[1:], strict=True):
            has = np.zeros((n_activities, n_known + 1), dtype=bool)
            has[self.log.codes, column] = True  # a missing value, -1, is the last column
            foreign.append([np.flatnonzero(~row[:-1]) for row in has])
        return foreign
