"""Score what a detector says of a log against what was planted: rankings of cases, events and cells, and reasons.

Scores that are equal (to 12 decimals) are one threshold. A reason is judged by whether the strongest one of a planted case
names its place, its kind and what was expected.
"""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np

from actalike.benchmark.scoring import (
    Floats,
    Mask,
    Tally,
    area_under_curve,
    calibration_error,
    of_likely,
    plain_figures,
    tally_answers,
)
from actalike.benchmark.tasks.detectors import Answer
from actalike.benchmark.tasks.planted_anomalies import (
    CUT,
    FOREIGN,
    NAMED_AS,
    NEW,
    PLANTED,
    PlantedCase,
    PlantedLog,
    PlantingValues,
)
from actalike.log import first_equal_cases
from actalike.oddities import OddEvent


class RankingScores(NamedTuple):
    """Hold how well scores find what was planted; NaN if nothing was.

    - ``f``: the largest F over all thresholds, so the threshold is chosen with the answers.
    - ``ap``: average precision, the sum over thresholds of the gain in recall times the precision.
    - ``share``: the share of planted ones, which is the ``ap`` of scores without information.
    - ``threshold``: the score from which on alarm is given for ``f``.
    """

    f: float
    ap: float
    share: float
    threshold: float


def ranking_scores(scores: Floats, planted: Mask) -> RankingScores:
    """Score a ranking, higher scores first.

    >>> ranking_scores(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]))
    RankingScores(f=0.8, ap=0.8333333333333333, share=0.5, threshold=2.0)
    """
    n_planted = int(planted.sum())
    if not n_planted:
        return RankingScores(math.nan, math.nan, 0.0, math.nan)
    values = scores.round(12)
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # the last of each group of equal scores
    hits = np.cumsum(planted[order])[ends]
    precision = hits / (ends + 1)
    f = 2 * hits / (ends + 1 + n_planted)
    best = int(np.argmax(f))
    ap = float((np.diff(hits, prepend=0) * precision).sum() / n_planted)
    return RankingScores(float(f[best]), ap, n_planted / len(planted), float(ordered[ends[best]]))


def f_at(scores: Floats, planted: Mask, threshold: float) -> float:
    """Return F if alarm is given from a score on; NaN if nothing was planted.

    >>> f_at(np.array([3.0, 2.0, 1.0]), np.array([True, False, False]), 2.0).__round__(3)
    0.667
    """
    alarm = scores.round(12) >= threshold
    n_planted = int(planted.sum())
    return 2 * int((alarm & planted).sum()) / (int(alarm.sum()) + n_planted) if n_planted else math.nan


def recall_of_highest(scores: Floats, planted: Mask, share: float) -> float:
    """Return how many of the planted ones are in the highest share of the scores, in expectation over all orders of ties.

    The share is rounded up to whole ones. NaN if nothing was planted.

    >>> recall_of_highest(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]), 0.5)
    0.75
    """
    if not planted.any():
        return math.nan
    n = int(np.ceil(share * len(scores) - 1e-9))
    values = scores.round(12)
    last = np.partition(values, len(values) - n)[len(values) - n]
    higher, tied = values > last, values == last
    return float((planted[higher].sum() + (n - higher.sum()) * planted[tied].mean()) / planted.sum())


# --- an answer, judged --------------------------------------------------------------------------------------------------------


REASON_FIGURES = ("place", "place_chance", "expected", "kind", "place_visible", "expected_visible", "kind_visible")
NO_REASON = "none"
_MOST = 1000  # planted cases whose reasons are asked for
_FIRST = 3  # how many of the expected activities count
LEVELS = ("trace", "event", "cell")
HIGHEST = {"precision1": 0.01, "precision5": 0.05, "precision10": 0.1}
BUDGET = 0.01  # of all events
KIND_FIGURES = tuple(f"{figure}_{kind}" for kind in PLANTED for figure in ("ap", "share"))
LEVEL_FIGURES = tuple(f"{level}_{figure}" for level in LEVELS for figure in ("f", "ap", "share"))
LEARNT = tuple(f"{level}_learnt_f" for level in LEVELS)
PROMISED = {"promised1": 0.01, "promised5": 0.05}  # shares of the normal cases that may be called odd
ALARMS = ("own_f", "own_precision", "own_recall", "false_alarms", "rare_share", "rare_called", "others_called", *PROMISED)
CALIBRATION = ("ece", "ece_likely")
MEANS = ("mean_ap", "mean_f", "mean_auc")  # of cases, by the mean over their events
COST = ("seconds", "bytes")
FIGURES: tuple[str, ...] = (
    *LEVEL_FIGURES,
    "trace_auc",
    *LEARNT,
    *ALARMS,
    *CALIBRATION,
    *MEANS,
    *KIND_FIGURES,
    *HIGHEST,
    "event_recall",
    "hidden",
    "visible_ap",
    *REASON_FIGURES,
    *COST,
)
Figures = dict[str, float | None]  # by the names of FIGURES; None where there is no value


class Judged(NamedTuple):
    """Hold the figures of a detector, its best thresholds by level, planted x named kinds, and its probabilities of cases.

    The last two are None if it gives no reasons, or no probabilities.
    """

    figures: Figures
    thresholds: dict[str, float]
    named: Counter[tuple[str, str]] | None
    probabilities: Tally | None


