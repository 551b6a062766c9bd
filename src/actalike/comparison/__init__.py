"""Compare two logs: which activities are the same step, and which changed their company."""

from actalike.comparison.matching import MatchedPair, Matching, MatchReason, Split, Unmatched, match

__all__ = ["MatchReason", "MatchedPair", "Matching", "Split", "Unmatched", "match"]
