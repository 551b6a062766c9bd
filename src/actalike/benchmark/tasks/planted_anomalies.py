"""Planted anomalies: some cases of a copy of a log are edited, and it is known which of their cells are anomalous.

Six kinds are BPAD's; the functions that make them make their draws in the order in which BPAD does. A detector that undoes
slips of these kinds knows them beforehand. The other kinds are not among them, or their values are plausible: they show what
is found of an anomaly that nobody thought of. Three more need times: waits that are too long or too short, and events that are
there twice. Each function takes the length of a case and its draws, and says what becomes of the case and which cells are
marked. Positions count from 0.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.scoring import Floats, medians
from actalike.benchmark.seeded_generator import CaseDraws, random_words, seed_of
from actalike.log import Attribute, EventLog, cases_of

SIX = ("skipped", "inserted", "repeated", "early", "late", "attribute")  # the kinds of BPAD
FOREIGN = "foreign"  # attribute values that the activity never has
CUT = "cut"  # only the first part of the case is left
SLIPS = (*SIX, FOREIGN)
OUTSIDE = ("plausible", "swapped", "replaced", CUT, "block", "copied", "moved", "reversed", "gap")  # none of the six
ANY = (*SIX, *OUTSIDE)
SLOW, FAST, DOUBLED = "slow", "fast", "doubled"
TIMED = (SLOW, FAST, DOUBLED)  # planted into copies with times
PLANTED = (*SLIPS, *OUTSIDE, *TIMED)
NAMED_AS: dict[str, str] = {  # how a detector should call each kind; several names would do for moved and reversed events
    **{kind: kind for kind in SIX},
    FOREIGN: "attribute",
    "plausible": "inserted",
    "swapped": "swapped",
    "replaced": "replaced",
    "block": "inserted",
    "copied": "repeated",
    CUT: "skipped",
    "gap": "skipped",
    DOUBLED: "repeated",
}


class Task(NamedTuple):
    """Say what is planted: kinds of anomalies, drawn uniformly, into a share of the cases.

    As published, inserted events have names of their own, and a draw that cannot be done leaves the case as it is. Otherwise
    names and values are those of the log, draws are repeated until the case differs, and there are several copies. With a
    reference, a random half of the cases is one, and the share is of the others. With alarms, detectors are asked which cases
    they call odd.
    """

    rate: float
    kinds: tuple[str, ...]
    as_published: bool = False
    has_reference: bool = False
    has_alarms: bool = False


RATES = tuple(percent / 100 for percent in range(5, 50, 5))
BPAD = {f"bpad-{round(100 * rate):02}": Task(rate, SIX, as_published=True) for rate in RATES}
MIXED = "known"
KNOWN_RATE = 0.1
KNOWN = {MIXED: Task(KNOWN_RATE, SIX), **{f"known-{kind}": Task(KNOWN_RATE, (kind,)) for kind in (*SLIPS, *OUTSIDE)}}
CLEAN, REFERENCE = "clean", "reference"
SHARES = (0.01, 0.05, 0.1, 0.3)
ALARMS = {
    CLEAN: Task(0.0, (), has_alarms=True),
    **{f"any-{round(100 * share):02}": Task(share, ANY, has_alarms=True) for share in SHARES},
    REFERENCE: Task(KNOWN_RATE, ANY, has_reference=True, has_alarms=True),
}
TIMES = {f"timed-{kind}": Task(KNOWN_RATE, (kind,)) for kind in TIMED}
TASKS: dict[str, Task] = {**BPAD, **KNOWN, **ALARMS, **TIMES}
CALLS = {
    "calls": None,
    "calls-01": 0.01,
}  # share of the normal traces of system calls to learn from; None: those set apart for it


def takes_place(task: str, has_attributes: bool, has_times: bool) -> bool:
    """Return whether a task is done with a log: a log without attributes has no odd values.

    >>> takes_place("known-attribute", False, False), takes_place("known", False, False), takes_place("timed-slow", True, False)
    (False, True, False)
    """
    if task in TIMES:
        return has_times
    kinds = TASKS[task].kinds
    return has_attributes or not kinds or any(kind not in ("attribute", FOREIGN) for kind in kinds)


# --- the six kinds ------------------------------------------------------------------------------------------------------------


NEW = -1  # the source of an event that was not in the case before
ACTIVITY = 0  # the column of the activity; the attributes have those after it
_NO_VALUES: Mapping[tuple[int, int], int] = MappingProxyType({})


class Edit(NamedTuple):
    """Hold what an anomaly makes of a case.

    ``sources`` has for each event of the new case its position in the old one, or ``NEW``. ``marked`` are the anomalous cells, as
    position and column. ``values`` are the codes of cells with a new value. ``skipped`` are the old positions of events that are
    gone, and ``belongs`` is the new position before which moved events stood. ``delay`` is a position from which on all events
    happen later, and by how many seconds.
    """

    sources: list[int]
    marked: list[tuple[int, int]]
    values: Mapping[tuple[int, int], int] = _NO_VALUES
    skipped: range = range(0)
    belongs: int | None = None
    delay: tuple[int, float] | None = None


def skip_events(length: int, draws: CaseDraws) -> Edit:
    """Leave out one or two events; the activity of the event after them is marked."""
    size = draws.between(1, min(length - 1, 2))
    start = draws.between(0, length - size - 1)
    return Edit([*range(start), *range(start + size, length)], [(start, ACTIVITY)], skipped=range(start, start + size))


def repeat_events(length: int, draws: CaseDraws) -> Edit:
    """Insert a copy of two or three events, up to five events later; the activities of the copies are marked."""
    size = draws.between(2, min(length, 3))
    start = draws.between(0, length - size)
    place = start + size + draws.between(0, min(length - start - size, 5))
    sources = [*range(place), *range(start, start + size), *range(place, length)]
    return Edit(sources, _activities(range(place, place + size)))


def move_early(length: int, draws: CaseDraws) -> Edit:
    """Move one or two events up to five places forward; they and the event after their old place are marked."""
    size = draws.between(1, min(length - 2, 2))
    distance = draws.between(1, min(length - size - 1, 5))
    start = draws.between(distance, length - size - 1)
    place, end = start - distance, start + size
    sources = [*range(place), *range(start, end), *range(place, start), *range(end, length)]
    return Edit(sources, _activities([*range(place, place + size), end]), belongs=end)


def move_late(length: int, draws: CaseDraws) -> Edit:
    """Move one or two events up to five places back; they and the event now at their old place are marked."""
    size = draws.between(1, min(length - 2, 2))
    distance = draws.between(1, min(length - size - 1, 5))
    start = draws.between(0, length - size - distance - 1)
    end = start + size
    sources = [*range(start), *range(end, end + distance), *range(start, end), *range(end + distance, length)]
    return Edit(sources, _activities([*range(start + distance, end + distance), start]), belongs=start)


def insert_events(length: int, draws: CaseDraws, new_value: Callable[[int, CaseDraws], int], n_columns: int) -> Edit:
    """Insert one or two events, never at the end; all their cells are marked. ``new_value`` draws the value of a column."""
    size = draws.between(1, min(length // 2, 2))
    places = sorted(draws.sample(length - 1, size))
    sources = list(range(length))
    cells: list[tuple[int, int]] = []
    for before, place in enumerate(places):
        sources.insert(place + before, NEW)
        cells += [(place + before, column) for column in range(n_columns)]
    return Edit(sources, cells, {cell: new_value(cell[1], draws) for cell in cells})


def replace_values(
    length: int, draws: CaseDraws, other_value: Callable[[int, int, CaseDraws], int | None], n_columns: int
) -> Edit | None:
    """Replace one or two attributes of up to three events. ``other_value`` draws a value for a position and a column.

    It returns None where there is no other value; then there is no edit.
    """
    values: dict[tuple[int, int], int] = {}
    for position in draws.sample(length, draws.between(1, min(length, 3))):
        for attribute in draws.sample(n_columns - 1, draws.between(1, min(n_columns - 1, 2))):
            value = other_value(position, attribute + 1, draws)
            if value is None:
                return None
            values[position, attribute + 1] = value
    return Edit(list(range(length)), list(values), values)


def _activities(positions: list[int] | range) -> list[tuple[int, int]]:
    return [(position, ACTIVITY) for position in positions]


# --- outside the six kinds ----------------------------------------------------------------------------------------------------


_BLOCK = 3  # events that are inserted in a row

RealEvent = Callable[[CaseDraws], Sequence[int]]  # draws an event of the log: its code in each column


def insert_real_events(length: int, draws: CaseDraws, real_event: RealEvent) -> Edit:
    """Insert one or two events of other places of the log, never at the end; all their cells are marked."""
    size = draws.between(1, min(length // 2, 2))
    places = sorted(draws.sample(length - 1, size))
    return _with_real_events(length, [place + before for before, place in enumerate(places)], real_event, draws)


def insert_block(length: int, draws: CaseDraws, real_event: RealEvent) -> Edit:
    """Insert three events of other places of the log in a row, never at the end; all their cells are marked."""
    place = draws.between(0, length - 2)
    return _with_real_events(length, range(place, place + _BLOCK), real_event, draws)


def swap_events(length: int, draws: CaseDraws) -> Edit:
    """Let two events change places that are at least two apart; the activities of both are marked."""
    distance = draws.between(2, length - 1)
    start = draws.between(0, length - distance - 1)
    sources = list(range(length))
    sources[start], sources[start + distance] = start + distance, start
    return Edit(sources, [(start, ACTIVITY), (start + distance, ACTIVITY)])


def replace_label(length: int, draws: CaseDraws, other_label: Callable[[int, CaseDraws], int | None]) -> Edit | None:
    """Give one event another label, and leave its values; its activity is marked. None if the log has no other label."""
    position = draws.between(0, length - 1)
    label = other_label(position, draws)
    if label is None:
        return None
    return Edit(list(range(length)), [(position, ACTIVITY)], {(position, ACTIVITY): label})


def cut_case(length: int, draws: CaseDraws) -> Edit:
    """Leave only the first events, at least one and at most half; the activity of the last one that is left is marked."""
    left = draws.between(1, length // 2)
    return Edit(list(range(left)), [(left - 1, ACTIVITY)], skipped=range(left, length))


def copy_far(length: int, draws: CaseDraws) -> Edit:
    """Insert a copy of one event at least half the case away, after a later event or before an earlier one; it is marked."""
    first, last = _far_apart(length, draws)
    if draws.below(2):
        return Edit([*range(last + 1), first, *range(last + 1, length)], [(last + 1, ACTIVITY)])
    return Edit([*range(first), last, *range(first, length)], [(first, ACTIVITY)])


def move_far(length: int, draws: CaseDraws) -> Edit:
    """Move one event by at least half the case; it is marked, and the event that now follows its old place, if there is one."""
    first, last = _far_apart(length, draws)
    if draws.below(2):
        sources = [*range(first), *range(first + 1, last + 1), first, *range(last + 1, length)]
        return Edit(sources, _activities([first, last]), belongs=first)
    sources = [*range(first), last, *range(first, last), *range(last + 1, length)]
    after = last + 1
    return Edit(sources, _activities([first, *([after] if after < length else [])]), belongs=after)


def reverse_run(length: int, draws: CaseDraws) -> Edit:
    """Turn a run of three to six events around; the activities of those that change places are marked."""
    size = draws.between(3, min(length, 6))
    start = draws.between(0, length - size)
    sources = [*range(start), *reversed(range(start, start + size)), *range(start + size, length)]
    return Edit(sources, _activities([place for place, source in enumerate(sources) if place != source]))


def skip_many(length: int, draws: CaseDraws) -> Edit:
    """Leave out three events or more, up to half the case, but not its ends; the activity of the event after them is marked."""
    size = draws.between(3, max(length // 2, 3))
    start = draws.between(1, length - size - 1)
    return Edit([*range(start), *range(start + size, length)], [(start, ACTIVITY)], skipped=range(start, start + size))


def _far_apart(length: int, draws: CaseDraws) -> tuple[int, int]:
    """Draw two positions at least half the case apart, with an event between them."""
    distance = draws.between(max((length + 1) // 2, 2), length - 1)
    first = draws.between(0, length - distance - 1)
    return first, first + distance


def _with_real_events(length: int, places: Sequence[int], real_event: RealEvent, draws: CaseDraws) -> Edit:
    """Insert an event at each of these places of the new case, in rising order."""
    sources = list(range(length))
    values: dict[tuple[int, int], int] = {}
    for place in places:
        sources.insert(place, NEW)
        values |= {(place, column): code for column, code in enumerate(real_event(draws))}
    return Edit(sources, list(values), values)


# --- times --------------------------------------------------------------------------------------------------------------------


_SHORTEST_WAIT = 60.0  # seconds: shorter ones cannot be too short
_LONGEST_WAIT = 10 * 365.25 * 86400


def change_wait(waits: Floats, usual: Floats, is_slow: bool, draws: CaseDraws) -> Edit | None:
    """Make one wait 10 to 100 times as long, or as short; the activity of the event after it is marked.

    ``waits`` are the seconds before each event of the case, NaN if unknown, and ``usual`` is the median for each pair of
    activities. A wait that is longer than usual is made still longer; one that is shorter, still shorter. None without a wait
    that can be changed.
    """
    both = np.fmax(waits, usual) if is_slow else np.fmin(waits, usual)
    can = np.flatnonzero((waits >= 0) & (both > 0 if is_slow else both >= _SHORTEST_WAIT))
    if not len(can):
        return None
    at = int(can[draws.below(len(can))])
    factor = 10 ** (1 + draws.below(1000) / 1000)
    wait = min(both[at] * factor, _LONGEST_WAIT) if is_slow else both[at] / factor
    return Edit(list(range(len(waits))), [(at, ACTIVITY)], delay=(at, float(wait - waits[at])))


def double_event(length: int, draws: CaseDraws) -> Edit:
    """Insert a copy of an event right after it, with all its values and its time; the copy is marked."""
    at = draws.between(0, length - 1)
    return Edit([*range(at + 1), *range(at, length)], [(at + 1, ACTIVITY)])


def waits_of(log: EventLog) -> Floats:
    """Return the seconds between each event and the one before it in its case; NaN at the start of a case, or without times.

    >>> times = np.array(["2024-01-01T00:00", "2024-01-01T00:01"], dtype="datetime64[us]")
    >>> waits_of(EventLog(["a"], [0, 0], [0, 2], ["1"], times)).tolist()
    [nan, 60.0]
    """
    waits = np.full(log.n_events, np.nan)
    if log.timestamps is not None:
        waits[1:] = np.diff(log.timestamps) / np.timedelta64(1, "s")
        waits[log.offsets[:-1]] = np.nan
    return waits


def pairs_of(log: EventLog) -> NDArray[np.int64]:
    """Return a number for each event and the activity before it in the order of the log, the same for the same pair."""
    return np.append(0, log.codes[:-1]) * np.int64(len(log.activities)) + log.codes


# --- which values -------------------------------------------------------------------------------------------------------------


_MOVES = {
    "skipped": skip_events,
    "repeated": repeat_events,
    "early": move_early,
    "late": move_late,
    "swapped": swap_events,
    CUT: cut_case,
    "copied": copy_far,
    "moved": move_far,
    "reversed": reverse_run,
    "gap": skip_many,
    DOUBLED: double_event,
}
_INSERTIONS = {"plausible": insert_real_events, "block": insert_block}
_SHORTEST = (
    {"gap": 5}
    | dict.fromkeys(("skipped", "early", "late", "swapped", "copied", "moved", "reversed"), 3)
    | dict.fromkeys(("repeated", "inserted", "plausible", CUT, "block", SLOW, FAST), 2)
    | dict.fromkeys(("attribute", FOREIGN, "replaced", DOUBLED), 1)
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
        return length >= _SHORTEST[kind] and (kind not in ("attribute", FOREIGN) or len(self.columns) > 1)

    @staticmethod
    def changes_flow(kind: str) -> bool:
        """Return whether an anomaly changes the sequence of activities."""
        return kind not in ("attribute", FOREIGN, SLOW, FAST)

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
        if kind in (SLOW, FAST):
            return change_wait(self._waits[start:end], self._usual_waits[start:end], kind == SLOW, draws)
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

    @cached_property
    def _waits(self) -> Floats:
        return waits_of(self.log)

    @cached_property
    def _usual_waits(self) -> Floats:
        """Return for each event the median wait of its pair of activities."""
        known = self._waits >= 0
        usual = np.full(self.log.n_events, np.nan)
        usual[known] = medians(self._waits[known], pairs_of(self.log)[known])
        return usual

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


# --- planting -----------------------------------------------------------------------------------------------------------------


_TRIES = 50  # how often a case is drawn again that came out as it was


class PlantedCase(NamedTuple):
    """Hold an anomaly: the number of its case, its kind, its edit, and whether the new sequence is a variant of the clean log."""

    case: int
    kind: str
    edit: Edit
    hidden: bool


@dataclass(frozen=True)
class PlantedLog:
    """Hold a copy of a log with planted anomalies, in the order of its cases; ``clean`` is the log before.

    ``cells`` says of each event whether its activity (first column) and its attributes (further columns) are anomalous; it is
    None if that is known of cases only. A detector may learn from the ``reference``, if there is one.
    """

    clean: EventLog
    log: EventLog
    anomalies: list[PlantedCase]
    cells: NDArray[np.bool_] | None
    reference: EventLog | None = None
    has_alarms: bool = False

    @property
    def planted_cases(self) -> NDArray[np.bool_]:
        """Return which cases are anomalous."""
        mask = np.zeros(self.log.n_cases, dtype=bool)
        mask[[anomaly.case for anomaly in self.anomalies]] = True
        return mask

    def cases_of(self, kind: str) -> list[int]:
        """Return the numbers of the cases with an anomaly of a kind."""
        return [anomaly.case for anomaly in self.anomalies if anomaly.kind == kind]


def plant(log: EventLog, name: str, task: str, seed: int = 0) -> PlantedLog:
    """Return a copy of a log with the anomalies of a task; the draws depend on the name of the log, the task and the seed.

    >>> clean = EventLog.from_traces([["a", "b", "c"]] * 200)
    >>> planted = plant(clean, "example", "known")
    >>> planted.log.n_cases, len(planted.anomalies)
    (200, 20)
    """
    recipe = TASKS[task]
    reference = None
    if recipe.has_reference:
        learned = random_words(seed_of("reference", name, seed), log.n_cases) < 2**63
        reference, log = cases_of(log, learned), cases_of(log, ~learned)
    words = random_words(seed_of("anomalies", name, task, seed), 2 * log.n_cases)
    values = PlantingValues(log, recipe.as_published)
    if recipe.as_published:
        chosen = np.flatnonzero(words[: log.n_cases] / 2.0**64 <= recipe.rate)
        edits = _draw_as_published(recipe, chosen, log, values, words[log.n_cases :])
    else:
        order = np.argsort(words[: log.n_cases], kind="stable")
        edits = _draw_until_changed(recipe, order, log, values, words[log.n_cases :])
    codes, offsets = log.variants.codes, log.variants.offsets
    variants = {codes[start:end].tobytes() for start, end in pairwise(offsets.tolist())}
    anomalies = [
        PlantedCase(case, kind, edit, values.changes_flow(kind) and values.new_codes(case, edit).tobytes() in variants)
        for case, (kind, edit) in sorted(edits.items())
    ]
    copy, cells = _copy(log, anomalies, values, has_times=task in TIMES or recipe.has_reference)
    return PlantedLog(log, copy, anomalies, cells, reference, recipe.has_alarms)


def _draw_as_published(
    task: Task, chosen: NDArray[np.int64], log: EventLog, values: PlantingValues, seeds: NDArray[np.uint64]
) -> dict[int, tuple[str, Edit]]:
    """Draw one anomaly for each chosen case; where it does not apply, the case stays as it is."""
    edits = {}
    lengths = log.lengths
    for case in chosen.tolist():
        draws = CaseDraws(int(seeds[case]))
        kind = task.kinds[draws.below(len(task.kinds))]
        if values.applies(kind, int(lengths[case])) and (edit := values.draw_edit(kind, case, draws)) is not None:
            edits[case] = kind, edit
    return edits


def _draw_until_changed(
    task: Task, order: NDArray[np.int64], log: EventLog, values: PlantingValues, seeds: NDArray[np.uint64]
) -> dict[int, tuple[str, Edit]]:
    """Draw anomalies for cases in a random order, until as many cases differ from before as the rate says, or none are left."""
    wanted = round(task.rate * log.n_cases)
    edits: dict[int, tuple[str, Edit]] = {}
    lengths = log.lengths
    for case in order.tolist():
        if len(edits) == wanted:
            break
        kinds = [kind for kind in task.kinds if values.applies(kind, int(lengths[case]))]
        if not kinds:
            continue
        draws = CaseDraws(int(seeds[case]))
        for _ in range(_TRIES):
            kind = kinds[draws.below(len(kinds))]
            edit = values.draw_edit(kind, case, draws)
            if edit is not None and (not values.changes_flow(kind) or values.differs(case, edit)):
                edits[case] = kind, edit
                break
    return edits


def _copy(
    log: EventLog, anomalies: list[PlantedCase], values: PlantingValues, has_times: bool
) -> tuple[EventLog, NDArray[np.bool_]]:
    """Put the copy together, with its marked cells: normal cases by arrays, anomalous ones event by event."""
    lengths = log.lengths.copy()
    for anomaly in anomalies:
        lengths[anomaly.case] = len(anomaly.edit.sources)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    sources = np.repeat(log.offsets[:-1] - offsets[:-1], lengths) + np.arange(offsets[-1])
    places: list[int] = []  # events of anomalous cases, and where they come from
    origins: list[int] = []
    changed: list[tuple[int, int, int]] = []  # event, column, code
    marked: list[tuple[int, int]] = []
    for case, _, edit, _ in anomalies:
        start, old = int(offsets[case]), int(log.offsets[case])
        places += range(start, start + len(edit.sources))
        origins += [old if source == NEW else old + source for source in edit.sources]  # a new event has only new values
        changed += [(start + position, column, code) for (position, column), code in edit.values.items()]
        marked += [(start + position, column) for position, column in edit.marked]
    sources[places] = origins
    columns = [codes[sources] for codes in values.columns]
    for event, column, code in changed:
        columns[column][event] = code
    cells = np.zeros((len(sources), len(columns)), dtype=bool)
    if marked:
        cells[tuple(np.array(marked).T)] = True
    attributes = {name: Attribute(values.names[i], columns[i]) for i, name in enumerate(log.attributes, 1)}
    ids = [str(case + 1) for case in range(log.n_cases)]
    times = None
    if has_times and log.timestamps is not None:
        times = log.timestamps[sources].astype("datetime64[us]")
        for case, _, edit, _ in anomalies:
            if edit.delay:
                at, seconds = edit.delay
                times[offsets[case] + at : offsets[case + 1]] += np.timedelta64(round(seconds * 1e6), "us")
    return EventLog(values.names[ACTIVITY], columns[ACTIVITY], offsets, ids, times, attributes=attributes), cells
