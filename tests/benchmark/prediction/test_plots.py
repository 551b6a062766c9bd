"""Pictures of the next-activity benchmark show the figures of the tables."""

import polars as pl
import pytest

from actalike import ActalikeError, benchmark, plot


def rows(figure):
    """The names at the left, which all panels share, from below."""
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_the_spread_of_the_accuracy_is_that_of_each_log(finished):
    figure = plot.accuracy_spread(finished, "evermann")
    table = benchmark.read(finished).by_log().filter(pl.col("model") == "evermann")
    for line, name in zip(figure.axes[0].lines, rows(figure), strict=True):
        assert sorted(line.get_xdata()) == pytest.approx(sorted(table.filter(pl.col("method") == name)["accuracy"]))
    one = plot.accuracy_by_method(finished, "evermann", ["loan"])
    expected = dict(table.filter(pl.col("log") == "loan").select("method", "accuracy").iter_rows())
    assert dict(zip(rows(one), [bar.get_width() for bar in one.axes[0].patches], strict=True)) == pytest.approx(expected)


def test_of_several_models_one_is_asked_for(finished):
    for draw in (plot.accuracy_by_method, plot.accuracy_by_log, plot.accuracy_spread):
        with pytest.raises(ActalikeError, match="evermann"):
            draw(finished)
        with pytest.raises(ActalikeError, match="lstm"):
            draw(finished, "lstm")
