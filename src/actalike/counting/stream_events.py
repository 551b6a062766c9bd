"""Check events that arrive, whatever library they come from: the case and the activity of each, as texts."""

from typing import Any

import numpy as np
import polars as pl

from actalike.errors import LogError

_WIDE = (pl.Int128, pl.UInt128)
_LARGE = 1 << 64  # numbers from here on become texts at once: Python does not write those of thousands of digits


def event_texts(cases: Any, activities: Any) -> tuple[list[str], list[str]]:
    """Return the case and the activity of each event as texts, or raise an error if some are missing or of another type.

    >>> event_texts([7, "x"], np.array(["a", "b"]))
    (['7', 'x'], ['a', 'b'])
    """
    ids, labels = event_keys(cases, activities)
    return list(map(str, ids)), labels


def event_keys(cases: Any, activities: Any) -> tuple[list[str] | list[int], list[str]]:
    """Return the same, but cases that are all whole numbers as such.

    >>> event_keys(np.array([7, 8]), ["a", "b"]), event_keys([7, "8"], ["a", "b"])
    (([7, 8], ['a', 'b']), (['7', '8'], ['a', 'b']))
    """
    ids = _keys(cases, "cases", numbers=True)
    labels: list[str] = _keys(activities, "activities", numbers=False)  # type: ignore[assignment]
    if len(ids) != len(labels):
        raise LogError(f"{len(ids):,} cases and {len(labels):,} activities do not make events: give one of each for every event.")
    return ids, labels


def cases_to_close(cases: Any) -> list[str]:
    """Return the distinct ones of some cases as texts, sorted. A single case may be given by itself.

    >>> cases_to_close(7), cases_to_close(["x", 7, "7"])
    (['7'], ['7', 'x'])
    """
    return sorted(set(map(str, case_keys(cases))))


def case_keys(cases: Any) -> list[str] | list[int]:
    """Return some cases as texts, or as whole numbers if all are. A single case may be given by itself.

    >>> case_keys("x"), case_keys(np.array([7, 8])), case_keys([7, "8"])
    (['x'], [7, 8], ['7', '8'])
    """
    return _keys([cases] if isinstance(cases, str | int | np.integer) else cases, "cases", numbers=True)


def _keys(values: Any, role: str, numbers: bool) -> list[str] | list[int]:
    """Return a column of events as a list of texts, or of whole numbers where these are allowed and all are."""
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise LogError(
                f"The {role} come in an array of {values.ndim} dimensions: give one of 1 dimension, with a value for each event. "
                "Nothing was taken."
            )
        if isinstance(values, np.ma.MaskedArray) and not values.dtype.names:
            _check_missing(int(np.ma.getmaskarray(values).sum()), len(values), role)
        kind, values = values.dtype.kind, np.asarray(values).tolist()  # what it holds, whatever a subclass would list
        if kind == "U" or (numbers and kind in "iu"):
            return values
    if isinstance(values, list | tuple):
        listed, missing = list(values), None
    elif isinstance(values, pl.Series):
        missing = values.null_count()
        if not missing and (values.dtype == pl.String or (numbers and values.dtype.is_integer() and values.dtype not in _WIDE)):
            return values.to_list()  # its type says what they are
        listed = values.to_list()
    else:
        import narwhals.stable.v2 as nw  # imported here: lists, arrays and Polars do not need it

        if hasattr(values, "__arrow_c_array__"):  # a pyarrow array, which narwhals does not support
            values = pl.Series(values)
        try:
            column = nw.from_native(values, series_only=True)
        except TypeError:
            raise LogError(
                f"The {role} come in a list, a numpy array, or a column of Polars, pandas or pyarrow, and not in one "
                f"{type(values).__name__}. Nothing was taken."
            ) from None
        listed, missing = column.to_list(), int(column.is_null().sum())
    types = set(map(type, listed))
    if types <= {str} or (numbers and types == {int} and max(map(abs, listed)) < _LARGE):
        return listed
    if missing is None:
        missing = sum(value is None or (isinstance(value, float) and value != value) for value in listed)
    _check_missing(missing, len(listed), role)
    for value in listed:
        if not isinstance(value, str) and not (numbers and isinstance(value, int | np.integer) and not isinstance(value, bool)):
            allowed = "texts or whole numbers" if numbers else "texts"
            raise LogError(f"Among the {role} is {value!r}, of type {type(value).__name__}: give {allowed}. Nothing was taken.")
    try:
        return [str.__str__(value) if isinstance(value, str) else str(value) for value in listed]  # also of subclasses of str
    except ValueError as error:
        raise LogError(f"Among the {role} is a number too large to be written: give its text. Nothing was taken.") from error


def _check_missing(missing: int, n: int, role: str) -> None:
    """Raise an error if some of the values are missing."""
    if missing:
        raise LogError(f"{missing:,} of {n:,} {role} are missing: mend them or leave them out. Nothing was taken.")
