"""Relabel a log, in memory or as a file: rename its activities and keep everything else."""

from actalike.labels.relabelling.files import relabel_file
from actalike.labels.relabelling.folders import relabel_files
from actalike.labels.relabelling.logs import relabel
from actalike.labels.relabelling.plan import ORIGINAL, Relabelled

__all__ = ["ORIGINAL", "Relabelled", "relabel", "relabel_file", "relabel_files"]