def judge(answer: Answer, planted: PlantedLog) -> Judged:
    """Judge an answer."""
    cases = planted.planted_cases
    figures: dict[str, float] = {"trace_auc": area_under_curve(answer.cases, cases)}
    thresholds = {}
    for level, (scores, truth) in _levels(answer, planted).items():
        f, ap, _, thresholds[level] = ranking_scores(scores, truth)
        n_ends = 0 if level == "trace" else len(answer.ends)
        figures |= {f"{level}_f": f, f"{level}_ap": ap, f"{level}_share": float(truth.sum() / (len(truth) - n_ends))}
    for kind in PLANTED:
        of_kind = planted.cases_of(kind)
        if of_kind:
            figures[f"ap_{kind}"], figures[f"share_{kind}"] = _ap_of_some(answer.cases, cases, of_kind)
    n_planted = int(cases.sum())
    for name, highest in HIGHEST.items():
        n = math.ceil(highest * len(cases) - 1e-9)
        figures[name] = min(recall_of_highest(answer.cases, cases, highest) * n_planted / n, 1.0)  # above 1 by rounding only
    named = None
    if planted.cells is None:
        figures |= _figures_of_means(answer, planted)
    else:
        if answer.events is not None:
            figures["event_recall"] = recall_of_highest(answer.events, _any(planted.cells), BUDGET)
        in_flow = [anomaly for anomaly in planted.anomalies if PlantingValues.changes_flow(anomaly.kind)]
        figures["hidden"] = sum(anomaly.hidden for anomaly in in_flow) / len(in_flow) if in_flow else math.nan
        visible = [anomaly.case for anomaly in planted.anomalies if not anomaly.hidden]
        figures["visible_ap"], _ = _ap_of_some(answer.cases, cases, visible)
        if answer.gives_reasons and planted.anomalies:
            of_reasons, named = judge_reasons(answer, planted)
            figures |= of_reasons
    probabilities = None
    if planted.has_alarms:
        figures |= judge_alarms(answer, planted)
        if answer.probabilities is not None:
            probabilities = tally_answers(answer.probabilities, cases.astype(np.float64))
            errors = (calibration_error(probabilities), calibration_error(of_likely(probabilities)))
            figures |= {name: math.nan if error is None else error for name, error in zip(CALIBRATION, errors, strict=True)}
    return Judged(plain_figures(figures), thresholds, named, probabilities)


def judge_alarms(answer: Answer, planted: PlantedLog) -> dict[str, float]:
    """Return how right a detector is in calling cases odd, of those that it calls so by itself, or for a promised rate.

    Normal are the cases where nothing was planted. A normal case is *rare* if no other case has its sequence of activities.
    """
    cases = planted.planted_cases
    first = first_equal_cases(planted.log.codes, planted.log.offsets)
    rare = ~cases & (np.bincount(first, minlength=len(cases))[first] == 1)
    figures = {"rare_share": float(rare.mean())}
    if (called := answer.called) is not None:
        right, n_called, n_planted = int((called & cases).sum()), int(called.sum()), int(cases.sum())
        if n_planted:
            figures |= {"own_f": 2 * right / (n_called + n_planted), "own_recall": right / n_planted}
            figures["own_precision"] = right / n_called if n_called else math.nan
        for name, some in (("false_alarms", ~cases), ("rare_called", rare), ("others_called", ~cases & ~rare)):
            figures[name] = float(called[some].mean()) if some.any() else math.nan
    for name, rate in PROMISED.items():
        if (alarms := answer.alarms(rate)) is not None:
            figures[name] = float(alarms[~cases].mean())
    return figures


def _figures_of_means(answer: Answer, planted: PlantedLog) -> dict[str, float]:
    """Return figures of cases that have the mean score of their events: in long ones the highest says little."""
    if answer.events is None:
        return {}
    cases, log = planted.planted_cases, planted.log
    means = np.add.reduceat(answer.events, log.offsets[:-1]) / log.lengths
    f, ap, _, _ = ranking_scores(means, cases)
    return {"mean_ap": ap, "mean_f": f, "mean_auc": area_under_curve(means, cases)}


def learnt_f(answer: Answer, planted: PlantedLog, thresholds: dict[str, float]) -> Figures:
    """Return F of each level at thresholds that are best on another copy."""
    levels = _levels(answer, planted)
    return plain_figures({f"{level}_learnt_f": f_at(*levels[level], threshold) for level, threshold in thresholds.items()})


def _levels(answer: Answer, planted: PlantedLog) -> dict[str, tuple[Floats, Mask]]:
    """Return scores and truth of each level. The ends of cases are events and cells where nothing is planted, as in BPAD."""
    levels = {"trace": (answer.cases, planted.planted_cases)}
    if planted.cells is None:
        return levels
    nothing = np.zeros(len(answer.ends), dtype=bool)
    if answer.events is not None:
        levels["event"] = np.append(answer.events, answer.ends), np.append(_any(planted.cells), nothing)
    if answer.cells is not None:
        levels["cell"] = np.append(answer.cells, answer.ends), np.append(planted.cells, nothing)
    return levels


def _ap_of_some(scores: Floats, planted: Mask, some: list[int]) -> tuple[float, float]:
    """Return the average precision of some planted cases against the normal ones, and their share; other planted are left out."""
    chosen = np.zeros(len(planted), dtype=bool)
    chosen[some] = True
    kept = chosen | ~planted
    _, ap, share, _ = ranking_scores(scores[kept], chosen[kept])
    return ap, share


def _any(cells: Mask) -> Mask:
    return np.asarray(cells.any(axis=1))


# --- reasons ------------------------------------------------------------------------------------------------------------------


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
