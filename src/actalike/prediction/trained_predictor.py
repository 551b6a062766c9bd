"""Predictor: what comes next in a running case, with probabilities. Trained by :func:`actalike.predictor`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, LogError, UnknownActivityError, did_you_mean
from actalike.prediction.past_cases import NAMES as PAST_ARRAYS
from actalike.prediction.past_cases import PastCases
from actalike.prediction.placed_labels import PlacedLabel, RefusedLabel, placed_label
from actalike.support.container import StoredFile, write_file

Floats = NDArray[np.float64]


class Prediction(NamedTuple):
    """An activity that may come next, None for the end of the case, and how likely it is."""

    activity: str | None
    probability: float


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
        events = "1 held-out event" if self.events == 1 else f"{self.events:,} held-out events"
        return (
            f"next activity right in {100 * self.accuracy:.0f} % of {events}, "
            f"most frequent continuation: {100 * self.baseline:.0f} %"
        )


class Predictor:
    """A trained network: an LSTM reads the activities of a case so far, and gives each activity and the end a probability.

    ``inputs`` has what each activity contributes to the gates (activities, 4 H), its vector times the weights of the network;
    ``recurrent`` (H, 4 H), ``out`` (H, activities + 1) and ``out_bias`` are the other weights, the end of the case last. It
    needs no more than numpy to predict.

    ``held_out`` says how good it is on cases that it has not seen; None if there were too few cases to hold some out. ``past`` are
    the cases that it knows, by which :meth:`adapt` places labels that appear later. ``placed`` are the labels that were placed so
    far, ``refused`` those that the last :meth:`adapt` could not place.
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
        self.inputs, self.recurrent, self.out, self.out_bias = inputs, recurrent, out, out_bias
        self._position = {label: i for i, label in enumerate(self.activities)}

    def probabilities(self, case: Iterable[str]) -> Floats:
        """Return the probability of each activity to come next, in the order of ``activities``; last, that the case ends."""
        if isinstance(case, str):
            raise LogError(f"A case is a list of labels, and {case!r} is a text: write [{case!r}, ...].")
        events = [self._find(label) for label in case]
        if not events:
            raise LogError("A case without events tells nothing of what comes next: give at least its first activity.")
        size = self.recurrent.shape[0]
        h, c = np.zeros(size), np.zeros(size)
        for event in events:
            h, c = self.advance(event, h, c)
        logits = h @ self.out + self.out_bias
        shares = np.exp(logits - logits.max())
        probabilities: Floats = shares / shares.sum()
        return probabilities

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
        if topn is not None and topn < 0:
            raise ActalikeError(f"topn={topn} is less than nothing: None gives all.")
        shares = self.probabilities(case)
        order = np.argsort(-shares, kind="stable")[:topn]
        labels: list[str | None] = [*self.activities, None]
        return [Prediction(labels[k], float(shares[k])) for k in order.tolist()]

    def adapt(self, log: Any) -> "Predictor":
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
        from actalike.prediction.adaptation import adapted  # imported here: to predict, nothing of it is needed

        return adapted(self, log)

    def _find(self, activity: str) -> int:
        position = self._position.get(activity) if isinstance(activity, str) else None
        if position is None:
            refused = next((f" It was refused: {label.why}." for label in self.refused if label.label == activity), "")
            raise UnknownActivityError(
                f"No activity is called {activity!r}.{did_you_mean(activity, self.activities)} "
                f"The predictor knows {len(self.activities)} activities.{refused or ' If it is new, adapt(log) may place it.'}"
            )
        return position

    def save(self, path: str | Path) -> None:
        """Write the predictor to a file that :func:`actalike.load` reads; see docs/file_formats.md."""
        arrays = {name: getattr(self, name) for name in ("inputs", "recurrent", "out", "out_bias")}
        header: dict[str, Any] = {"activities": self.activities, "method": self.method}
        if self.held_out is not None:
            header["held_out"] = self.held_out._asdict()
        if self.past is not None:
            arrays |= self.past.arrays()
        if self.placed:
            header["placed"] = [label._asdict() for label in self.placed]
        write_file(path, "predictor", header, arrays)

    @classmethod
    def from_file(cls, file: StoredFile) -> "Predictor":
        """Return a stored predictor, or raise an error if its parts contradict each other."""
        file.check_names(("inputs", "recurrent", "out", "out_bias", *PAST_ARRAYS))
        activities = file.labels("activities")
        inputs, recurrent, out = (file.numbers(name, 2) for name in ("inputs", "recurrent", "out"))
        out_bias = file.numbers("out_bias", 1)
        n, size = len(activities), recurrent.shape[0]
        shapes = (inputs.shape, recurrent.shape, out.shape, out_bias.shape)
        if shapes != ((n, 4 * size), (size, 4 * size), (size, n + 1), (n + 1,)) or not size:
            raise file.unsound(f"the shapes of its weights do not fit {n:,} activities and a network of size {size:,}")
        held_out = file.header.get("held_out")
        figures = None if held_out is None else HeldOut(**held_out)
        placed = [placed_label(described) for described in file.header.get("placed", [])]
        strangers = {label.label for label in placed}.difference(activities)
        if strangers:
            raise file.unsound(f"the label {min(strangers)[:40]!r} was placed, and is not among its activities")
        past = PastCases.from_file(file, n)
        return cls(activities, file.header.get("method"), inputs, recurrent, out, out_bias, figures, past, placed)

    def __repr__(self) -> str:
        quality = "" if self.held_out is None else f"; {self.held_out}"
        placed = f", {len(self.placed):,} of them placed after training" if self.placed else ""
        return f"Predictor({self.method or 'unnamed'}, {len(self.activities):,} activities{placed}{quality})"
