"""Find odd events: what does not belong in its company, and what was expected instead."""

from actalike.oddities.detection import Oddities, odd
from actalike.oddities.odd_data import KINDS, Expected, OddEvent

__all__ = ["KINDS", "Expected", "OddEvent", "Oddities", "odd"]
