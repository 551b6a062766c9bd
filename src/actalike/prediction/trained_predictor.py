"""Predictor: what comes next in a running case, with probabilities. Trained by :func:`actalike.predictor`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, FileFormatError, LogError, UnknownActivityError, did_you_mean
from actalike.support.container import StoredFile, write_file

Floats = NDArray[np.float64]


class Prediction(NamedTuple):
    """An activity that may come next, None for the end of the case, and how likely it is."""

    activity: str | None
    probability: float


class Predictor:
    """A trained network: an LSTM reads the activities of a case so far, and gives each activity and the end a probability.

    ``inputs`` has what each activity contributes to the gates (activities, 4 H), its vector times the weights of the network;
    ``recurrent`` (H, 4 H), ``out`` (H, activities + 1) and ``out_bias`` are the other weights, the end of the case last. It
    needs no more than numpy to predict.
    """

    def __init__(
        self, activities: Sequence[str], method: str | None, inputs: Floats, recurrent: Floats, out: Floats, out_bias: Floats
    ) -> None:
        self.activities = list(activities)
        self.method = method
        self.inputs, self.recurrent, self.out, self.out_bias = inputs, recurrent, out, out_bias
        self._position = {label: i for i, label in enumerate(self.activities)}

    def probabilities(self, case: Iterable[str]) -> Floats:
        """The probability of each activity to come next, in the order of ``activities``; last, that the case ends."""
        if isinstance(case, str):
            raise LogError(f"A case is a list of labels, and {case!r} is a text: write [{case!r}, ...].")
        events = [self._find(label) for label in case]
        if not events:
            raise LogError("A case without events tells nothing of what comes next: give at least its first activity.")
        size = self.recurrent.shape[0]
        h, c = np.zeros(size), np.zeros(size)
        for event in events:
            gates = self.inputs[event] + h @ self.recurrent
            i, f, o = (1 / (1 + np.exp(-gates[k * size : (k + 1) * size])) for k in (0, 1, 3))
            c = f * c + i * np.tanh(gates[2 * size : 3 * size])
            h = o * np.tanh(c)
        logits = h @ self.out + self.out_bias
        shares = np.exp(logits - logits.max())
        probabilities: Floats = shares / shares.sum()
        return probabilities

    def predict(self, case: Iterable[str], topn: int | None = 5) -> list[Prediction]:
        """What comes next in a case that has had these activities so far, the likeliest first; all where topn is None."""
        if topn is not None and topn < 0:
            raise ActalikeError(f"topn={topn} is less than nothing: None gives all.")
        shares = self.probabilities(case)
        order = np.argsort(-shares, kind="stable")[:topn]
        labels: list[str | None] = [*self.activities, None]
        return [Prediction(labels[k], float(shares[k])) for k in order.tolist()]

    def _find(self, activity: str) -> int:
        position = self._position.get(activity) if isinstance(activity, str) else None
        if position is None:
            raise UnknownActivityError(
                f"No activity is called {activity!r}.{did_you_mean(activity, self.activities)} "
                f"The predictor knows {len(self.activities)} activities."
            )
        return position

    def save(self, path: str | Path) -> None:
        """Write the predictor to a file that :func:`actalike.load` reads; see docs/file_formats.md."""
        arrays = {name: getattr(self, name) for name in ("inputs", "recurrent", "out", "out_bias")}
        write_file(path, "predictor", {"activities": self.activities, "method": self.method}, arrays)

    @classmethod
    def from_file(cls, file: StoredFile) -> "Predictor":
        """Check a stored predictor and take it over."""
        activities = file.labels("activities")
        inputs, recurrent, out = (file.array(name, np.float64, 2) for name in ("inputs", "recurrent", "out"))
        out_bias = file.array("out_bias", np.float64, 1)
        n, size = len(activities), recurrent.shape[0]
        shapes = (inputs.shape, recurrent.shape, out.shape, out_bias.shape)
        sound = shapes == ((n, 4 * size), (size, 4 * size), (size, n + 1), (n + 1,)) and size > 0
        if not sound or len(set(activities)) != n or not all(np.isfinite(a).all() for a in (inputs, recurrent, out, out_bias)):
            raise FileFormatError(f"{file.path} is not a sound predictor: its parts contradict each other.")
        return cls(activities, file.header.get("method"), inputs, recurrent, out, out_bias)

    def __repr__(self) -> str:
        return f"Predictor({self.method or 'unnamed'}, {len(self.activities):,} activities)"
