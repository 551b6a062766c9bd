"""The benchmark page has a column for each metric."""

from actalike.benchmark.intrinsic.columns import columns
from actalike.benchmark.intrinsic.metrics import METRICS


def test_each_metric_has_a_column_with_the_figures_of_each_log(few_results):
    by_title = {column.title: column for column in columns(few_results)}
    assert list(by_title) == list(METRICS)
    for metric, column in by_title.items():
        assert (column.figure, column.kind) == (metric, "share")
        assert column.about
        figures = {(row["method"], row["log"]): row[metric] for row in column.table.iter_rows(named=True)}
        expected = {(row["method"], row["log"]): row[metric] for row in few_results.by_log().iter_rows(named=True)}
        assert figures == {where: value for where, value in expected.items() if where != ("kin-w5", "plain")}  # which failed
