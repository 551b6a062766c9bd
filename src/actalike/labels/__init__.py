"""Decide about labels: propose groups that are likely one step, say why, and relabel a log by a mapping."""

from actalike.labels.evidence import OUTSIDE, THIN_CASES, Caution, Neighbour, SharedNeighbours
from actalike.labels.groups import DEFAULT_BOLDNESS, Group, check_boldness, group, merges
from actalike.labels.mapping import mapping_of, read_mapping, write_mapping
from actalike.labels.pair_contexts import CommonContext, common_contexts
from actalike.labels.relabelling import relabel, relabel_file
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.labels.words import in_words, shared_neighbours_words

__all__ = [
    "DEFAULT_BOLDNESS",
    "OUTSIDE",
    "THIN_CASES",
    "Caution",
    "CommonContext",
    "Group",
    "Neighbour",
    "NeighbourCounts",
    "SharedNeighbours",
    "check_boldness",
    "common_contexts",
    "group",
    "in_words",
    "mapping_of",
    "merges",
    "read_mapping",
    "relabel",
    "relabel_file",
    "shared_neighbours_words",
    "write_mapping",
]
