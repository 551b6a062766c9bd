"""Intervals of means over logs: those of means of resampled logs."""

from statistics import fmean

import numpy as np
import polars as pl
import pytest
from actalike.benchmark.scoring import bootstrap_interval, draws, mean_and_interval
from hypothesis import given
from hypothesis import strategies as st

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
