"""What the attributes of events add: how surprising each value is, and the odds that it is wrong.

The values of an attribute become symbols that can be counted: texts as they are, amounts in bins. How probable a value is for
an event is seen from several sides. All counts leave the event itself out; of a reference, its events alone are counted. With N
other events, V values, and n(z) of the others with the value ``z``, the share of a value is s(z) = (n(z) + 1/2) / (N + V/2). A
context ``c`` that n(c) other events share,
n(c, z) of them with the value ``z``, backs off to a plainer probability p(z), with T(c) different values in the context, at
least 1::

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
probable: 100 rounds of expectation maximisation from equal weights on, on every k-th event with k = max(1, N // 50,000), rounded
down. So an attribute that the activity decides is judged by the activity, and one that stays the same in a case by the case.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.log import Attribute, EventLog, checked_attribute, names_people
from actalike.oddities.control_flow import LARGEST, QuotedValue, product_odds, quote
from actalike.oddities.model import Floats, Ints

_PSEUDO_COUNT = 0.5
_ROUNDS = 100  # of expectation maximisation
_SAMPLE = 50_000  # events, evenly spaced, that the weights are found on: so many, or up to twice as many
_OTHERS = 10  # attributes that an attribute is judged by
_BINS = 10
_FEW_AMOUNTS = 20  # so many different amounts are counted one by one
_FEW_NUMBERS = 100  # so many different integers may be codes, such as articles of a law, rooms or people
_EXTREME = 3.0  # interquartile ranges outside the quartiles, from which on an amount is extreme
_FARTHEST = 1e300  # of the same ranges, so that numbers stay finite
_NOT_NUMBERS = 0.05  # of the events may have a value that is no number, such as "n/a", and the others have amounts
_EVENTS_PER_VALUE = 2  # on average: a value that occurs once can be expected by nothing
_NUMBER = r"^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"  # digits after a leading zero are a code: 007
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_WORDS_OF_IDS = {"id", "code", "key", "number", "nummer", "nr", "no"}


class UnusualValues:
    """Hold the odds that the values of a log's attributes are wrong: a column for each of ``names``, a row for each event.

    ``ignored`` are the attributes that say nothing: nearly every event has another value, or all have the same, or they are a
    copy of an attribute before them.

    With a ``reference``, its events are counted, and not those of the log.
    """

    def __init__(self, log: EventLog, attributes: Sequence[str], reference: EventLog | None = None) -> None:
        self._first = 0 if reference is None or not attributes else reference.n_events  # event of those that are judged
        if self._first and reference is not None:
            log = _behind(reference, log, attributes)
        self._log = log
        self._counted = np.ones(log.n_events)
        self._counted[self._first :] = not self._first
        self._symbols: dict[str, Symbols] = {}
        for name in attributes:
            symbols = attribute_symbols(checked_attribute(name, log.attributes[name], log.n_events), name)
            if symbols.informative and not any(_are_equivalent(symbols, other) for other in self._symbols.values()):
                self._symbols[name] = symbols
        self.names: tuple[str, ...] = tuple(self._symbols)
        self.ignored: tuple[str, ...] = tuple(name for name in dict.fromkeys(attributes) if name not in self._symbols)
        surprise = self._surprise()[self._first :]
        self.odds: Floats = np.exp(np.minimum(surprise, LARGEST)) / np.repeat(log.lengths, log.lengths)[self._first :, None]
        # an event that was inserted has ordinary values or any
        self.of_inserted: Floats = (1 + np.exp(np.minimum(surprise.sum(axis=1), LARGEST))) / 2

    @cached_property
    def of_events(self) -> Floats:
        """Return the odds that any value of each event is wrong."""
        return product_odds(np.log1p(self.odds).sum(axis=1))

    def quote(self, event: int, column: int) -> QuotedValue:
        """Return the value of an attribute for an event, and which values the events of its activity have otherwise."""
        name = self.names[column]
        symbols, (keys, counts) = self._symbols[name], self._by_activity[name]
        event += self._first
        n_values, activity, value = len(symbols.names), int(self._log.codes[event]), int(symbols.codes[event])
        begin, end = np.searchsorted(keys, [activity * n_values, (activity + 1) * n_values])
        quoted = quote((), keys[begin:end] - activity * n_values, counts[begin:end], value, symbols.names)
        return QuotedValue(name, symbols.names[value], quoted)

    @cached_property
    def _by_activity(self) -> dict[str, tuple[Ints, Ints]]:
        """Return the pairs of an activity and a value that occur, as sorted numbers, and how often each does."""
        counted = self._counted > 0
        codes = self._log.codes.astype(np.int64)[counted]
        return {
            name: np.unique(codes * len(symbols.names) + symbols.codes[counted], return_counts=True)
            for name, symbols in self._symbols.items()
        }

    def _surprise(self) -> Floats:
        """Return for each event how surprising its values are, with a column for each attribute."""
        columns: list[Floats] = []
        earlier: list[Ints] = []  # each attribute is judged by those before it
        for symbols in self._symbols.values():
            columns.append(attribute_model(self._log, symbols.codes, earlier, self._counted).surprise())
            earlier.append(symbols.codes)
        return np.stack(columns, axis=1) if columns else np.zeros((self._log.n_events, 0))


@dataclass(frozen=True)
class AttributeModel:
    """Hold how probable the value of an attribute is for each event, and how much each view counts."""

    probabilities: Floats
    weights: dict[str, float]
    n_values: int

    def surprise(self) -> Floats:
        """Return ln of how much more probable each value is if it was drawn at random: -ln (V p)."""
        return np.asarray(-np.log(self.n_values * self.probabilities))


def attribute_model(log: EventLog, values: Ints, earlier: Sequence[Ints], counted: Floats | None = None) -> AttributeModel:
    """Return how probable the values of an attribute are, given as codes from 0 on; ``earlier`` are the attributes before it.

    ``counted`` is 1 for each event that is counted and 0 for the others; without it, all are.

    In ``weights``, "attribute 1" is the one right before it, "attribute 2" the one before that.
    """
    n_values = int(values.max()) + 1
    counted = np.ones(len(values)) if counted is None else counted
    views = _views(log, values, n_values, earlier[: -_OTHERS - 1 : -1], counted)
    table = np.stack(list(views.values()), axis=1)
    sample = table[counted > 0]
    sample = np.ascontiguousarray(sample[:: max(len(sample) // _SAMPLE, 1)])
    weights = np.full(table.shape[1], 1 / table.shape[1])
    for _ in range(_ROUNDS):
        weights *= (1 / (sample @ weights)) @ sample / len(sample)
    return AttributeModel(table @ weights, dict(zip(views, weights.tolist(), strict=True)), n_values)


def _views(log: EventLog, values: Ints, n_values: int, others: Sequence[Ints], counted: Floats) -> dict[str, Floats]:
    """Return the probability of each event's value in each view."""
    activities = log.codes.astype(np.int64)
    lengths = log.lengths
    case = np.repeat(np.arange(log.n_cases), lengths)
    previous, following = _neighbours(log, values, n_values)
    elsewhere = np.bincount(values, weights=counted)[values] - counted
    share = np.asarray((elsewhere + _PSEUDO_COUNT) / (counted.sum() - counted + _PSEUDO_COUNT * n_values), dtype=np.float64)

    def given(context: Ints, back_off: Floats) -> Floats:
        return _given(context, values, n_values, back_off, counted)

    by_activity = given(activities, share)
    _, in_case, times = np.unique(case * n_values + values, return_inverse=True, return_counts=True)
    views = {
        "any value": np.full(len(values), 1 / n_values),
        "share": share,
        "activity": by_activity,
        "activity and previous": given(activities * (n_values + 1) + previous, by_activity),
        "activity and next": given(activities * (n_values + 1) + following, by_activity),
        "previous": given(previous, share),
        "next": given(following, share),
        "case": (times[in_case] - 1 + _PSEUDO_COUNT * share) / (lengths[case] - 1 + _PSEUDO_COUNT),
    }
    for number, other in enumerate(others, 1):
        views[f"attribute {number}"] = given(other, share)
        with_activity = activities * (int(other.max()) + 1) + other
        views[f"activity and attribute {number}"] = given(with_activity, by_activity)
    return views


