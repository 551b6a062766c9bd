"""Name the models and the methods that each is trained with. This needs no torch, so tables can be made without it."""

from collections.abc import Sequence

ORIGINAL = "original"  # the method whose vectors are learned with the rest of the model
ONE_HOT = "one-hot"  # stands in every table: vectors that say nothing of labels but which is which
TAX = "tax"  # the one method of Tax's models: they read one-hot vectors and times
MODELS = ("evermann", "evermann-scaled", "evermann-unscaled", "evermann-published", "tax", "tax-published")
WITHOUT_VECTORS = {"tax": TAX, "tax-published": TAX}  # models that read no method's vectors, and what their results are called
WITHOUT_NEW_LABELS = (ONE_HOT, ORIGINAL)  # their vectors know nothing of new labels, whatever was counted


def methods_of(model: str, methods: Sequence[str]) -> list[str]:
    """Return what a model is trained with: the methods and learned vectors, or a single name if it reads no vectors."""
    return [WITHOUT_VECTORS[model]] if model in WITHOUT_VECTORS else [*methods, ORIGINAL]
