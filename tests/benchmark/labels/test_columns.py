from actalike import benchmark
from actalike.benchmark.labels.columns import columns


def test_the_page_has_a_column_for_each_figure_that_somebody_has(label_results):
    by_title = {column.title: column for column in columns(benchmark.read(label_results))}
    assert list(by_title) == ["case", "period", "whole_2", "f"]
    assert by_title["case"].table["method"].to_list() == ["even", "kin-w3"]
    assert all(column.kind == "share" and column.about for column in by_title.values())
