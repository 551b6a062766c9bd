"""Gather all that a report shows, as plain data. Activities are numbers, the most frequent is 0.

The rarest activities of a large log are not drawn. Those that are members of groups have numbers too, after all others, and then
those that are in odd cases (``further``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows, directly_follows
from actalike.embedding import FEWEST_RESAMPLES, RESAMPLES, Confidence, Embedding
from actalike.grouping import group, with_vocabularies
from actalike.labels import AT_LEAST, COMPARED, THIN_CASES, Group, NeighbourCounts, SameStep, compare_labels
from actalike.log import AnyLog, EventLog, Variants
from actalike.methods import DEFAULT_METHOD, Method, embed, has_checked_intervals, make_method
from actalike.plot.neighbour_layout import neighbour_layout
from actalike.report.changes_data import changes_data
from actalike.report.label_uses_data import label_uses_data
from actalike.report.log_data import follows_data, log_facts, positions_data, timeline_data, understood
from actalike.report.odd_cases_data import odd_cases_data
from actalike.report.packing import packed_percentages
from actalike.report.proposals import Sentences, proposal, verdicts
from actalike.support.text import counted, percent

Progress = Callable[[str], object]

MOST_ACTIVITIES = 1000  # the most frequent ones: a page of all pairs of more would be too heavy to open
NEIGHBOURS = 10  # of each activity
REASONS = 4  # and contexts, of each pair of neighbours
EXPLAINED_MEMBERS = 12  # of a group: all their pairs are explained, neighbours or not
STEPS = 8  # that report_data reports as done

_COMPARED = 5  # symbols of the windows that same_step compares, at least
_DRAWN_EVENTS, _DRAWN_PAIRS = 75_000_000, 30_000_000  # in all resamples together, for the intervals: a few seconds
NOT_SHOWN = -2  # the number of all other activities


def report_data(
    log: AnyLog,
    method: str | None = None,
    done: Progress = lambda step: None,
    *,
    at_least: float = AT_LEAST,
    by: str | None = None,
    strata: Variants | None = None,
    examples: bool = False,
    cases_of_variants: Iterable[pl.DataFrame] | None = None,
) -> dict[str, Any]:
    """Return what the page shows. The same log, method and probability give the same data.

    ``strata`` are the variants of the log, if they were read ``by`` a column. Without ``examples`` there are no case ids and no
    names of people in it. Examples of variants need ``cases_of_variants``.
    """
    order = np.lexsort((np.arange(len(log.activities)), -log.activity_counts))[:MOST_ACTIVITIES]
    labels = [log.activities[code] for code in order.tolist()]
    number = _numbered(labels)
    every = dict.fromkeys(log.activities, NOT_SHOWN) | number
    name = method or DEFAULT_METHOD
    embedder = make_method(name)
    counts = count_windows(log, _window(embedder))
    embedding = embed(log, name, counts=counts)
    done("activities compared")
    similarities = embedding.similarities_of(order)
    same = with_vocabularies(compare_labels(log, counts), counts, by, strata)
    groups = group(log, at_least, counts=counts, same=same)
    hidden = _hidden(groups, number)
    members = every | {label: len(labels) + k for k, label in enumerate(hidden)}
    shown = np.ix_(order, order)
    log_odds, probabilities, overlaps = same.log_odds[shown], same.probabilities()[shown], same.figures.overlap[shown]
    done("groups found")
    neighbours = _neighbours(log_odds)
    pairs = sorted({(min(i, j), max(i, j)) for i, near in enumerate(neighbours) for j in near})
    is_whole = len(labels) == len(log.activities)
    judged = pairs if is_whole else [(min(i, near[0]), max(i, near[0])) for i, near in enumerate(neighbours)]
    intervals, draws = _intervals(log, embedding, labels, sorted(set(judged)))
    done("cases resampled")
    inside = {pair for found in groups for pair in _pairs_of(found, number)}
    sentences = Sentences(members.__getitem__)
    explained = _explained(counts, embedding, similarities, same, order, sorted({*judged, *inside}), sentences)
    done("explanations written")
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    places = neighbour_layout(-log_odds)  # near on the map: likely the same step, as in the panel
    done("map drawn")
    odd_cases, further = (
        odd_cases_data(log, _numbered([*labels, *hidden]), examples=examples) if isinstance(log, EventLog) else (None, [])
    )
    done("odd cases found")
    changes = changes_data(log, number)
    done("changes found")
    data = {
        "method": embedding.method,
        "facts": log_facts(log),
        "labels": labels,
        "hidden": hidden,
        "further": further,
        **understood(log, [*labels, *hidden, *further]),
        "counts": [events[label] for label in labels],
        "cases": [cases[label] for label in labels],
        "places": _scaled(places).ravel().tolist(),
        "neighbours": [
            [[j, _short(similarities[i, j]), *intervals.get((min(i, j), max(i, j)), [])] for j in near]
            for i, near in enumerate(neighbours)
        ],
        "probability": packed_percentages(probabilities),
        "overlap": packed_percentages(overlaps),
        "pairs": explained,
        "groups": [proposal(found, members, events, sentences) for found in groups],
        "sentences": sentences.all,
        "quiet_sentences": sorted(sentences.quiet),
        "verdicts": verdicts(),
        "compared": COMPARED,
        "at_least": at_least,
        "thin_cases": THIN_CASES,
        "follows": follows_data(directly_follows(counts), number),
        "positions": positions_data(log, order),
        "timeline": timeline_data(log, order),
        "changes": changes,
        "uses": label_uses_data(
            log, order, every, sorted({*judged, *inside}), sorted(inside), examples=examples, cases=cases_of_variants
        ),
        "odd": odd_cases,
    }
    if not is_whole:
        data["left_out"] = _left_out(log, order)
    data["words"] = {
        "holds": _holds(data, examples),
        "left_out": "" if is_whole else _left_out_words(log, len(order), data["left_out"]),
        "intervals": _interval_words(draws, has_checked_intervals(embedding.method)),
    }
    done("figures gathered")
    return data


def _numbered(labels: Sequence[str]) -> dict[str, int]:
    return {label: i for i, label in enumerate(labels)}


def _hidden(groups: Sequence[Group], number: dict[str, int]) -> list[str]:
    """Return the members of groups that are too rare to be drawn: the page knows their labels, so that groups are whole on it."""
    return sorted({label for found in groups for label in found.activities if label not in number})


def _left_out(log: AnyLog, order: NDArray[np.int64]) -> dict[str, int]:
    """Return how many activities the page does not draw, and how many events they have."""
    return {
        "activities": len(log.activities) - len(order),
        "events": log.n_events - int(log.activity_counts[order].sum()),
    }


def _left_out_words(log: AnyLog, shown: int, left_out: dict[str, int]) -> str:
    share = percent(1 - left_out["events"] / log.n_events)
    rarer = counted(left_out["activities"], "rarer activity", "rarer activities")
    return (
        f" The groups are those of all {len(log.activities):,} activities. Drawn and compared are the {shown:,} most frequent, "
        f"which have {share} of the events; {rarer} with {counted(left_out['events'], 'event')} are not."
    )


def _holds(data: dict[str, Any], examples: bool) -> str:
    """Return what a page holds, so that whoever sends it knows."""
    shown, everything = len(data["labels"]), data["facts"]["activities"]
    people = ", and says who does which step" if data["uses"]["people"] else ""
    sentences = [
        f"Made by actalike; similarities by {data['method']}.",
        f"It draws the {shown:,} most frequent of {everything:,} activities." if shown < everything else "",
        "" if data["odd"] else "It was made of variants, so it has no timeline and no odd cases: actalike odd finds these.",
        "The file needs no network.",
        f"It holds labels and figures of the log, case ids and example cases{people}."
        if examples
        else "It holds labels and figures of the log, no case ids and no names of people beside those in labels.",
    ]
    return " ".join(filter(None, sentences))


def _interval_words(draws: int, checked: bool) -> str:
    doubt = "" if checked else " They may be too narrow: only those of kin have been checked."
    return f"The smaller figures are 95 % intervals (cases resampled {draws} times).{doubt}" if draws else ""


def _neighbours(log_odds: NDArray[np.float64]) -> list[list[int]]:
    """Return for each activity those that are most likely the same step, the likeliest first; of equal ones the more frequent."""
    near = np.argsort(-log_odds.round(9), axis=1, kind="stable").tolist()
    return [[j for j in row if j != i][:NEIGHBOURS] for i, row in enumerate(near)]


def _pairs_of(found: Group, number: dict[str, int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of the first members of a group that are drawn."""
    members = [number[label] for label in found.activities if label in number]
    return combinations(sorted(members[:EXPLAINED_MEMBERS]), 2)


