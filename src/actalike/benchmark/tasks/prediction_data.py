"""The data of the next-activity benchmark: what networks learn from and are tested on, and what is written for the training.

Cases are split in the order of the file: the first int(0.64 T) train, the next int(0.16 T) validate, the rest test. Within
a part, events are then sorted by time inside cases, and cases by their first event, both stable. The settings:

- ``standard``: all training cases; the test cases as they are.
- ``few-cases``: 1, 5, 10 and 25 % of the training and validation cases, evenly spaced. Vectors are counted on all of them.
- ``changed-labels``: from the first test case on, some activities have other names. Networks are trained once, without knowing
  the new names, and then the new labels are placed among the old ones; and, for the main condition, trained with vectors of a
  joint count of all cases.

A setting has one or more tasks, each in a folder of its own below that of the log. Training needs numpy and torch alone, so it
can run where nothing else is installed: on a machine with a GPU, say. It reads plain arrays:

    DIR/LOG/task.npz                the ids of the three parts
    DIR/LOG/vectors/METHOD.npz      a row for each id, sparse
    DIR/LOG/vectors/METHOD.json     what the method is; or why it failed
    DIR/LOG/changes.npz             test cases with changed labels, and how a predictor reads the new ones
    DIR/LOG/placements/METHOD.npz   how a method places the new labels
    DIR/LOG/trigram.json            how well a trigram predicts that is counted on the new cases alone

A setting with several tasks has such a folder for each: DIR/LOG/TASK/task.npz and so on.
"""

import copy
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from actalike.benchmark.folders import error_text, parameters_of, write_json
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.prediction import blend_weights, place_labels
from actalike.support.files import write_atomically
from actalike.two_logs import match
from actalike.version import __version__

Floats = NDArray[np.float32]
END = "[EOC]"  # the symbol after the last event of a case
TRAINING, VALIDATION = 0.64, 0.16
STANDARD, FEW_CASES, CHANGED_LABELS = SETTINGS = ("standard", "few-cases", "changed-labels")
PERCENTS = (1, 5, 10, 25)
WHOLE = ""  # the task of a log as it is: its folder is that of the log


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


# --- settings ----------------------------------------------------------------------------------------------------------------


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
    >>> from actalike.benchmark.tasks.prediction_data import prediction_data
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


# --- changed labels ----------------------------------------------------------------------------------------------------------


# From the first test case on, some activities have other names, as after a new system. Of the activities that both the training
# and the test cases have, a share is drawn. The kinds of change:
#
# - rename: each gets one new name.
# - split: each gets three new names, which 55, 30 and 15 % of the cases use, drawn case by case.
# - outcome: each gets two new names: one for the events that the activity's most frequent continuation follows, one for the
#   others. So each name has only a part of the activity's contexts, and it tells what follows: a way may be better than being
#   told.
#
# A condition is a kind, a share, and how many cases with new names are known when the labels are placed: all test cases, or the
# first 10, 50 or 200. What is placed by the first cases is judged on the later ones. In the main condition the activities are
# drawn three times, because a log of few activities has only one or two that change.

KINDS = ("rename", "split", "outcome")
SHARES = (10, 30, 50)  # per cent of the activities
FIRST_CASES = (10, 50, 200)
_PARTS = (0.55, 0.3, 0.15)


class Condition(NamedTuple):
    """A change of labels, how many cases of it are known (None if all are), and which draw of the activities it is."""

    kind: str
    percent: int
    first: int | None = None
    draw: int = 0

    @property
    def name(self) -> str:
        """Return the name that result files and tables use, the same for all draws.

        >>> Condition("rename", 30).name, Condition("split", 30, 50).name
        ('rename-30', 'split-30-first-50')
        """
        return f"{self.kind}-{self.percent}" + (f"-first-{self.first}" if self.first else "")


MAIN = Condition("rename", 30)
LEAKING = {Condition("outcome", 30).name}  # whose new names tell what follows: being told the old ones is no upper bound there
DRAWS = 3  # of the main condition


