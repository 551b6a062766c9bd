"""Find odd events: what does not belong in its company, and what was expected instead."""

from actalike.oddities.continuations import Surprise
from actalike.oddities.detection import ODD, Oddities, odd
from actalike.oddities.odd_arguments import cases_called, check_kind
from actalike.oddities.odd_data import KINDS, Expected, Kind, OddEvent
from actalike.oddities.odd_stream import OddStream, StreamScore
from actalike.oddities.odd_table import OddRow, odd_facts, odd_rows, write_odd_events
from actalike.oddities.odd_words import (
    KIND_WORDS,
    SCORE_WORDS,
    CaseNames,
    by_reason,
    odd_claim,
    odd_counts,
    odd_sentence,
    odd_summary,
    place_words,
)

__all__ = [
    "KINDS",
    "KIND_WORDS",
    "ODD",
    "SCORE_WORDS",
    "CaseNames",
    "Expected",
    "Kind",
    "OddEvent",
    "OddRow",
    "OddStream",
    "Oddities",
    "StreamScore",
    "Surprise",
    "by_reason",
    "cases_called",
    "check_kind",
    "odd",
    "odd_claim",
    "odd_counts",
    "odd_facts",
    "odd_rows",
    "odd_sentence",
    "odd_summary",
    "place_words",
    "write_odd_events",
]