def _intervals(
    log: AnyLog, embedding: Embedding, labels: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> tuple[dict[tuple[int, int], list[float | None]], int]:
    """Return the 95 % intervals of similarities (None: too rare to judge) where cases can be resampled, and the number of draws.

    A log of many events or activities is resampled less often, so that its report does not take minutes. The number depends on
    the size of the log and not on the clock, so the same log gives the same page.
    """
    if embedding.resampler is None or not pairs:
        return {}, 0
    affordable = min(_DRAWN_EVENTS // len(log.variants.codes), _DRAWN_PAIRS // len(log.activities) ** 2)
    draws = int(np.clip(affordable, FEWEST_RESAMPLES, RESAMPLES))
    confidences = embedding.confidences([(labels[i], labels[j]) for i, j in pairs], draws)
    return {pair: _ends(confidence) for pair, confidence in zip(pairs, confidences, strict=True)}, draws


def _ends(confidence: Confidence) -> list[float | None]:
    return [None if end is None else _short(end) for end in (confidence.low, confidence.high)]


def _window(method: Method) -> int:
    """Return the window that serves all of the page: the method, the probabilities, the neighbours, and what follows what."""
    return max(_COMPARED, method.window or 0) if method.takes == "counts" else _COMPARED


def _explained(
    counts: WindowCounts,
    embedding: Embedding,
    similarities: NDArray[np.float64],
    same: SameStep,
    order: NDArray[np.int64],
    pairs: Sequence[tuple[int, int]],
    sentences: Sentences,
) -> list[list[Any]]:
    """Return for each pair its similarity, the contexts that both have, the shares of the similarity, where the method gives any,
    and why they are one step or not."""
    contexts = NeighbourCounts(counts)
    events = counts.activity_counts[order].tolist()
    codes = order.tolist()
    label = embedding.activities.__getitem__

    def shares(a: int, b: int) -> list[list[float]]:
        found = embedding.shares(a, b, REASONS) if embedding.explains else []
        return [sentences.share(share, label) for share in found]

    return [
        [
            i,
            j,
            _short(similarities[i, j]),
            [sentences.context(context, (events[i], events[j])) for context in contexts.shared_by((codes[i], codes[j]), REASONS)],
            shares(codes[i], codes[j]),
            [sentences.reason(part) for part in same.reasons([(codes[i], codes[j])])],
        ]
        for i, j in pairs
    ]


def _scaled(places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return positions in the plane as integers from -10,000 to 10,000, with one scale for both axes."""
    return np.round(places / (np.abs(places).max() or 1.0) * 10_000).astype(np.int64)


def _short(value: float) -> float:
    """Round so little that the three decimals on the page are those of the exact value."""
    return round(float(value), 8)
