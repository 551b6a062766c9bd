"""The methods by name. A new one is a new file here and a line in :mod:`actalike.methods.registry`."""

from actalike.methods.act2vec import Act2VecEmbedder
from actalike.methods.autoencoder import AutoencoderEmbedder
from actalike.methods.counts import CountEmbedder
from actalike.methods.kin import KinEmbedder
from actalike.methods.label_text import LabelTextEmbedder
from actalike.methods.one_hot import OneHotEmbedder
from actalike.methods.positional import PositionalEmbedder
from actalike.methods.process_structure import ProcessStructureEmbedder
from actalike.methods.registry import DEFAULT_METHOD, embed, make_method, methods, register
from actalike.methods.substitution import SubstitutionEmbedder, insertion_scores, substitution_scores

__all__ = [
    "DEFAULT_METHOD",
    "Act2VecEmbedder",
    "AutoencoderEmbedder",
    "CountEmbedder",
    "KinEmbedder",
    "LabelTextEmbedder",
    "OneHotEmbedder",
    "PositionalEmbedder",
    "ProcessStructureEmbedder",
    "SubstitutionEmbedder",
    "embed",
    "insertion_scores",
    "make_method",
    "methods",
    "register",
    "substitution_scores",
]
