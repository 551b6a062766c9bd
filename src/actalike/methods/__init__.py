"""The methods by name. A new one is a new file here and a line in :mod:`actalike.methods.registry`."""

from actalike.methods.counts import CountEmbedder
from actalike.methods.registry import DEFAULT_METHOD, embed, make_method, methods, register

__all__ = ["DEFAULT_METHOD", "CountEmbedder", "embed", "make_method", "methods", "register"]
