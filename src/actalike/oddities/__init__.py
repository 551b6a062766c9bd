"""Find odd events: what does not belong in its company, and what was expected instead."""

from actalike.oddities.detection import Oddities, odd
from actalike.oddities.odd_data import KINDS, Expected, Kind, OddEvent
from actalike.oddities.odd_words import KIND_WORDS, SCORE_WORDS, odd_claim, odd_sentence, place_words

__all__ = [
    "KINDS",
    "KIND_WORDS",
    "SCORE_WORDS",
    "Expected",
    "Kind",
    "OddEvent",
    "Oddities",
    "odd",
    "odd_claim",
    "odd_sentence",
    "place_words",
]
