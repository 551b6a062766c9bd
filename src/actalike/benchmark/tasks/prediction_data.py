"""The data of the next-activity benchmark: what networks learn from and are tested on, and what is written for the training.

Cases are split in the order of the file: the first int(0.64 T) train, the next int(0.16 T) validate, the rest test. Within
a part, events are then sorted by time inside cases, and cases by their first event, both stable.

Training reads plain arrays, so that a run that was stopped can be resumed:

    DIR/LOG/task.npz                the ids of the three parts
    DIR/LOG/vectors/METHOD.npz      a row for each id, sparse
    DIR/LOG/vectors/METHOD.json     what the method is; or why it failed
"""

import copy
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from actalike.benchmark.folders import error_text, parameters_of, write_json
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.support.files import write_atomically
from actalike.version import __version__

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
    """The three parts of a log, and what their ids stand for; ``vocabulary[end]`` is the end symbol."""

    vocabulary: list[str]
    end: int
    training: Cases
    validation: Cases
    test: Cases

    def known(self) -> EventLog:
        """Return the log that vectors are learned from: training and validation, without the end symbol."""
        parts = (self.training, self.validation)
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        ids = np.concatenate([part.ids for part in parts])
        return EventLog(self.vocabulary, ids, offsets, [str(i) for i in range(1, len(offsets))])


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


# --- what is written for the training ----------------------------------------------------------------------------------------


def write_task(path: Path, data: PredictionData) -> None:
    """Write the ids of a log's parts; the times too, where there are any."""
    arrays: dict[str, Any] = {"vocabulary_size": len(data.vocabulary), "end": data.end}
    for name in ("training", "validation", "test"):
        part = getattr(data, name)
        arrays |= {f"{name}_ids": part.ids, f"{name}_offsets": part.offsets}
        if part.seconds is not None:
            arrays[f"{name}_seconds"] = part.seconds
    _save(path, arrays)


def frozen_vectors(method: Method, data: PredictionData) -> csr_array:
    """Return a method's vectors, a row for each id: zero for the end symbol, and for activities that only the test cases have."""
    known = data.known()
    embedding = copy.deepcopy(method).fit(known).embedding_
    if sorted(embedding.activities) != known.activities:
        raise ActalikeError("its activities are not those of the log")
    row = {label: i for i, label in enumerate(embedding.activities)}
    vectors = csr_array(embedding.stored_vectors)
    empty = csr_array((1, vectors.shape[1]))
    places = [row.get(label, len(row)) for label in data.vocabulary]
    with np.errstate(over="ignore"):
        frozen = csr_array(vstack([vectors, empty]).tocsr()[places], dtype=np.float32)
    if not np.isfinite(frozen.data).all():
        raise ActalikeError("its vectors have numbers that are too large for training, which uses 32 bits")
    return frozen


def prepare_method(name: str, method: Method, data: PredictionData, folder: Path, digest: str) -> str | None:
    """Write a method's vectors on a log; or write and return the error."""
    description: dict[str, Any] = {
        "method": name,
        "log_digest": digest,
        "version": __version__,
        "parameters": parameters_of(method),
    }
    vectors_folder = folder / "vectors"
    vectors_folder.mkdir(parents=True, exist_ok=True)
    try:
        vectors = frozen_vectors(method, data)
    except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
        (vectors_folder / f"{name}.npz").unlink(missing_ok=True)  # from a run that was killed
        write_json(vectors_folder / f"{name}.json", {**description, "error": error_text(error)})
        return error_text(error)
    arrays = {"data": vectors.data, "indices": vectors.indices.astype(np.int32), "indptr": vectors.indptr.astype(np.int64)}
    _save(vectors_folder / f"{name}.npz", {**arrays, "dimensions": vectors.shape[1]})
    write_json(
        vectors_folder / f"{name}.json", {**description, "dimensions": vectors.shape[1]}
    )  # last: says that the other is whole
    return None


def _save(path: Path, arrays: dict[str, Any]) -> None:
    def write(part: Path) -> None:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, write)
