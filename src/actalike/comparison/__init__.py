"""Compare two logs: which activities are the same step, and which changed their company."""

from actalike.comparison.drift_data import ChangedActivity, NeighbourChange, PresenceChange, Replacement
from actalike.comparison.drift_words import (
    change_words,
    first_side,
    headline,
    limits,
    presence_groups,
    presence_words,
    replacement_words,
    sides_words,
)
from actalike.comparison.log_drift import Drift, drift
from actalike.comparison.matching import MatchedPair, Matching, MatchReason, Split, Unmatched, match

__all__ = [
    "ChangedActivity",
    "Drift",
    "MatchReason",
    "MatchedPair",
    "Matching",
    "NeighbourChange",
    "PresenceChange",
    "Replacement",
    "Split",
    "Unmatched",
    "change_words",
    "drift",
    "first_side",
    "headline",
    "limits",
    "match",
    "presence_groups",
    "presence_words",
    "replacement_words",
    "sides_words",
]
