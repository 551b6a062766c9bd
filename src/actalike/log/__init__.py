"""Hold event logs in memory, and compute what needs no windows: relative positions, co-occurrence, timelines."""

from actalike.log.attributes import Attribute, checked_attribute, names_people, plain_name, reject_clashes
from actalike.log.event_log import AnyLog, EventLog, case_beginnings, cases_of, check_characters, events_of
from actalike.log.occurrence import BY_CHANCE, CoOccurrence, Timeline, relative_positions, timeline
from actalike.log.reading import Flattening, Reading
from actalike.log.variants import (
    Uses,
    UseTable,
    Variants,
    case_blocks,
    first_equal_cases,
    joined,
    merged,
    pairs_at_instants,
    recoded,
    some_cases,
    use_tables,
)

__all__ = [
    "BY_CHANCE",
    "AnyLog",
    "Attribute",
    "CoOccurrence",
    "EventLog",
    "Flattening",
    "Reading",
    "Timeline",
    "UseTable",
    "Uses",
    "Variants",
    "case_beginnings",
    "case_blocks",
    "cases_of",
    "check_characters",
    "checked_attribute",
    "events_of",
    "first_equal_cases",
    "joined",
    "merged",
    "names_people",
    "pairs_at_instants",
    "plain_name",
    "recoded",
    "reject_clashes",
    "relative_positions",
    "some_cases",
    "timeline",
    "use_tables",
]
