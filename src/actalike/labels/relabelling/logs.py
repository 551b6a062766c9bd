"""relabel: an event log in memory under simpler names."""

from collections.abc import Iterable, Mapping

import numpy as np

from actalike.labels.groups import Group
from actalike.labels.mapping import changes, mapping_of
from actalike.labels.relabelling.plan import repeats
from actalike.log import EventLog


def relabel(log: EventLog, mapping: Mapping[str, str] | Iterable[Group], collapse: bool = False) -> EventLog:
    """The log with each activity called as the mapping says; those that it does not name keep their names.

    ``mapping`` is a dictionary, or groups, as by :func:`actalike.group`: their members get the name of the first. ``collapse``
    leaves out an event that has come to repeat the one before it in its case: the same new name, but another old one.

    >>> log = EventLog.from_traces([["Check", "Verify", "Pay"], ["Pay", "Pay"]])
    >>> relabel(log, {"Verify": "Check"}).traces()
    [['Check', 'Check', 'Pay'], ['Pay', 'Pay']]
    >>> relabel(log, {"Verify": "Check"}, collapse=True).traces()
    [['Check', 'Pay'], ['Pay', 'Pay']]
    """
    found = changes(as_mapping(mapping), log.activities)
    renamed = log.relabel(lambda label: found.get(label, label))
    if not collapse:
        return renamed
    cases = np.repeat(np.arange(log.n_cases), log.lengths)
    keep = ~repeats(cases, log.codes, renamed.codes)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(cases[keep], minlength=log.n_cases))])
    timestamps = None if log.timestamps is None else log.timestamps[keep]
    return EventLog(renamed.activities, renamed.codes[keep], offsets, log.case_ids, timestamps)


def as_mapping(mapping: Mapping[str, str] | Iterable[Group]) -> Mapping[str, str]:
    """A mapping as it is, or that of groups."""
    return mapping if isinstance(mapping, Mapping) else mapping_of(mapping)
