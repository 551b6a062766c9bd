"""Judge what a detector says of one copy of a log: its figures by name, and how it named the planted kinds."""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np

from actalike.benchmark.anomalies.contract import Answer
from actalike.benchmark.anomalies.metrics import Floats, Mask, f_at, ranking_scores, recall_of_highest
from actalike.benchmark.anomalies.planting import PlantedLog
from actalike.benchmark.anomalies.reason_judging import REASON_FIGURES, judge_reasons
from actalike.benchmark.anomalies.tasks import PLANTED

LEVELS = ("trace", "event", "cell")
HIGHEST = {"precision1": 0.01, "precision5": 0.05, "precision10": 0.1}
BUDGET = 0.01  # of all events
KIND_FIGURES = tuple(f"{figure}_{kind}" for kind in PLANTED for figure in ("ap", "share"))
LEVEL_FIGURES = tuple(f"{level}_{figure}" for level in LEVELS for figure in ("f", "ap", "share"))
LEARNT = tuple(f"{level}_learnt_f" for level in LEVELS)
COST = ("seconds", "bytes")
ALWAYS = ("trace_f", "trace_ap", "trace_share", *HIGHEST, "hidden", "visible_ap", *COST)  # what every detector has
TOGETHER = (  # figures of which a detector has all or none
    ("event_f", "event_ap", "event_share", "event_recall"),
    ("cell_f", "cell_ap", "cell_share"),
    REASON_FIGURES,
    *((f"ap_{kind}", f"share_{kind}") for kind in PLANTED),
)
FIGURES: tuple[str, ...] = (
    *LEVEL_FIGURES,
    *LEARNT,
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
    """Hold the figures of a detector, its best thresholds by level, and planted x named kinds, None without reasons."""

    figures: Figures
    thresholds: dict[str, float]
    named: Counter[tuple[str, str]] | None


def judge(answer: Answer, planted: PlantedLog) -> Judged:
    """Judge an answer."""
    figures: dict[str, float] = {}
    thresholds = {}
    for level, (scores, truth) in _levels(answer, planted).items():
        f, ap, _, thresholds[level] = ranking_scores(scores, truth)
        figures |= {f"{level}_f": f, f"{level}_ap": ap}
    cases = planted.planted_cases
    for level, truth in zip(LEVELS, (cases, _any(planted.cells), planted.cells), strict=True):
        if level in thresholds:
            figures[f"{level}_share"] = float(truth.mean())
    for kind in PLANTED:
        of_kind = planted.cases_of(kind)
        if of_kind:
            figures[f"ap_{kind}"], figures[f"share_{kind}"] = _ap_of_some(answer.cases, cases, of_kind)
    n_planted = int(cases.sum())
    for name, highest in HIGHEST.items():
        n = math.ceil(highest * len(cases) - 1e-9)
        figures[name] = min(recall_of_highest(answer.cases, cases, highest) * n_planted / n, 1.0)  # above 1 by rounding only
    if answer.events is not None:
        figures["event_recall"] = recall_of_highest(answer.events, _any(planted.cells), BUDGET)
    in_flow = [anomaly for anomaly in planted.anomalies if anomaly.kind not in ("attribute", "foreign")]
    figures["hidden"] = sum(anomaly.hidden for anomaly in in_flow) / len(in_flow) if in_flow else math.nan
    visible = [anomaly.case for anomaly in planted.anomalies if not anomaly.hidden]
    figures["visible_ap"], _ = _ap_of_some(answer.cases, cases, visible)
    named = None
    if answer.gives_reasons and planted.anomalies:
        of_reasons, named = judge_reasons(answer, planted)
        figures |= of_reasons
    return Judged(plain(figures), thresholds, named)


def learnt_f(answer: Answer, planted: PlantedLog, thresholds: dict[str, float]) -> Figures:
    """Return F of each level at thresholds that are best on another copy."""
    levels = _levels(answer, planted)
    return plain({f"{level}_learnt_f": f_at(*levels[level], threshold) for level, threshold in thresholds.items()})


def plain(figures: dict[str, float]) -> Figures:
    """Return figures as result files hold them: None where there is no value."""
    return {name: None if math.isnan(value) else float(value) for name, value in figures.items()}


def _levels(answer: Answer, planted: PlantedLog) -> dict[str, tuple[Floats, Mask]]:
    """Return scores and truth of each level. The ends of cases are events and cells where nothing is planted, as in BPAD."""
    levels = {"trace": (answer.cases, planted.planted_cases)}
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
