"""The data of the next-activity benchmark: which cases train, validate and test, and activities as ids.

Cases are split in the order of the file: the first int(0.64 T) train, the next int(0.16 T) validate, the rest test. Within
a part, events are then sorted by time inside cases, and cases by their first event, both stable.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.log import EventLog

END = "[EOC]"  # the symbol after the last event of a case
TRAINING, VALIDATION = 0.64, 0.16


class Cases(NamedTuple):
    """Some cases: the ids of their events, where each begins, and the times of the events (seconds), if there are any."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    seconds: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True)
class PredictionData:
    """The three parts of a log, and what their ids stand for; ``vocabulary[end]`` is the end symbol.

    If labels of the test cases have changed, ``meaning`` is the old id of every id. ``counted`` are the cases that vectors are
    learned from, if they are others than the training and validation cases.
    """

    vocabulary: list[str]
    end: int
    training: Cases
    validation: Cases
    test: Cases
    meaning: NDArray[np.int64] | None = None
    counted: tuple[Cases, ...] = ()

    @property
    def n_predictions(self) -> int:
        """The number of predictions: after each event of a test case, what comes next."""
        return len(self.test.ids)

    def known(self) -> EventLog:
        """Return the log that vectors are learned from: training and validation, without the end symbol."""
        return log_of(self.vocabulary, self.counted or (self.training, self.validation))


def log_of(vocabulary: Sequence[str], parts: Sequence[Cases]) -> EventLog:
    """Return some cases as a log."""
    ids = np.concatenate([part.ids for part in parts])
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return EventLog(vocabulary, ids, offsets, [str(i) for i in range(1, len(offsets))])


def prediction_data(log: EventLog) -> PredictionData:
    """Split a log and number its activities, by their first appearance in the log sorted by time.

    The end symbol has the first number that is free after the first case.

    >>> log = EventLog.from_traces([["a", "b"], ["a", "c"], ["a", "b"], ["a"], ["a", "b"], ["b", "a"], ["c"]])
    >>> data = prediction_data(log)
    >>> data.vocabulary, len(data.training), len(data.validation), len(data.test)
    (['a', 'b', '[EOC]', 'c'], 4, 1, 2)
    """
    n_training, n_validation = int(TRAINING * log.n_cases), int(VALIDATION * log.n_cases)
    if not n_training or not n_validation:
        raise ActalikeError(f"The log has {log.n_cases} cases: too few to split into training, validation and test.")
    if END in log.activities:
        raise ActalikeError(f"An activity of the log is called {END}, as the end of a case is here: rename it.")
    bounds = [0, n_training, n_training + n_validation, log.n_cases]
    parts = [_sorted_by_time(log, range(start, stop)) for start, stop in itertools.pairwise(bounds)]
    for name, part in zip(("training", "validation", "test"), parts, strict=True):
        if not len(part.ids):
            raise ActalikeError(f"The log has no event in its {name} cases: there is nothing to learn or to predict.")
    whole = _sorted_by_time(log, range(log.n_cases))
    first_length = int(np.diff(whole.offsets)[np.diff(whole.offsets) > 0][0])
    order = _by_first_appearance(whole.ids)
    end = len(set(whole.ids[:first_length].tolist()))
    position = np.empty(len(order), dtype=np.int32)
    position[order] = np.arange(len(order))
    position[position >= end] += 1
    vocabulary = [log.activities[code] for code in order]
    vocabulary.insert(end, END)
    training, validation, test = (Cases(position[part.ids], part.offsets, part.seconds) for part in parts)
    return PredictionData(vocabulary, end, training, validation, test)


def _by_first_appearance(codes: NDArray[np.int32]) -> NDArray[np.int64]:
    distinct, first = np.unique(codes, return_index=True)
    return distinct[np.argsort(first)].astype(np.int64)


def _sorted_by_time(log: EventLog, cases: range) -> Cases:
    """Return some cases sorted by time; as they are, if there are no times."""
    bounds = log.offsets[cases.start : cases.stop + 1]
    codes = log.codes[bounds[0] : bounds[-1]]
    lengths = np.diff(bounds)
    if log.timestamps is None:
        return Cases(codes, bounds - bounds[0], None)
    times = log.timestamps[bounds[0] : bounds[-1]]
    case = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((times.astype(np.int64), case))
    first = np.full(len(lengths), np.iinfo(np.int64).max)  # a case without events comes last
    has_events = lengths > 0
    starts = (bounds[:-1] - bounds[0])[has_events]
    first[has_events] = times[order].astype(np.int64)[starts]
    ranked = np.argsort(first, kind="stable")
    lengths = lengths[ranked]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    source = np.repeat((bounds[:-1] - bounds[0])[ranked] - offsets[:-1], lengths) + np.arange(offsets[-1])
    order = order[source]
    return Cases(codes[order], offsets, times[order].astype("datetime64[us]").astype(np.int64) / 1e6)
