"""Find odd events: what does not belong in its company, and what was expected instead."""

from actalike.oddities.continuations import Surprise
from actalike.oddities.detection import Oddities, odd
from actalike.oddities.odd_data import KINDS, Expected, OddEvent
from actalike.oddities.odd_stream import OddStream, StreamScore

__all__ = ["KINDS", "Expected", "OddEvent", "OddStream", "Oddities", "StreamScore", "Surprise", "odd"]