def conditions() -> list[Condition]:
    """Return all conditions: every kind and share with all cases known, and a share of 30 % with the first cases."""
    whole = [Condition(kind, percent) for kind in ("rename", "split") for percent in SHARES]
    few = [Condition(kind, MAIN.percent, first) for kind in ("rename", "split") for first in FIRST_CASES]
    draws = [MAIN._replace(draw=draw) for draw in range(1, DRAWS)]
    return [*whole, *draws, Condition("outcome", MAIN.percent), *few]


class ChangedLabels(NamedTuple):
    """The test cases with new names. ``meaning`` is the old id of every id; ``vocabulary`` has the new names at its end."""

    vocabulary: list[str]
    meaning: NDArray[np.int64]
    test: Cases


def change_labels(data: PredictionData, condition: Condition) -> ChangedLabels:
    """Give a share of the activities new names in the test cases, the same in every run.

    >>> from actalike import EventLog
    >>> from actalike.benchmark.tasks.prediction_data import prediction_data
    >>> data = prediction_data(EventLog.from_traces([["a", "b", "c"]] * 10))
    >>> changed = change_labels(data, MAIN)
    >>> len(changed.vocabulary) - len(data.vocabulary), changed.meaning[-1:].tolist()
    (1, [1])
    """
    kind, percent, _, draw = condition
    n = len(data.vocabulary)
    before = np.concatenate([data.training.ids, data.validation.ids])
    ids = np.intersect1d(before, data.test.ids).tolist()
    size = max(1, round(percent * len(ids) / 100))
    drawn = [ids[i] for i in random_subset(seed_of("changed labels", kind, percent, draw), len(ids), size)]
    vocabulary, meaning = list(data.vocabulary), list(range(n))
    changed = data.test.ids.astype(np.int64)
    for activity in drawn:
        places = np.flatnonzero(data.test.ids == activity)
        parts = _parts(data, places, condition, activity)
        for part in np.unique(parts).tolist():
            changed[places[parts == part]] = len(vocabulary)
            vocabulary.append(f"new {seed_of(condition.name, draw, activity, part):016x}")  # no name tells the old one
            meaning.append(activity)
    test = Cases(changed.astype(np.int32), data.test.offsets, data.test.seconds)
    return ChangedLabels(vocabulary, np.array(meaning), test)


def _parts(data: PredictionData, places: NDArray[np.int64], condition: Condition, activity: int) -> NDArray[np.int64]:
    """Return which of its new names each event of an activity gets."""
    if condition.kind == "rename" or not len(places):
        return np.zeros(len(places), dtype=np.int64)
    cases = np.searchsorted(data.test.offsets, places, side="right") - 1
    if condition.kind == "split":
        words = random_words(seed_of("split", condition.draw, activity), len(data.test))
        return np.searchsorted(np.cumsum(_PARTS)[:-1], words / 2.0**64, side="right")[cases]
    following = np.append(data.test.ids[1:], data.end)[places]
    following[places == data.test.offsets[cases + 1] - 1] = data.end
    return (following != np.bincount(following).argmax()).astype(np.int64)


def first_cases(cases: Cases, first: int | None) -> Cases:
    """Return the first cases with events, and the empty ones between them; all if ``first`` is None."""
    filled = np.flatnonzero(np.diff(cases.offsets))
    stop = len(cases) if first is None or first >= len(filled) else int(filled[first - 1]) + 1
    end = cases.offsets[stop]
    return Cases(cases.ids[:end], cases.offsets[: stop + 1], None if cases.seconds is None else cases.seconds[:end])


def conditions_of(data: PredictionData) -> Iterator[Condition]:
    """Return the conditions that a log can have: so many test cases are there, and at least as many again to judge.

    Cases without events do not count: there is nothing to judge in them.
    """
    filled = np.count_nonzero(np.diff(data.test.offsets))
    for condition in conditions():
        if condition.first is None or 2 * condition.first <= filled:
            yield condition


