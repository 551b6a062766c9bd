"""Relabel an event log in memory."""

from collections.abc import Iterable, Mapping

import numpy as np

from actalike.labels.decisions import Decisions
from actalike.labels.groups import Group
from actalike.labels.mapping import changes, mapping_of
from actalike.labels.relabelling.plan import repeats
from actalike.log import EventLog


def relabel(log: EventLog, mapping: Mapping[str, str] | Decisions | Iterable[Group], collapse: bool = False) -> EventLog:
    """Return the log with its activities renamed as the mapping says. Activities that are not in the mapping keep their names.

    ``mapping`` is a dictionary, decisions (:func:`actalike.read_decisions`), or groups as :func:`actalike.group` returns
    them: the members of each group of synonyms get the name of the group (``Group.name``). The labels of other groups keep
    their names; to rename these too, give ``mapping_of(groups, RELATIONS)``, both from :mod:`actalike.labels`.
    ``collapse`` leaves out an event that repeats the one before it in its case only because of the renaming: their new names are
    the same, their old names were not.

    >>> log = EventLog.from_traces([["Check", "Verify", "Pay"], ["Pay", "Pay"]])
    >>> relabel(log, {"Verify": "Check"}).traces()
    [['Check', 'Check', 'Pay'], ['Pay', 'Pay']]
    >>> relabel(log, {"Verify": "Check"}, collapse=True).traces()
    [['Check', 'Pay'], ['Pay', 'Pay']]
    """
    new_names = changes(as_mapping(mapping), log.activities)
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


def as_mapping(mapping: Mapping[str, str] | Decisions | Iterable[Group]) -> Mapping[str, str]:
    """Return a mapping unchanged, or the mapping of decisions or groups."""
    if isinstance(mapping, Decisions):
        return mapping.mapping()
    return mapping if isinstance(mapping, Mapping) else mapping_of(mapping)
