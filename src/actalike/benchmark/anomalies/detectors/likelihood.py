"""Call an event odd if its activity and attributes are rare after those before: a chain of conditional shares."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

Codes = NDArray[np.int64]


class Likelihood:
    """Score a cell by 1 - p, a case by its highest cell, as BPAD's Likelihood.

    p is the share of an activity given the activity before and its last attribute; of the first attribute given the activity; of
    a further attribute given the activity and the attribute before it. Every case ends with an end event.
    """

    name = "likelihood"

    def fit(self, log: EventLog) -> Self:
        """Count the chain."""
        events, is_end = _with_ends(log)
        columns = [np.where(is_end, len(values), codes[events]) for values, codes in _columns(log)]
        starts = np.append(True, is_end[:-1])
        activity, last = columns[0], columns[-1]
        before = np.where(starts, -2, np.append(0, activity[:-1]))
        context = _pairs(before, np.where(starts, -2, np.append(0, last[:-1]))) if len(columns) > 1 else before
        odd = [1 - _share(context, activity)]
        for number, column in enumerate(columns[1:], 1):
            odd.append(1 - _share(activity if number == 1 else _pairs(activity, columns[number - 1]), column))
        cells = np.column_stack(odd)
        case = np.repeat(np.arange(log.n_cases), log.lengths + 1)
        self.case_scores_ = np.zeros(log.n_cases)
        np.maximum.at(self.case_scores_, case, cells.max(axis=1))
        self.cell_scores_, self.end_scores_ = cells[~is_end], cells[is_end, 0]
        return self


def _columns(log: EventLog) -> list[tuple[list[str], NDArray[np.int32]]]:
    return [(log.activities, log.codes), *((attribute.values, attribute.codes) for attribute in log.attributes.values())]


def _with_ends(log: EventLog) -> tuple[Codes, NDArray[np.bool_]]:
    """Return the events case by case with an end after each case, and which of them are ends."""
    is_end = np.zeros(log.n_events + log.n_cases, dtype=bool)
    is_end[log.offsets[1:] + np.arange(log.n_cases)] = True
    return np.minimum(np.cumsum(~is_end) - 1, log.n_events - 1), is_end


def _pairs(first: Codes, second: Codes) -> Codes:
    """Return a number for each pair of codes, which may be -2 and more."""
    return (first + 2) * (second.max() + 3) + second + 2


def _share(context: Codes, value: Codes) -> NDArray[np.float64]:
    """Return the share of each value among the events in the same context."""
    _, contexts, n_context = np.unique(context, return_inverse=True, return_counts=True)
    _, both, n_both = np.unique(_pairs(contexts, value), return_inverse=True, return_counts=True)
    return np.asarray(n_both[both] / n_context[contexts])
