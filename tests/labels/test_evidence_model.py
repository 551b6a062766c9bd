"""The model on one page: every weight of the file, what depends on a log, and the same facts for programs."""

import json
import math
from collections import Counter
from importlib.resources import files

import numpy as np
import polars as pl
import pytest

from actalike import EventLog, count_windows, evidence_model, same_step, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import ok

STORED = json.loads(files("actalike.labels").joinpath("evidence_weights.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def desk():
    return loan_desk()


def curve(model, part, evidence):
    """The figures and the log-odds of a piece of evidence, as the page of the model lists them."""
    levels = [one for one in model.levels if (one.part, one.evidence) == (part, evidence)]
    return [one.figure for one in levels], [one.log_odds for one in levels]


def test_every_weight_of_the_file_is_listed_once_and_in_its_order():
    model = evidence_model()
    for part in ("interchangeable", "same step"):
        listed = [one for one in model.levels if one.part == part and one.evidence != "any pair"]
        stored = STORED["functions"][part]["pieces"]
        assert [(one.evidence, one.figure, one.log_odds) for one in listed] == [
            (name, *level) for name, piece in stored.items() for level in zip(piece["at"], piece["points"], strict=True)
        ]
        assert all(one.about and one.level for one in listed)
    bases = [STORED["functions"][name]["base"] for name in ("too rare", "interchangeable")]
    assert curve(model, "interchangeable", "any pair") == ([0.0, 1.0], bases)
    assert model.fitted == {key: value for key, value in STORED.items() if key != "functions"}
    assert model.log is None


def test_levels_of_one_piece_of_evidence_have_different_words():
    levels = [(one.part, one.evidence, one.level) for one in evidence_model().levels]
    assert len(set(levels)) == len(levels)


def test_the_listed_weights_sum_to_the_log_odds_of_a_pair(desk):
    model, same = evidence_model(), same_step(desk)
    place = {label: i for i, label in enumerate(desk.activities)}
    pieces = {one.evidence for one in model.levels if one.part == "interchangeable"} - {"any pair"}
    for a, b in [("Pay out", "Transfer loan"), ("Approve loan", "Write note"), ("Customer declines", "Offer expires")]:
        cell = place[a], place[b]
        rarer = min(desk.activity_cases[list(cell)])
        reliability = 1.0 if rarer >= model.full_cases else rarer / model.full_cases
        total = np.interp(reliability, *curve(model, "interchangeable", "any pair"))
        total += reliability * sum(
            np.interp(getattr(same.figures, name)[cell], *curve(model, "interchangeable", name)) for name in pieces
        )
        assert total == pytest.approx(math.log(same.interchangeable(a, b) / (1 - same.interchangeable(a, b))), abs=1e-6)


def test_the_reasons_of_a_pair_are_kinds_of_the_model(desk):
    kinds = {one.reason for one in evidence_model().levels}
    same = same_step(desk)
    found = {reason.kind for pair in same.most_likely(30) for reason in same.evidence(pair.a, pair.b)}
    assert found - kinds <= {"name", "vocabularies"}  # which have no weight of their own


def test_separate_periods_weigh_in_the_model_of_a_log_what_they_weigh_in_a_reason(desk):
    weights = {one.evidence: one for one in evidence_model(desk).log.weights}
    same = same_step(desk)
    (reason,) = [one for one in same.evidence("Pay out", "Transfer loan") if one.kind == "periods"]
    assert weights["periods"].log_odds == pytest.approx(reason.log_odds)
    assert weights["periods"].share == pytest.approx(reason.figure) == same.chance["periods"]


def test_a_log_without_times_and_people_gives_them_no_weight():
    weights = evidence_model(EventLog.from_traces([["a", "b"]] * 30)).log.weights
    assert [(one.evidence, one.share, one.log_odds) for one in weights] == [("periods", None, None), ("people", None, None)]


def test_labels_too_rare_to_judge_are_counted():
    traces = [["often"]] * 10 + [["in part"]] * 9 + [["just"]] * 5 + [["rare"]] * 4 + [["once"]]
    log = evidence_model(EventLog.from_traces(traces)).log
    assert (log.labels, log.too_rare, log.in_part) == (5, 2, 4)


def test_a_neighbour_counts_by_how_rare_it_is_among_those_of_all_labels():
    traces = [["x", "a", "y"]] * 6 + [["x", "b", "z"]] * 3 + [["a", "y"]]
    log = EventLog.from_traces(traces)
    expected = {}
    for side, step in (("before", -1), ("after", 1)):
        beside = {label: Counter() for label in log.activities}
        for trace in traces:
            around = [None, *trace, None]
            for i, label in enumerate(trace, 1):
                beside[label][around[i + step]] += 1
        for neighbour in {one for counts in beside.values() for one in counts}:
            shares = [counts[neighbour] / counts.total() for counts in beside.values()]
            expected[side, neighbour] = -math.log(sum(shares) / len(shares))
    found = evidence_model(log, counts=count_windows(log, 9)).log.neighbours
    assert {(one.side, one.neighbour): one.surprise for one in found} == pytest.approx(expected)
    for side in ("before", "after"):
        surprises = [one.surprise for one in found if one.side == side]
        assert surprises == sorted(surprises)
    assert evidence_model(log.variants).log.neighbours == found


def test_the_model_has_the_json_of_its_command(desk, tmp_path):
    assert evidence_model().to_dict() == json.loads(ok("explain", "--model", "--json"))
    write_log(desk, tmp_path / "desk.xes.gz")
    facts = json.loads(ok("explain", "--model", tmp_path / "desk.xes.gz", "--json", "--quiet"))
    assert facts.pop("read")["cases"] == desk.n_cases
    assert evidence_model(desk).to_dict() == facts


def test_a_frame_of_the_model_has_a_row_for_each_level(desk):
    model = evidence_model()
    assert model.to_frame().rows() == list(map(tuple, model.levels))
    assert {name for name, kind in model.to_frame().schema.items() if kind == pl.Float64} == {"figure", "log_odds"}
    frame = desk.to_frame().to_pandas()
    assert type(evidence_model(frame).to_frame()) is type(model.to_frame("pandas")) is type(frame)
