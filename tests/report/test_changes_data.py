"""When the process changed, as the page is given it; and on the page: marks, sentences, and the flow on both sides."""

import base64

import numpy as np
import pytest

from actalike import EventLog, change_points, write_report
from actalike.report.changes_data import SHOWN, changes_data

OLD, NEW = ["order", "desk <b>", "pay"], ["order", "online", "check", "pay"]


def daily(traces):
    """A log of which a case begins each day, and lasts some hours."""
    log = EventLog.from_traces(traces)
    hours = np.concatenate([24 * case + np.arange(len(trace)) for case, trace in enumerate(traces)])
    return EventLog(
        log.activities, log.codes, log.offsets, log.case_ids, np.datetime64("2024-01-01", "us") + hours * np.timedelta64(1, "h")
    )


def test_each_change_has_its_date_and_the_flow_on_both_sides():
    log = daily([OLD] * 60 + [NEW] * 40)
    number = {"order": 0, "pay": 1, "online": 2}
    data = changes_data(log, number)
    [change] = data["shown"]
    assert (change["at"], data["further"]) == ("2024-03-01T00:00:00", 0)
    assert [words.endswith(": 100 %, before: 0 %") for words in change["words"]] == [True]
    before, after = change["sides"]
    assert (before["counts"], after["counts"]) == ([60, 60, 0], [40, 40, 40])
    assert (before["facts"]["activities"], after["facts"]["activities"]) == (3, 4)
    assert after["cases"] == [40, 40, 40]
    assert after["follows"]["starts"] == [40, 0, 0]
    counts = np.frombuffer(base64.b64decode(after["follows"]["counts"]), np.uint32)
    assert counts.tolist() == [40]  # order to online; "check" is not shown


def test_the_clearest_changes_are_shown_and_the_others_counted():
    labels = [f"label {i}" for i in range(SHOWN + 3)]
    log = daily([[label, "pay"] for label in labels for _ in range(60)])
    data = changes_data(log, {label: i for i, label in enumerate(log.activities)})
    assert len(data["shown"]) == SHOWN
    assert data["further"] == len(change_points(log).points) - SHOWN > 0
    assert [one["at"] for one in data["shown"]] == sorted(one["at"] for one in data["shown"])


def test_without_times_there_are_no_dates():
    log = EventLog.from_traces([OLD] * 60 + [NEW] * 40)
    assert changes_data(log, {"order": 0}) is None
    assert changes_data(log.variants, {"order": 0}) is None


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("changes") / "report.html"
    write_report(daily([OLD] * 60 + [NEW] * 40), path)
    return path


def test_the_time_view_marks_changes_and_leads_to_the_flow_before_and_after(open_page, report):
    page = open_page(report)
    assert page.locator(".time-head .time-change").count() == 1
    assert page.locator(".time-changes li").inner_text().startswith("2024-03-01 (after case 60): ")
    page.locator(".time-changes button").click()
    page.locator("#flows figcaption", has_text="From 2024-03-01").wait_for()
    captions = page.locator("#flows figcaption").all_inner_texts()
    assert ["60 cases" in captions[0], "40 cases" in captions[1]] == [True, True]
    boxes = [figure.locator(".flow-box").count() for figure in page.locator("#flows figure").all()]
    assert boxes == [3, 4]
    assert "desk <b>" in page.locator("#flows").inner_text().replace("\n", " ")
    page.locator("#flow-change").select_option(index=0)
    page.locator("#flows figcaption", has_text="Accept a group").or_(
        page.locator("#flows figcaption b", has_text="After")
    ).first.wait_for()
    assert "2024-03-01" not in page.locator("#flows").inner_text()
