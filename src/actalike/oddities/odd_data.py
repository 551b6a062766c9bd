"""Hold what is odd about an event: its kind, its score, and what was expected instead."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

Kind = Literal["skipped", "inserted", "repeated", "early", "late", "attribute"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Expected(NamedTuple):
    """Hold what usually stands where an odd event is: a label (None is the end of the case) or the value of an attribute.

    ``times`` of the events in the same place have it, which is the share ``share`` of them.
    """

    value: str | None
    times: int
    share: float


@dataclass(frozen=True)
class OddEvent:
    """Hold one odd place of a case: the event, what kind of oddity it is, and what was expected instead.

    ``case`` is the id of the case, ``case_number`` its place in the log, and ``position`` that of the event in its case; both
    count from 0. A step that is missing at the end of a case has the position after the last event, and no ``activity``.
    ``events`` are the positions of all events that belong to the same oddity, such as both events of a repeated pair.
    ``score`` is ln (1 + odds): how much more probable the case is with a slip in this place than without.

    ``before`` and ``after`` are the labels of the neighbours, None outside the case.

    What shows best that something is odd here is the event at the position ``seam``: mostly ``position`` itself, or another event
    where the sequence breaks; the length of the case is its end. ``context`` are one to three labels right before that event, the
    nearest last; None is the start of the case. Of the ``total`` times that the context occurs, ``times`` go on as here;
    ``expected`` lists how the others go on, the most frequent first. For the kind "attribute", these are the values that the
    attribute ``attribute`` has for this activity, and ``value`` is the one here (None if it is missing).

    ``missing`` are the steps that were skipped before the event, for the kind "skipped". ``belongs`` is the position before which
    the event would belong, for the kinds "early" and "late"; ``same_time`` says that it would only change places with events of
    the same time. ``occurs`` is for the kind "repeated": how often the activity occurs in this case, in how many cases it occurs
    at least so often, and in how many at all.
    """

    case: str
    case_number: int
    position: int
    events: tuple[int, ...]
    activity: str | None
    kind: Kind
    score: float
    before: str | None
    after: str | None
    times: int
    total: int
    expected: tuple[Expected, ...]
    missing: tuple[str, ...] = ()
    belongs: int | None = None
    attribute: str | None = None
    value: str | None = None
    context: tuple[str | None, ...] = ()
    seam: int = 0
    occurs: tuple[int, int, int] | None = None
    same_time: bool = False
