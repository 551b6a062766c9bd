"""The odd cases of a report: what the page is given, against the definitions, and what it shows in a real browser."""

import csv
import json
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, Oddities, odd, write_report
from actalike.io import SOURCE
from actalike.oddities import KIND_WORDS, KINDS, SCORE_WORDS, odd_counts, odd_sentence
from actalike.report import odd_cases_data as module
from actalike.report import report_data
from actalike.report.odd_cases_data import odd_cases_data, oddest_cases
from actalike.report.single_file import as_json
from actalike.support.text import percent
from tests.helpers.examples import examples
from tests.helpers.planted_oddities import CASES, HOSTILE, IDS, NORMAL, PlantedOddities
from tests.helpers.strategies import logs, logs_with_attributes
from tests.report.test_accessibility import violations


def naive_oddest(log, places):
    """Which cases are listed together: those with the same activities and the same odd places."""
    groups = {}
    for case, trace in enumerate(log.traces()):
        own = tuple((place.kind, place.position, place.attribute, place.value) for place in places if place.case_number == case)
        if own:
            groups.setdefault((tuple(trace), own), []).append(case)
    return list(groups.values())


def oddest_places(oddities):
    """All places of all cases, the oddest first: small logs have none that are odd."""
    places = [place for case in range(oddities.log.n_cases) for place in oddities.explain(case)]
    return sorted(places, key=lambda place: -place.score)


@examples(20)
@given(log=logs() | logs_with_attributes())
def test_equal_cases_are_listed_once_the_oddest_first(log):
    places = oddest_places(odd(log))
    listed = oddest_cases(log, places)
    assert sorted(sorted(alike.cases) for alike in listed) == sorted(naive_oddest(log, places))
    for alike in listed:
        assert alike.places == [place for place in places if place.case_number == alike.cases[0]]
    highest = [alike.places[0].score for alike in listed]
    assert highest == sorted(highest, reverse=True)
    assert [alike.places for alike in oddest_cases(log, places, 2)] == [alike.places for alike in listed[:2]]


@examples(20)
@given(logs())
def test_labels_are_numbers_and_new_ones_follow_the_known(log):
    known = log.activities[::2]
    with patch.object(Oddities, "most", lambda self, topn: oddest_places(self)):
        data, further = odd_cases_data(log, {label: i for i, label in enumerate(known)})
    labels = [*known, *further]
    assert len(set(labels)) == len(labels)
    traces = dict(zip(log.case_ids, log.traces(), strict=True))
    for case in data["cases"]:
        ((first, codes),) = case["events"]
        assert (first, [labels[code] for code in codes]) == (0, traces[case["ids"][0]])
        assert case["length"] == len(codes)
    assert sum(case["number"] for case in data["cases"]) == data["found"]["cases"]
    written = [text(data["sentences"][place["sentence"]], labels) for case in data["cases"] for place in case["places"]]
    said = [odd_sentence(place, log) for alike in oddest_cases(log, oddest_places(odd(log))) for place in alike.places[:5]]
    assert written == said
    json.loads(as_json(data))


def test_the_page_has_the_odd_places_that_the_command_lists():
    log = EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"], ["order", "check", "check", "pay"]])
    data, _ = odd_cases_data(log, {})
    places = odd(log).most(None)
    assert data["found"] == odd_counts(places)
    assert sum(len(case["places"]) for case in data["cases"]) == len(places) > 0
    assert all(case["note"] == "" for case in data["cases"])


def test_cases_with_the_same_id_have_their_numbers():
    usual = EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"], ["order", "pay"]])
    ids = [*usual.case_ids[:-2], usual.case_ids[0], "x"]
    data, _ = odd_cases_data(EventLog(usual.activities, usual.codes, usual.offsets, ids), {})
    assert data["cases"][0]["ids"] == ["1", "x"]
    assert data["cases"][0]["title"] == ["2 equal cases"]
    assert data["cases"][0]["rest"] == [": ", {"text": "1"}, " (number 201 of the log), ", {"text": "x"}]


