"""Turn the values of an attribute into symbols that can be counted: texts as they are, amounts in bins."""

import re
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.log import Attribute, names_people

_BINS = 10
_FEW_AMOUNTS = 20  # so many different amounts are counted one by one
_FEW_NUMBERS = 100  # so many different whole numbers may be codes, such as articles of a law, rooms or people
_EXTREME = 3.0  # interquartile ranges outside the quartiles, from which on an amount is extreme
_FARTHEST = 1e300  # of the same ranges, so that numbers stay finite
_NOT_NUMBERS = 0.05  # of the events may have a value that is no number, such as "n/a", and the others have amounts
_EVENTS_PER_VALUE = 2  # on average: a value that occurs once can be expected by nothing
_NUMBER = r"^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"  # digits after a leading zero are a code: 007
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_WORDS_OF_IDS = {"id", "code", "key", "number", "nummer", "nr", "no"}


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
    - all are whole numbers, and more than 100 are different. Fewer may be codes, such as the articles of a law, and each of them
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
    """Return whether whole numbers are rather codes or ids than amounts."""
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
