"""The figures of the tables: which figure of which tasks, under which name and heading."""

from typing import NamedTuple

from actalike.benchmark.tasks.anomaly_scores import LEVELS
from actalike.benchmark.tasks.planted_anomalies import BPAD, CUT, MIXED, OTHERS, SLIPS
from actalike.oddities import KINDS


class Summary(NamedTuple):
    """Describe a column: the mean of a figure over some tasks, and over the copies of each."""

    name: str
    part: str  # the table that it is in
    tasks: tuple[str, ...]
    figure: str
    about: str


AS_PUBLISHED = "BPAD's protocol, mean over the rates 0.05 to 0.45"
AS_PUBLISHED_KINDS = "BPAD's protocol, AP of cases of one kind against normal cases"
AS_PUBLISHED_REASONS = "BPAD's protocol, reasons"
KNOWN = "Known labels and values, 10 % of the cases"
KNOWN_BUDGET = "Known labels and values, without a threshold"
KNOWN_KINDS = "Known labels and values, AP of cases of one kind against normal cases"
ALONE = "Known labels and values, one kind alone: AP of cases"
ALONE_CELLS = "Known labels and values, one kind alone: AP of cells"
OUTSIDE = "Known labels and values, outside the six kinds: AP of cases"
OUTSIDE_CELLS = "Known labels and values, outside the six kinds: AP of cells"
OUTSIDE_REASONS = "Known labels and values, outside the six kinds: place of the strongest reason"
KNOWN_REASONS = "Known labels and values, reasons"
COST = "Cost of BPAD's copies (processor seconds, megabytes)"

_LEVEL_WORDS = {"trace": "cases", "event": "events", "cell": "cells (activity or attribute of an event)"}
_REASONS = {
    "place": "the strongest reason of a planted case names a planted place",
    "place_chance": "place, if an event of the case is drawn at random",
    "expected": "it names the place and what stood there before",
    "kind": "it names the planted kind",
    "place_visible": "place, of cases whose sequence is not a variant of the clean log",
    "expected_visible": "expected, of these",
    "kind_visible": "kind, of these",
}


def _level(prefix: str, part: str, tasks: tuple[str, ...], level: str) -> list[Summary]:
    words = _LEVEL_WORDS[level]
    return [
        Summary(f"{prefix}{level}_ap", part, tasks, f"{level}_ap", f"average precision of {words}"),
        Summary(f"{prefix}{level}_f", part, tasks, f"{level}_f", f"F of {words} at the best threshold"),
        Summary(f"{prefix}{level}_share", part, tasks, f"{level}_share", f"share of planted {words}: AP by chance"),
    ]


def _kinds(prefix: str, part: str, tasks: tuple[str, ...]) -> list[Summary]:
    return [
        Summary(f"{prefix}{kind}{end}", part, tasks, f"{figure}_{kind}", f"{about}, planted: {kind}")
        for kind in KINDS
        for end, figure, about in (("", "ap", "average precision of cases"), ("_share", "share", "share of these cases"))
    ]


def _hidden(prefix: str, part: str, tasks: tuple[str, ...]) -> list[Summary]:
    return [
        Summary(f"{prefix}visible", part, tasks, "visible_ap", "AP of planted cases that are not a variant of the clean log"),
        Summary(f"{prefix}hidden_share", part, tasks, "hidden", "share of changed sequences that are a variant of the clean log"),
    ]


def _alone(prefix: str, part: str, level: str, kinds: tuple[str, ...]) -> list[Summary]:
    return [
        Summary(f"{prefix}_{kind}{end}", part, (f"known-{kind}",), f"{level}_{figure}", f"{about}, only {kind} planted")
        for kind in kinds
        for end, figure, about in (("", "ap", "average precision"), ("_share", "share", "share of planted ones"))
    ]


_BPAD, _KNOWN = tuple(BPAD), (MIXED,)
SUMMARIES: tuple[Summary, ...] = (
    *(summary for level in LEVELS for summary in _level("", AS_PUBLISHED, _BPAD, level)),
    *_kinds("bpad_", AS_PUBLISHED_KINDS, _BPAD),
    *_hidden("bpad_", AS_PUBLISHED_KINDS, _BPAD),
    *(Summary(f"bpad_{name}", AS_PUBLISHED_REASONS, _BPAD, name, about) for name, about in _REASONS.items()),
    *(summary for level in LEVELS for summary in _level("known_", KNOWN, _KNOWN, level)),
    *(
        Summary(f"known_{level}_learnt_f", KNOWN_BUDGET, _KNOWN, f"{level}_learnt_f", f"F of {level}s, threshold of another copy")
        for level in LEVELS
    ),
    *(
        Summary(f"known_precision{n}", KNOWN_BUDGET, _KNOWN, f"precision{n}", f"planted, of the {n} % highest cases")
        for n in (1, 5, 10)
    ),
    Summary("known_event_recall", KNOWN_BUDGET, _KNOWN, "event_recall", "share of planted events in the 1 % highest events"),
    *_kinds("known_", KNOWN_KINDS, _KNOWN),
    *_hidden("known_", KNOWN_KINDS, _KNOWN),
    *_alone("alone", ALONE, "trace", SLIPS),
    *_alone("cells", ALONE_CELLS, "cell", SLIPS),
    *_alone("outside", OUTSIDE, "trace", OTHERS),
    *_alone("outside_cells", OUTSIDE_CELLS, "cell", tuple(kind for kind in OTHERS if kind != CUT)),  # its end is no cell
    *(
        Summary(f"outside_place_{kind}{end}", OUTSIDE_REASONS, (f"known-{kind}",), f"place{end}", f"{about}, only {kind} planted")
        for kind in OTHERS
        for end, about in (("", _REASONS["place"]), ("_chance", _REASONS["place_chance"]))
    ),
    *(Summary(f"known_{name}", KNOWN_REASONS, _KNOWN, name, about) for name, about in _REASONS.items()),
    Summary("seconds", COST, _BPAD, "seconds", "processor seconds of one copy"),
    Summary("megabytes", COST, _BPAD, "megabytes", "memory that one copy takes at its highest"),
)
COLUMNS = tuple(summary.name for summary in SUMMARIES)
PARTS = tuple(dict.fromkeys(summary.part for summary in SUMMARIES))


def columns_of(part: str) -> list[str]:
    """Return the columns of one of the tables.

    >>> columns_of(COST)
    ['seconds', 'megabytes']
    """
    return [summary.name for summary in SUMMARIES if summary.part == part]
