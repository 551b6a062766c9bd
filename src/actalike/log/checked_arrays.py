"""Check the arrays that an EventLog is built of: nothing is rounded, cut off or wrapped around to fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from actalike.errors import LogError

_FIRST, _LAST = np.datetime64("0001-01-01T00:00:00.000000"), np.datetime64("9999-12-31T23:59:59.999999")


def whole_numbers(given: ArrayLike, what: str) -> NDArray[np.integer]:
    """Return a list of whole numbers as an array of their own type, or raise an error that says ``what`` they should be.

    >>> whole_numbers([0, 2], "offsets of the cases").tolist()
    [0, 2]
    """
    try:
        numbers = _without_gaps(given, what)
    except ValueError as error:  # lists of different lengths
        raise _no_list(what) from error
    if numbers.ndim != 1 or (len(numbers) and numbers.dtype.kind not in "iu"):
        raise _no_list(what)
    return numbers


def _without_gaps(given: ArrayLike, what: str) -> NDArray[Any]:
    """Return an array, or raise an error if it is masked somewhere: the values below a mask are not meant."""
    if np.ma.isMaskedArray(given) and np.ma.getmaskarray(given).any():
        raise LogError(f"The {what} have missing values (a masked array): leave these events out, or fill them in.")
    return np.asarray(given)


def _no_list(what: str) -> LogError:
    return LogError(f"The {what} must be one list of whole numbers, without lists, fractions or texts in it.")


def checked_codes(given: ArrayLike, labels: Sequence[str]) -> NDArray[np.int32]:
    """Return the codes of events, or raise an error unless each is a position in ``labels``, which are texts.

    >>> checked_codes([1, 0], ["a", "b"])
    array([1, 0], dtype=int32)
    """
    codes = whole_numbers(given, "codes of the events")
    if not len(codes):
        raise LogError("The log is empty: it has no events, so there is nothing to compare.")
    for label in labels:
        if not isinstance(label, str):
            raise LogError(f"The log has a label that is not a text: {label!r}.")
    lowest, highest = int(codes.min()), int(codes.max())
    if lowest < 0 or highest >= len(labels):
        raise LogError(
            f"The codes of the events must be positions in the {len(labels):,} labels, and {lowest if lowest < 0 else highest} "
            "is none of them."
        )
    return codes.astype(np.int32, copy=False)


def checked_ids(given: Sequence[str]) -> list[str]:
    """Return the ids of cases as a list, or raise an error unless all are texts.

    >>> checked_ids(("1", "x"))
    ['1', 'x']
    """
    try:
        ids = list(given)
    except TypeError as error:
        raise LogError(f"The ids of the cases must be a list of texts, and not {given!r}.") from error
    if not all(issubclass(kind, str) for kind in set(map(type, ids))):
        wrong = next(one for one in ids if not isinstance(one, str))
        raise LogError(f"The log has a case id that is not a text: {wrong!r}. Write {str(wrong)!r}.")
    return ids


def checked_times(given: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    """Return timestamps to the microsecond, or raise an error unless they are within the years 1 to 9999, or no times (NaT).

    >>> checked_times(np.array(["2024-02-29", "NaT"], dtype="datetime64[D]")).tolist()
    [datetime.datetime(2024, 2, 29, 0, 0), None]
    """
    times = _without_gaps(given, "timestamps of the events")
    if times.ndim != 1 or times.dtype.kind != "M":
        raise LogError("The timestamps of the events must be one array of numpy's datetime64.")
    if times.dtype != _FIRST.dtype:  # a year may be too far away for microseconds: they would wrap around
        years = times.astype("datetime64[Y]")
        within = np.isnat(years) | ((years >= _FIRST.astype("datetime64[Y]")) & (years <= _LAST.astype("datetime64[Y]")))
    else:
        within = np.isnat(times) | ((times >= _FIRST) & (times <= _LAST))
    if not within.all():
        raise LogError(
            f"Event {within.argmin() + 1:,} has a timestamp outside the years 1 to 9999, which no file can hold: correct it."
        )
    return times.astype("datetime64[us]")
