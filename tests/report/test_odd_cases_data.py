"""The odd cases that the page is given, against the definitions."""

import json
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, Oddities, odd
from actalike.io import SOURCE
from actalike.oddities import KINDS, odd_counts
from actalike.report import odd_cases_data as module
from actalike.report.odd_cases_data import odd_cases_data, oddest_cases
from actalike.report.single_file import as_json
from tests.helpers.examples import examples
from tests.helpers.planted_oddities import CASES, IDS, PlantedOddities
from tests.helpers.strategies import logs, logs_with_attributes


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
    assert data["listed"] == sum(case["number"] for case in data["cases"]) == data["found"]["cases"]
    json.loads(as_json(data))


def test_the_page_has_the_odd_places_that_the_command_lists():
    log = EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"], ["order", "check", "check", "pay"]])
    data, _ = odd_cases_data(log, {})
    places = odd(log).most(None)
    assert data["found"] == odd_counts(places)
    assert sum(len(case["places"]) + case["unmarked"] for case in data["cases"]) == len(places) > 0


def test_cases_with_the_same_id_have_their_numbers():
    usual = EventLog.from_traces([["order", "check", "pay"]] * 200 + [["order", "pay"], ["order", "pay"]])
    ids = [*usual.case_ids[:-2], usual.case_ids[0], "x"]
    data, _ = odd_cases_data(EventLog(usual.activities, usual.codes, usual.offsets, ids), {})
    assert (data["cases"][0]["ids"], data["cases"][0]["numbers"]) == (["1", "x"], [201, 0])


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setattr(module, "odd", PlantedOddities)
    return odd_cases_data(PlantedOddities().log, {})


def test_a_place_has_its_kind_its_figures_and_what_was_expected(planted):
    data, labels = planted
    assert [kind for kind, _ in data["kinds"]] == list(KINDS)
    assert (data["found"]["places"], data["found"]["cases"], data["listed"]) == (8, 7, 7)
    number = {None: -1, **{label: i for i, label in enumerate(labels)}}
    by_id = {case["ids"][0]: case for case in data["cases"]}
    assert list(by_id) == ["S-1", "Twice", IDS[2], "Late", by_id_of(5), "Long"]
    assert (by_id["S-1"]["ids"], by_id["S-1"]["number"], by_id["S-1"]["whole"]) == (["S-1", "S-2"], 2, True)
    kind, score, position, before, after, times, total, expected, events, missing = by_id["S-1"]["places"][0]
    assert (KINDS[kind], score, position, times, total) == ("skipped", 120.0, 2, 1, 105)
    assert (before, after) == (number["Check"], -1)
    assert (expected, events) == ([[number["Approve"], 100]], [])
    assert missing == [number["Approve"], number["Pay"]]
    early, unusual = by_id[IDS[2]]["places"]
    assert (early[7], early[10]) == ([[number["Check"], 104]], 4)
    assert (unusual[7], unusual[11:]) == ([["Sue", 104]], ["org:resource", "Bob"])
    assert by_id["Twice"]["places"][0][8] == [3, 4]
    assert [one[0] for one in by_id["Twice"]["places"][0][7]] == [number["Pay"], -1]
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
    case = data["cases"][0]
    assert case["unmarked"] + len(case["places"]) == len(odd(log, []).explain(40)) > len(case["places"]) == 1
    assert data["found"]["kinds"]["attribute"] == 0
