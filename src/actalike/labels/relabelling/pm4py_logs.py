"""Relabel an event log of pm4py: copy its traces and events, with the new labels."""

import copy
from collections.abc import Mapping
from typing import Any

from actalike.io import ReadOptions, read_pm4py
from actalike.labels.relabelling.plan import ORIGINAL, make_plan


def relabel_pm4py(log: Any, mapping: Mapping[str, str], collapse: bool, options: ReadOptions) -> Any:
    """Return a copy of an event log with the new labels; a renamed event keeps its old label as ``actalike:original``."""
    key = options.activity or "concept:name"
    plan = make_plan(read_pm4py(log, options), mapping, collapse, options, options.order or "file")
    result = copy.deepcopy(log)
    number = 0
    for i, trace in enumerate(result):
        kept = copy.copy(trace)
        kept._list = []
        for event in trace:
            name = plan.names[plan.codes[number]] if plan.renamed[number] else None
            if not plan.dropped[number]:
                if name is not None:
                    _keep(event, event[key])
                    event[key] = name
                kept.append(event)
            number += 1
        result[i] = kept
    return result


def _keep(event: Any, label: Any) -> None:
    """Note the old label of an event, unless one from an earlier relabelling is there."""
    if ORIGINAL not in event:
        event[ORIGINAL] = label
