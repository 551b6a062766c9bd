"""Panels show the figures that they are given, a row for each method."""

import polars as pl
import pytest

from actalike.benchmark.pictures import MEDIAN_COLOUR, draw_bars, draw_spread
from actalike.support.figures import new_figure

METHODS = ["kin-w5", "one-hot"]


@pytest.fixture
def axes():
    return new_figure(4, 3).subplots()


def names(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_bars_have_the_length_of_their_figure_and_a_line_for_its_interval(axes):
    draw_bars(axes, METHODS, pl.Series([0.5, 0.7]), pl.Series([0.4, 0.7]), pl.Series([0.8, 0.9]), "#56b4e9")
    assert [bar.get_width() for bar in axes.patches] == [0.5, 0.7]
    lines = axes.collections[0].get_segments()
    assert [(line[:, 0].tolist(), line[0, 1]) for line in lines] == [([pytest.approx(0.4), 0.8], 0), ([0.7, 0.9], 1)]
    assert names(axes) == METHODS
    assert axes.get_xlim() == (0, 1)


def test_a_method_without_a_figure_has_an_empty_bar(axes):
    nothing = pl.Series([None, None], dtype=pl.Float64)
    draw_bars(axes, METHODS, pl.Series([None, float("nan")], dtype=pl.Float64), nothing, nothing, "#56b4e9")
    assert [bar.get_width() for bar in axes.patches] == [0, 0]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_the_figures_of_few_logs_are_dots(axes, n):
    figures = [[i / 10 for i in range(n)], [0.5] * n]
    draw_spread(axes, METHODS, figures)
    assert [list(line.get_xdata()) for line in axes.lines] == figures
    assert [set(line.get_ydata()) for line in axes.lines] == [{y} if n else set() for y in (0, 1)]
    assert names(axes) == METHODS


def test_the_figures_of_many_logs_are_boxes_with_a_line_at_the_median(axes):
    figures = [[0.1, 0.2, 0.3, 0.5, 0.6, 0.7], [0.9]]
    draw_spread(axes, METHODS, figures)
    medians = [line.get_xdata()[0] for line in axes.lines if line.get_color() == MEDIAN_COLOUR]
    assert medians == pytest.approx([0.4, 0.9])
    assert names(axes) == METHODS
