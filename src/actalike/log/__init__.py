"""Hold event logs in memory, and compute what needs no windows: relative positions, co-occurrence, timelines."""

from actalike.log.attributes import Attribute, checked_attribute, names_people, plain_name, refuse_clashes
from actalike.log.co_occurrence import BY_CHANCE, CoOccurrence
from actalike.log.equal_cases import case_blocks, first_equal_cases
from actalike.log.event_log import EventLog, check_characters
from actalike.log.parts import case_beginnings, cases_of, events_of
from actalike.log.positions import relative_positions
from actalike.log.reading import Flattening, Reading
from actalike.log.timelines import Timeline, timeline

__all__ = [
    "BY_CHANCE",
    "Attribute",
    "CoOccurrence",
    "EventLog",
    "Flattening",
    "Reading",
    "Timeline",
    "case_beginnings",
    "case_blocks",
    "cases_of",
    "check_characters",
    "checked_attribute",
    "events_of",
    "first_equal_cases",
    "names_people",
    "plain_name",
    "refuse_clashes",
    "relative_positions",
    "timeline",
]
