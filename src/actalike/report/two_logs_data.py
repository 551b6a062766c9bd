"""Gather all that the page of two logs shows, as plain data. Activities of each log are numbers, the most frequent is 0."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import count_windows, directly_follows
from actalike.labels import AT_LEAST, THIN_CASES
from actalike.log import EventLog
from actalike.report.drift_data import drift_data
from actalike.report.flow_data import follows_data, positions_data
from actalike.report.log_facts import log_facts
from actalike.report.understood import understood
from actalike.two_logs import SURE, Matching, SplitStep, Unmatched, match, top_terms

MOST_ACTIVITIES = 1000  # of each log, the most frequent ones: what the page shows
CANDIDATES = 5  # of each activity
REASONS = 6  # of each pair that is explained
STEPS = 5  # that two_logs_data reports as done
_EXPLAINED = 200  # candidates, beside the pairs that are proposed
_TERMS = 160_000_000  # of scores that are looked at for reasons, so that of large logs fewer pairs are explained
_LEAST = 0.005  # a candidate that is less likely is none

Progress = Callable[[str], object]
Codes = NDArray[np.int64]


def two_logs_data(
    log_a: EventLog,
    log_b: EventLog,
    known: dict[str, str],
    use_labels: bool = False,
    done: Progress = lambda step: None,
    *,
    at_least: float = SURE,
    least: float = AT_LEAST,
    apart: Iterable[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return what the page shows. The same arguments give the same data.

    Pairs that are ``at_least`` so likely count as accepted; on the page that can be lowered to ``least``. Those that a person has
    decided to be ``apart`` are not proposed.
    """
    matching = match(log_a, log_b, known, use_labels, apart=apart)
    done("activities matched")
    order_a, order_b = _most_frequent(log_a), _most_frequent(log_b)
    number_a, number_b = _numbers(log_a, order_a), _numbers(log_b, order_b)
    logs = [_log_data(log_a, order_a, number_a), _log_data(log_b, order_b, number_b)]
    done("flows counted")
    pairs = [
        [number_a[a], number_b[b], _short(probability)] for a, b, probability in matching.pairs if a in number_a and b in number_b
    ]
    splits = [data for split in matching.splits if (data := _split_data(split, number_a, number_b)) is not None]
    probabilities = matching.probabilities()[np.ix_(order_a, order_b)]
    candidates = [_candidates(probabilities), _candidates(probabilities.T)]
    most = _TERMS // (len(log_a.activities) * len(log_b.activities))
    explained = _explained_pairs(pairs, splits, candidates[0])[:most]
    reasons = [[i, j, _reasons(matching, log_a, log_b, order_a[i], order_b[j], number_a, number_b)] for i, j in sorted(explained)]
    done("reasons written")
    accepted = _accepted(matching, at_least)
    changes = drift_data(log_a, log_b, accepted, number_a, number_b)
    done("changes found")
    return {
        "logs": logs,
        "pairs": pairs,
        "splits": splits,
        "known": [[number_a[a], number_b[b]] for a, b in matching.known.items() if a in number_a and b in number_b],
        "alone": [_alone(matching.unmatched_a, number_a), _alone(matching.unmatched_b, number_b)],
        "candidates": candidates,
        "reasons": reasons,
        "drift": changes,
        "numbers": {  # of all labels, also those that are not shown
            "pairs": len(matching.pairs),
            "doubtful": sum(pair.probability < SURE for pair in matching.pairs),
            "splits": len(matching.splits),
            "unmatched_a": _number_alone(matching.unmatched_a, matching.splits, "b"),
            "unmatched_b": _number_alone(matching.unmatched_b, matching.splits, "a"),
        },
        "use_labels": use_labels,
        "at_least": at_least,
        "least": least,
        "sure": SURE,
        "thin_cases": THIN_CASES,
    }


def _most_frequent(log: EventLog) -> Codes:
    order: Codes = np.lexsort((np.arange(len(log.activities)), -log.activity_counts))[:MOST_ACTIVITIES]
    return order


def _numbers(log: EventLog, order: Codes) -> dict[str, int]:
    return {log.activities[code]: i for i, code in enumerate(order.tolist())}


