"""Compare two logs: which activities are the same step, and which changed their company."""

from actalike.comparison.known_pairs import read_known_pairs
from actalike.comparison.matching import Matching, match
from actalike.comparison.matching_data import MatchedPair, MatchReason, Split, Unmatched

__all__ = ["MatchReason", "MatchedPair", "Matching", "Split", "Unmatched", "match", "read_known_pairs"]
