from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.labels.plots import plots
from actalike.errors import ActalikeError


def test_every_picture_that_the_results_have_is_drawn(label_results):
    results = benchmark.read(label_results)
    pictures = plots(results)
    assert list(pictures) == ["nearest_neighbour", "groups", "nearest_neighbour_by_recipe", "reliability"]
    assert [axes.get_title() for axes in pictures["nearest_neighbour"].axes] == ["case", "period", "distorted"]
    assert [text.get_text() for text in pictures["reliability"].axes[0].get_legend().get_texts()] == ["even"]


def test_without_a_value_there_is_nothing_to_draw(label_results):
    results = benchmark.read(label_results)
    failures = replace(results, singles=results.singles.filter(pl.col("method") == "broken"), tallies={})
    with pytest.raises(ActalikeError, match="draw"):
        plots(failures)