def _log_data(log: EventLog, order: Codes, number: dict[str, int]) -> dict[str, Any]:
    """Return one log: its facts, how it was read, its labels with their figures, and what follows what."""
    data = {
        "digest": log.digest,
        "facts": log_facts(log),
        "labels": list(number),
        **understood(log, list(number)),
        "counts": log.activity_counts[order].tolist(),
        "cases": log.activity_cases[order].tolist(),
        "positions": [row[5] for row in positions_data(log, order)],
        "follows": follows_data(directly_follows(count_windows(log, 2)), number),
    }
    if len(order) < len(log.activities):
        shown = int(log.activity_counts[order].sum())
        data["left_out"] = {"activities": len(log.activities) - len(order), "events": log.n_events - shown}
    return data


def _split_data(split: Any, number_a: dict[str, int], number_b: dict[str, int]) -> list[Any] | None:
    """Return the side, the number of the one label, those of its parts, and the probability; None if a label is not shown."""
    one, other = (number_a, number_b) if split.side == "a" else (number_b, number_a)
    if split.activity not in one or any(part not in other for part in split.parts):
        return None
    side = 0 if split.side == "a" else 1
    return [side, one[split.activity], [other[part] for part in split.parts], _short(split.probability)]


def _accepted(matching: Matching, at_least: float) -> list[tuple[str, str]]:
    """Return the pairs that count as accepted, the further ones of split steps after the partners."""
    partners = {(a, b): probability for a, b, probability in matching.pairs}
    pairs = [pair for pair, probability in partners.items() if probability >= at_least]
    for split in matching.splits:
        if split.probability >= at_least:
            parts = [(split.activity, part) if split.side == "a" else (part, split.activity) for part in split.parts]
            pairs += [pair for pair in parts if pair not in partners]
    return list(dict.fromkeys(pairs))


def _number_alone(unmatched: list[Unmatched], splits: list[SplitStep], other: str) -> int:
    """Return how many labels of a log are in no step; those of a step that has one label on the ``other`` side are in it."""
    parts = {part for split in splits if split.side == other for part in split.parts}
    return sum(one.activity not in parts for one in unmatched)


def _alone(unmatched: list[Any], number: dict[str, int]) -> list[list[float]]:
    """Return the labels without a partner, each with the probability that it has none."""
    return [[number[activity], _short(probability)] for activity, probability in unmatched if activity in number]


def _candidates(probabilities: NDArray[np.float64]) -> list[list[list[float]]]:
    """Return the likeliest partners of each activity, each with its probability."""
    best = np.argsort(-probabilities.round(9), axis=1, kind="stable")[:, :CANDIDATES]
    return [
        [[j, _short(row[j])] for j in near if row[j] >= _LEAST] for row, near in zip(probabilities, best.tolist(), strict=True)
    ]


def _explained_pairs(
    pairs: list[list[Any]], splits: list[list[Any]], candidates: list[list[list[float]]]
) -> list[tuple[int, int]]:
    """Return the pairs whose reasons the page has: those that are proposed, the most frequent labels first, then candidates."""
    chosen = {(i, j): None for i, j, _ in sorted(pairs)}
    for side, one, parts, _ in splits:
        chosen.update({((one, part) if side == 0 else (part, one)): None for part in parts})
    limit = len(chosen) + _EXPLAINED
    for place in range(CANDIDATES):
        for i, near in enumerate(candidates):
            if place < len(near) and len(chosen) < limit:
                chosen[i, int(near[place][0])] = None
    return list(chosen)


def _reasons(
    matching: Matching, log_a: EventLog, log_b: EventLog, a: int, b: int, number_a: dict[str, int], number_b: dict[str, int]
) -> list[list[float]]:
    """Return the largest terms of a score: share, offset, both neighbours as numbers, and 1 if both are seldom with these.

    The neighbour -1 is the outside of the case, and -2 one that is not shown.
    """
    terms = top_terms(matching, log_a.activities[a], log_b.activities[b], REASONS)
    return [
        [
            round(float(term.share), 4),
            int(term.offset),
            _number(term.neighbour_a, number_a),
            _number(term.neighbour_b, number_b),
            int(term.seldom),
        ]
        for term in terms
        if abs(term.share) >= _LEAST
    ]


def _number(label: str | None, number: dict[str, int]) -> int:
    return -1 if label is None else number.get(label, -2)


def _short(probability: float) -> float:
    """Round a probability, and keep what is not certain below 1 and what is not impossible above 0."""
    if probability in (0, 1):
        return float(probability)
    return min(max(round(float(probability), 4), 0.0001), 0.9999)
