"""The card of a matching in a notebook."""

from actalike import EventLog
from actalike.two_logs.matching_card import matching_card, matching_summary
from tests.helpers.matchings import MadeMatching


def test_the_card_shows_pairs_with_reasons_and_counts_the_rest():
    labels = [f"step {i:02}" for i in range(20)]
    log = EventLog.from_traces([labels] * 5)
    matching = MadeMatching(
        log, log, [(label, label, 0.9 - i / 40) for i, label in enumerate(labels)], known={"step 00": "step 00"}
    )
    html = matching_card(matching)
    assert "<bdi>step 03</bdi> = <bdi>step 03</bdi><br><small><bdi>both come directly after &#x27;step 02&#x27;" in html
    assert "20, 1 of them known, 15 doubtful (below 80 %)" in html
    assert "and 8 more pairs" in html
    assert matching_summary(matching) == "Matching(20 pairs among 20 and 20 activities, 1 of them known)"


def test_labels_are_shown_as_text():
    log = EventLog.from_traces([["<script>alert(1)</script>", "\x07\u202e"]] * 3)
    html = matching_card(MadeMatching(log, log, [(label, label, 0.9) for label in log.activities]))
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "\x07" not in html
