"""The command benchmark table."""

import json

from actalike import benchmark
from tests.helpers.commands import fails, ok, refuses


def test_the_table_is_that_of_the_results(results):
    assert ok("benchmark", "table", results) == f"{benchmark.table(results)}\n"
    assert ok("benchmark", "table", results, "--by", "log", "--format", "csv") == (
        f"{benchmark.table(results, form='csv', by='log')}\n"
    )
    assert ok("benchmark", "table", results, "--intervals") == f"{benchmark.table(results, intervals=True)}\n"


def test_the_same_figures_for_programs(results):
    rows = json.loads(ok("benchmark", "table", results, "--json"))
    assert [row["method"] for row in rows] == benchmark.frame(results)["method"].to_list()
    assert [row["I_nn"] for row in rows] == benchmark.frame(results)["I_nn"].to_list()


def test_wrong_calls_are_told(results, tmp_path):
    assert "not a folder of results" in fails("benchmark", "table", tmp_path)
    assert "method" in fails("benchmark", "table", results, "--by", "method")
    refuses("benchmark", "table", results, "--format", "pdf")
