"""The weights that come with the package keep what their docstring promises."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels import evidence
from actalike.labels.evidence import PairEvidence, Points, shipped_weights
from tests.helpers import naive_evidence

FILE = Path(evidence.__file__).with_name("evidence_weights.json")
STORED = json.loads(FILE.read_text(encoding="utf-8"))
RISE = ("overlap", "position")  # more is better; of the others less is better, and of cases neither is


@pytest.mark.parametrize("name", PairEvidence._fields)
def test_a_piece_never_counts_against_its_sense(name):
    points = shipped_weights().behaviour[name]
    assert len(points.at) == len(points.points) >= 2
    assert all(left < right for left, right in pairwise(points.at))
    if name != "cases":
        direction = 1 if name in RISE else -1
        assert all(direction * (right - left) >= 0 for left, right in pairwise(points.points))


def test_alike_texts_speak_for_one_step_and_opposites_against():
    weights = shipped_weights()
    assert list(weights.text.at) == sorted(set(weights.text.at))
    assert list(weights.text.points) == sorted(weights.text.points)
    assert weights.text.points[0] == 0  # unlike texts say nothing
    assert weights.opposites < 0 < weights.pattern
    assert weights.prior < 0  # few pairs are one step


def test_opposites_outweigh_the_best_behaviour():
    weights = shipped_weights()
    assert weights.base + sum(max(points.points) for points in weights.behaviour.values()) + weights.opposites < 6


def test_the_file_says_where_it_comes_from():
    assert set(STORED["behaviour"]) == set(PairEvidence._fields)
    assert STORED["fitted_by"].startswith("python measurements/fit_same_step.py --write (actalike ")
    assert STORED["fitted_on"] == sorted(set(STORED["fitted_on"]))
    assert STORED["logs"] >= len(STORED["fitted_on"]) > 0
    assert "docs/grouping.md" in STORED["about"]


def test_the_file_is_written_as_the_fit_writes_it():
    assert FILE.read_text(encoding="utf-8") == json.dumps(STORED, indent=2) + "\n"
    assert list(STORED["behaviour"]) == list(PairEvidence._fields)


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.floats(-5, 5)), min_size=2, max_size=5, unique_by=lambda knot: knot[0]),
    st.floats(-25, 25),
)
def test_points_are_linear_between_knots_and_constant_beyond(knots, figure):
    at, points = zip(*sorted(knots), strict=True)
    assert Points(at, points).of(np.array([figure]))[0] == pytest.approx(naive_evidence.points(at, points, figure), abs=1e-9)