def test_it_is_said_how_many_cases_are_odd_and_how_many_of_them_are_listed(monkeypatch):
    log = EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"]] * 2 + [["order", "check", "check", "pay"]])
    guide = odd_cases_data(log, {})[0]["guide"]
    assert guide == (
        f"3 odd places in 3 of 203 cases. Cases with the same events and the same odd places stand once. {SCORE_WORDS}"
    )
    monkeypatch.setattr(module, "oddest_cases", lambda log, places: oddest_cases(log, places, 1))
    assert odd_cases_data(log, {})[0]["guide"].startswith("3 odd places in 3 of 203 cases; listed ")
    alone, _ = odd_cases_data(EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"]]), {})
    assert alone["guide"] == f"1 odd place in 1 of 201 cases. {SCORE_WORDS}"


def test_unusual_times_are_said_where_events_have_times():
    minutes = np.array([0, 1, 1, 2] + [0, 1, 2, 3] * 1000, dtype="datetime64[m]")
    log = EventLog(["a", "b", "c"], [0, 1, 1, 2] * 1001, range(0, 4005, 4), [str(i) for i in range(1001)], minutes)
    said = " Beside the order of events: 1 unusual time in 1 case: 1 doubled. 'b' is there twice at the same time"
    assert said in odd_cases_data(log, {})[0]["guide"]
    without = EventLog(log.activities, log.codes, log.offsets, log.case_ids)
    assert "unusual time" not in odd_cases_data(without, {})[0]["guide"]


def text(parts, labels):
    """A sentence of parts as a text."""
    return "".join(
        part if isinstance(part, str) else part["text"] if "text" in part else repr(labels[part["label"]]) for part in parts
    )


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setattr(module, "odd", PlantedOddities)
    return odd_cases_data(PlantedOddities().log, {})


def test_a_place_has_its_kind_its_figures_and_what_was_expected(planted):
    data, labels = planted
    assert [kind for kind, _ in data["kinds"]] == list(KINDS)
    assert (data["found"]["places"], data["found"]["cases"]) == (8, 7)
    assert sum(case["number"] for case in data["cases"]) == 7
    number = {label: i for i, label in enumerate(labels)}
    by_id = {case["ids"][0]: case for case in data["cases"]}
    assert list(by_id) == ["S-1", "Twice", IDS[2], "Late", by_id_of(5), "Long"]
    assert (by_id["S-1"]["ids"], by_id["S-1"]["number"], by_id["S-1"]["whole"]) == (["S-1", "S-2"], 2, True)
    (skipped,) = by_id["S-1"]["places"]
    facts = [skipped[name] for name in ("score", "position", "times", "total", "tag")]
    assert (KINDS[skipped["kind"]], facts) == ("skipped", [120.0, 2, 1, 105, ["skipped"]])
    assert skipped["missing"] == [number["Approve"], number["Pay"]]
    assert "events" not in skipped
    assert text(data["sentences"][skipped["sentence"]], labels) == (
        "'Approve' and 'Pay' are missing between 'Check' and 'Archive': after 'Check', 95 % go on to 'Approve'; here 'Archive' "
        "follows (1 of 105)"
    )
    early, unusual = by_id[IDS[2]]["places"]
    assert early["belongs"] == 4
    assert (unusual["attribute"], unusual["value"]) == ("org:resource", "Bob")
    assert unusual["tag"] == [{"text": "org:resource"}, ": ", {"text": "Bob"}]
    assert data["sentences"][unusual["sentence"]] == [
        {"text": "org:resource"}, " is '", {"text": "Bob"}, "' (1 of 105): for ", {"label": number["Approve"]}, " it is '",
        {"text": "Sue"}, "' (over 99 %)",
    ]  # fmt: skip
    assert by_id["Twice"]["places"][0]["events"] == [3, 4]
    assert len(by_id_of(5)) < 300
    assert not by_id[by_id_of(5)]["whole"]


def by_id_of(case):
    """An id as the page is given it."""
    return IDS[case] if len(IDS[case]) <= 200 else f"{IDS[case][:100]} ... {IDS[case][-100:]}"


def test_of_a_long_case_the_page_has_what_is_around_its_odd_place(planted):
    data, labels = planted
    case = data["cases"][-1]
    ((first, codes),) = case["events"]
    assert (case["length"], first, len(codes)) == (len(CASES[-1]), 81 - 60, 121)
    assert [labels[code] for code in codes] == CASES[-1][first : first + 121]


@given(st.integers(0, 6000), st.lists(st.tuples(st.integers(0, 6000), st.integers(0, 6000) | st.none()), max_size=5))
def test_what_is_kept_of_a_case_has_its_odd_places_and_is_short(length, marks):
    any_place = PlantedOddities().places[2][0]
    within = [(position % (length + 1), None if belongs is None else belongs % (length + 1)) for position, belongs in marks]
    places = [replace(any_place, position=position, belongs=belongs, events=(position,)) for position, belongs in within]
    parts = module._kept(length, places)
    kept = [at for first, end in parts for at in range(first, end)]
    assert kept == sorted(set(kept))
    assert len(kept) <= 200
    assert all(0 <= at < length for at in kept)
    if length <= 200:
        assert len(kept) == length
    for place in places:
        assert place.position in kept or place.position == length
        assert place.belongs in (None, length) or place.belongs in kept


def test_a_few_places_are_marked_and_the_file_of_an_event_is_no_attribute(monkeypatch):
    traces = [["a", "b", "c"]] * 40 + [["a", "c", "b", "x", "y", "z", "c", "a"]]
    log = EventLog.from_traces(traces)
    source = Attribute.from_texts(["1.xes"] * (log.n_events - 1) + ["2.xes"])
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={SOURCE: source})
    monkeypatch.setattr(Oddities, "most", lambda self, topn: oddest_places(self))
    monkeypatch.setattr(module, "_PLACES", 1)
    data, _ = odd_cases_data(log, {})
    case, places = data["cases"][0], odd(log, []).explain(40)
    assert len(places) > len(case["places"]) == 1
    assert case["note"].startswith(f"{len(places) - 1} more odd place")
    assert data["found"]["kinds"]["attribute"] == 0


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a log with odd cases; one of their labels is too rare to be drawn."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    with patch.object(module, "odd", PlantedOddities), patch.object(report_data, "MOST_ACTIVITIES", 7):
        return write_report(PlantedOddities().log, path, title="planted.csv", examples=True).path


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
    return f"{sentence} {percent(one.probability)} probable, score {one.score:.1f}"


