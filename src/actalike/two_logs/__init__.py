"""Compare two logs: which activities are the same step, and which changed their company."""

from actalike.two_logs.drift_data import ChangedActivity, NeighbourChange, PresenceChange, Replacement
from actalike.two_logs.drift_sides import moment_of
from actalike.two_logs.drift_words import (
    change_sizes,
    change_words,
    drift_headline,
    drift_limits,
    first_side,
    presence_groups,
    presence_words,
    replacement_words,
    sides_words,
)
from actalike.two_logs.known_pairs import read_apart_pairs, read_known_pairs
from actalike.two_logs.log_drift import Drift, drift
from actalike.two_logs.matching import Matching, match
from actalike.two_logs.matching_card import SURE
from actalike.two_logs.matching_data import MatchedPair, MatchReason, Split, Unmatched
from actalike.two_logs.matching_table import MatchingRow, matching_rows, write_matching
from actalike.two_logs.matching_words import MatchSentence, matching_sentences, term_words, told_terms
from actalike.two_logs.new_labels import NewLabels, compare_new_labels

__all__ = [
    "SURE",
    "ChangedActivity",
    "Drift",
    "MatchReason",
    "MatchSentence",
    "MatchedPair",
    "Matching",
    "MatchingRow",
    "NeighbourChange",
    "NewLabels",
    "PresenceChange",
    "Replacement",
    "Split",
    "Unmatched",
    "change_sizes",
    "change_words",
    "compare_new_labels",
    "drift",
    "drift_headline",
    "drift_limits",
    "first_side",
    "match",
    "matching_rows",
    "matching_sentences",
    "moment_of",
    "presence_groups",
    "presence_words",
    "read_apart_pairs",
    "read_known_pairs",
    "replacement_words",
    "sides_words",
    "term_words",
    "told_terms",
    "write_matching",
]
