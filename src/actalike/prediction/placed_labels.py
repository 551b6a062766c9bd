"""Hold labels that appeared after a predictor was trained: those placed among the known ones, and those that could not be."""

from typing import NamedTuple


class PlacedLabel(NamedTuple):
    """A label that appeared after training, and the label of the training that it is read as.

    ``cases`` of the new log have it. ``read_as`` is None if no single known label fits: then it is placed between several.
    ``probability`` says how sure it is that ``read_as`` is right; if that is None, it is the probability of the likeliest one.
    ``nearest`` has up to three known labels with their probabilities, the likeliest first.
    """

    label: str
    cases: int
    read_as: str | None
    probability: float
    nearest: tuple[tuple[str, float], ...]


class RefusedLabel(NamedTuple):
    """A label that appeared after training, in ``cases`` of the new log, and ``why`` it could not be placed, in one clause."""

    label: str
    cases: int
    why: str
