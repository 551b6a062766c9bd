"""Compare two logs: which activities are the same step, and which changed their company."""

from actalike.comparison.known_pairs import read_known_pairs
from actalike.comparison.matching import Matching, match
from actalike.comparison.matching_card import SURE
from actalike.comparison.matching_data import MatchedPair, MatchReason, Split, Unmatched
from actalike.comparison.matching_table import MatchingRow, matching_rows, write_matching
from actalike.comparison.matching_words import MatchSentence, matching_sentences, term_words

__all__ = [
    "SURE",
    "MatchReason",
    "MatchSentence",
    "MatchedPair",
    "Matching",
    "MatchingRow",
    "Split",
    "Unmatched",
    "match",
    "matching_rows",
    "matching_sentences",
    "read_known_pairs",
    "term_words",
    "write_matching",
]
