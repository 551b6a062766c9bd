"""Relabel a log in memory: an EventLog, a frame, or an event log of pm4py."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np

from actalike.errors import ActalikeError
from actalike.io import Missing, Order, ReadOptions, TimestampFormat, is_frame, is_pm4py_log
from actalike.labels.decisions import Decisions
from actalike.labels.groups import Group
from actalike.labels.mapping import changes, mapping_of
from actalike.labels.matching_decisions import MatchingDecisions
from actalike.labels.relabelling.frames import relabel_frame
from actalike.labels.relabelling.plan import repeats
from actalike.labels.relabelling.pm4py_logs import relabel_pm4py
from actalike.log import EventLog
from actalike.support.progress import tracked

Log = TypeVar("Log")
Names = Mapping[str, str] | Decisions | MatchingDecisions | Iterable[Group]  # what relabels a log


@tracked("relabelling")
def relabel(
    log: Log,
    mapping: Names,
    collapse: bool = False,
    *,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    order: Order | None = None,
    timestamp_format: TimestampFormat = None,
    missing: Missing = "error",
) -> Log:
    """Return the log with its activities renamed as the mapping says.

    Activities that are not in the mapping, or whose name there is blank, keep their names.

    ``log`` is an EventLog, a frame of events (pandas, Polars or pyarrow), or an event log of pm4py. The result is of the same
    kind, and the log itself is not changed. A frame keeps its rows, their order, all other columns, types and notes. Labels keep
    their type if it can hold every name; those of a Polars Enum become String, and numbers become texts. As
    :func:`actalike.relabel_file` does, a renamed event keeps its old label in the column ``actalike:original``. The options after
    the ``*`` say how a frame, or an event log of pm4py, is read; see :func:`actalike.read_log`.

    ``mapping`` is a dictionary, decisions (:func:`actalike.read_decisions`; of two logs, which give the second the names of the
    first, :func:`actalike.read_matching_decisions`), or groups as :func:`actalike.group` returns
    them: the members of each group of synonyms get the name of the group (``Group.name``). The labels of other groups keep
    their names; to rename these too, give ``mapping_of(groups, RELATIONS)``, both from :mod:`actalike.labels`.
    ``collapse`` leaves out an event that repeats the one before it in its case only because of the renaming: their new names are
    the same, their old names were not.

    >>> log = EventLog.from_traces([["Check", "Verify", "Pay"], ["Pay", "Pay"]])
    >>> relabel(log, {"Verify": "Check"}).traces()
    [['Check', 'Check', 'Pay'], ['Pay', 'Pay']]
    >>> relabel(log, {"Verify": "Check"}, collapse=True).traces()
    [['Check', 'Pay'], ['Pay', 'Pay']]
    >>> import polars as pl
    >>> frame = pl.DataFrame({"case": [1, 1], "activity": ["Verify", "Pay"], "cost": [5, 7]})
    >>> relabel(frame, {"Verify": "Check"}).rows()
    [(1, 'Check', 5, 'Verify'), (1, 'Pay', 7, None)]
    """
    options = ReadOptions(
        case=case, activity=activity, timestamp=timestamp, order=order, timestamp_format=timestamp_format, missing=missing
    )
    if isinstance(log, EventLog):
        if options != ReadOptions():
            raise ActalikeError(
                "case, activity, timestamp, order, timestamp_format and missing are for frames, and this is an EventLog: "
                "leave them out."
            )
        return _relabel_log(log, as_mapping(mapping), collapse)  # type: ignore[return-value]
    if is_pm4py_log(log):
        return relabel_pm4py(log, as_mapping(mapping), collapse, options)
    return relabel_frame(log, as_mapping(mapping), collapse, options)


def _relabel_log(log: EventLog, mapping: Mapping[str, str], collapse: bool) -> EventLog:
    new_names = changes(mapping, log.activities)
    renamed = log.relabel(lambda label: new_names.get(label, label))
    if not collapse:
        return renamed
    cases = np.repeat(np.arange(log.n_cases), log.lengths)
    keep = ~repeats(cases, log.codes, renamed.codes)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(cases[keep], minlength=log.n_cases))])
    timestamps = None if log.timestamps is None else log.timestamps[keep]
    attributes = {name: attribute.at(keep) for name, attribute in log.attributes.items()}
    return EventLog(
        renamed.activities, renamed.codes[keep], offsets, log.case_ids, timestamps, attributes=attributes, names=renamed.names
    )


def as_mapping(mapping: Names) -> Mapping[str, str]:
    """Return a mapping unchanged, or the mapping of decisions or groups; anything else is an error."""
    if isinstance(mapping, Decisions | MatchingDecisions):
        return mapping.mapping()
    if isinstance(mapping, Mapping):
        return mapping
    is_many = isinstance(mapping, Iterable) and not isinstance(mapping, str | bytes | EventLog) and not is_frame(mapping)
    groups = list(mapping) if is_many else []
    if not is_many or not all(isinstance(each, Group) for each in groups):
        raise ActalikeError(
            f"A mapping is a dictionary from label to new label, decisions, or groups, not {type(mapping).__name__}: for a file, "
            "give read_mapping(path) or read_decisions(path). Nothing was relabelled."
        )
    return mapping_of(groups)
