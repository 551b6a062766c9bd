"""Decisions about labels: which are likely one step, why, the mapping, and the relabelled log."""

from actalike.labels.common_contexts import CommonContext, common_contexts
from actalike.labels.evidence import OUTSIDE, Caution, Neighbour, SharedContext
from actalike.labels.groups import DEFAULT_BOLDNESS, Group, check_boldness, group, merges
from actalike.labels.mapping import mapping_of, read_mapping, write_mapping
from actalike.labels.relabelling import relabel, relabel_file
from actalike.labels.shared_contexts import SharedContexts
from actalike.labels.words import THIN_CASES, in_words, shared_context_words

__all__ = [
    "DEFAULT_BOLDNESS",
    "OUTSIDE",
    "THIN_CASES",
    "Caution",
    "CommonContext",
    "Group",
    "Neighbour",
    "SharedContext",
    "SharedContexts",
    "check_boldness",
    "common_contexts",
    "group",
    "in_words",
    "mapping_of",
    "merges",
    "read_mapping",
    "relabel",
    "relabel_file",
    "shared_context_words",
    "write_mapping",
]
