"""Estimate how probable the value of an attribute is for an event, seen from several sides.

All counts leave the event itself out. With N other events, V values, and n(z) of the others with the value ``z``, the share of a
value is s(z) = (n(z) + 1/2) / (N + V/2). A context ``c`` that n(c) other events share, n(c, z) of them with the value ``z``,
backs off to a plainer probability p(z), with T(c) different values in the context, at least 1::

    p(z | c) = (n(c, z) + T(c) p(z)) / (n(c) + T(c))

The *views* of the value ``z`` of an event with the activity ``a``:

- 1 / V, and s(z)
- p(z | a), which backs off to s(z)
- given the value of the previous event of the case (none at its start is a value too), and that of the next one: alone, which
  backs off to s(z), and with ``a``, which backs off to p(z | a)
- in the rest of the case, n(z) of k events having the value: (n(z) + s(z) / 2) / (k + 1/2)
- given the value of another attribute of the event: alone and with ``a``, as above. Others are the ten attributes right before
  this one: each further one takes as long as the first, so that without a bound the time would grow with the square of their
  number.

The probability is a mixture of the views, p = sum of w_i p_i. The weights w are those under which the values of this log are most
probable: 15 rounds of expectation maximisation from equal weights on, on every k-th event with k = max(1, N // 50,000), rounded
down. So an attribute that the activity decides is judged by the activity, and one that stays the same in a case by the case.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

_PSEUDO_COUNT = 0.5
_ROUNDS = 15  # of expectation maximisation
_SAMPLE = 50_000  # events, evenly spaced, that the weights are found on: so many, or up to twice as many
_OTHERS = 10  # attributes that an attribute is judged by

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AttributeModel:
    """Hold how probable the value of an attribute is for each event, and how much each view counts."""

    probabilities: Floats
    weights: dict[str, float]
    n_values: int

    def surprise(self) -> Floats:
        """Return ln of how much more probable each value is if it was drawn at random: -ln (V p)."""
        return np.asarray(-np.log(self.n_values * self.probabilities))


def attribute_model(log: EventLog, values: Ints, earlier: Sequence[Ints]) -> AttributeModel:
    """Return how probable the values of an attribute are, given as codes from 0 on; ``earlier`` are the attributes before it.

    In ``weights``, "attribute 1" is the one right before it, "attribute 2" the one before that.
    """
    n_values = int(values.max()) + 1
    views = _views(log, values, n_values, earlier[: -_OTHERS - 1 : -1])
    table = np.stack(list(views.values()), axis=1)
    sample = table[:: max(len(table) // _SAMPLE, 1)]
    weights = np.full(table.shape[1], 1 / table.shape[1])
    for _ in range(_ROUNDS):
        parts = sample * weights
        weights = (parts / parts.sum(axis=1, keepdims=True)).mean(axis=0)
    return AttributeModel(table @ weights, dict(zip(views, weights.tolist(), strict=True)), n_values)


def _views(log: EventLog, values: Ints, n_values: int, others: Sequence[Ints]) -> dict[str, Floats]:
    """Return the probability of each event's value in each view."""
    activities = log.codes.astype(np.int64)
    lengths = log.lengths
    case = np.repeat(np.arange(log.n_cases), lengths)
    previous, following = _neighbours(log, values, n_values)
    elsewhere = np.bincount(values)[values] - 1
    share = np.asarray((elsewhere + _PSEUDO_COUNT) / (len(values) - 1 + _PSEUDO_COUNT * n_values), dtype=np.float64)
    by_activity = _given(activities, values, n_values, share)
    _, in_case, times = np.unique(case * n_values + values, return_inverse=True, return_counts=True)
    views = {
        "any value": np.full(len(values), 1 / n_values),
        "share": share,
        "activity": by_activity,
        "activity and previous": _given(activities * (n_values + 1) + previous, values, n_values, by_activity),
        "activity and next": _given(activities * (n_values + 1) + following, values, n_values, by_activity),
        "previous": _given(previous, values, n_values, share),
        "next": _given(following, values, n_values, share),
        "case": (times[in_case] - 1 + _PSEUDO_COUNT * share) / (lengths[case] - 1 + _PSEUDO_COUNT),
    }
    for number, other in enumerate(others, 1):
        views[f"attribute {number}"] = _given(other, values, n_values, share)
        with_activity = activities * (int(other.max()) + 1) + other
        views[f"activity and attribute {number}"] = _given(with_activity, values, n_values, by_activity)
    return views


def _neighbours(log: EventLog, values: Ints, n_values: int) -> tuple[Ints, Ints]:
    """Return the value of the previous and of the next event of the case; ``n_values`` stands for none."""
    starts, ends = log.offsets[:-1][log.lengths > 0], log.offsets[1:][log.lengths > 0] - 1
    previous, following = np.append(n_values, values[:-1]), np.append(values[1:], n_values)
    previous[starts] = following[ends] = n_values
    return previous, following


def _given(context: Ints, values: Ints, n_values: int, back_off: Floats) -> Floats:
    """Return p(value | context), each event left out of its own counts."""
    _, number, times = np.unique(context, return_inverse=True, return_counts=True)
    keys, pair, together = np.unique(number * n_values + values, return_inverse=True, return_counts=True)
    distinct = np.bincount(keys // n_values)
    elsewhere = together[pair] - 1
    weight = np.maximum(distinct[number] - (elsewhere == 0), 1)
    return np.asarray((elsewhere + weight * back_off) / (times[number] - 1 + weight))
