"""Build the card that a notebook shows of a drift: what changed, with bars, then what appeared, vanished and was replaced.

Labels come from logs and are not trusted: they are escaped and shown as text.
"""

from html import escape

from actalike.support.text import and_more, card, label_html, one_line
from actalike.two_logs.drift_data import DriftData, PresenceChange
from actalike.two_logs.drift_words import (
    change_sizes,
    change_words,
    drift_headline,
    drift_limits,
    first_side,
    presence_groups,
    presence_words,
    replacement_words,
    side_facts,
)

_SHOWN = 10  # activities that changed, and labels of each kind


def drift_card(drift: DriftData) -> str:
    """Return the HTML of a drift."""
    facts = [(one_line(name, 80), one_line(its_log, 120)) for name, its_log in side_facts(drift)]
    facts.append(("result", drift_headline(drift)))
    rows = []
    for one in drift.changed[:_SHOWN]:
        words = "<br>".join(
            f"<small><bdi>{escape(one_line(line, 300))}</bdi></small>" for line in change_words(one, first_side(drift))
        )
        rows.append((f"{label_html(one.activity)}<br>{words}", change_sizes(one)[0], one.change))
    more = and_more(len(drift.changed) - len(rows), "activity that changed", "activities that changed")
    shown = card("Drift", facts, ["changed its company", "change"], rows, more)
    replaced = [replacement_words(one, drift) for one in drift.replaced]
    lists = [("Replaced", replaced)]
    lists += [(title, [_presence(one, drift) for one in group]) for title, group in presence_groups(drift)]
    notes = "".join(f"<div><small>{escape(one_line(sentence, 400))}</small></div>" for sentence in drift_limits(drift))
    return f"<div>{shown}{''.join(_list(title, lines) for title, lines in lists if lines)}{notes}</div>"


def _presence(one: PresenceChange, drift: DriftData) -> str:
    return f"{one.activity}: {presence_words(one, drift)}"


def _list(title: str, lines: list[str]) -> str:
    items = "".join(f"<li><bdi>{escape(one_line(line, 300))}</bdi></li>" for line in lines[:_SHOWN])
    more = and_more(len(lines) - _SHOWN, "label", "labels") if len(lines) > _SHOWN else ""
    return f"<strong>{escape(one_line(title, 80))}</strong><ul>{items}</ul>{escape(more)}"
