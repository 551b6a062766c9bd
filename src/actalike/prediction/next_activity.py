"""Predict the next activity of a running case: train a predictor on a log, and use it.

A predictor is the sound model of the next-activity benchmark (:mod:`actalike.prediction.training`), trained on all of a log. The
predictor itself needs no more than numpy.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from actalike.embedding import Embedding
from actalike.errors import ActalikeError, LogError, UnknownActivityError, did_you_mean
from actalike.io import LogLike, as_log
from actalike.labels import table_bytes
from actalike.log import EventLog
from actalike.methods import embed
from actalike.prediction.adaptation import PAST_ARRAYS, Network, PastCases, PlacedLabel, RefusedLabel, adapt_network
from actalike.support.arrays import one_thread
from actalike.support.extras import Extra
from actalike.support.files import write_atomically
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.saved import Label, LabelledHeader, MethodName, StoredFile, Total, write_file
from actalike.support.text import counted

if TYPE_CHECKING:
    from actalike.prediction.training.task import Task  # needs torch

Floats = NDArray[np.float64]
LEAST_LOGIT = -1e5  # biases below it belong to labels that are never predicted
_CASES = 10  # of so many cases, one only says when to stop, and one only how good the predictor is
_STOPS, _MEASURES = 4, 9  # which of them
_AT_ONCE = 1024  # cases that are read side by side: their states fit into a processor cache
_FEW = 10  # continuations that are found one after the other
_MOST_CELLS = 1 << 22  # probabilities that are held at a time
_COLUMNS = ("case", "events", "last_activity", "rank", "next_activity", "ends", "probability", "note", "case_number")


class Prediction(NamedTuple):
    """An activity that may come next, None for the end of the case, and how likely it is."""

    activity: str | None
    probability: float


class CasePrediction(NamedTuple):
    """What comes next in a case of a log, the most likely first.

    ``case_number`` is the place of the case in the log, from 0: ids may occur twice. ``events`` is how many events it has so far,
    ``last_activity`` the label of the last one. A case of which nothing can be predicted has no ``predictions``, and its ``note``
    says why; of all others the note is empty.
    """

    case: str
    case_number: int
    events: int
    last_activity: str | None
    predictions: tuple[Prediction, ...]
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as ``actalike predict --json`` prints them. Cases count from 1, as in the file.

        >>> CasePrediction("7", 0, 0, None, (), "no events").to_dict()
        {'case': '7', 'case_number': 1, 'events': 0, 'last_activity': None, 'next': [], 'note': 'no events'}
        """
        return {
            "case": self.case,
            "case_number": self.case_number + 1,
            "events": self.events,
            "last_activity": self.last_activity,
            "next": [
                {"activity": activity, "ends": activity is None, "probability": share} for activity, share in self.predictions
            ],
            "note": self.note or None,
        }


class HeldOut(NamedTuple):
    """Hold how often the next activity, or the end of the case, was predicted rightly on cases that were not learned from.

    ``accuracy`` is the share of the ``events`` after which the most likely continuation came. ``baseline`` is that share if one
    always predicts the most frequent continuation of the last activity, as counted in the cases that were learned from.

    >>> print(HeldOut(events=1204, accuracy=0.714, baseline=0.552))
    next activity right in 71 % of 1,204 held-out events, most frequent continuation: 55 %
    """

    events: int
    accuracy: float
    baseline: float

    def __str__(self) -> str:
        return (
            f"next activity right in {100 * self.accuracy:.0f} % of {counted(self.events, 'held-out event')}, "
            f"most frequent continuation: {100 * self.baseline:.0f} %"
        )


