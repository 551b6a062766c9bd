"""Decide about labels: propose groups that are likely one step, say why, and relabel a log by a mapping."""

from actalike.labels.comparison_words import comparison_sentences
from actalike.labels.decision_files import begins_as_json
from actalike.labels.decisions import DecidedGroup, Decisions, decisions_content, read_decisions, write_decisions
from actalike.labels.evidence import OUTSIDE, THIN_CASES, Caution, Neighbour, SharedNeighbours
from actalike.labels.groups import AT_LEAST, RELATIONS, Group, Relation, Verdict, check_probability, group, judge
from actalike.labels.label_comparison import Comparison, compare
from actalike.labels.label_patterns import LabelFamily, label_families
from actalike.labels.label_tables import LabelTable, read_label_table, table_bytes
from actalike.labels.label_text import LabelTexts, text_similarity
from actalike.labels.label_uses import LabelUses
from actalike.labels.mapping import mapping_of, read_mapping, write_mapping
from actalike.labels.matching_decisions import (
    DecidedLog,
    DecidedPair,
    MatchingDecisions,
    matching_content,
    read_matching_decisions,
    write_matching_decisions,
)
from actalike.labels.names_files import read_names
from actalike.labels.opposites import opposite, opposite_pairs, opposite_words
from actalike.labels.pair_contexts import CommonContext, common_contexts, differing_contexts
from actalike.labels.relabelling import Relabelled, relabel, relabel_file, relabel_files
from actalike.labels.shared_neighbours import NeighbourCounts
from actalike.labels.similar_steps import SimilarSteps
from actalike.labels.slips import SlipPairs, is_slip, slip_pairs
from actalike.labels.step_probabilities import LikelyPair, Reason, ReasonKind, SameStep, same_step, same_step_of
from actalike.labels.text_differences import TextDifference, text_difference
from actalike.labels.translations import KNOWN, MATCHED, ORIGINAL, Translation, is_known, is_rejected, translation
from actalike.labels.use_examples import ExampleCase, example_cases, examples_together
from actalike.labels.witnesses import Usage, Witness
from actalike.labels.words import (
    Argument,
    group_arguments,
    group_words,
    in_words,
    no_witness_words,
    reason_words,
    shared_neighbours_parts,
    shared_neighbours_words,
    text_difference_words,
    verdict_words,
    with_people_together,
    witness_facts,
    witness_words,
)

__all__ = [
    "AT_LEAST",
    "KNOWN",
    "MATCHED",
    "ORIGINAL",
    "OUTSIDE",
    "RELATIONS",
    "THIN_CASES",
    "Argument",
    "Caution",
    "CommonContext",
    "Comparison",
    "DecidedGroup",
    "DecidedLog",
    "DecidedPair",
    "Decisions",
    "ExampleCase",
    "Group",
    "LabelFamily",
    "LabelTable",
    "LabelTexts",
    "LabelUses",
    "LikelyPair",
    "MatchingDecisions",
    "Neighbour",
    "NeighbourCounts",
    "Reason",
    "ReasonKind",
    "Relabelled",
    "Relation",
    "SameStep",
    "SharedNeighbours",
    "SimilarSteps",
    "SlipPairs",
    "TextDifference",
    "Translation",
    "Usage",
    "Verdict",
    "Witness",
    "begins_as_json",
    "check_probability",
    "common_contexts",
    "compare",
    "comparison_sentences",
    "decisions_content",
    "differing_contexts",
    "example_cases",
    "examples_together",
    "group",
    "group_arguments",
    "group_words",
    "in_words",
    "is_known",
    "is_rejected",
    "is_slip",
    "judge",
    "label_families",
    "mapping_of",
    "matching_content",
    "no_witness_words",
    "opposite",
    "opposite_pairs",
    "opposite_words",
    "read_decisions",
    "read_label_table",
    "read_mapping",
    "read_matching_decisions",
    "read_names",
    "reason_words",
    "relabel",
    "relabel_file",
    "relabel_files",
    "same_step",
    "same_step_of",
    "shared_neighbours_parts",
    "shared_neighbours_words",
    "slip_pairs",
    "table_bytes",
    "text_difference",
    "text_difference_words",
    "text_similarity",
    "translation",
    "verdict_words",
    "with_people_together",
    "witness_facts",
    "witness_words",
    "write_decisions",
    "write_mapping",
    "write_matching_decisions",
]
