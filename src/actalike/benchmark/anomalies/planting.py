"""Plant anomalies into a copy of a log: some cases are edited, and it is known which of their cells are anomalous."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.anomalies.case_draws import CaseDraws
from actalike.benchmark.anomalies.edits import ACTIVITY, NEW, Edit
from actalike.benchmark.anomalies.planting_values import PlantingValues
from actalike.benchmark.anomalies.tasks import TASKS, Task
from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.log import Attribute, EventLog

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

    ``cells`` says of each event whether its activity (first column) and its attributes (further columns) are anomalous.
    """

    clean: EventLog
    log: EventLog
    anomalies: list[PlantedCase]
    cells: NDArray[np.bool_]

    @property
    def planted_cases(self) -> NDArray[np.bool_]:
        """Return which cases are anomalous."""
        mask = np.zeros(self.log.n_cases, dtype=bool)
        mask[[anomaly.case for anomaly in self.anomalies]] = True
        return mask

    def cases_of(self, kind: str) -> list[int]:
        """Return the numbers of the cases with an anomaly of a kind."""
        return [anomaly.case for anomaly in self.anomalies if anomaly.kind == kind]


def plant(log: EventLog, name: str, task: str, seed: int = 0, rate: float | None = None) -> PlantedLog:
    """Return a copy of a log with the anomalies of a task; the draws depend on the name of the log, the task and the seed.

    ``rate`` is the share of the cases, in place of that of the task. Of two rates, the lower one changes some of the cases that
    the higher one changes, in the same way.

    >>> clean = EventLog.from_traces([["a", "b", "c"]] * 200)
    >>> planted = plant(clean, "example", "known")
    >>> planted.log.n_cases, len(planted.anomalies)
    (200, 20)
    """
    recipe = TASKS[task] if rate is None else TASKS[task]._replace(rate=rate)
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
    return _copy(log, anomalies, values)


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


def _copy(log: EventLog, anomalies: list[PlantedCase], values: PlantingValues) -> PlantedLog:
    """Put the copy together: normal cases by arrays, anomalous ones event by event."""
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
    copy = EventLog(values.names[ACTIVITY], columns[ACTIVITY], offsets, ids, attributes=attributes)
    return PlantedLog(log, copy, anomalies, cells)