class Predictor:
    """A trained network: an LSTM reads the activities of a case so far, and gives each activity and the end a probability.

    ``inputs`` has what each activity contributes to the gates (activities, 4 H), its vector times the weights of the network;
    ``recurrent`` (H, 4 H), ``out`` (H, activities + 1) and ``out_bias`` are the other weights, the end of the case last. It
    needs no more than numpy to predict.

    ``held_out`` says how good it is on cases that it has not seen; None if there were too few cases to hold some out. ``past``
    are the cases that it knows, by which :meth:`adapt` places labels that appear later. ``placed`` are the labels that were
    placed so far, ``new_labels`` those that the last :meth:`adapt` has placed, ``refused`` those that it could not place.
    """

    def __init__(
        self,
        activities: Sequence[str],
        method: str | None,
        inputs: Floats,
        recurrent: Floats,
        out: Floats,
        out_bias: Floats,
        held_out: HeldOut | None = None,
        past: PastCases | None = None,
        placed: Sequence[PlacedLabel] = (),
        refused: Sequence[RefusedLabel] = (),
    ) -> None:
        self.activities = list(activities)
        self.method = method
        self.held_out, self.past = held_out, past
        self.placed, self.refused = tuple(placed), tuple(refused)
        self.new_labels: tuple[str, ...] = ()
        self.inputs, self.recurrent, self.out, self.out_bias = inputs, recurrent, out, out_bias
        self._position = {label: i for i, label in enumerate(self.activities)}

    def probabilities(self, case: Iterable[str]) -> Floats:
        """Return the probability of each activity to come next, in the order of ``activities``; last, that the case ends."""
        if isinstance(case, str):
            raise LogError(f"A case must be a list of labels, not the string {case!r}: write [{case!r}, ...].")
        events = [self._find(label) for label in case]
        if not events:
            raise LogError("Nothing can be predicted for a case without events: give at least its first activity.")
        size = self.recurrent.shape[0]
        h, c = np.zeros(size), np.zeros(size)
        for event in events:
            h, c = self.advance(event, h, c)
        return _softmax(h @ self.out + self.out_bias)

    def advance(self, codes: int | NDArray[np.int64], h: Floats, c: Floats) -> tuple[Floats, Floats]:
        """Return the state of the network after one more event; of many cases at once if ``codes`` is an array."""
        size = self.recurrent.shape[0]
        gates = self.inputs[codes] + h @ self.recurrent
        with np.errstate(over="ignore"):  # a gate that is shut: 1 / infinity is 0
            i, f, o = (1 / (1 + np.exp(-gates[..., k * size : (k + 1) * size])) for k in (0, 1, 3))
        c = f * c + i * np.tanh(gates[..., 2 * size : 3 * size])
        return o * np.tanh(c), c

    def predict(self, case: Iterable[str], topn: int | None = 5) -> list[Prediction]:
        """Return what comes next in a case with these activities so far, the most likely first; all if ``topn`` is None."""
        _check_topn(topn, 0)
        shares = self.probabilities(case)
        order = np.argsort(-shares, kind="stable")[:topn]
        labels: list[str | None] = [*self.activities, None]
        return [Prediction(labels[k], float(shares[k])) for k in order.tolist()]

    def predict_cases(self, log: LogLike, topn: int | None = 3) -> "CasePredictions":
        """Return what comes next in each case of a log, all cases in one pass; each is predicted as far as it is in the log.

        ``log`` is an EventLog, a frame of events or an event log of pm4py. A case without events, or with a label that could not
        be placed (``refused``), gets no prediction, and a note. Any other label that the predictor does not know is an error.
        The result is a list with ``to_frame``, ``to_csv`` and ``to_dict``.

        >>> from actalike import EventLog, predictor
        >>> model = predictor(EventLog.from_traces([["order", "pay", "send"]] * 40))
        >>> for case in model.predict_cases(EventLog.from_traces([["order"], ["order", "pay", "send"]]), topn=1):
        ...     print(case.last_activity, "->", case.predictions[0].activity)
        order -> pay
        send -> None
        """
        _check_topn(topn, 1)
        log = as_log(log, "predict_cases")
        refused = {label.label: label.why for label in self.refused if label.label not in self._position}
        positions = np.array([-1 if label in refused else self._find(label) for label in log.activities], dtype=np.int64)
        codes, notes = positions[log.codes], _notes(log, refused)
        cases = np.setdiff1d(np.arange(log.n_cases), np.fromiter(notes, dtype=np.int64))
        by_length = cases[np.argsort(log.lengths[cases], kind="stable")]
        at_once = max(min(_AT_ONCE, _MOST_CELLS // len(self.out_bias)), 1)
        labels: list[str | None] = [*self.activities, None]
        found: dict[int, tuple[Prediction, ...]] = {}
        for first in range(0, len(by_length), at_once):
            block = by_length[first : first + at_once]
            with one_thread():
                positions, probabilities = self._ranked(self._last_states(codes, log.offsets[block], log.lengths[block]), topn)
            for case, ranked, shares in zip(block.tolist(), positions.tolist(), probabilities.tolist(), strict=True):
                found[case] = tuple([Prediction(labels[position], share) for position, share in zip(ranked, shares, strict=True)])
        lengths, ends = log.lengths.tolist(), (log.offsets[1:] - 1).tolist()
        predicted = [
            CasePrediction(
                name, case, length, log.activities[log.codes[end]] if length else None, found.get(case, ()), notes.get(case, "")
            )
            for case, (name, length, end) in enumerate(zip(log.case_ids, lengths, ends, strict=True))
        ]
        return CasePredictions(predicted, self, log)

    def read_cases(
        self, codes: NDArray[np.int64], starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """Read cases side by side; yield after each event which cases have so many, and the state of the network in each.

        Case ``i`` has the activities ``codes[starts[i] : starts[i] + lengths[i]]``, as positions in ``activities``.
        """
        order = np.argsort(-lengths, kind="stable")  # so that those which have ended are at the end
        starts, negative = starts[order], -lengths[order]
        h = c = np.zeros((len(order), len(self.recurrent)))
        for step in range(int(-negative[0]) if len(order) else 0):
            running = int(np.searchsorted(negative, -step))
            h, c = self.advance(codes[starts[:running] + step], h[:running], c[:running])
            yield order[:running], h

    def _last_states(self, codes: NDArray[np.int64], starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> Floats:
        """Return the state of the network after the last event of each case."""
        states = np.zeros((len(lengths), len(self.recurrent)))
        for step, (cases, h) in enumerate(self.read_cases(codes, starts, lengths), start=1):
            going_on = int((lengths[cases] > step).sum())  # the longest come first
            states[cases[going_on:]] = h[going_on:]
        return states

    def _ranked(self, states: Floats, topn: int | None) -> tuple[NDArray[np.int64], Floats]:
        """Return for each state what comes next, the most likely first, as positions with the end last, and how likely it is."""
        shares = _softmax(states @ self.out + self.out_bias)
        if topn is None or topn > _FEW:
            order = np.argsort(-shares, axis=1, kind="stable")[:, :topn]
        else:
            left, order = shares.copy(), np.empty((len(shares), min(topn, shares.shape[1])), dtype=np.int64)
            for rank in range(order.shape[1]):  # several times faster than sorting
                order[:, rank] = left.argmax(axis=1)
                left[np.arange(len(left)), order[:, rank]] = -1
        return order, np.take_along_axis(shares, order, axis=1)

    def adapt(self, log: LogLike) -> "Predictor":
        """Return a predictor that also knows the labels that appear in ``log`` for the first time, without training again.

        ``log`` has cases since the labels changed (an EventLog, a frame of events or an event log of pm4py). Labels that the
        predictor knows are taken for the steps that they were. Each new label is compared with the others by what is around it
        in its cases. If it is likely another name of a label that the predictor knows, it is read as that one, and predicted in
        its place. If no single one is likely enough, it is placed between the nearest ones, and not predicted. ``placed`` of the
        result says so for each label; a label in one case only is ``refused``, and cases with it cannot be predicted.

        >>> from actalike import EventLog, predictor
        >>> model = predictor(EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 40))
        >>> tuesday = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 20)
        >>> adapted = model.adapt(tuesday)
        >>> [(label.label, label.read_as) for label in adapted.placed]
        [('transfer', 'pay')]
        >>> adapted.predict(["ask", "check"], topn=1)[0].activity
        'transfer'
        """
        log = as_log(log, "adapt")
        if self.past is None:
            raise ActalikeError(
                "This predictor was saved without the cases that it was trained on, so there is nothing to compare new labels "
                "with: train it again ('actalike train', or actalike.predictor(log))."
            )
        parts = Network(self.activities, self.inputs, self.out, self.out_bias, self.past, self.placed)
        network, refused = adapt_network(parts, log)
        adapted = Predictor(
            network.activities,
            self.method,
            network.inputs,
            self.recurrent,
            network.out,
            network.out_bias,
            self.held_out,
            network.past,
            network.placed,
            refused,
        )
        adapted.new_labels = tuple(label.label for label in network.placed[len(self.placed) :])
        return adapted

    def is_predicted(self, activity: str) -> bool:
        """Tell whether a label can be predicted: one that is placed between several, or is another name of such a one, cannot."""
        return bool(self.out_bias[self._find(activity)] > LEAST_LOGIT)

    def _find(self, activity: str) -> int:
        if not isinstance(activity, str):
            raise LogError(f"A label must be a string, not {activity!r}.")
        position = self._position.get(activity)
        if position is None:
            refused = next((f" It could not be placed: {label.why}." for label in self.refused if label.label == activity), "")
            raise UnknownActivityError(
                f"No activity is called {activity!r}.{did_you_mean(activity, self.activities)} "
                f"The predictor knows {len(self.activities)} activities.{refused or ' If it is new, adapt(log) may place it.'}"
            )
        return position

    def to_dict(self) -> dict[str, Any]:
        """Return what ``actalike train --json`` says of it; labels that were placed just now (``new_labels``) do not count."""
        return {
            "activities": len(self.activities) - len(self.new_labels),
            "method": self.method,
            "held_out": None if self.held_out is None else self.held_out._asdict(),
        }

    def save(self, path: str | Path) -> None:
        """Write the predictor to a file that :func:`actalike.load` reads; see docs/file_formats.md."""
        arrays = {name: getattr(self, name) for name in ("inputs", "recurrent", "out", "out_bias")}
        header: dict[str, Any] = {"activities": self.activities, "method": self.method}
        if self.held_out is not None:
            header["held_out"] = self.held_out._asdict()
        if self.past is not None:
            arrays |= self.past.arrays()
        if self.placed:
            header["placed"] = [
                {**one._asdict(), "nearest": [{"label": label, "weight": weight} for label, weight in one.nearest]}
                for one in self.placed
            ]
        write_file(path, "predictor", header, arrays, lambda file: file.header(_Header))

    @classmethod
    def from_file(cls, file: StoredFile) -> "Predictor":
        """Return a stored predictor, or raise an error if its parts contradict each other."""
        file.check_names(("inputs", "recurrent", "out", "out_bias", *PAST_ARRAYS))
        header = file.header(_Header)
        activities = header.activities
        inputs, recurrent, out = (file.numbers(name, 2) for name in ("inputs", "recurrent", "out"))
        out_bias = file.numbers("out_bias", 1)
        n, size = len(activities), recurrent.shape[0]
        shapes = (inputs.shape, recurrent.shape, out.shape, out_bias.shape)
        if shapes != ((n, 4 * size), (size, 4 * size), (size, n + 1), (n + 1,)) or not size:
            raise file.unsound(f"the shapes of its weights do not fit {n:,} activities and a network of size {size:,}")
        figures = None if header.held_out is None else HeldOut(**msgspec.structs.asdict(header.held_out))
        placed = [each.placed_label() for each in header.placed or ()]
        _check_placed(file, activities, placed)
        past = PastCases.from_file(file, n)
        return cls(activities, header.method, inputs, recurrent, out, out_bias, figures, past, placed)

    def __repr__(self) -> str:
        quality = "" if self.held_out is None else f"; {self.held_out}"
        placed = f", {len(self.placed):,} of them placed after training" if self.placed else ""
        return f"Predictor({self.method or 'unnamed'}, {len(self.activities):,} activities{placed}{quality})"


class CasePredictions(list[CasePrediction]):
    """Hold what comes next in cases of a log, a :class:`CasePrediction` each, as a list that can be written and printed.

    ``predictor`` has made the predictions, and ``log`` is what they are of.
    """

    def __init__(self, cases: Iterable[CasePrediction], predictor: Predictor, log: EventLog) -> None:
        super().__init__(cases)
        self.predictor, self.log = predictor, log

    def to_dict(self) -> dict[str, Any]:
        """Return what ``actalike predict --json`` prints, but for the names of files (docs/reference/json.md)."""
        model = self.predictor
        placed = [
            {
                **one._asdict(),
                "is_new": one.label in model.new_labels,
                "is_predicted": model.is_predicted(one.label),
                "nearest": [{"activity": label, "weight": weight} for label, weight in one.nearest],
            }
            for one in model.placed
        ]
        return {
            "schema": "actalike/predict/1",
            "model": model.to_dict(),
            "placed": placed,
            "refused": [one._asdict() for one in model.refused],
            "cases": [one.to_dict() for one in self],
            "names": self.log.names,
            "read": {} if self.log.reading is None else self.log.reading.as_dict(),
        }

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each continuation of each case: the columns of :meth:`to_csv`.

        ``kind`` is "polars", "pandas" or "pyarrow"; without it, that of the frame that was read, Polars for other logs.
        """
        import polars as pl  # here: few predictions become frames, and Polars takes time to load

        kinds = (pl.String, pl.Int64, pl.String, pl.Int64, pl.String, pl.Boolean, pl.Float64, pl.String, pl.Int64)
        rows: list[tuple[Any, ...]] = []
        for one in self:
            begins, ends = (one.case, one.events, one.last_activity), (one.note or None, one.case_number + 1)
            found: list[tuple[Any, ...]] = [
                (rank, *each, each.activity is None) for rank, each in enumerate(one.predictions, start=1)
            ]
            rows += [(*begins, rank, activity, is_end, share, *ends) for rank, activity, share, is_end in found or [(None,) * 4]]
        frame = pl.DataFrame(rows, schema=dict(zip(_COLUMNS, kinds, strict=True)), orient="row")
        return as_kind(frame, kind or self.log.frame_kind)

    def to_csv(self, path: str | Path) -> None:
        """Write a table with a row for each continuation of each case (docs/file_formats.md); a file there is replaced."""
        content = table_bytes((_COLUMNS, *self._cells()))
        write_atomically(path, lambda part: part.write_bytes(content))

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for one in self:
            begins, number = (one.case, str(one.events), one.last_activity or ""), str(one.case_number + 1)
            if not one.predictions:
                yield *begins, "", "", "", "", one.note, number
            for rank, (activity, share) in enumerate(one.predictions, start=1):
                yield *begins, str(rank), activity or "", "yes" if activity is None else "no", f"{share:.4f}", one.note, number


def predictor(
    log: LogLike,
    embedding: Embedding | None = None,
    seed: int = 0,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Predictor:
    """Learn from a log what comes next in a running case.

    The network reads the activities as the vectors of ``embedding`` (of the default method if there is none), which it does not
    change. It learns from eight of ten cases. Training ends when the loss on the fifth of the ten has not improved for 10 epochs.
    On the tenth the predictor is measured, and ``held_out`` is how often it was right: this takes one pass over these cases,
    and a tenth of the cases, from which it cannot learn. (Only the default ``embedding`` has counted their contexts, without
    knowing which come next in which case.) Of a log of fewer than ten cases nothing is measured; of fewer than five, the cases
    that are learned from also say when to stop, and probabilities are too sure.

    ``log`` is an EventLog, a frame of events or an event log of pm4py. ``progress`` is called after each epoch with the number of
    epochs so far, and their limit; without it, a notebook shows the progress. The same log, vectors and seed give the same
    predictor. Needs torch (``pip install 'actalike[neural]'``); the predictor itself does not.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["a", "b", "c"], ["a", "c", "b"], ["a", "b", "c"]] * 40)
    >>> model = predictor(log)
    >>> [round(chance.probability, 1) for chance in model.predict(["a"], topn=2)]
    [0.7, 0.3]
    >>> model.predict(["a", "b", "c"], topn=1)[0].activity is None
    True
    """
    log = as_log(log, "predictor")
    torch = Extra("neural", "torch").load(user="A predictor")
    from actalike.prediction.training.evermann import SoundTrainer
    from actalike.prediction.training.task import Part, Task, Vectors

    embedding = embed(log) if embedding is None else embedding
    if not isinstance(embedding, Embedding):
        raise ActalikeError(f"predictor takes an Embedding, not {embedding!r}: use actalike.embed(log, {embedding!r}).")
    missing = sorted(set(log.activities) - set(embedding.activities))
    if missing:
        raise ActalikeError(f"The embedding has no vector for {missing[0]!r} ({len(missing)} in all): embed this log.")
    row = {label: i for i, label in enumerate(embedding.activities)}
    vectors = embedding.stored_vectors[[row[label] for label in log.activities]]
    with np.errstate(over="ignore"):
        table = np.asarray(vectors.toarray() if issparse(vectors) else vectors, dtype=np.float32)
    if not np.isfinite(table).all():
        raise ActalikeError("The vectors have numbers that are too large for training, which uses 32 bits.")
    n = len(log.activities)
    table = np.vstack([table, np.zeros((1, table.shape[1]), dtype=np.float32)])  # the end of a case is never an input

    def part(cases: NDArray[np.int64]) -> Part:
        lengths = log.lengths[cases]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        source = np.repeat(log.offsets[cases] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Part(log.codes[source].astype(np.int64), offsets)

    order = np.flatnonzero(log.lengths)
    turn = np.arange(len(order)) % _CASES
    stopping, measured = order[turn == _STOPS], order[turn == _MEASURES]
    learned = order[(turn != _STOPS) & (turn != _MEASURES)]
    task = Task(n + 1, n, part(learned), part(stopping if len(stopping) else learned), part(measured))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the products are small: more threads wait for each other, and sum in another order
    try:
        trainer = SoundTrainer(task, [Vectors.of("vectors", table)], False, [seed], "cpu")
        with tracked("training the predictor", trainer.epochs) as advance:
            for epoch in trainer.run():
                advance(f"epoch {epoch}")
                if progress is not None:
                    progress(epoch, trainer.epochs)
        weights = trainer.models.weights
        inputs = trainer.models.tables()[0, :n]
    finally:
        torch.set_num_threads(threads)
    tensors = (inputs, *(weights[name][0] for name in ("recurrent", "out", "out_bias")))
    contributions, recurrent, out, out_bias = (tensor.detach().double().numpy() for tensor in tensors)
    past = PastCases.of_log(log, log.activities)
    model = Predictor(log.activities, embedding.method, contributions, recurrent, out, out_bias, past=past)
    if len(measured):
        accuracy = _accuracy(model, task.test.ids, task.test.offsets)
        model.held_out = HeldOut(len(task.test.ids), accuracy, _baseline(task))
    return model


def _baseline(task: "Task") -> float:
    """Return the share of right predictions of the most frequent continuation of the last activity, the first of equals."""
    counts = np.zeros((task.end, task.end + 1), dtype=np.int64)
    np.add.at(counts, (task.training.ids, task.targets_of(task.training)), 1)
    continuations = np.where(counts.any(axis=1), counts.argmax(axis=1), counts.sum(axis=0).argmax())
    return float((continuations[task.test.ids] == task.targets()).mean())


def _accuracy(model: Predictor, codes: NDArray[np.int64], offsets: NDArray[np.int64]) -> float:
    """Return the share of the events whose next activity, or end of the case, is the most likely one."""
    starts, lengths = offsets[:-1], np.diff(offsets)
    right = 0
    for step, (cases, h) in enumerate(model.read_cases(codes, starts, lengths), start=1):
        following = codes[np.minimum(starts[cases] + step, len(codes) - 1)]
        following = np.where(lengths[cases] == step, len(model.activities), following)
        right += int(((h @ model.out + model.out_bias).argmax(axis=1) == following).sum())
    return right / len(codes)


class _StoredHeldOut(msgspec.Struct, forbid_unknown_fields=True):
    events: Total
    accuracy: Annotated[float, msgspec.Meta(ge=0, le=1)]
    baseline: Annotated[float, msgspec.Meta(ge=0, le=1)]


class _StoredNearest(msgspec.Struct, forbid_unknown_fields=True):
    label: Label
    weight: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]


class _StoredPlacedLabel(msgspec.Struct, forbid_unknown_fields=True):
    """Describe a placed label in the header of a predictor."""

    label: Label
    cases: Total
    read_as: Label | None
    probability: Annotated[float, msgspec.Meta(ge=0, le=1)]
    nearest: Annotated[list[_StoredNearest], msgspec.Meta(max_length=3)]

    def placed_label(self) -> PlacedLabel:
        """Return the placed label."""
        nearest = tuple((one.label, one.weight) for one in self.nearest)
        return PlacedLabel(self.label, self.cases, self.read_as, self.probability, nearest)


class _Header(LabelledHeader, forbid_unknown_fields=True):
    """Describe the header of a predictor."""

    method: MethodName | None = None
    held_out: _StoredHeldOut | None = None
    placed: Annotated[list[_StoredPlacedLabel], msgspec.Meta(min_length=1)] | None = None


def _check_placed(file: StoredFile, activities: Sequence[str], placed: Sequence[PlacedLabel]) -> None:
    """Raise an error if a placed label, or what it is read as, is not known, is there twice, or is read as a later one."""
    position = {label: i for i, label in enumerate(activities)}
    seen: set[str] = set()
    for label in placed:
        mentioned = [label.label, *(name for name, _ in label.nearest), *([] if label.read_as is None else [label.read_as])]
        for name in mentioned:
            if name not in position:
                raise file.unsound(f"a placed label names {name[:40]!r}, which is not among its activities")
        if label.label in seen or (label.read_as is not None and position[label.read_as] >= position[label.label]):
            raise file.unsound(f"the label {label.label[:40]!r} was placed twice, or is read as a label that came after it")
        seen.add(label.label)


def _check_topn(topn: int | None, least: int) -> None:
    if topn is not None and (not isinstance(topn, int | np.integer) or topn < least):
        raise ActalikeError(f"topn must be >= {least}, or None for all predictions, not {topn!r}.")


def _softmax(logits: Floats) -> Floats:
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    probabilities: Floats = shares / shares.sum(axis=-1, keepdims=True)
    return probabilities


def _notes(log: EventLog, refused: Mapping[str, str]) -> dict[int, str]:
    """Return why nothing can be predicted of a case, for the cases of which that is so; ``refused`` are labels and reasons."""
    notes = dict.fromkeys(np.flatnonzero(log.lengths == 0).tolist(), "no events")
    words = {
        code: f"{label!r} cannot be placed ({refused[label]})" for code, label in enumerate(log.activities) if label in refused
    }
    events = np.flatnonzero(np.isin(log.codes, list(words)))
    cases = np.searchsorted(log.offsets, events, side="right") - 1
    for case, code in zip(cases.tolist(), log.codes[events].tolist(), strict=True):
        notes.setdefault(case, words[code])  # the first of several will do
    return notes
