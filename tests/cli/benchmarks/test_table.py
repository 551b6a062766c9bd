"""The command benchmark table."""

import json

import polars as pl

from actalike import benchmark
from tests.helpers.commands import fails, ok, refuses, run


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


def test_all_single_results_are_written_on_demand(results, tmp_path):
    ok("benchmark", "table", results, "--tidy", tmp_path / "all.csv")
    assert pl.read_csv(tmp_path / "all.csv").height == benchmark.read(results).singles.height


def test_what_is_missing_is_told_beside_the_table(incomplete):
    done = run("benchmark", "table", incomplete)
    assert done.returncode == 0
    assert done.stdout.startswith("| method")
    assert done.stderr.startswith("actalike: 2 of 4 results are not there yet, of aa-sequence-pmi-w3, one-hot")


def test_wrong_calls_are_told(results, tmp_path):
    assert "not a folder of results" in fails("benchmark", "table", tmp_path)
    assert "method" in fails("benchmark", "table", results, "--by", "method")
    refuses("benchmark", "table", results, "--format", "pdf")
