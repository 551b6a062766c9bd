"""The models by name, and what each is trained with. Needs no torch, so that tables can be made without it."""

from collections.abc import Sequence

ORIGINAL = "original"  # the method whose vectors are learned with the rest of the model
MODELS = ("evermann", "evermann-scaled", "evermann-published")


def methods_of(model: str, methods: Sequence[str]) -> list[str]:
    """What a model is trained with: the methods, and vectors of its own."""
    return [*methods, ORIGINAL]
