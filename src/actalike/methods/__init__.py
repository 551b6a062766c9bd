"""Provide the embedding methods by name. To add one, add a file here, import it, and register its name below."""

import sys
import warnings
from functools import partial
from types import ModuleType

from actalike.matrices import WEIGHTINGS
from actalike.methods.act2vec import ALGORITHMS, Act2VecEmbedder
from actalike.methods.autoencoder import AutoencoderEmbedder
from actalike.methods.counts import (
    CONTEXTS,
    MATRICES,
    POSITIONAL_WEIGHTINGS,
    SHORT,
    CountEmbedder,
    OneHotEmbedder,
    PositionalEmbedder,
)
from actalike.methods.kin import CentredKinEmbedder, KinEmbedder, Surroundings, surroundings_of
from actalike.methods.label_text import LabelTextEmbedder
from actalike.methods.process_structure import ProcessStructureEmbedder, discover_tree
from actalike.methods.registry import (
    DEFAULT_METHOD,
    CountingEstimator,
    Estimator,
    Method,
    MethodName,
    Parameters,
    by_number,
    embed,
    embedding_of,
    family_of,
    full_name,
    has_checked_intervals,
    make_method,
    method_names,
    missing_extra,
    refuse_replacing,
    register,
    switches_in_name,
)
from actalike.methods.substitution import SubstitutionEmbedder, insertion_scores, substitution_scores

__all__ = [
    "DEFAULT_METHOD",
    "MATRICES",
    "Act2VecEmbedder",
    "AutoencoderEmbedder",
    "CentredKinEmbedder",
    "CountEmbedder",
    "CountingEstimator",
    "Estimator",
    "KinEmbedder",
    "LabelTextEmbedder",
    "Method",
    "MethodName",
    "OneHotEmbedder",
    "Parameters",
    "PositionalEmbedder",
    "ProcessStructureEmbedder",
    "SubstitutionEmbedder",
    "Surroundings",
    "by_number",
    "discover_tree",
    "embed",
    "embedding_of",
    "family_of",
    "full_name",
    "has_checked_intervals",
    "insertion_scores",
    "make_method",
    "method_names",
    "missing_extra",
    "refuse_replacing",
    "register",
    "substitution_scores",
    "surroundings_of",
    "switches_in_name",
]

for _matrix in MATRICES:
    for _context in CONTEXTS:
        for _weighting in WEIGHTINGS:
            register(
                f"{SHORT[_matrix]}-{_context}-{_weighting}-w{{n}}",
                partial(CountEmbedder, _matrix, _context, _weighting),  # type: ignore[arg-type]
            )
register("kin-w{n}", KinEmbedder)
register("kin2-w{n}", CentredKinEmbedder)
for _weighting in POSITIONAL_WEIGHTINGS:
    register(f"positional-{_weighting}-w{{n}}", partial(PositionalEmbedder, _weighting))  # type: ignore[arg-type]
register("substitution-w{n}", SubstitutionEmbedder)
for _algorithm in ALGORITHMS:
    register(f"act2vec-{_algorithm}-w{{n}}", partial(Act2VecEmbedder, _algorithm))  # type: ignore[arg-type]
    register(f"act2vec-{_algorithm}-span{{n}}", partial(Act2VecEmbedder, _algorithm, span=True))  # type: ignore[arg-type]
register("process-structure", ProcessStructureEmbedder)
register("process-structure-fixed", partial(ProcessStructureEmbedder, fixed=True))
register("autoencoder-w{n}", AutoencoderEmbedder, windows=(3,))
register("autoencoder-masked-w{n}", partial(AutoencoderEmbedder, masked=True), windows=(3,))
register("label-text", LabelTextEmbedder)
register("one-hot", OneHotEmbedder)


class _FunctionOf01(ModuleType):
    """Let ``actalike.methods()`` of version 0.1 go on for a while: it was a function, and is a package now."""

    def __call__(self) -> list[str]:
        warnings.warn("actalike.methods() is now actalike.method_names().", DeprecationWarning, stacklevel=2)
        return method_names()


sys.modules[__name__].__class__ = _FunctionOf01
