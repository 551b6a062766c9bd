"""Hand the uses of the shown labels to the page, which compares any two of them: times, people, periods, cases, examples.

Neighbours and timelines are in the page already (``follows``, ``timeline``). What two labels have in common is computed there.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import shortened
from actalike.labels import ExampleCase, LabelUses, PeopleCounts, Usage, day_words, duration, example_cases, examples_together
from actalike.log import AnyLog, CoOccurrence, EventLog, Variants, names_people, some_cases
from actalike.report.packing import packed_runs, percentage_steps

_MANY = 500  # labels: of more, each has fewer examples
_EXAMPLES, _FEWER_EXAMPLES = 5, 3
_TOGETHER = 2  # examples of two labels in one case
_PEOPLE = 12  # values of an attribute, of each label; the events of the others are counted
_LONGEST = 60  # characters of a case id or a name


def label_uses_data(
    log: AnyLog,
    order: NDArray[np.int64],
    number: dict[str, int],
    explained: Iterable[tuple[int, int]],
    grouped: Iterable[tuple[int, int]],
    *,
    examples: bool = True,
    cases: Iterable[pl.DataFrame] | None = None,
) -> dict[str, Any]:
    """Return how the shown labels are used.

    - ``previous``, ``next``: for each label the quartiles of its gaps in seconds and in words, or None.
    - ``periods``: since when and until when it is used, as days and in words, or None.
    - ``together``: of every two labels the percentage of the rarer one's cases that have both; ``exact``: of the ``explained``
      pairs the numbers of cases and instants with both.
    - ``people``, ``examples``, ``examples_together`` (of the ``grouped`` pairs): None without ``examples``: they hold names of
      people and case ids.

    Of variants there are no times between events. Their examples need the ``cases`` that follow each (``read_cases``).
    """
    usage, codes = Usage(log), order.tolist()
    uses = LabelUses(log) if isinstance(log, EventLog) else None
    instants = _instants(log, uses, order)
    shared = CoOccurrence(log).shared_cases()[np.ix_(order, order)]
    data: dict[str, Any] = {
        "previous": [None if uses is None else _gaps(uses.to_previous([code])) for code in codes],
        "next": [None if uses is None else _gaps(uses.to_next([code])) for code in codes],
        "periods": [_period(usage.period(code)) for code in codes] if instants is not None else None,
        "together": packed_runs(percentage_steps(shared / np.minimum.outer(np.diag(shared), np.diag(shared)))),
        "exact": [
            [i, j, int(shared[i, j])] if instants is None else [i, j, int(shared[i, j]), int(instants[i, j])]
            for i, j in explained
            if shared[i, j]
        ],
        "people": None,
        "examples": None,
        "examples_together": None,
    }
    if examples and (uses is not None or cases is not None):
        most = _EXAMPLES if len(codes) <= _MANY else _FEWER_EXAMPLES
        together = [(i, j) for i, j in grouped if shared[i, j]]
        source = uses or LabelUses(_one_case_each(log.variants))
        each = [example_cases(source, [code], most) for code in codes]
        both = [examples_together(source, [codes[i]], [codes[j]], _TOGETHER) for i, j in together]
        if uses is None and cases is not None:
            ids = _case_of_each({one.case for some in (*each, *both) for one in some}, cases)
            each, both = ([[one._replace(case=ids[one.case]) for one in some] for some in lists] for lists in (each, both))
        data["people"] = _people(_by_label(log.variants, codes) if uses is None else [uses.people([code]) for code in codes])
        data["examples"] = [[_example(one, number) for one in some] for some in each]
        data["examples_together"] = [
            [i, j, [_example(one, number) for one in some]] for (i, j), some in zip(together, both, strict=True)
        ]
    return data


def _one_case_each(variants: Variants) -> EventLog:
    """Return a log with a case for each variant, called by its number, the most frequent first."""
    order = np.argsort(-variants.weights, kind="stable")
    return EventLog(variants.activities, *some_cases(variants.codes, variants.offsets, order), list(map(str, order.tolist())))


def _case_of_each(names: Collection[str], cases: Iterable[pl.DataFrame]) -> dict[str, str]:
    """Return the id of the first case, by its text, that follows each variant, which is called by its number."""
    wanted, found = [int(name) for name in names], dict.fromkeys(names, "")
    for some in cases:
        first = some.filter(pl.col("variant").is_in(wanted)).group_by("variant").agg(pl.col("case").min())
        for variant, case in first.iter_rows():
            found[str(variant)] = min(case, found[str(variant)] or case)
    return found


def _instants(log: AnyLog, uses: LabelUses | None, order: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return at how many instants every two of the shown labels occur in the same case; None without timestamps."""
    if isinstance(log, EventLog) and uses is not None:
        return uses.instants_in_common(order) if log.timestamps is not None else None
    table = None if log.variants.uses is None else log.variants.uses.instants
    if table is None:
        return None
    (_, first, second), instants = table.keys.T, table.counts[:, 1]
    n = len(log.activities)
    both = csr_array((instants, (first, second)), shape=(n, n))[order][:, order].toarray()
    either = both + csr_array((instants, (second, first)), shape=(n, n))[order][:, order].toarray()
    np.fill_diagonal(either, np.diag(both))
    return either


