"""Hand the uses of the shown labels to the page, which compares any two of them: times, people, periods, cases, examples.

Neighbours and timelines are in the page already (``follows``, ``timeline``). What two labels have in common is computed there.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import shortened
from actalike.labels import ExampleCase, LabelUses, Usage, example_cases, examples_together
from actalike.log import AnyLog, CoOccurrence, EventLog
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
) -> dict[str, Any]:
    """Return how the shown labels are used.

    - ``previous``, ``next``: for each label the number of gaps and their quartiles in seconds, or None.
    - ``periods``: since when and until when it is used, or None.
    - ``together``: of every two labels the percentage of the rarer one's cases that have both; ``exact``: of the ``explained``
      pairs the numbers of cases and instants with both.
    - ``people``, ``examples``, ``examples_together`` (of the ``grouped`` pairs): None without ``examples``: they hold names of
      people and case ids.

    Of variants there are no times between events, and no examples.
    """
    usage, codes = Usage(log), order.tolist()
    uses = LabelUses(log) if isinstance(log, EventLog) else None
    instants = _instants(log, uses, order)
    cases = CoOccurrence(log).shared_cases()[np.ix_(order, order)]
    data: dict[str, Any] = {
        "previous": [None if uses is None else _gaps(uses.to_previous([code])) for code in codes],
        "next": [None if uses is None else _gaps(uses.to_next([code])) for code in codes],
        "periods": [_period(usage.period(code)) for code in codes] if instants is not None else None,
        "together": packed_runs(percentage_steps(cases / np.minimum.outer(np.diag(cases), np.diag(cases)))),
        "exact": [
            [i, j, int(cases[i, j])] if instants is None else [i, j, int(cases[i, j]), int(instants[i, j])]
            for i, j in explained
            if cases[i, j]
        ],
        "people": None,
        "examples": None,
        "examples_together": None,
    }
    if examples and uses is not None:
        most = _EXAMPLES if len(codes) <= _MANY else _FEWER_EXAMPLES
        data["people"] = _people(uses.log, uses, codes)
        data["examples"] = [[_example(one, number) for one in example_cases(uses, [code], most)] for code in codes]
        data["examples_together"] = [
            [i, j, [_example(one, number) for one in examples_together(uses, [codes[i]], [codes[j]], _TOGETHER)]]
            for i, j in grouped
            if cases[i, j]
        ]
    return data


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


def _gaps(gaps: Any) -> list[float] | None:
    return None if gaps is None else [gaps.events, *(round(second) for second in gaps[1:])]


def _period(period: tuple[np.datetime64, np.datetime64] | None) -> list[str] | None:
    return None if period is None else [str(day) for day in period]


def _people(log: EventLog, uses: LabelUses, codes: Sequence[int]) -> list[dict[str, Any]]:
    """Return for each attribute its values and for each label the most frequent of them, with the counts.

    A label has a list: how many events have no value, how many a value that is not listed, then values and counts in turn.
    """
    by_label = [uses.people([code]) for code in codes]
    attributes = []
    for name in log.people():
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
