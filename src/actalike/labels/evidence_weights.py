"""Weigh the evidence for two labels being one step: log-odds that sum, so that each piece's part of the result is exact.

    log-odds(a, b) = base + Σ points(piece, figure of the pair)

``points`` is linear between the listed figures and constant beyond the outermost. More overlap never lowers the log-odds, and
more shared cases never raise them. ``evidence_weights.json`` holds the points and says how they were fitted.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.labels.pair_evidence import PairEvidence

Floats = NDArray[np.float64]


class Points(NamedTuple):
    """Hold what a piece of evidence is worth: at the figures ``at``, which ascend, so many ``points`` of log-odds."""

    at: tuple[float, ...]
    points: tuple[float, ...]

    def of(self, figures: Floats) -> Floats:
        """Return the points of each figure.

        >>> Points((0.0, 1.0), (-2.0, 2.0)).of(np.array([-1.0, 0.5, 1.0])).tolist()
        [-2.0, 0.0, 2.0]
        """
        return np.interp(figures, self.at, self.points)


class EvidenceWeights(NamedTuple):
    """Hold the fitted weights.

    - ``base``: the log-odds to which the points of behaviour are added.
    - ``prior``: the log-odds of any pair of labels; the rarer one of the two is, the more it counts.
    - ``behaviour``: the points of each figure of :class:`PairEvidence`, by its name.
    - ``text``: the points of the similarity of the texts.
    - ``opposites``, ``pattern``: the points of texts that say the opposite, and of labels that differ only in a number, an id, a
      date or a name and behave alike.
    """

    base: float
    prior: float
    behaviour: dict[str, Points]
    text: Points
    opposites: float
    pattern: float


@cache
def shipped_weights() -> EvidenceWeights:
    """Read the weights that come with the package."""
    stored: dict[str, Any] = json.loads(files(__package__).joinpath("evidence_weights.json").read_text("utf-8"))
    return EvidenceWeights(
        base=stored["base"],
        prior=stored["prior"],
        behaviour={name: _points(stored["behaviour"][name]) for name in PairEvidence._fields},
        text=_points(stored["text"]),
        opposites=stored["opposites"],
        pattern=stored["pattern"],
    )


def _points(stored: dict[str, list[float]]) -> Points:
    return Points(tuple(stored["at"]), tuple(stored["points"]))
