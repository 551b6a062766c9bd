"""Figures of benchmark results show the figures of the tables."""

import polars as pl
import pytest

from actalike import ActalikeError, benchmark, plot
from actalike.benchmark.pictures import MEDIAN_COLOUR
from actalike.benchmark.tasks.intrinsic import METRICS, IntrinsicResults
from tests.helpers.benchmark_runs import run_here

METHODS = ("aa-sequence-pmi-w3", "ac-sequence-raw-w3", "kin-w5")


@pytest.fixture(scope="module")
def intrinsic(small_logs, tmp_path_factory):
    out = tmp_path_factory.mktemp("intrinsic") / "out"
    run_here("intrinsic", "--logs", small_logs, "--methods", *METHODS, "--r", "1-3", "--w", "2-3", "--samples", "2", "--out", out)
    return out


def rows(figure):
    """The names at the left, which all panels share, from below."""
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


@pytest.mark.parametrize("logs", [None, ["loan"]])
def test_bars_are_the_means_over_the_chosen_logs(intrinsic, logs):
    figure = plot.metric_by_method(intrinsic, logs)
    means = benchmark.read(intrinsic).of_logs(logs).over_logs()
    for axes, metric in zip(figure.axes, METRICS, strict=True):
        assert axes.get_title() == metric
        expected = dict(means.select("method", metric).iter_rows())
        assert dict(zip(rows(figure), [bar.get_width() for bar in axes.patches], strict=True)) == pytest.approx(expected)
        assert axes.get_xlim() == (0, 1)
    nearest = dict(means.select("method", "I_nn").iter_rows())
    assert [nearest[name] for name in rows(figure)] == sorted(nearest.values())  # the best on top


@pytest.mark.parametrize("method", [None, "kin-w5"])
def test_a_heat_map_has_the_mean_of_each_r_and_w(intrinsic, method):
    figure = plot.metric_over_r_and_w(intrinsic, method)
    table = benchmark.read(intrinsic).singles
    for axes, metric in zip(figure.axes, METRICS, strict=True):
        grid = axes.images[0].get_array()
        assert grid.shape == (2, 3)
        for y, w in enumerate((2, 3)):
            for x, r in enumerate((1, 2, 3)):
                cell = table.filter((pl.col("r") == r) & (pl.col("w") == w) & (pl.col("method") == method if method else True))
                assert grid[y, x] == pytest.approx(cell[metric].mean())
    with pytest.raises(ActalikeError, match="kin-w9"):
        plot.metric_over_r_and_w(intrinsic, "kin-w9")


def test_few_logs_are_dots_and_many_are_boxes(intrinsic, monkeypatch):
    figure = plot.spread_over_logs(intrinsic)
    table = benchmark.read(intrinsic).by_log()
    for axes, metric in zip(figure.axes, METRICS, strict=True):
        for line, name in zip(axes.lines, rows(figure), strict=True):
            assert sorted(line.get_xdata()) == sorted(table.filter(pl.col("method") == name)[metric])
    many = pl.concat([table.with_columns(pl.lit(f"log {i}").alias("log"), pl.col("I_nn") * i / 10) for i in range(1, 9)])
    monkeypatch.setattr(IntrinsicResults, "by_log", lambda self: many)
    figure = plot.spread_over_logs(intrinsic)
    axes = figure.axes[METRICS.index("I_nn")]
    medians = [line.get_xdata()[0] for line in axes.lines if line.get_color() == MEDIAN_COLOUR]
    expected = [many.filter(pl.col("method") == name)["I_nn"].median() for name in rows(figure)]
    assert medians == pytest.approx(expected)


def test_pictures_come_in_the_format_and_of_the_logs_that_are_asked_for(intrinsic, finished, tmp_path):
    for results_, n in ((intrinsic, 3), (finished, 6)):
        said = run_here(
            "plots", results_, "-o", tmp_path / "pictures", "--format", "pdf", "--logs", "loan", "plain"
        ).stdout.split()
        assert len(said) == n
        for path in said:
            with open(path, "rb") as picture:
                assert picture.read(4) == b"%PDF"
    wrong = run_here("plots", intrinsic, "-o", tmp_path / "pictures", "--logs", "lone", code=1)
    assert "has no results of a log called 'lone'. Did you mean 'loan'?" in wrong.stderr
