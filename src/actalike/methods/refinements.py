"""Refine count methods by optional parameters ("switches") after Levy, Goldberg and Dagan (2015).

By default each is off. A method's name lists those that are on, after the window and in this order:
``ac-sequence-ppmi-w5+shift5+smooth0.75+svd50+power0.5``.
"""

import re
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from actalike.embedding import Embedding
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.matrices import CountMatrix, reduce_rows, shift_and_smooth
from actalike.methods.contract import Lap
from actalike.methods.estimator import CountingEstimator

PMI_WEIGHTINGS = ("pmi", "ppmi")


class Switch(NamedTuple):
    """Describe a refinement: its parameter, the value that turns it off, and the values that are allowed.

    ``values`` names the allowed values in an error message; ``of_pmi`` says that it applies to PMI weightings only.
    """

    parameter: str
    off: int | None
    allows: Callable[[Any], bool]
    values: str
    of_pmi: bool = False


def _is_number(value: Any) -> bool:
    return isinstance(value, Real)


SWITCHES = {
    "shift": Switch("shift", 1, lambda k: _is_number(k) and 1 <= k <= 1_000_000, "a number from 1 to 1,000,000", of_pmi=True),
    "smooth": Switch("smoothing", 1, lambda a: _is_number(a) and 0 < a <= 1, "a number above 0 and up to 1", of_pmi=True),
    "svd": Switch(
        "dimension",
        None,
        lambda d: d is None or (isinstance(d, int | np.integer) and not isinstance(d, bool) and int(d) >= 1),
        "a whole number from 1 on",
    ),
    "power": Switch("exponent", 1, lambda p: _is_number(p) and 0 <= p <= 1, "a number from 0 to 1"),
}


def check_switches(parameters: Mapping[str, Any]) -> None:
    """Raise an error for a value that a switch does not allow, or that does not apply to the weighting."""
    for switch in SWITCHES.values():
        value = parameters.get(switch.parameter, switch.off)
        if not switch.allows(value):
            raise ActalikeError(f"{switch.parameter}={value!r} is not {switch.values}.")
        if switch.of_pmi and value != switch.off and parameters.get("weighting", "pmi") not in PMI_WEIGHTINGS:
            weightings = " and ".join(PMI_WEIGHTINGS)
            raise ActalikeError(
                f"{switch.parameter}={value!r} is for the weightings {weightings}, not for {parameters['weighting']}."
            )


def switches_in_name(parameters: Mapping[str, Any]) -> str:
    """Return the end of a method's name, which lists the switches that are on.

    >>> switches_in_name({"shift": 5.0, "smoothing": 0.75, "dimension": None, "exponent": 1})
    '+shift5+smooth0.75'
    """
    values = {word: parameters.get(switch.parameter, switch.off) for word, switch in SWITCHES.items()}
    return "".join(
        f"+{word}{np.format_float_positional(value, trim='-')}" for word, value in values.items() if value != SWITCHES[word].off
    )


def set_switches(estimator: Any, name: str) -> None:
    """Set the switches of a method's name in an estimator. Raise an error if the name is not in its standard form."""
    base, *words = name.split("+")
    known = estimator.get_params() if hasattr(estimator, "get_params") else {}
    for text in words:
        word, number = re.fullmatch(r"([a-z]*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        if word not in SWITCHES or not re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", number):
            raise UnknownMethodError(
                f"{name!r} has {'+' + text!r}, where only +shift5, +smooth0.75, +svd50 or +power0.5 could stand."
            )
        if SWITCHES[word].parameter not in known:
            raise UnknownMethodError(f"{base} has no switch +{word}.")
        estimator.set_params(**{SWITCHES[word].parameter: float(number) if "." in number else int(number)})
    check_switches(estimator.get_params())
    standard = base + switches_in_name(estimator.get_params())
    if standard != name:
        raise UnknownMethodError(f"{name!r} is not how the method is called: it is {standard!r}.")


class RefinedEstimator(CountingEstimator):
    """Weight a count matrix, with refinements.

    - ``shift``: the k of shifted PMI, ``PMI - ln k`` for cells that are not 0 (PPMI: ``max(0, PMI - ln k)``).
    - ``smoothing``: the α of context-distribution smoothing: the probability of a column is ``n(c)^α / Σ n(c')^α``.
    - ``dimension``, ``exponent``: d and p of ``U_d Σ_d^p``, whose rows replace those of the weighted matrix ``U Σ Vᵀ``.
    """

    parts = ("count", "matrix", "weighting")
    shift: float
    smoothing: float
    dimension: int | None
    exponent: float

    @property
    def explains(self) -> bool:  # type: ignore[override]
        """Return whether the dimensions are contexts. Those of an SVD are not."""
        return self.dimension is None and self.exponent == 1

    def _weighted(self, matrix: CountMatrix, weight: Callable[..., csr_array], lap: Lap) -> Embedding:
        """Return the embedding of a count matrix, weighted and refined."""
        counts, rows, columns, total, contexts = matrix
        weights = weight(counts, rows, shift_and_smooth(columns, contexts.places, self.shift, self.smoothing), total)
        if self.explains:
            embedding = Embedding(contexts.activities, weights, contexts, self.name)
        else:
            embedding = Embedding(contexts.activities, reduce_rows(weights, self.dimension, self.exponent), method=self.name)
        lap("weighting")
        return embedding
