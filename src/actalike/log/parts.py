"""Take a part of a log: some of its cases, or some of its events; and find when cases begin, to choose them by time."""

import numpy as np
from numpy.typing import NDArray

from actalike.log.event_log import EventLog


def cases_of(log: EventLog, chosen: NDArray[np.bool_]) -> EventLog:
    """Return the log of some cases, in the same order.

    >>> cases_of(EventLog.from_traces([["a"], ["b"], ["a", "b"]]), np.array([True, False, True])).traces()
    [['a'], ['a', 'b']]
    """
    return events_of(log, np.repeat(chosen, log.lengths), chosen)


def events_of(log: EventLog, events: NDArray[np.bool_], cases: NDArray[np.bool_]) -> EventLog:
    """Return the log of some events, in some of the cases, which are empty if they have none of these events.

    >>> log = EventLog.from_traces([["a"], ["b"], ["a", "b"]])
    >>> events_of(log, log.codes == 1, np.array([True, True, True])).traces()
    [[], ['b'], ['b']]
    """
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    lengths = np.bincount(case[events], minlength=log.n_cases)[cases]
    return EventLog(
        log.activities,
        log.codes[events],
        np.append(0, np.cumsum(lengths)),
        [log.case_ids[i] for i in np.flatnonzero(cases).tolist()],
        None if log.timestamps is None else log.timestamps[events],
        attributes={name: attribute.at(events) for name, attribute in log.attributes.items()},
        names=log.names,
    )


def case_beginnings(log: EventLog) -> NDArray[np.datetime64]:
    """Return the earliest timestamp of each case, NaT if it has none.

    >>> days = np.array(["2024-01-09", "2024-01-02", "NaT"], dtype="datetime64[us]")
    >>> case_beginnings(EventLog(["a"], [0, 0, 0], [0, 2, 3], ["1", "2"], days)).astype("datetime64[D]").astype(str).tolist()
    ['2024-01-02', 'NaT']
    """
    beginnings = np.full(log.n_cases, np.datetime64("NaT"), dtype="datetime64[us]")
    some = np.flatnonzero(log.lengths)
    if log.timestamps is not None and len(some):
        beginnings[some] = np.fmin.reduceat(log.timestamps, log.offsets[:-1][some])
    return beginnings
