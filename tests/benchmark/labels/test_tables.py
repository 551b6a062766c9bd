import polars as pl
import pytest

from actalike import benchmark


@pytest.fixture(scope="module")
def results(label_results):
    return benchmark.read(label_results)


def test_a_table_has_a_part_for_each_question_that_has_an_answer(results):
    text = benchmark.table(results)
    titles = [line for line in text.splitlines() if line.endswith(":")]
    assert titles == [
        "Nearest neighbour, by recipe:", "Groups:", "Pairs of labels:", "What else is proposed:", "Calibration:",
        *[line for line in titles if line.startswith("Reliability of even")],
    ]  # fmt: skip
    assert "silent" not in text
    assert "natural" not in text


def test_tables_have_intervals_logs_and_other_formats(results):
    assert "kin-w3 | 1    | 1.000" in benchmark.table(results, intervals=True)
    assert benchmark.table(results, by="log").count("| desk") > 3
    assert r"\begin{tabular}" in benchmark.table(results, form="latex")
    assert benchmark.table(results, form="csv").startswith("method,logs,families,failed,case")


def test_published_figures_stand_beside_ours_on_their_log(results):
    from dataclasses import replace

    renamed = replace(results, singles=results.singles.with_columns(pl.lit("Hospital_Billing").alias("log")), tallies={})
    text = benchmark.table(renamed)
    assert "Hospital_Billing, labels split as in SwiftMend's logs" in text
    assert "| SwiftMend, published             | 0.801" in text
