"""Provide the embedding methods by name. To add one, add a file here and a line in :mod:`actalike.methods.registry`."""

import sys
import warnings
from types import ModuleType

from actalike.methods.act2vec import Act2VecEmbedder
from actalike.methods.autoencoder import AutoencoderEmbedder
from actalike.methods.centred_kin import CentredKinEmbedder
from actalike.methods.contract import Method, missing_extra
from actalike.methods.counts import MATRICES, CountEmbedder
from actalike.methods.estimator import CountingEstimator, Estimator, Parameters
from actalike.methods.kin import KinEmbedder
from actalike.methods.kin_shares import Surroundings
from actalike.methods.kin_similarity import surroundings_of
from actalike.methods.label_text import LabelTextEmbedder
from actalike.methods.names import MethodName, by_number
from actalike.methods.one_hot import OneHotEmbedder
from actalike.methods.positional import PositionalEmbedder
from actalike.methods.process_structure import ProcessStructureEmbedder, discover_tree
from actalike.methods.refinements import switches_in_name
from actalike.methods.registry import (
    DEFAULT_METHOD,
    embed,
    family_of,
    full_name,
    has_checked_intervals,
    make_method,
    method_names,
    register,
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
    "family_of",
    "full_name",
    "has_checked_intervals",
    "insertion_scores",
    "make_method",
    "method_names",
    "missing_extra",
    "register",
    "substitution_scores",
    "surroundings_of",
    "switches_in_name",
]


class _FunctionOf01(ModuleType):
    """Let ``actalike.methods()`` of version 0.1 go on for a while: it was a function, and is a package now."""

    def __call__(self) -> list[str]:
        warnings.warn("actalike.methods() is now actalike.method_names().", DeprecationWarning, stacklevel=2)
        return method_names()


sys.modules[__name__].__class__ = _FunctionOf01
