"""Write the page of two logs, in a single file: which activities are the same step, how the flows differ, and what changed.

Activities of each log are numbers on the page, the most frequent is 0.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, directly_follows, log_or_variants
from actalike.errors import ActalikeError
from actalike.io import LogLike
from actalike.labels import AT_LEAST, THIN_CASES, check_probability
from actalike.log import AnyLog, Variants
from actalike.report.html_report import Relabelling
from actalike.report.log_data import follows_data, log_facts, positions_data, understood
from actalike.report.single_file import keep_other_files, single_file
from actalike.support.files import write_atomically
from actalike.support.progress import tracked
from actalike.two_logs import (
    SURE,
    Matching,
    MatchingDecisions,
    MatchingWords,
    NeighbourChange,
    SplitStep,
    Unmatched,
    drift,
    match,
    matching_content,
)

MOST_ACTIVITIES = 1000  # of each log, the most frequent ones: what the page shows
CANDIDATES = 5  # of each activity
STEPS = 5  # that two_logs_data reports as done
_EXPLAINED = 200  # candidates, beside the pairs that are proposed
_LEAST = 0.005  # a candidate that is less likely is none
CHANGED = 60  # activities that the page lists
_NEIGHBOURS = 4  # of those that came, and of those that went
_NOTABLE = 0.01  # a difference of shares below it is not worth a line
_STYLES = ["shared/page.css", "shared/pictures.css", "shared/session.css", "shared/understood.css", "two_logs/two_logs.css"]
IN_PYTHON = Relabelling("In Python:", 'actalike.relabel(log_b, actalike.read_matching_decisions("decisions.json"))')

Progress = Callable[[str], object]
Codes = NDArray[np.int64]
Numbers = dict[str, int]


class WrittenMatchingReport(NamedTuple):
    """Describe a page of two logs that was written: its file, its size, how many labels are matched and how many are not.

    ``doubtful`` of the ``pairs`` are less than 80 % likely.
    """

    path: Path
    bytes: int
    activities_a: int
    activities_b: int
    pairs: int
    doubtful: int
    splits: int
    unmatched_a: int
    unmatched_b: int


def write_matching_report(
    log_a: LogLike | Variants,
    log_b: LogLike | Variants,
    path: str | Path,
    names: tuple[str, str] = ("Log A", "Log B"),
    done: Progress = lambda step: None,
    *,
    use_labels: bool = False,
    at_least: float | None = None,
    decisions: MatchingDecisions | None = None,
    relabelling: Relabelling = IN_PYTHON,
    overwrite: bool = False,
) -> WrittenMatchingReport:
    """Write the page of two logs as one HTML file; the same logs and arguments give the same bytes.

    Both logs are an EventLog, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py. Their activities are
    matched as :func:`actalike.match` does, with ``use_labels`` by their texts too. ``names`` are those of the logs on the page.
    actalike accepts the pairs whose probability is ``at_least`` so large (0.8, or as the ``decisions`` say); the others are
    undecided. ``done`` is called after each of the 5 steps with what was done. The page begins with ``decisions``
    (:func:`actalike.read_matching_decisions`): what a person accepted counts as known. ``relabelling`` is the command
    that the page shows for relabelling the second log. A page of actalike at ``path`` is replaced, any other file only with
    ``overwrite``.

    >>> import tempfile
    >>> from actalike import EventLog
    >>> log_a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 20)
    >>> log_b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_matching_report(log_a, log_b, f"{folder}/two.html")
    >>> report.pairs, report.bytes < 5_000_000
    (4, True)
    """
    keep_other_files(path, overwrite)
    log_a, log_b = (log_or_variants(log, "write_matching_report") for log in (log_a, log_b))
    if at_least is not None:
        check_probability(at_least)
    if decisions is not None and not isinstance(decisions, MatchingDecisions):
        raise ActalikeError(
            f"decisions={type(decisions).__name__} is not MatchingDecisions: use actalike.read_matching_decisions(...) first."
        )
    least = AT_LEAST if at_least is None else at_least
    if at_least is None:
        at_least = SURE if decisions is None else max(AT_LEAST, decisions.at_least)
    known, apart = ({}, []) if decisions is None else _certain(decisions, log_a.activities, log_b.activities)
    with tracked("writing the report", STEPS) as advance:

        def finished(step: str) -> None:
            advance(step)
            done(step)

        data = two_logs_data(log_a, log_b, known, use_labels, finished, at_least=at_least, least=least, apart=apart)
        for log_data, name in zip(data["logs"], names, strict=True):
            log_data["title"] = name.encode(errors="replace").decode()  # the name of a file need not be UTF-8
        data["decisions"] = None if decisions is None else matching_content(decisions)
        data["relabelling"] = relabelling._asdict()
        title = f"{names[0]} and {names[1]}"
        content = single_file("two_logs/page.html", _STYLES, "two_logs/main.js", data, title).encode()
        write_atomically(path, lambda part: part.write_bytes(content))
    sizes = len(log_a.activities), len(log_b.activities)
    return WrittenMatchingReport(Path(path), len(content), *sizes, **data["numbers"])


def _certain(
    decisions: MatchingDecisions, labels_a: list[str], labels_b: list[str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the pairs that a person accepted, and those rejected, as far as the logs have their labels.

    The page names the others.
    """
    here_a, here_b = set(labels_a), set(labels_b)
    known = {a: b for a, b in decisions.known().items() if a in here_a and b in here_b}
    return known, [(a, b) for a, b in decisions.apart(labels_a, labels_b) if a in here_a and b in here_b]


