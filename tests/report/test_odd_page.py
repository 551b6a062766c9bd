"""The odd cases in the report's page, in a real browser."""

import csv
from unittest.mock import patch

import pytest

from actalike import Oddities, write_report
from actalike.oddities import KIND_WORDS, SCORE_WORDS, odd_sentence
from actalike.report import odd_cases_data, report_data
from tests.helpers.planted_oddities import HOSTILE, NORMAL, PlantedOddities
from tests.report.test_accessibility import violations


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a log with odd cases; one of their labels is too rare to be drawn."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    with patch.object(odd_cases_data, "odd", PlantedOddities), patch.object(report_data, "MOST_ACTIVITIES", 7):
        return write_report(PlantedOddities().log, path, title="planted.csv").path


def texts(locator):
    """What can be seen; a reader of the screen hears "place 1" where a 1 is."""
    return [" ".join(text.split()).replace("place ", "") for text in locator.all_inner_texts()]


def strip(case):
    return texts(case.locator(".strip > li"))


def by_score():
    """The odd places of the cases, as the page lists them: equal ones once."""
    oddities = PlantedOddities()
    return sorted((places for case, places in oddities.places.items() if case != 1), key=lambda places: -places[0].score)


def in_python(one):
    """The reason as Python says it; on the page labels have no quotes, and second names no brackets."""
    sentence = f"{KIND_WORDS[one.kind]}: {odd_sentence(one, PlantedOddities().log)}".replace("[Betaling]", "Betaling")
    for label in (*NORMAL, HOSTILE, "Ask", "Receive"):
        sentence = sentence.replace(f"'{label}'", label)
    return f"{sentence} score {one.score:.1f}"


def test_odd_cases_are_shown_with_their_places_marked_and_what_was_expected(open_page, report):
    page = open_page(report)
    guide = page.locator("#odd-guide").inner_text()
    assert guide.startswith("8 odd places in 7 of 107 cases. Cases with the same events and the same odd places stand once.")
    assert guide.endswith(SCORE_WORDS)
    cases = page.locator("#odd-list > li")
    assert texts(cases.locator(".odd-score")) == [f"score {score}.0" for score in (120, 80, 70, 30, 60, 50, 40)]
    assert texts(cases.locator(".odd-head > p:first-child"))[:3] == [
        "2 equal cases: S-1, S-2, 3 events",
        "Case Twice, 7 events",
        f"Case {HOSTILE}, 5 events",
    ]
    assert strip(cases.nth(0)) == ["start", "Register", "Check", "1 missing Approve", "1 missing Pay Betaling", "Archive", "end"]
    assert strip(cases.nth(2)) == [
        "start", "Register", "1 Pay Betaling too early", "Check", "2 Approve org:resource: Bob", "1 here would belong Pay Betaling",
        "Archive", "end",
    ]  # fmt: skip
    assert strip(cases.nth(1))[4:6] == ["1 Check repeated", "1 Approve repeated"]
    assert strip(cases.nth(3))[1:3] == ["Register", "1 here would belong Check"]
    assert strip(cases.nth(4))[-3:] == ["1 missing Pay Betaling", "1 missing Archive", "end"]
    reasons = texts(cases.locator(".odd-reasons li"))
    assert reasons == [f"{number + 1} {in_python(one)}" for places in by_score() for number, one in enumerate(places)]
    long = cases.nth(5)
    assert strip(long)[:2] == ["… 21 events, not on this page …", "… 57 events …"]
    assert strip(long)[5] == f"1 {HOSTILE} inserted"
    assert long.locator(".odd button").count() == 0
    opener = long.get_by_role("button", name="Show 57 events more").first
    opener.focus()
    page.keyboard.press("Enter")
    assert len(strip(long)) == 1 + 57 + 7 + 1 + 1
    assert page.evaluate("document.activeElement.closest('.strip > li').innerText") == "Ask"
    assert cases.get_by_role("button", name="Copy the case id").count() == 5  # one id is cut, so that nobody should copy it
    cases.get_by_role("button", name="Copy the case ids S-1, S-2").click()
    page.get_by_text("Copied.").or_(page.get_by_text("Selected: copy it with Ctrl+C.")).wait_for()
    cases.nth(0).locator(".strip").get_by_role("button", name="Check").click()
    assert page.locator("#panel-title").inner_text() == "Check"
    assert page.locator(".strip [aria-current]").count() == 6
    assert violations(page, "#odd") == []


def test_odd_cases_are_filtered_found_sorted_and_downloaded(open_page, report, tmp_path):
    page = open_page(report, width=390, height=844, color_scheme="dark")
    controls, cases = page.locator("#odd-controls"), page.locator("#odd-list > li")
    kinds = ["all (8)", "skipped (3)", "inserted (1)", "repeated (1)", "too early (1)", "too late (1)", "unusual attribute (1)"]
    assert controls.locator(".odd-kinds button").all_text_contents() == kinds
    controls.get_by_role("button", name="skipped").click()
    assert cases.count() == 2
    assert controls.locator("[aria-pressed=true]").all_text_contents() == ["skipped (3)"]
    assert page.locator("#said").text_content() == "2 odd cases listed"
    controls.get_by_role("searchbox").fill("s-2")
    assert cases.count() == 1
    with page.expect_download() as download:
        controls.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "odd_cases.csv")
    with open(tmp_path / "odd_cases.csv", encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["case"], row["cases"], row["kind"], row["activity"]) == ("S-1", "2", "skipped", "Archive")
    assert row["reason"].startswith("'Approve' and 'Pay' [Betaling] are missing between 'Check' and 'Archive': ")
    controls.get_by_role("searchbox").fill("nothing has this")
    assert cases.count() == 0
    assert page.locator("#odd-none").is_visible()
    controls.get_by_role("searchbox").fill("")
    controls.get_by_role("button", name="all (8)").click()
    controls.get_by_role("combobox").select_option("Most equal cases first")
    assert texts(cases.locator(".odd-head > p:first-child"))[0].startswith("2 equal cases")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page, "#odd") == []


def test_without_odd_cases_or_examples_the_page_says_so(open_page, tmp_path):
    log = PlantedOddities().log
    path = write_report(log, tmp_path / "bare.html", examples=False).path
    page = open_page(path)
    assert page.locator("#odd-guide").inner_text().startswith("This page was written without example cases")
    assert "Bob" not in path.read_text(encoding="utf-8")
    with patch.object(Oddities, "most", lambda oddities, topn: []):
        page = open_page(log)
    assert page.locator("#odd-guide").inner_text() == "No case of this log is odd."
    assert not page.locator("#odd-controls").is_visible()