def _gaps(gaps: Any) -> list[Any] | None:
    """Return quartiles in whole seconds, then in words."""
    return None if gaps is None else [*(round(second) for second in gaps[1:]), *map(duration, gaps[1:])]


def _period(period: tuple[np.datetime64, np.datetime64] | None) -> list[str] | None:
    return None if period is None else [*map(str, period), *map(day_words, period)]


def _by_label(log: Variants, codes: Sequence[int]) -> list[dict[str, PeopleCounts]]:
    """Return for each label who does it, by the tables of use of variants."""
    tables = {} if log.uses is None else {name: table for name, table in log.uses.values.items() if names_people(name)}
    counts: list[dict[str, PeopleCounts]] = [{} for _ in codes]
    for name, (texts, table) in tables.items():
        of_label = table.keys[:, 1]
        for place, code in enumerate(codes):
            chosen = np.flatnonzero(of_label == code)
            values, events = table.keys[chosen, 2], table.counts[chosen, 0]
            order = np.argsort(-events, kind="stable")
            listed = tuple((texts[values[i]], int(events[i])) for i in order.tolist())
            counts[place][name] = PeopleCounts(listed, int(log.activity_counts[code] - events.sum()))
    return counts


def _people(by_label: Sequence[dict[str, PeopleCounts]]) -> list[dict[str, Any]]:
    """Return for each attribute its values and for each label the most frequent of them, with the counts.

    A label has a list: how many events have no value, how many a value that is not listed, then values and counts in turn.
    """
    attributes = []
    for name in by_label[0] if by_label else ():
        place: dict[str, int] = {}
        rows = []
        for label in by_label:
            shown, rest = label[name].values[:_PEOPLE], label[name].values[_PEOPLE:]
            pairs = [number for value, count in shown for number in (place.setdefault(value, len(place)), count)]
            rows.append([label[name].not_recorded, sum(count for _, count in rest), *pairs])
        attributes.append(
            {"name": shortened(name, _LONGEST), "values": [shortened(value, _LONGEST) for value in place], "labels": rows}
        )
    return attributes


def _example(example: ExampleCase, number: dict[str, int]) -> list[Any]:
    """Return an example: the case, the minute, how many events come before and after, the labels (None: left out), the marked."""
    moment = None if example.moment is None else np.datetime_as_string(example.moment, unit="m")
    labels = [None if label is None else number[label] for label in example.labels]
    return [shortened(example.case, _LONGEST), moment, example.before, example.after, labels, list(example.marked)]
