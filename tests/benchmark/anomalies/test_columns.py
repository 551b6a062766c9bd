from actalike import benchmark
from actalike.benchmark.anomalies.columns import columns


def test_the_page_has_a_column_for_each_figure_that_somebody_has(anomaly_results):
    by_title = {column.title: column for column in columns(benchmark.read(anomaly_results))}
    assert list(by_title) == [
        "trace_ap", "trace_f", "event_ap", "cell_ap", "cell_f", "known_trace_ap", "known_cell_ap", "known_trace_learnt_f",
        "known_precision1", "known_precision5", "alone_skipped", "alone_foreign", "outside_cut", "known_place", "known_expected", "known_kind", "seconds",
    ]  # fmt: skip
    assert set(by_title["cell_ap"].table["method"]) == {"odd", "links-all"}
    assert {column.kind for column in by_title.values()} == {"share", "seconds"}
