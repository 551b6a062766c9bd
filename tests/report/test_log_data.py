"""What every page is told of a log: figures, how it was understood, what follows what, where and when activities are."""

import base64

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, read_log
from actalike.counting import directly_follows
from actalike.log import timeline
from actalike.report.log_data import follows_data, log_facts, positions_data, timeline_data, understood
from tests.helpers.reading import read_bytes
from tests.helpers.strategies import logs
from tests.report.conftest import open_views
from tests.report.test_packing import unpacked_runs


@given(logs())
def test_the_figures_are_those_of_the_log(log):
    facts = log_facts(log)
    assert log.statistics().items() >= {key: facts[key] for key in ("cases", "events", "activities")}.items()
    glance = {name: [value, remark] for name, value, remark in facts["glance"]}
    assert glance["Variants"][0] == f"{log.n_variants:,}"
    assert glance["Events per case"][1] == f"median {np.median([len(trace) for trace in log.traces()]):,g}"
    assert glance["Period"] == ["none", "no timestamps"]


def test_the_period_is_that_of_the_known_timestamps():
    content = b"case,activity,timestamp\n1,a,2024-03-01T23:59:59\n1,b,\n2,a,2023-12-31T00:00:00\n"
    facts = log_facts(read_bytes(content, "log.csv", order="file"))
    assert facts["glance"][-1] == ["Period", "2023-12-31", "to 2024-03-01"]


def test_timestamps_of_which_none_is_known_have_no_period():
    log = EventLog.from_traces([["a", "b"]])
    log.timestamps = np.array(["NaT", "NaT"], dtype="datetime64[us]")
    assert log_facts(log)["glance"][-1] == ["Period", "none", "no timestamps"]


HOSTILE = "<img src=x onerror=alert(1)>"


def coded_log():
    traces = [["x", "a", "y"], ["x", "b", "y"]] * 20
    frame = EventLog.from_traces(traces).to_frame()
    names = {"a": "Check the form", "b": HOSTILE, "x": "x"}
    rows = frame.with_columns(text=pl.col("activity").replace_strict(names, default=None), Erfasst=pl.lit("31.12.2024 13:45"))
    return read_log(rows.rename({"case": "Case ID"}), name="text")


def test_names_and_reading_are_handed_to_the_page():
    data = understood(coded_log(), ["b", "y"])
    assert data["names"] == [HOSTILE, None]
    facts = dict(data["reading"]["facts"])
    assert (facts["Case"], facts["Time"], facts["Second names"]) == (
        "Case ID",
        "none (events in file order)",
        "text (of 3 labels)",
    )
    assert data["reading"]["remarks"][0].startswith("The column 'Erfasst' looks like time")


def test_the_page_says_how_the_log_was_understood_and_shows_second_names(open_page):
    page = open_views(open_page(coded_log()))
    said = page.locator("#understood")
    said.locator("summary").click()
    assert said.locator("dl").inner_text().replace("\n", " ") == (
        "Case Case ID Activity activity Time none (events in file order) Second names text (of 3 labels)"
    )
    assert "'Erfasst' looks like time" in said.locator("li").inner_text()
    for picture in (".map-labels", ".flow-picture"):
        assert "Check the form" in page.locator(picture).first.text_content()
    with page.expect_download() as file:
        page.locator(".picture-file", has_text="SVG").nth(1).click()
    assert "a · Check the form".encode() in file.value.path().read_bytes()
    assert page.locator(".step-name").first.get_attribute("placeholder") in (HOSTILE, "Check the form")
    page.fill("#search", "onerror")
    assert page.locator(".dot.faded").count() == 3
    assert page.locator("#search-found li").all_inner_texts()[0].split("\n")[0].startswith("b")
    page.keyboard.press("Enter")
    assert page.locator("#panel-title").inner_text().split("\n") == ["b", HOSTILE]
    assert page.locator("#page img, #panel img").count() == 0
    assert page.locator(".member .second-name").first.inner_text() in (HOSTILE, "Check the form")
    box = page.locator("#understood").bounding_box()
    assert box["width"] <= 1280


def test_a_log_made_in_memory_has_no_reading():
    assert understood(EventLog.from_traces([["a"]]), ["a"]) == {"names": None, "spaced": [], "reading": None}


def test_arrows_among_shown_activities_are_there_with_starts_and_ends():
    log = EventLog.from_traces([["a", "b", "c"], ["a", "b"], ["b"]])
    data = follows_data(directly_follows(count_windows(log, 2)), {"b": 0, "a": 1})
    assert [list(base64.b64decode(data[name])) for name in ("first", "second", "counts")] == [[1, 0], [0, 0], [2, 0, 0, 0]]
    assert (data["starts"], data["ends"]) == ([1, 2], [2, 0])
    assert positions_data(log, np.array([0]))[0][1] == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10**5)), min_size=1, max_size=20))
def test_the_page_is_given_the_counts_of_the_shown_activities(events):
    labels, hours = zip(*events, strict=True)
    moments = np.array(hours, dtype="datetime64[h]")
    log = EventLog(labels, range(len(labels)), [0, len(labels)], ["1"], timestamps=moments)
    order = np.argsort(-log.activity_counts, kind="stable")[:2]
    expected = timeline(log)
    found = timeline_data(log, order)
    assert found["unit"] == expected.unit
    assert found["starts"] == [str(start) for start in expected.starts]
    assert unpacked_runs(found["counts"]) == expected.counts[order].ravel().tolist()
    assert found["undated"] == [0] * len(order)


def test_without_timestamps_the_page_has_no_timeline():
    assert timeline_data(EventLog.from_traces([["a", "b"]]), np.array([0, 1])) is None
