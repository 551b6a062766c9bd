from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.matching.plots import plots
from actalike.errors import ActalikeError


def test_every_picture_that_the_results_have_is_drawn(matching_results):
    pictures = plots(benchmark.read(matching_results))
    assert list(pictures) == ["partners_codes", "partners_time", "partners_cases", "known_pairs", "reliability"]
    titles = ["codes_hit1", "codes_hit5", "codes_mrr", "codes_one", "codes_events", "codes_often"]
    assert [axes.get_title() for axes in pictures["partners_codes"].axes] == titles
    assert {text.get_text() for text in pictures["known_pairs"].axes[0].get_legend().get_texts()} == {"even", "profile", "reader"}
    assert len(pictures["reliability"].axes) == 3


def test_without_a_value_there_is_nothing_to_draw(matching_results):
    results = benchmark.read(matching_results)
    failures = replace(results, singles=results.singles.filter(pl.col("method") == "broken"), tallies={})
    with pytest.raises(ActalikeError, match="draw"):
        plots(failures)
