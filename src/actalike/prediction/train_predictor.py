"""Train a predictor for one's own log: the sound model of the next-activity benchmark, on all of the log."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.io import LogLike, as_log
from actalike.methods import embed
from actalike.prediction.past_cases import PastCases
from actalike.prediction.trained_predictor import HeldOut, Predictor
from actalike.support.extras import Extra
from actalike.support.progress import tracked

if TYPE_CHECKING:
    from actalike.prediction.training.task import Task  # needs torch

_CASES = 10  # of so many cases, one only says when to stop, and one only how good the predictor is
_STOPS, _MEASURES = 4, 9  # which of them


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
    On the tenth the predictor is measured, and ``held_out`` tells how often it was right: this takes one pass over these cases,
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
