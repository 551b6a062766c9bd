"""Take a log as functions get it: an EventLog, a frame of events, or an event log of pm4py."""

from typing import Any

from actalike.errors import ActalikeError, LogError
from actalike.io.columns import WantedAttributes
from actalike.io.pm4py_logs import is_pm4py_log
from actalike.io.read import read_log
from actalike.log import EventLog


def as_log(source: Any, user: str, attributes: WantedAttributes = None) -> EventLog:
    """Return an EventLog as it is, and read a frame or an event log of pm4py as :func:`actalike.read_log` does.

    ``user`` is the function that was given the log, for error messages. ``attributes`` are those that it uses, if they are there;
    an EventLog has those that it was read with.

    >>> import polars as pl
    >>> as_log(pl.DataFrame({"case": [1, 1], "activity": ["a", "b"]}), "embed").traces()
    [['a', 'b']]
    >>> as_log([["a", "b"]], "embed")
    Traceback (most recent call last):
    actalike.errors.ActalikeError: embed takes an EventLog or a frame (pandas, Polars, pyarrow, ...), not list: use
    actalike.read_log(...) or EventLog.from_traces(...) first.
    """
    if isinstance(source, EventLog):
        return source
    if not (is_pm4py_log(source) or is_frame(source)):
        raise ActalikeError(
            f"{user} takes an EventLog or a frame (pandas, Polars, pyarrow, ...), not {type(source).__name__}: use "
            "actalike.read_log(...) or EventLog.from_traces(...) first."
        )
    try:
        return read_log(source, attributes=attributes)
    except LogError as error:
        raise LogError(f"{error} Options of reading go to read_log: {user}(actalike.read_log(frame, case=...)).") from None


def is_frame(source: object) -> bool:
    """Return whether something is a frame of a library that narwhals knows."""
    import narwhals.stable.v2 as nw  # imported here: files need none of it

    try:
        nw.from_native(source)  # type: ignore[call-overload]
    except nw.exceptions.NarwhalsError:
        return True  # a frame with a fault, which reading explains
    except TypeError:
        return False
    return True
