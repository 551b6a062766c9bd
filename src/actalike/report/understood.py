"""Say on the page how the log was understood: columns, order, files, second names, and what may be wrong."""

from collections.abc import Sequence
from typing import Any

from actalike.log import AnyLog
from actalike.support.text import visible_spaces


def understood(log: AnyLog, labels: Sequence[str]) -> dict[str, Any]:
    """Return the second names of labels, how labels are shown that differ in spaces only, and how the log was read.

    >>> from actalike import EventLog
    >>> understood(EventLog.from_traces([["a", "b", "a "]]), ["a", "b", "a "])
    {'names': None, 'spaced': [[0, 'a'], [2, 'a·']], 'reading': None}
    """
    shown = visible_spaces(log.activities)
    names = {
        "names": [log.names.get(label) for label in labels] if log.names else None,
        "spaced": [[i, shown[label]] for i, label in enumerate(labels) if label in shown],
    }
    reading = log.reading
    if reading is None:
        return {**names, "reading": None}
    facts = {
        "case": reading.case,
        "activity": reading.activity,
        "time": reading.timestamp,
        "order": list(reading.order),
        "transition": reading.transition,
        "lifecycle": reading.lifecycle,
        "left_out": reading.left_out,
        "missing": reading.missing_words(),
        "unnamed_cases": reading.unnamed_cases,
        "name": reading.name,
        "named_labels": reading.named_labels,
        "attributes": list(reading.attributes),
        "files": list(reading.files),
        "joined_cases": reading.joined_cases,
        "remarks": reading.remarks(),
    }
    return {**names, "reading": facts}