# --- where new labels are placed ---------------------------------------------------------------------------------------------


# Where new labels are placed among the old ones: weights of old ids, for each new id. There are three ways. *Read* is what
# ``Predictor.adapt`` does, and does not depend on the method: a label is read as an old one, or placed between several. Nor does
# *matched*: a label is read as its partner, if ``match`` finds one. *Placed* is by a method's own vectors of a joint count: the
# weights with which the old vectors come nearest to the new one. A label that has not been seen, or is too rare, has no weights:
# the network reads the mean of all vectors.


class Change(NamedTuple):
    """A condition with its test cases, and the logs before and after the change as far as they are known."""

    condition: Condition
    changed: ChangedLabels
    past: EventLog
    now: EventLog

    @property
    def n_known(self) -> int:
        """Return how many of the test cases are known, and so not judged; 0 if all are known and judged."""
        first = self.condition.first
        return 0 if first is None else len(first_cases(self.changed.test, first))


def changes_of(data: PredictionData) -> list[Change]:
    """Return the changes of a log's labels under all conditions that it can have."""
    past = log_of(data.vocabulary, (data.training, data.validation))
    changes = []
    for condition in conditions_of(data):
        changed = change_labels(data, condition)
        now = log_of(changed.vocabulary, (first_cases(changed.test, condition.first),))
        changes.append(Change(condition, changed, past, now))
    return changes


def read_weights(data: PredictionData, change: Change) -> Floats:
    """Return the weights of old ids (columns) for new ids (rows) by which ``Predictor.adapt`` reads them."""
    placements = place_labels(change.past, change.now)
    return _by_id(data, change, [label.label for label in placements.placed], placements.weights)


def matched_weights(data: PredictionData, change: Change) -> Floats:
    """Return the weights of old ids (columns) for new ids (rows) if a new label is read as its partner by ``match``."""
    past = change.past.activities
    known = {label: label for label in set(past) & set(change.now.activities)}
    partners = {new: old for old, new, _ in match(change.past, change.now, known).pairs if new not in known}
    weights = np.array([[float(label == old) for label in past] for old in partners.values()]).reshape(-1, len(past))
    return _by_id(data, change, list(partners), weights)


def placed_weights(data: PredictionData, change: Change, method: Method) -> Floats:
    """Return the weights of old ids (columns) for new ids (rows) by a method's vectors of a joint count."""
    first = first_cases(change.changed.test, change.condition.first)
    joint = log_of(change.changed.vocabulary, (data.training, data.validation, first))
    embedding = copy.deepcopy(method).fit(joint).embedding_
    new = [label for label in change.now.activities if label not in set(change.past.activities)]
    if not {*new, *change.past.activities} <= set(embedding.activities):
        raise ActalikeError("its activities are not those of the log")
    weights = blend_weights(embedding, change.past.activities, new)
    if not np.isfinite(weights).all():
        raise ActalikeError("its vectors have numbers that are too large to place new labels by them")
    return _by_id(data, change, new, weights)


def _by_id(data: PredictionData, change: Change, new: Sequence[str], weights: NDArray[np.float64]) -> Floats:
    """Arrange weights, given for labels, by ids. Labels that only the test cases ever had get none."""
    n = len(data.vocabulary)
    position = {label: i for i, label in enumerate(change.changed.vocabulary)}
    by_id = np.zeros((len(position) - n, n), dtype=np.float32)
    columns = [position[label] for label in change.past.activities]
    for label, row in zip(new, weights, strict=True):
        if position[label] >= n:
            by_id[position[label] - n, columns] = row
    return by_id


# --- without a network -------------------------------------------------------------------------------------------------------


