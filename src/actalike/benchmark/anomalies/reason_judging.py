"""Judge the reasons of a detector: does the strongest reason of a planted case name its place, its kind and what was expected?"""

from collections import Counter

import numpy as np

from actalike.benchmark.anomalies.contract import Answer
from actalike.benchmark.anomalies.edits import NEW
from actalike.benchmark.anomalies.planting import PlantedCase, PlantedLog
from actalike.benchmark.anomalies.tasks import CUT, FOREIGN, NAMED_AS
from actalike.oddities import OddEvent

REASON_FIGURES = ("place", "place_chance", "expected", "kind", "place_visible", "expected_visible", "kind_visible")
NO_REASON = "none"
_MOST = 1000  # planted cases whose reasons are asked for
_FIRST = 3  # how many of the expected activities count


def judge_reasons(answer: Answer, planted: PlantedLog) -> tuple[dict[str, float], Counter[tuple[str, str]]]:
    """Return the shares of planted cases whose strongest reason is right, and how often each kind got each name.

    ``place_chance`` is the share that would name a planted place if an event were drawn at random from each of these cases.
    ``visible`` are the cases whose sequence of activities is not a variant of the clean log. Of many planted cases, as many as
    are asked for are spread evenly over the log.
    """
    anomalies = planted.anomalies
    if len(anomalies) > _MOST:
        anomalies = [anomalies[i] for i in np.linspace(0, len(anomalies) - 1, _MOST).round().astype(int)]
    reasons = answer.reasons([anomaly.case for anomaly in anomalies])
    right = np.array(
        [
            (
                reason is not None and names_place(reason, anomaly, planted),
                reason is not None and names_expected(reason, anomaly, planted),
                np.nan if anomaly.kind not in NAMED_AS else reason is not None and reason.kind == NAMED_AS[anomaly.kind],
            )
            for reason, anomaly in zip(reasons, anomalies, strict=True)
        ],
        dtype=float,
    )
    visible = np.array([not anomaly.hidden for anomaly in anomalies])
    place, expected, kind = right.mean(axis=0)
    chance = np.mean([len({position for position, _ in one.edit.marked}) / len(one.edit.sources) for one in anomalies])
    of_visible = right[visible].mean(axis=0) if visible.any() else [np.nan] * 3
    shares = [place, chance, expected, kind, *of_visible]
    named = Counter(
        (anomaly.kind, NO_REASON if reason is None else reason.kind) for reason, anomaly in zip(reasons, anomalies, strict=True)
    )
    return dict(zip(REASON_FIGURES, map(float, shares), strict=True)), named


def names_place(reason: OddEvent, anomaly: PlantedCase, planted: PlantedLog) -> bool:
    """Return whether one of the events of a reason has a marked cell; for attributes, in the column of that attribute."""
    return bool(_named_cells(reason, anomaly, planted))


def _named_cells(reason: OddEvent, anomaly: PlantedCase, planted: PlantedLog) -> list[tuple[int, int]]:
    """Return the marked cells that a reason names."""
    positions = {reason.position, *reason.events}
    if (
        anomaly.kind == CUT and len(anomaly.edit.sources) in positions
    ):  # the end of the case: what is missing there is the anomaly
        positions.add(len(anomaly.edit.sources) - 1)
    cells = [cell for cell in anomaly.edit.marked if cell[0] in positions]
    if reason.attribute is None:
        return cells
    names = ["", *planted.log.attributes]
    return [cell for cell in cells if names[cell[1]] == reason.attribute]


def names_expected(reason: OddEvent, anomaly: PlantedCase, planted: PlantedLog) -> bool:
    """Return whether a reason names the planted place, and there what stood there before.

    That is one of the skipped activities, the old place of moved events, the old value of an attribute, or else the activity that
    came after the one before the place in the clean log. Of the expected ones, the first three count.
    """
    cells = _named_cells(reason, anomaly, planted)
    if not cells:
        return False
    clean, edit = planted.clean, anomaly.edit
    start, end = (int(bound) for bound in clean.offsets[anomaly.case : anomaly.case + 2])
    expected = {value for value, _, _ in reason.expected[:_FIRST]}
    if anomaly.kind in ("attribute", FOREIGN):
        if reason.attribute is None:
            return False
        values: list[str | None] = [*clean.attributes[reason.attribute].values, None]  # a missing value, -1, is the last
        codes = clean.attributes[reason.attribute].codes
        return any(values[codes[start + position]] in expected for position, _ in cells)
    labels = [*(clean.activities[code] for code in clean.codes[start:end]), None]  # None: the end of the case
    if any(labels[position] in {*reason.missing, *expected} for position in edit.skipped):
        return True
    if edit.belongs is not None and reason.belongs == edit.belongs:
        return True
    before = edit.sources[reason.position - 1] if reason.position else -1  # -1: the start of the case
    return not (reason.position and before == NEW) and labels[before + 1] in expected
