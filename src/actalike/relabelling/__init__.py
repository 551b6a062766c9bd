"""Relabelling: the same log under simpler names."""

from actalike.relabelling.files import relabel_file
from actalike.relabelling.logs import relabel
from actalike.relabelling.plan import ORIGINAL, Relabelled

__all__ = ["ORIGINAL", "Relabelled", "relabel", "relabel_file"]
