"""Build the card that a notebook shows of a matching: how much is matched, and the pairs with their probabilities as bars.

Labels come from logs and are not trusted: they are escaped and shown as text.
"""

from html import escape

from actalike.support.text import and_more, card, label_html, one_line, percent
from actalike.two_logs.matching_data import MatchingData
from actalike.two_logs.matching_words import MatchingWords

_SHOWN = 12
SURE = 0.8  # the probability from which on a pair is not called doubtful


def matching_summary(matching: MatchingData) -> str:
    """Return how many labels of two logs are matched, on one line."""
    known = f", {len(matching.known):,} of them known" if matching.known else ""
    labels = f"{len(matching.activities_a):,} and {len(matching.activities_b):,} activities"
    pairs = "1 pair" if len(matching.pairs) == 1 else f"{len(matching.pairs):,} pairs"
    return f"Matching({pairs} among {labels}{known})"


def matching_card(matching: MatchingData) -> str:
    """Return the HTML of a matching."""
    words = MatchingWords(matching)
    doubtful = sum(pair.probability < SURE for pair in matching.pairs)
    facts = [
        ("activities", f"{len(matching.activities_a):,} of a, {len(matching.activities_b):,} of b"),
        (
            "pairs",
            f"{len(matching.pairs):,}, {len(matching.known):,} of them known, {doubtful:,} doubtful (below {percent(SURE)})",
        ),
        ("without a partner", f"{len(matching.unmatched_a):,} of a, {len(matching.unmatched_b):,} of b"),
    ]
    rows = []
    for pair in matching.pairs[:_SHOWN]:
        reason = escape(one_line(words.reason(pair.a, pair.b), 160))
        labels = " = ".join(
            label_html(label) + (f" <small>{label_html(names[label])}</small>" if label in names else "")
            for label, names in ((pair.a, matching.log_a.names), (pair.b, matching.log_b.names))
        )
        subject = f"{labels}<br><small><bdi>{reason}</bdi></small>"
        rows.append((subject, percent(pair.probability), pair.probability))
    more = and_more(len(matching.pairs) - _SHOWN, "pair", "pairs") if len(matching.pairs) > _SHOWN else ""
    return card("Matching", facts, ("pair", "probability"), rows, more)
