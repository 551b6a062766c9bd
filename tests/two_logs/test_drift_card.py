from actalike import EventLog, drift
from actalike.log import Reading

HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"


def test_the_card_shows_what_changed_and_labels_are_text():
    before = EventLog.from_traces([["a" + HOSTILE, "b", "c"]] * 30 + [["b", "old" + HOSTILE]] * 30)
    after = EventLog.from_traces([["b", "a" + HOSTILE, "c"]] * 30 + [["b", "new" + HOSTILE]] * 30)
    more = EventLog.from_traces([["b", "a" + HOSTILE, "c"]] * 30 + [["b", "new" + HOSTILE], ["b", HOSTILE, "b"]] * 30)
    cards = [drift(*logs)._repr_html_() for logs in ((before, after), (after, more), (more, after))]
    for html, words in zip(cards, ("Replaced", "Appeared", "Vanished"), strict=True):
        assert f"<strong>{words}</strong>" in html
        assert "<img" not in html
        assert "&lt;img src=x" in html
    for words in ("changed its company", "took the place of", "background:currentColor"):
        assert words in cards[0]


def test_the_card_names_the_files():
    log = EventLog.from_traces([["a", "b"]] * 20)
    before, after = (
        EventLog(log.activities, log.codes, log.offsets, log.case_ids, reading=Reading(f"logs/<{name}>.csv", "case", "activity"))
        for name in ("one", "two")
    )
    assert "&lt;one&gt;.csv, 20 cases" in drift(before, after)._repr_html_()


def test_the_card_of_a_stable_log_says_so():
    log = EventLog.from_traces([["a", "b"]] * 200)
    assert "Nothing changed beyond chance" in drift(log, log)._repr_html_()


def test_long_lists_are_cut_and_say_so():
    labels = [f"step {i:02}" for i in range(24)]
    before = EventLog.from_traces([[label, "x"] for label in labels for _ in range(40)] + [["x"]] * 200)
    after = EventLog.from_traces([["x", label] for label in labels for _ in range(40)] + [[f"{i}", "x"] for i in range(12)] * 30)
    html = drift(before, after)._repr_html_()
    assert "and 15 more activities that changed" in html
    assert "and 2 more labels" in html