def two_logs_data(
    log_a: AnyLog,
    log_b: AnyLog,
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
    sides = ((log_a, matching.windows_a, order_a, number_a), (log_b, matching.windows_b, order_b, number_b))
    logs = [_log_data(*side) for side in sides]
    done("flows counted")
    pairs = [
        [number_a[a], number_b[b], _short(probability)] for a, b, probability in matching.pairs if a in number_a and b in number_b
    ]
    splits = [data for split in matching.splits if (data := _split_data(split, number_a, number_b)) is not None]
    probabilities = matching.probabilities()[np.ix_(order_a, order_b)]
    candidates = [_candidates(probabilities), _candidates(probabilities.T)]
    words = MatchingWords(matching)
    reasons = [
        [i, j, [list(line) for line in words.of_pair(log_a.activities[order_a[i]], log_b.activities[order_b[j]])]]
        for i, j in sorted(_explained_pairs(pairs, splits, candidates[0]))
    ]
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


def _most_frequent(log: AnyLog) -> Codes:
    order: Codes = np.lexsort((np.arange(len(log.activities)), -log.activity_counts))[:MOST_ACTIVITIES]
    return order


def _numbers(log: AnyLog, order: Codes) -> Numbers:
    return {log.activities[code]: i for i, code in enumerate(order.tolist())}


def _log_data(log: AnyLog, windows: WindowCounts, order: Codes, number: Numbers) -> dict[str, Any]:
    """Return one log: its facts, how it was read, its labels with their figures, and what follows what."""
    data = {
        "digest": log.digest,
        "facts": log_facts(log),
        "labels": list(number),
        **understood(log, list(number)),
        "counts": log.activity_counts[order].tolist(),
        "cases": log.activity_cases[order].tolist(),
        "positions": [mean for _, mean in positions_data(log, order)],
        "follows": follows_data(directly_follows(windows), number),
    }
    if len(order) < len(log.activities):
        shown = int(log.activity_counts[order].sum())
        data["left_out"] = {"activities": len(log.activities) - len(order), "events": log.n_events - shown}
    return data


def _split_data(split: Any, number_a: Numbers, number_b: Numbers) -> list[Any] | None:
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


def _alone(unmatched: list[Any], number: Numbers) -> list[list[float]]:
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


def _short(probability: float) -> float:
    """Round a probability, and keep what is not certain below 1 and what is not impossible above 0."""
    if probability in (0, 1):
        return float(probability)
    return min(max(round(float(probability), 4), 0.0001), 0.9999)


def drift_data(
    log_a: AnyLog, log_b: AnyLog, pairs: list[tuple[str, str]], number_a: Numbers, number_b: Numbers
) -> dict[str, Any] | None:
    """Return the activities whose neighbours changed, with what came and what went; None without a pair to compare.

    ``pairs`` are labels of a and b that are the same step. Labels that share a partner become one. A label of b without a partner
    is never taken for a label of a, whatever it is called.
    """
    if not pairs:
        return None
    names_a, names_b = _common_names(log_a.activities, log_b.activities, pairs)
    first = {name: label for label, name in reversed(names_a.items())}  # the label that a name shows as
    other = {name: label for label, name in names_b.items()}
    result = drift(log_a.relabel(names_a.__getitem__), log_b.relabel(names_b.__getitem__))

    def place(name: str | None) -> list[int]:
        """Return the side and the number of a label; -1 is outside the case, -2 not on the page."""
        if name is None:
            return [0, -1]
        if name in first:
            return [0, number_a.get(first[name], -2)]
        return [1, number_b.get(other[name], -2)]

    def neighbours(changes: tuple[NeighbourChange, ...]) -> list[list[Any]]:
        notable = [one for one in changes if abs(one.share_after - one.share_before) >= _NOTABLE]
        return [
            [one.offset, *place(one.neighbour), round(one.share_before, 4), round(one.share_after, 4)]
            for one in notable[:_NEIGHBOURS]
        ]

    changed = [
        [
            place(one.activity)[1],
            round(one.change, 4),
            one.cases_before,
            one.cases_after,
            neighbours(one.came),
            neighbours(one.went),
        ]
        for one in result.changed[:CHANGED]
    ]
    return {
        "judged": result.judged,
        "number": len(result.changed),
        "pairs": len(pairs),
        "changed": changed,
        "marked": _marked(names_a, names_b, number_a, number_b),
    }


def _marked(names_a: dict[str, str], names_b: dict[str, str], number_a: Numbers, number_b: Numbers) -> list[list[list[int]]]:
    """Return the labels of either log that are another step in the other log, each with the number of its partner, or -1.

    The page names the partner, or says of which log they are.
    """
    alike = [label for label in names_a if label in names_b and names_a[label] != names_b[label]]
    partner = {name: label for label, name in reversed(names_b.items())}
    partners = [number_b.get(partner.get(names_a[label], ""), -1) for label in alike]
    of_a = [[number_a[label], j] for label, j in zip(alike, partners, strict=True) if label in number_a]
    return [of_a, [[number_b[label], -1] for label in alike if label in number_b]]


def _common_names(
    labels_a: list[str], labels_b: list[str], pairs: list[tuple[str, str]]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return a name for each label of either log; labels that are the same step, and no others, have the same name.

    >>> _common_names(["x", "y"], ["x", "z"], [("y", "x")])
    ({'x': 'x', 'y': 'y'}, {'x': 'y', 'z': 'z'})
    >>> _common_names(["x", "y"], ["x", "z"], [("y", "z")])[1]
    {'z': 'y', 'x': 'x (b)'}
    """
    names_a = {label: label for label in labels_a}
    names_b: dict[str, str] = {}
    for a, b in pairs:
        if b in names_b:
            names_a[a] = names_b[b]  # the other log splits the step of b
        else:
            names_b[b] = names_a[a]
    taken = set(labels_a) | set(labels_b)
    for label in labels_b:
        if label in names_b:
            continue
        name = label
        while name in names_a or (name != label and name in taken):
            name += " (b)"
        taken.add(name)
        names_b[label] = name
    return names_a, names_b
