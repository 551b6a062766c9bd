"""The settings of the next-activity benchmark: what the networks learn from, and what they are tested on.

- ``standard``: all training cases; the test cases as they are.
- ``few-cases``: 1, 5, 10 and 25 % of the training and validation cases, evenly spaced. Vectors are counted on all of them.
- ``changed-labels``: from the first test case on, some activities have other names
  (:mod:`actalike.benchmark.prediction.changed_labels`). Networks are trained once, without knowing the new names, and then the
  new labels are placed among the old ones; and, for the main condition, trained with vectors of a joint count of all cases.

A setting has one or more tasks, each in a folder of its own below that of the log: ids, vectors, results.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.prediction.changed_labels import MAIN, change_labels
from actalike.benchmark.prediction.data import Cases, PredictionData

STANDARD, FEW_CASES, CHANGED_LABELS = SETTINGS = ("standard", "few-cases", "changed-labels")
PERCENTS = (1, 5, 10, 25)
WHOLE = ""  # the task of a log as it is: its folder is that of the log


def task_names(setting: str) -> list[str]:
    """Return the names of the tasks of a setting, which are those of their folders.

    >>> task_names("few-cases"), task_names("changed-labels")
    (['cases-01', 'cases-05', 'cases-10', 'cases-25'], ['', 'rename-30'])
    """
    if setting == FEW_CASES:
        return [f"cases-{percent:02}" for percent in PERCENTS]
    return [WHOLE, MAIN.name] if setting == CHANGED_LABELS else [WHOLE]


def task_data(setting: str, data: PredictionData) -> Iterator[tuple[str, PredictionData]]:
    """Yield the tasks of a setting, by name."""
    if setting == FEW_CASES:
        for name, percent in zip(task_names(setting), PERCENTS, strict=True):
            yield name, few_cases(data, percent)
        return
    yield WHOLE, data
    if setting == CHANGED_LABELS:
        changed = change_labels(data, MAIN)
        counted = (data.training, data.validation, changed.test)
        yield (
            MAIN.name,
            replace(data, vocabulary=changed.vocabulary, test=changed.test, meaning=changed.meaning, counted=counted),
        )


def few_cases(data: PredictionData, percent: int) -> PredictionData:
    """Keep a share of the training and validation cases, evenly spaced; vectors are still counted on all of them.

    At least two cases with events are kept of each.

    >>> from actalike import EventLog
    >>> from actalike.benchmark.prediction.data import prediction_data
    >>> few = few_cases(prediction_data(EventLog.from_traces([["a", "b"], ["a", "c"]] * 100)), 25)
    >>> len(few.training), len(few.validation), few.known().n_cases
    (32, 8, 160)
    """
    training, validation = (_evenly(part, percent) for part in (data.training, data.validation))
    return replace(data, training=training, validation=validation, counted=(data.training, data.validation))


def _evenly(cases: Cases, percent: int) -> Cases:
    filled = np.flatnonzero(np.diff(cases.offsets))
    size = min(len(filled), max(2, round(percent * len(filled) / 100)))
    return _chosen(cases, filled[np.arange(size) * len(filled) // size])


def _chosen(cases: Cases, chosen: NDArray[np.int64]) -> Cases:
    """Return some of the cases, by their numbers."""
    lengths = np.diff(cases.offsets)[chosen]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    source = np.repeat(cases.offsets[:-1][chosen] - offsets[:-1], lengths) + np.arange(offsets[-1])
    return Cases(cases.ids[source], offsets, None if cases.seconds is None else cases.seconds[source])
