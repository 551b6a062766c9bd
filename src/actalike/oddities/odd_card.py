"""Build the card that a notebook shows of odd events: how many there are of each kind, and the oddest with their reasons.

Labels, case ids and values come from logs and are not trusted: they are escaped and shown as text.
"""

from collections.abc import Sequence
from html import escape

from actalike.log import EventLog
from actalike.oddities.odd_data import OddEvent
from actalike.oddities.odd_words import KIND_WORDS, SCORE_WORDS, CaseNames, by_reason, odd_sentence, odd_summary, place_words
from actalike.support.text import and_more, card, label_html, one_line

_SHOWN = 10
_LONGEST = 800  # characters of a reason: its percentages are in the middle


def odd_card(events: Sequence[OddEvent], log: EventLog, attributes: Sequence[str]) -> str:
    """Return the HTML of odd events, the oddest first."""
    facts = [("log", f"{log.n_cases:,} cases, {log.n_events:,} events"), ("found", odd_summary(events))]
    if attributes:
        facts.append(("attributes", one_line(", ".join(attributes), 120)))
    groups = by_reason(events, log)
    highest = max((one.score for one in events), default=1.0) or 1.0
    names = CaseNames(log)
    rows = [(_subject(group, log, names), f"{group[0].score:.1f}", group[0].score / highest) for group in groups[:_SHOWN]]
    more = and_more(len(groups) - len(rows), "reason", "reasons")
    shown = card("Odd events", facts, ["odd place", "score"], rows, more)
    return f"<div>{shown}<div><small>{escape(SCORE_WORDS)}</small></div></div>"


def _subject(group: Sequence[OddEvent], log: EventLog, names: CaseNames) -> str:
    """Return the HTML of what is odd for one reason: the oddest place, the reason, and how many other places there are."""
    one = group[0]
    place = f"case {label_html(names.of(one.case_number))}, {escape(place_words(one))}, {escape(KIND_WORDS[one.kind])}"
    others = f" ({escape(and_more(len(group) - 1, 'place', 'places'))})" if len(group) > 1 else ""
    return f"{place}{others}<br><small><bdi>{escape(one_line(odd_sentence(one, log), _LONGEST))}</bdi></small>"
