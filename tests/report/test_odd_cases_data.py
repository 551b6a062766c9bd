"""The odd cases that the page is given, against the definitions."""

import json
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, odd
from actalike.io import SOURCE
from actalike.oddities import KINDS, ODD
from actalike.report import odd_cases_data as module
from actalike.report.odd_cases_data import odd_cases_data, oddest_cases
from actalike.report.single_file import as_json
from tests.helpers.examples import examples
from tests.helpers.planted_oddities import CASES, IDS, PlantedOddities
from tests.helpers.strategies import logs, logs_with_attributes


def naive_oddest(oddities, least):
    """Which cases are listed together: odd ones with the same activities and the same odd places."""
    groups = {}
    for case, trace in enumerate(oddities.log.traces()):
        places = oddities.explain(case)
        marked = [place for place in places if place.score >= least][:5] or places[:1]
        key = (tuple(trace), *((place.kind, place.position, place.attribute, place.value) for place in marked))
        if oddities.case_scores()[case] >= least:
            groups.setdefault(key, []).append(case)
    return list(groups.values())


@pytest.mark.parametrize("least", [ODD, 0.1])
@examples(10)
@given(log=logs() | logs_with_attributes())
def test_equal_cases_are_listed_once_the_oddest_first(log, least):
    oddities = odd(log)
    with patch.object(module, "ODD", least):  # small logs have no cases that are very odd
        listed, first = oddest_cases(oddities), oddest_cases(oddities, 2)
    assert sorted(sorted(found.cases) for found in listed) == sorted(naive_oddest(oddities, least))
    scores = oddities.case_scores().tolist()
    assert [found.score for found in listed] == [scores[found.cases[0]] for found in listed]
    assert [found.score for found in listed] == sorted((found.score for found in listed), reverse=True)
    assert first == listed[:2]


@examples(20)
@given(logs())
def test_labels_are_numbers_and_new_ones_follow_the_known(log):
    known = log.activities[::2]
    with patch.object(module, "ODD", 0.1):
        data, further = odd_cases_data(log, {label: i for i, label in enumerate(known)})
    labels = [*known, *further]
    assert len(set(labels)) == len(labels)
    traces = dict(zip(log.case_ids, log.traces(), strict=True))
    for case in data["cases"]:
        ((first, codes),) = case["events"]
        assert (first, [labels[code] for code in codes]) == (0, traces[case["ids"][0]])
        assert case["length"] == len(codes)
    assert data["listed"] == sum(case["number"] for case in data["cases"])
    json.loads(as_json(data))


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setattr(module, "odd", PlantedOddities)
    return odd_cases_data(PlantedOddities().log, {})


def test_a_place_has_its_kind_its_figures_and_what_was_expected(planted):
    data, labels = planted
    assert [kind for kind, _ in data["kinds"]] == list(KINDS)
    assert (data["number"], data["listed"]) == (7, 7)
    number = {None: -1, **{label: i for i, label in enumerate(labels)}}
    by_id = {case["ids"][0]: case for case in data["cases"]}
    assert list(by_id) == ["S-1", IDS[2], "Twice", "Late", by_id_of(5), "Long"]
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


def test_only_the_weighty_places_are_marked_and_the_file_of_an_event_is_no_attribute():
    traces = [["a", "b", "c"]] * 40 + [["a", "c", "b", "x", "y", "z", "c", "a"]]
    log = EventLog.from_traces(traces)
    source = Attribute.from_texts(["1.xes"] * (log.n_events - 1) + ["2.xes"])
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={SOURCE: source})
    data, _ = odd_cases_data(log, {})
    case = data["cases"][0]
    places = odd(log, []).explain(40)
    assert case["unmarked"] + len(case["places"]) == len(places)
    assert len(case["places"]) <= 5
    assert KINDS.index("attribute") not in [place[0] for one in data["cases"] for place in one["places"]]
