"""Weights of evidence: log-odds as a sum of points, one term for each figure, so that every term's part of the sum is exact.

    log-odds = base + Σ points(figure)

``points`` is linear between the listed figures and constant beyond the outermost. A file of weights is JSON and holds several
such functions by their names; all models of actalike that say how probable something is are such files, and are read here.
"""

import json
from collections.abc import Collection, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from actalike.errors import FileFormatError

Floats = NDArray[np.float64]


class Points(NamedTuple):
    """Hold what a figure is worth: at the figures ``at``, which ascend, so many ``points`` of log-odds."""

    at: tuple[float, ...]
    points: tuple[float, ...]

    def of(self, figures: Floats) -> Floats:
        """Return the points of each figure.

        >>> Points((0.0, 1.0), (-2.0, 2.0)).of(np.array([-1.0, 0.5, 1.0])).tolist()
        [-2.0, 0.0, 2.0]
        """
        return np.interp(figures, self.at, self.points)


class Weights(NamedTuple):
    """Hold the points of figures by their names, and the ``base`` to which they are added."""

    base: float
    pieces: dict[str, Points]

    def log_odds(self, figures: Mapping[str, Floats]) -> Floats:
        """Return the base and the points of figures, added in the order of the pieces.

        >>> weights = Weights(-1.0, {"overlap": Points((0.0, 1.0), (0.0, 3.0)), "cases": Points((1.0, 2.0), (0.0, -1.0))})
        >>> weights.log_odds({"overlap": np.array([0.5, 1.0]), "cases": np.array([1.0, 2.0])}).tolist()
        [0.5, 1.0]
        """
        total: Floats = np.asarray(self.base)
        for name, points in self.pieces.items():
            total = total + points.of(figures[name])
        return total

    def to_dict(self) -> dict[str, Any]:
        """Return what a file holds of these weights."""
        pieces = {name: {"at": list(points.at), "points": list(points.points)} for name, points in self.pieces.items()}
        return {"base": self.base, "pieces": pieces}


class _StoredPoints(msgspec.Struct, forbid_unknown_fields=True):
    at: list[float]
    points: list[float]

    def __post_init__(self) -> None:
        if not self.at or len(self.at) != len(self.points) or self.at != sorted(self.at):
            raise ValueError("points need as many figures, which ascend")


class _StoredWeights(msgspec.Struct, forbid_unknown_fields=True):
    base: float
    pieces: dict[str, _StoredPoints]


class _StoredModel(msgspec.Struct):
    functions: dict[str, _StoredWeights]


def read_weights(content: bytes, functions: Mapping[str, Collection[str]]) -> dict[str, Weights]:
    """Read weights from the content of a file; ``functions`` are the names of those it must have, each with its figures."""
    try:
        stored = msgspec.json.decode(content, type=_StoredModel).functions
    except msgspec.DecodeError as error:
        raise FileFormatError(f"These are no weights of evidence: {error}.") from None
    for name, figures in functions.items():
        if name not in stored or set(stored[name].pieces) != set(figures):
            raise FileFormatError(f"The weights of {name!r} must be those of {', '.join(figures)}.")
    return {
        name: Weights(one.base, {figure: Points(tuple(points.at), tuple(points.points)) for figure, points in one.pieces.items()})
        for name, one in stored.items()
    }


def weights_about(content: bytes) -> dict[str, Any]:
    """Return what a file of weights says of itself: what they are for, and how they were fitted."""
    return {key: value for key, value in json.loads(content).items() if key != "functions"}


def shipped_content(package: str, name: str) -> bytes:
    """Return the content of a file of weights that comes with the package."""
    return files(package).joinpath(name).read_bytes()


def written_weights(about: Mapping[str, Any], functions: Mapping[str, Weights]) -> str:
    """Return the text of a file of weights, ``about`` first: what they are for, and how they were fitted."""
    return json.dumps({**about, "functions": {name: one.to_dict() for name, one in functions.items()}}, indent=2) + "\n"


def probability_of(log_odds: Floats) -> Floats:
    """Return 1 / (1 + exp(-log-odds)), without overflow."""
    probability: Floats = 0.5 * (1 + np.tanh(np.asarray(log_odds) / 2))
    return probability


def log_odds_of(probability: float) -> float:
    """Return ln(p / (1 - p))."""
    return float(np.log(probability / (1 - probability)))
