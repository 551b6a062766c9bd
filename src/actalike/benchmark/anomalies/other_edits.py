"""Define anomalies outside the six kinds: what each makes of a case, and which of its cells are marked.

A detector that undoes slips of the six kinds knows those beforehand. The edits here are not among them, or their values are
plausible: they show what is found of an anomaly that nobody thought of.
"""

from collections.abc import Callable, Sequence

from actalike.benchmark.anomalies.case_draws import CaseDraws
from actalike.benchmark.anomalies.edits import ACTIVITY, NEW, Edit

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


def _with_real_events(length: int, places: Sequence[int], real_event: RealEvent, draws: CaseDraws) -> Edit:
    """Insert an event at each of these places of the new case, in rising order."""
    sources = list(range(length))
    values: dict[tuple[int, int], int] = {}
    for place in places:
        sources.insert(place, NEW)
        values |= {(place, column): code for column, code in enumerate(real_event(draws))}
    return Edit(sources, list(values), values)
