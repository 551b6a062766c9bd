from actalike import benchmark
from actalike.benchmark.matching.columns import columns


def test_the_page_has_a_column_for_each_figure_that_somebody_has(matching_results):
    by_title = {column.title: column for column in columns(benchmark.read(matching_results))}
    assert list(by_title) == [
        "codes_hit1", "codes_one", "codes_events", "codes_known10_hit1", "time_hit1", "time_one", "cases_hit1", "cases_one",
        "renamed50_hit1", "split_f", "codes_surest25", "seconds",
    ]  # fmt: skip
    assert by_title["codes_hit1"].table["method"].to_list() == ["even", "profile", "reader"]
    assert {column.kind for column in by_title.values()} == {"share", "seconds"}