def test_odd_cases_are_shown_with_their_places_marked_and_what_was_expected(open_page, report):
    page = open_page(report)
    page.locator("#odd-more").click()
    guide = page.locator("#odd-guide").inner_text()
    assert guide.startswith("8 odd places in 7 of 107 cases. Cases with the same events and the same odd places stand once.")
    assert guide.endswith(SCORE_WORDS)
    cases = page.locator("#odd-list > li")
    scores = [text.rpartition("score ")[2] for text in texts(cases.locator(".odd-score"))]
    assert scores == [f"{score}.0" for score in (120, 80, 70, 30, 60, 50, 40)]
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


def test_without_examples_odd_cases_have_neither_ids_nor_values(open_page, tmp_path):
    log = PlantedOddities().log
    with patch.object(module, "odd", PlantedOddities):
        path = write_report(log, tmp_path / "bare.html").path
    page = open_page(path)
    assert "no case ids" in page.locator("#odd-guide").inner_text()
    assert texts(page.locator(".odd-head > p:first-child"))[:2] == ["2 equal cases, 3 events", "A case, 7 events"]
    assert page.get_by_role("button", name="Copy the case id").count() == 0
    data, _ = odd_cases_data(log, {}, examples=False)
    assert not [case["ids"] for case in data["cases"] if case["ids"]]
    assert not [place for case in data["cases"] for place in case["places"] if "value" in place]


def test_a_log_without_odd_cases_says_so(open_page):
    with patch.object(Oddities, "most", lambda oddities, topn: []):
        page = open_page(PlantedOddities().log)
    assert page.locator("#odd-guide").inner_text() == "No case of this log is odd."
    assert not page.locator("#odd-controls").is_visible()
