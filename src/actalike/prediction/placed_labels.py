"""Labels that appeared after a predictor was trained: how each was placed among the labels that it knows, or why not."""

from typing import Annotated, Any, NamedTuple

import msgspec

from actalike.support.saved import Label, Total


class PlacedLabel(NamedTuple):
    """Hold a label that appeared after training, and where it was placed.

    - ``cases``: how many cases of the new log have it.
    - ``read_as``: the label of the training that it is read as; None if no single one is likely enough.
    - ``probability``: how sure it is that this label (without ``read_as``, the likeliest one) is the same step.
    - ``nearest``: the labels that it is placed between and how much each counts, the largest first, at most three. If it is read
      as one label, that one counts 1.
    """

    label: str
    cases: int
    read_as: str | None
    probability: float
    nearest: tuple[tuple[str, float], ...]


class RefusedLabel(NamedTuple):
    """Hold a label that could not be placed: in how many cases of the new log it is, and why it was refused."""

    label: str
    cases: int
    why: str


def described(label: PlacedLabel) -> dict[str, Any]:
    """Return a placed label as a file describes it."""
    return {**label._asdict(), "nearest": [{"label": name, "weight": weight} for name, weight in label.nearest]}


class _StoredNearest(msgspec.Struct, forbid_unknown_fields=True):
    label: Label
    weight: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]


class StoredPlacedLabel(msgspec.Struct, forbid_unknown_fields=True):
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
