"""Tallies of probabilities, calibration, and intervals of means over logs."""

from statistics import fmean

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.scoring import (
    Tally,
    add_tallies,
    as_lists,
    bootstrap_interval,
    draws,
    expected_calibration_error,
    mean_and_interval,
    reliability,
    tally_answers,
    wilson,
)
from tests.helpers import naive_label_metrics as naive
from tests.helpers.examples import examples


def test_answers_with_the_same_probability_are_tallied_together():
    assert as_lists([tally_answers(np.array([0.5, 0.12344, 0.5]), np.array([1.0, 0.0, 0.5]))]) == [[0.1234, 1, 0], [0.5, 2, 1.5]]


@examples(50)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.booleans()), min_size=1), st.integers(1, 5))
def test_the_calibration_error_is_that_of_the_definition(pairs, bins):
    tally = add_tallies(Tally(np.array([p]), np.array([1.0]), np.array([float(y)])) for p, y in pairs)
    assert expected_calibration_error(reliability(tally, bins)) == pytest.approx(naive.calibration_error(pairs, bins))


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_holds_its_share(positives, n):
    positives = min(positives, n)
    low, high = wilson(positives, n)
    assert 0 <= low <= positives / n + 1e-12
    assert positives / n - 1e-12 <= high <= 1


figures = st.lists(st.floats(0, 1), min_size=2, max_size=8)


@given(figures)
def test_an_interval_has_95_percent_of_the_means_of_resampled_logs(values):
    low, high = bootstrap_interval(np.array(values), 200)
    means = sorted(fmean(values[i] for i in drawn) for drawn in draws(len(values), 200))
    assert means[4] - 1e-9 <= low <= means[5] + 1e-9  # 2.5 % of 199 steps
    assert means[194] - 1e-9 <= high <= means[195] + 1e-9


@given(figures)
def test_an_interval_lies_between_the_least_and_the_most(values):
    low, high = bootstrap_interval(np.array(values), 50)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_the_bootstrap_interval_is_that_of_the_mean_over_logs():
    low, high = bootstrap_interval(np.array([0.0, 1.0] * 50))  # the mean of 100 fair coins: 0.5 with a standard error of 0.05
    assert 0.5 - low == pytest.approx(1.96 * 0.05, abs=0.015)
    assert high - 0.5 == pytest.approx(1.96 * 0.05, abs=0.015)


def test_one_log_says_nothing_of_others():
    assert bootstrap_interval(np.array([0.5])) == (None, None)
    assert mean_and_interval(pl.Series("I_nn", [None], dtype=pl.Float64)) == {"I_nn": None, "I_nn_low": None, "I_nn_high": None}


def test_draws_are_the_same_each_time():
    assert np.array_equal(draws(4, 10), draws(4, 10))
    assert set(draws(4, 100).ravel()) == set(range(4))


@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=8))
def test_logs_without_a_figure_do_not_count(values):
    series = pl.Series("mcc", values, dtype=pl.Float64)
    assert mean_and_interval(series, 50) == mean_and_interval(series.drop_nulls(), 50)
