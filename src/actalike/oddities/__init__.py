"""Find odd events: those that are unusual in their context, and what was expected instead."""

from actalike.oddities.control_flow import ODD, ControlFlow, Expected, OddEvent
from actalike.oddities.describe import (
    KIND_WORDS,
    SCORE_WORDS,
    CaseNames,
    by_reason,
    labels_of_case,
    left_out_words,
    odd_counts,
    odd_sentence,
    odd_summary,
    place_words,
    sentence_parts,
    tag_parts,
    why_not_odd,
    write_odd_events,
    write_scores,
)
from actalike.oddities.detection import Oddities, OddModel, check_kind, find_cases, odd, odd_model
from actalike.oddities.slips import KINDS, Kind
from actalike.oddities.stream import OddStream, StreamScore, Surprise

__all__ = [
    "KINDS",
    "KIND_WORDS",
    "ODD",
    "SCORE_WORDS",
    "CaseNames",
    "ControlFlow",
    "Expected",
    "Kind",
    "OddEvent",
    "OddModel",
    "OddStream",
    "Oddities",
    "StreamScore",
    "Surprise",
    "by_reason",
    "check_kind",
    "find_cases",
    "labels_of_case",
    "left_out_words",
    "odd",
    "odd_counts",
    "odd_model",
    "odd_sentence",
    "odd_summary",
    "place_words",
    "sentence_parts",
    "tag_parts",
    "why_not_odd",
    "write_odd_events",
    "write_scores",
]
