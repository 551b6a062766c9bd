"""Decide about labels: propose groups that are likely one step, say why, and relabel a log by a mapping."""

from actalike.labels.evidence import OUTSIDE, THIN_CASES, Caution, Neighbour, SharedNeighbours
from actalike.labels.groups import AT_LEAST, RELATIONS, Group, Relation, check_probability, group
from actalike.labels.label_patterns import LabelFamily, label_families
from actalike.labels.label_text import LabelTexts, text_similarity
from actalike.labels.mapping import mapping_of, read_mapping, write_mapping
from actalike.labels.opposites import opposite, opposite_pairs
from actalike.labels.pair_contexts import CommonContext, common_contexts
from actalike.labels.relabelling import relabel, relabel_file
from actalike.labels.same_step import LikelyPair, Reason, ReasonKind, SameStep, same_step
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.labels.slips import SlipPairs, is_slip, slip_pairs
from actalike.labels.text_differences import TextDifference, text_difference
from actalike.labels.witnesses import Witness
from actalike.labels.words import in_words, shared_neighbours_words

__all__ = [
    "AT_LEAST",
    "OUTSIDE",
    "RELATIONS",
    "THIN_CASES",
    "Caution",
    "CommonContext",
    "Group",
    "LabelFamily",
    "LabelTexts",
    "LikelyPair",
    "Neighbour",
    "NeighbourCounts",
    "Reason",
    "ReasonKind",
    "Relation",
    "SameStep",
    "SharedNeighbours",
    "SlipPairs",
    "TextDifference",
    "Witness",
    "check_probability",
    "common_contexts",
    "group",
    "in_words",
    "is_slip",
    "label_families",
    "mapping_of",
    "opposite",
    "opposite_pairs",
    "read_mapping",
    "relabel",
    "relabel_file",
    "same_step",
    "shared_neighbours_words",
    "slip_pairs",
    "text_difference",
    "text_similarity",
    "write_mapping",
]
