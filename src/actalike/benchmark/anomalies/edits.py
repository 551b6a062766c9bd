"""Define the six kinds of anomalies: what each makes of a case, and which of its cells are marked.

Each function takes the length of a case and its draws, and makes them in the order in which BPAD does. Positions count from 0.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from actalike.benchmark.anomalies.case_draws import CaseDraws

NEW = -1  # the source of an event that was not in the case before
ACTIVITY = 0  # the column of the activity; the attributes have those after it
_NO_VALUES: Mapping[tuple[int, int], int] = MappingProxyType({})


class Edit(NamedTuple):
    """Hold what an anomaly makes of a case.

    ``sources`` has for each event of the new case its position in the old one, or ``NEW``. ``marked`` are the anomalous cells, as
    position and column. ``values`` are the codes of cells with a new value. ``skipped`` are the old positions of events that are
    gone, and ``belongs`` is the new position before which moved events stood.
    """

    sources: list[int]
    marked: list[tuple[int, int]]
    values: Mapping[tuple[int, int], int] = _NO_VALUES
    skipped: range = range(0)
    belongs: int | None = None


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
