import polars as pl

from actalike import EventLog, read_log
from actalike.report.understood import understood
from tests.report.conftest import open_views

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
    assert (data["reading"]["case"], data["reading"]["time"], data["reading"]["named_labels"]) == ("Case ID", None, 3)
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
        page.locator(".picture-file", has_text="SVG").nth(3).click()
    assert b"a (Check the form)" in file.value.path().read_bytes()
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
