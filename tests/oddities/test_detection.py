"""Test finding odd events, against definitions as loops."""

from actalike import EventLog, odd


def test_a_rare_link_is_the_oddest() -> None:
    log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    result = odd(log)
    assert result.case_scores().argmax() == 50
    assert result.most(1)[0].before == "order"
