from actalike import EventLog, drift

HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"


def test_the_card_shows_what_changed_and_labels_are_text():
    shared = [["p", "q"], ["w", "w"], ["z"]]
    before = [["a" + HOSTILE, "b", "c"], ["p", "old" + HOSTILE, "q"], ["z", "gone"], *shared] * 30
    after = [["b", "a" + HOSTILE, "c"], ["p", "new" + HOSTILE, "q"], ["w", "fresh", "w"], *shared] * 30
    html = drift(EventLog.from_traces(before), EventLog.from_traces(after))._repr_html_()
    assert "<img" not in html
    assert "&lt;img src=x" in html
    for words in ("changed its company", "Replaced", "Appeared", "Vanished", "took the place of", "background:currentColor"):
        assert words in html


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
