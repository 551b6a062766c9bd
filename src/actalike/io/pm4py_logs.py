"""Read the event logs of pm4py: objects of its class EventLog, which are lists of traces, which are lists of events.

They are read as an XES file with the same content is. pm4py itself is not needed: the name of their class tells what they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io.assemble import Events
from actalike.io.columns import Columns, WantedAttributes, find_attributes
from actalike.io.text_codes import AttributeCodes, Codes
from actalike.io.timestamps import NO_TIME, parse_series
from actalike.io.unused_columns import SAMPLE_ROWS, Unread
from actalike.io.xes import CASE_NAME, unused_id

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SOURCE = "the EventLog of pm4py"


def is_pm4py_log(source: object) -> bool:
    """Return whether something is an event log of pm4py, without importing pm4py."""
    return any(kind.__name__ == "EventLog" and kind.__module__.startswith("pm4py.") for kind in type(source).__mro__)


def read_pm4py(
    log: Any,
    case: str,
    activity: str,
    timestamp: str,
    transition: str,
    needs_transition: bool,
    attributes: WantedAttributes,
    name: str | None = None,
) -> Events:
    """Read the attribute ``case`` of the traces, and the attributes of the events, all of them or with an error.

    The second ``name`` of the activities is one of the attributes.
    """
    traces = np.repeat(np.arange(len(log)), [len(trace) for trace in log]).astype(np.int64)
    if not len(traces):
        raise LogError(f"{_SOURCE} is empty: it has {len(log):,} traces but no events.")
    first_event = np.searchsorted(traces, np.arange(len(log)))

    def place(event: int) -> str:
        trace = int(traces[event])
        return f"trace {trace + 1:,}, event {event - first_event[trace] + 1:,},"

    def column(name: str) -> list[Any]:
        return [_value(event.get(name)) for event in _events(log)]

    case_ids, unnamed = _case_ids(log, case)
    labels = _texts(column(activity), activity)
    if None in labels:
        raise LogError(
            f"{_SOURCE}: {place(labels.index(None))} has no {activity!r}, so its activity is not known "
            f"({labels.count(None):,} in all). Correct or remove what lacks it; nothing was read."
        )
    activities, transitions = Codes(), Codes()
    codes = activities.encode(pl.Series(labels, dtype=pl.String))
    times = _times(column(timestamp), place) if timestamp else None
    moves = _texts(column(transition), transition)
    has_transitions = any(text is not None for text in moves)
    codes_of_moves = None
    if has_transitions and needs_transition:
        codes_of_moves = np.full(len(codes), -1, dtype=np.int32)
        known = [text for text in moves if text is not None]
        codes_of_moves[[text is not None for text in moves]] = transitions.encode(pl.Series(known, dtype=pl.String))
    columns = Columns(case, activity, None if times is None else timestamp, transition if has_transitions else None)
    unread = None
    if has_transitions and not needs_transition:
        unread = Unread(pl.DataFrame({transition: pl.Series(moves[:SAMPLE_ROWS], dtype=pl.String)}), may_have_time=False)
    keys = list(dict.fromkeys(key for event in _events(log) for key in event))
    of_traces = dict.fromkeys(f"case:{key}" for trace in log for key in trace.attributes)  # as the columns of its frames
    present = keys if attributes == "people" else list(dict.fromkeys([*keys, *of_traces]))
    wanted = find_attributes(_SOURCE, present, columns._replace(case=f"case:{case}"), attributes, name)
    wanted = sorted(wanted) if attributes == "people" else wanted
    return Events(
        _SOURCE,
        list(activities.known),
        codes,
        case_ids,
        traces,
        times,
        list(transitions.known),
        codes_of_moves,
        place,
        columns,
        unread,
        unnamed,
        {key: _attribute(key, column(key) if key in keys else _of_traces(log, key.removeprefix("case:"))) for key in wanted},
    )


def _events(log: Any) -> Iterator[Mapping[str, Any]]:
    for trace in log:
        yield from trace


def _of_traces(log: Any, key: str) -> list[Any]:
    """Return the values of an attribute of the traces, for each of their events."""
    return [value for trace in log for value in [_value(trace.attributes.get(key))] * len(trace)]


def _value(value: Any) -> Any:
    """Return the value of an attribute; one that has attributes itself is a dictionary."""
    return value.get("value") if isinstance(value, dict) else value


def _case_ids(log: Any, case: str) -> tuple[list[str], int]:
    """Return the id of each trace, and how many traces have no name and go by their number, as in XES."""
    names = _texts([_value(trace.attributes.get(case)) for trace in log], case)
    if case != CASE_NAME and None in names:
        raise LogError(f"{_SOURCE}: trace {names.index(None) + 1:,} has no {case!r} (given as case); nothing was read.")
    taken = {name for name in names if name is not None}
    ids = [unused_id(number, taken) if name is None else name for number, name in enumerate(names, 1)]
    return ids, names.count(None)


def _texts(values: Sequence[Any], name: str) -> list[str | None]:
    """Return labels as texts, or raise an error if a value is neither a text nor a whole number."""
    wrong = next((value for value in values if value is not None and not isinstance(value, str | int)), None)
    if wrong is not None:
        raise LogError(
            f"{_SOURCE}: {name!r} has the value {shortened(repr(wrong))}, which cannot be a label: convert it to a text; "
            "nothing was read."
        )
    return [None if value is None else str(value) for value in values]


def _times(values: Sequence[Any], place: Any) -> NDArray[np.int64] | None:
    """Return timestamps in microseconds in UTC; one without a zone is taken as UTC. None if no event has one."""
    if all(value is None for value in values):
        return None
    times = np.full(len(values), NO_TIME, dtype=np.int64)
    for i, value in enumerate(values):
        if isinstance(value, str):
            parsed, wrong = parse_series(pl.Series([value], dtype=pl.String))
            if wrong is None:
                times[i] = parsed[0]
                continue
            if parsed[0] != NO_TIME:
                raise _outside_years(value, place(i))
        elif isinstance(value, datetime):
            if value == value:  # pandas has a time that is none, and not equal to itself
                times[i] = (_in_utc(value, partial(place, i)) - _EPOCH) // timedelta(microseconds=1)
            continue
        elif value is None:
            continue
        raise LogError(f"{_SOURCE}: {place(i)} has the timestamp {shortened(repr(value))}, which is no date; nothing was read.")
    return times


def _attribute(name: str, values: Sequence[Any]) -> Any:
    """Return the values of an attribute as texts, written as those of frames are; NaN is a missing value."""
    codes = AttributeCodes(_SOURCE, name)
    codes.add(
        pl.Series([None if value is None or value != value else _written(value, name) for value in values], dtype=pl.String)
    )
    return codes.attribute()


def _written(value: Any, name: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _in_utc(value, lambda: f"the attribute {shortened(name)!r}").isoformat(timespec="microseconds")
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _in_utc(moment: datetime, what: Callable[[], str]) -> datetime:
    """Return a time in UTC, or raise an error about ``what`` it is of if its zone moves it out of the calendar."""
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (OverflowError, ValueError) as error:  # pandas raises its own kind of ValueError
        raise _outside_years(str(moment), what()) from error


def _outside_years(moment: str, what: str) -> LogError:
    return LogError(
        f"{_SOURCE}: {what} has the time {shortened(moment)!r}, which is outside the years 1 to 9999 in UTC: correct it; nothing "
        "was read."
    )
