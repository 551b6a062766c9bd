"""Test the card that a notebook shows of odd events."""

from dataclasses import replace

from actalike import Attribute, EventLog, OddEvent, odd
from actalike.oddities.odd_card import odd_card

HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"
LOG = EventLog(
    [HOSTILE, "b"], [0, 1, 1], [0, 2, 3], [HOSTILE, "2"], attributes={HOSTILE: Attribute.from_texts([HOSTILE, None, "x"])}
)
ODD = OddEvent(HOSTILE, 0, 1, (1,), "b", "attribute", 9.0, HOSTILE, None, 1, 2, (), attribute=HOSTILE, value=HOSTILE)


def test_the_card_shows_the_oddest_and_labels_are_text():
    others = [replace(ODD, score=0.0, total=total) for total in range(3, 15)]
    html = odd_card([ODD, replace(ODD, kind="inserted"), ODD, *others], LOG, [HOSTILE])
    assert "<img" not in html
    assert html.count("&lt;img src=x") >= 20
    for words in (
        "15 odd places in 1 case: 1 inserted, 14 unusual attribute",
        "(and 1 more place)",
        "and 4 more reasons",
        "Rare is not wrong",
    ):
        assert words in html
    assert "2 cases, 3 events" in html


def test_a_result_shows_its_card_also_without_odd_events():
    assert "<strong>Odd events</strong>" in odd(LOG)._repr_html_()
    assert "no odd place" in odd_card([], LOG, [])