def trigram_accuracy(change: Change, end: int) -> float | None:
    """Return how well a trigram predicts that is counted on the known cases with new names, and on nothing older.

    It predicts what most often follows the last two labels; if they are new to it, what follows the last one; else what is most
    frequent. Of several, it takes the one with the smallest id. Judged are the later cases, by the old names, as networks are.
    It is None if all cases are known: then none is left to judge.
    """
    if not change.n_known:
        return None
    sequences = _with_ends(change.changed.test, end)
    followers: dict[tuple[int, ...], Counter[int]] = {}
    for sequence in sequences[: change.n_known]:
        for context, following in _events_of(sequence):
            for used in (context, context[1:], ()):
                followers.setdefault(used, Counter())[following] += 1
    best = {context: min(counts, key=lambda label: (-counts[label], label)) for context, counts in followers.items()}
    meaning = change.changed.meaning
    hits = [
        meaning[best.get(context, best.get(context[1:], best[()]))] == meaning[following]
        for sequence in sequences[change.n_known :]
        for context, following in _events_of(sequence)
    ]
    return float(np.mean(hits))


def _with_ends(cases: Cases, end: int) -> list[list[int]]:
    """Return the ids of each case, with the end symbol before and after them."""
    return [[end, *cases.ids[start:stop].tolist(), end] for start, stop in itertools.pairwise(cases.offsets)]


def _events_of(sequence: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the last two labels up to each event of a case, and what follows."""
    for place in range(1, len(sequence) - 1):
        yield tuple(sequence[place - 1 : place + 1]), sequence[place + 1]


# --- what is written for the training ----------------------------------------------------------------------------------------


def write_task(path: Path, data: PredictionData) -> None:
    """Write the ids of a log's parts; the times too, where there are any."""
    arrays: dict[str, Any] = {"vocabulary_size": len(data.vocabulary), "end": data.end}
    if data.meaning is not None:
        arrays["meaning"] = data.meaning
    for name in ("training", "validation", "test"):
        part = getattr(data, name)
        arrays |= {f"{name}_ids": part.ids, f"{name}_offsets": part.offsets}
        if part.seconds is not None:
            arrays[f"{name}_seconds"] = part.seconds
    _save(path, arrays)


def write_changes(path: Path, data: PredictionData, changes: Sequence[Change]) -> None:
    """Write test cases with changed labels, and how a predictor that adapts itself reads the new ones."""
    arrays: dict[str, Any] = {
        "conditions": np.array([change.condition.name for change in changes]),
        "draws": np.array([change.condition.draw for change in changes]),
        "firsts": np.array([change.n_known for change in changes]),
    }
    for i, change in enumerate(changes):
        arrays |= {f"{i}_ids": change.changed.test.ids, f"{i}_meaning": change.changed.meaning}
        arrays[f"{i}_readings"] = read_weights(data, change)
        arrays[f"{i}_matched"] = matched_weights(data, change)
    _save(path, arrays)


def write_trigram(path: Path, data: PredictionData, digest: str, changes: Sequence[Change]) -> None:
    """Write the accuracy of a trigram under each condition that leaves cases to judge."""
    figures = [
        {"condition": change.condition.name, "draw": change.condition.draw, "accuracy": accuracy}
        for change in changes
        if (accuracy := trigram_accuracy(change, data.end)) is not None
    ]
    write_json(path, {"log_digest": digest, "figures": figures})


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


def prepare_method(
    name: str, method: Method, data: PredictionData, folder: Path, digest: str, changes: Sequence[Change] = ()
) -> str | None:
    """Write a method's vectors on a log, and how it places new labels; or write and return the error."""
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
        placements = {str(i): placed_weights(data, change, method) for i, change in enumerate(changes)}
    except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
        (vectors_folder / f"{name}.npz").unlink(missing_ok=True)  # from a run that was killed
        write_json(vectors_folder / f"{name}.json", {**description, "error": error_text(error)})
        return error_text(error)
    arrays = {"data": vectors.data, "indices": vectors.indices.astype(np.int32), "indptr": vectors.indptr.astype(np.int64)}
    if changes:
        _save(folder / "placements" / f"{name}.npz", placements)
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