def _neighbours(log: EventLog, values: Ints, n_values: int) -> tuple[Ints, Ints]:
    """Return the value of the previous and of the next event of the case; ``n_values`` stands for none."""
    starts, ends = log.offsets[:-1][log.lengths > 0], log.offsets[1:][log.lengths > 0] - 1
    previous, following = np.append(n_values, values[:-1]), np.append(values[1:], n_values)
    previous[starts] = following[ends] = n_values
    return previous, following


def _given(context: Ints, values: Ints, n_values: int, back_off: Floats, counted: Floats) -> Floats:
    """Return p(value | context), each event left out of its own counts."""
    _, number = np.unique(context, return_inverse=True)
    times = np.bincount(number, weights=counted)
    keys, pair = np.unique(number * n_values + values, return_inverse=True)
    together = np.bincount(pair, weights=counted)
    distinct = np.bincount(keys // n_values, weights=together > 0)
    elsewhere = together[pair] - counted
    weight = np.maximum(distinct[number] - ((elsewhere == 0) & (counted > 0)), 1)
    return np.asarray((elsewhere + weight * back_off) / (times[number] - counted + weight))


def _behind(reference: EventLog, log: EventLog, attributes: Sequence[str]) -> EventLog:
    """Return a log behind its reference as one log, with some attributes that both have."""
    codes = np.append(reference.codes, log.codes + len(reference.activities))
    offsets = np.append(reference.offsets, log.offsets[1:] + reference.n_events)
    both = {
        name: Attribute.from_texts([*reference.attributes[name].texts(), *log.attributes[name].texts()]) for name in attributes
    }
    n_cases = reference.n_cases + log.n_cases
    return EventLog([*reference.activities, *log.activities], codes, offsets, [""] * n_cases, attributes=both)


class Symbols(NamedTuple):
    """Hold one symbol for each event: event ``i`` has the symbol ``names[codes[i]]``; None is the symbol of a missing value.

    ``informative`` is False if the symbols say nothing of what to expect: if there is only one, or nearly as many as events.
    """

    codes: NDArray[np.int64]
    names: list[str | None]
    informative: bool


def attribute_symbols(attribute: Attribute, name: str = "") -> Symbols:
    """Return the symbols of an attribute's values: amounts in bins, all other values as they are, and one for a missing value.

    Amounts are put into bins because each single amount is too rare to be expected. There are up to ten bins of about as many
    events each; events with the same amount are never in two bins, and an amount that a tenth of the events has is a bin of its
    own. So an attribute that is nearly always 0 has few bins. A bin is named by its smallest and its largest amount.

    Extreme amounts are in bins of their own, so that they can be odd: those more than three interquartile ranges above the third
    quartile of all events' amounts or below the first one. Those whose distances, in such ranges, have another power of ten are
    in different bins. If both quartiles are the same amount, none is extreme.

    An attribute has amounts if at least 95 % of its events with a value have a number (the values of the others are symbols of
    their own), and one of these holds:

    - some are written as decimals, and more than 20 are different. Codes are not written with a decimal point.
    - all are integers, and more than 100 are different. Fewer may be codes, such as the articles of a law, and each of them
      is frequent enough to be counted. The numbers must not look like ids either: not all of them have as many digits, and the
      name of the attribute neither names people nor ends with "id", "number" and the like.

    Values that differ in nearly every event, such as ids of events and timestamps, are not informative: nothing tells which one
    to expect. That is so if each occurs less than twice on average. Decimal amounts in bins are informative even then.

    >>> attribute_symbols(Attribute.from_texts(["Sue", None, "Bob", "Sue", "Bob"]))
    Symbols(codes=array([1, 2, 0, 1, 0]), names=['Bob', 'Sue', None], informative=True)
    >>> amounts = Attribute.from_texts(["0.00"] * 60 + [f"{euros}.50" for euros in range(10, 50)])
    >>> attribute_symbols(amounts).names[:3]
    ['0.00', '10.50 to 19.50', '20.50 to 29.50']
    """
    times = np.bincount(attribute.codes[attribute.codes >= 0], minlength=len(attribute.values))
    n_present = int(times.sum())
    repeated = _EVENTS_PER_VALUE * len(attribute.values) <= n_present
    recoding, names = np.arange(len(attribute.values)), list(attribute.values)
    numbers = _numbers(attribute.values, times)
    if numbers is not None:
        are_numbers = np.isfinite(numbers)
        written = [value for value, is_number in zip(attribute.values, are_numbers.tolist(), strict=True) if is_number]
        if _are_decimals(written) or (repeated and not _like_ids(written, name)):
            recoding[are_numbers], names = _bins(numbers[are_numbers], times[are_numbers], written)
            recoding[~are_numbers] = len(names) + np.arange(int((~are_numbers).sum()))
            names += [value for value, is_number in zip(attribute.values, are_numbers.tolist(), strict=True) if not is_number]
            repeated = True
    recoding = np.append(recoding, len(names))  # a code of -1 takes the last
    symbols: list[str | None] = [*names, None] if n_present < len(attribute.codes) else [*names]
    return Symbols(recoding[attribute.codes], symbols, repeated and len(symbols) > 1)


def _numbers(values: list[str], times: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return the values as numbers, NaN for those that are none; or None if too many are not, or few are different."""
    if len(values) <= _FEW_AMOUNTS:
        return None
    texts = pl.Series(values, dtype=pl.String)
    numbers = pl.select(pl.when(texts.str.contains(_NUMBER)).then(texts).cast(pl.Float64)).to_series().to_numpy()
    numbers = np.where(np.isfinite(numbers), numbers, np.nan)  # 1e999 is too large to be one
    none = np.isnan(numbers)
    too_many = times[none].sum() > _NOT_NUMBERS * times.sum()
    return None if too_many or len(np.unique(numbers[~none])) <= _FEW_AMOUNTS else numbers


def _are_decimals(values: list[str]) -> bool:
    """Return whether some of the numbers are written as decimals."""
    return bool(pl.Series(values, dtype=pl.String).str.contains(r"[.eE]").any())


def _like_ids(values: list[str], name: str) -> bool:
    """Return whether integers are rather codes or ids than amounts."""
    if len(values) <= _FEW_NUMBERS or len({len(value) for value in values}) == 1:
        return True
    words = _WORD.findall(name)
    return names_people(name) or bool(words and words[-1].lower() in _WORDS_OF_IDS)


def _bins(numbers: NDArray[np.float64], times: NDArray[np.int64], texts: list[str]) -> tuple[NDArray[np.int64], list[str]]:
    """Return the bin of each value, and the names of the bins, from the smallest amounts to the largest.

    An amount is in the bin of the share of events with smaller ones, in tenths; its events are then in one bin. The bin of a
    frequent amount is cut off on both sides, and so are extreme amounts.
    """
    amounts, of_value = np.unique(numbers, return_inverse=True)
    events = np.bincount(of_value, weights=times).astype(np.int64)
    total = int(events.sum())
    tenth = (np.cumsum(events) - events) * _BINS // total
    frequent = events * _BINS >= total
    extreme = _extremes(amounts, events)
    begins = np.append(True, (tenth[1:] != tenth[:-1]) | frequent[1:] | frequent[:-1] | (extreme[1:] != extreme[:-1]))
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(amounts)) - 1
    written = dict(zip(of_value[::-1].tolist(), reversed(texts), strict=True))  # of 1 and 1.0, the first text
    names = [
        written[start] if start == end else f"{written[start]} to {written[end]}"
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return (np.cumsum(begins) - 1)[of_value], names


def _extremes(amounts: NDArray[np.float64], events: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return which kind of extreme each amount is: a number for each side and order of magnitude, 0 for none."""
    running = np.cumsum(events)
    first, third = amounts[np.searchsorted(running, running[-1] * np.array([0.25, 0.75]))].tolist()
    spread = third - first
    if not 0 < spread < np.inf:
        return np.zeros(len(amounts), dtype=np.int64)
    with np.errstate(over="ignore"):  # the largest amounts may be farther away than can be said
        above, below = (amounts - third) / spread, (first - amounts) / spread
    distance = np.maximum(above, below)
    magnitude = 1 + np.floor(np.log10(np.clip(distance, 1, _FARTHEST))).astype(np.int64)
    return np.where(distance > _EXTREME, np.where(above > below, magnitude, -magnitude), 0)


def _are_equivalent(one: Symbols, other: Symbols) -> bool:
    """Return whether each value of an attribute stands with one value of another, and the other way round."""
    if len(one.names) != len(other.names):
        return False
    return len(np.unique(one.codes * len(other.names) + other.codes)) == len(one.names)
