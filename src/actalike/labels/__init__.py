"""Decide about labels: propose groups that are likely one step, say why, and relabel a log by a mapping."""

from actalike.labels.evidence import OUTSIDE, THIN_CASES, Caution, Neighbour, SharedNeighbours
from actalike.labels.groups import AT_LEAST, RELATIONS, Group, Relation, Verdict, check_probability, group, judge
from actalike.labels.label_patterns import LabelFamily, label_families
from actalike.labels.label_text import LabelTexts, text_similarity
from actalike.labels.mapping import mapping_of, read_mapping, write_mapping
from actalike.labels.opposites import opposite, opposite_pairs, opposite_words
from actalike.labels.pair_contexts import CommonContext, common_contexts, differing_contexts
from actalike.labels.relabelling import relabel, relabel_file
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.labels.similar_steps import SimilarSteps
from actalike.labels.slips import SlipPairs, is_slip, slip_pairs
from actalike.labels.step_probabilities import LikelyPair, Reason, ReasonKind, SameStep, same_step
from actalike.labels.text_differences import TextDifference, text_difference
from actalike.labels.witnesses import Witness
from actalike.labels.words import (
    group_words,
    in_words,
    no_witness_words,
    percent,
    reason_words,
    shared_neighbours_words,
    text_difference_words,
    verdict_words,
    with_people_together,
    witness_facts,
    witness_words,
)

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
    "SimilarSteps",
    "SlipPairs",
    "TextDifference",
    "Verdict",
    "Witness",
    "check_probability",
    "common_contexts",
    "differing_contexts",
    "group",
    "group_words",
    "in_words",
    "is_slip",
    "judge",
    "label_families",
    "mapping_of",
    "no_witness_words",
    "opposite",
    "opposite_pairs",
    "opposite_words",
    "percent",
    "read_mapping",
    "reason_words",
    "relabel",
    "relabel_file",
    "same_step",
    "shared_neighbours_words",
    "slip_pairs",
    "text_difference",
    "text_difference_words",
    "text_similarity",
    "verdict_words",
    "with_people_together",
    "witness_facts",
    "witness_words",
    "write_mapping",
]
