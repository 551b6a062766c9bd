from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.anomalies.plots import plots
from actalike.errors import ActalikeError


def test_every_picture_that_the_results_have_is_drawn(anomaly_results):
    pictures = plots(benchmark.read(anomaly_results))
    assert list(pictures) == ["bpad", "bpad_kinds", "known", "known_kinds", "kinds_alone", "outside_kinds", "rates"]
    assert [axes.get_title() for axes in pictures["kinds_alone"].axes] == ["alone_skipped", "alone_foreign"]
    legend = {text.get_text() for text in pictures["rates"].axes[0].get_legend().get_texts()}
    assert legend == {"odd", "naive", "links-all", "longest", "share of planted cases"}


def test_without_a_value_there_is_nothing_to_draw(anomaly_results):
    results = benchmark.read(anomaly_results)
    failures = replace(results, singles=results.singles.filter(pl.col("method") == "broken"), named={})
    with pytest.raises(ActalikeError, match="draw"):
        plots(failures)
