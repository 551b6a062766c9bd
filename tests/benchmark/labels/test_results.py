from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.labels.results import LabelResults


@pytest.fixture(scope="module")
def results(label_results):
    return benchmark.read(label_results)


def test_figures_are_means_over_draws_and_tasks(results):
    kin = results.by_log().row(by_predicate=pl.col("method") == "kin-w3", named=True)
    assert (kin["case"], kin["whole_2"]) == (1.0, 1.0)
    tasks = results.by_task().filter(method="kin-w3", task="syn-period-2")
    assert kin["period"] == tasks["nn"].item() < 1
    assert kin["natural"] is None
    assert kin["ece"] is None
    silent = results.by_log().row(by_predicate=pl.col("method") == "silent", named=True)
    assert {value for name, value in silent.items() if name not in ("method", "log")} == {None}


def test_probabilities_are_judged_on_splits(results):
    even = results.by_log().row(by_predicate=pl.col("method") == "even", named=True)
    pairs, nearest = results.tally("even")
    share = pairs.positives.sum() / pairs.n.sum()
    assert even["ece"] == pytest.approx(abs(share - 0.25))
    assert nearest.n.sum() == 2 * 2 * 4  # tasks, draws, planted names
    assert results.probable == ["even"]


def test_logs_of_a_family_count_as_one(results):
    def of(log, nn):
        return results.singles.filter(pl.col("method") == "kin-w3").with_columns(pl.lit(log).alias("log"), pl.lit(nn).alias("nn"))

    singles = pl.concat([of("BPIC15_1", 0.0), of("BPIC15_2", 1.0), of("Helpdesk", 1.0)])
    several = replace(results, singles=singles, tallies={})
    mean = several.over_logs(resamples=50).row(0, named=True)
    assert (mean["logs"], mean["families"], mean["case"]) == (3, 2, 0.75)
    assert 0.5 <= mean["case_low"] <= mean["case_high"] <= 1
    by_recipe = several.by_recipe()
    assert by_recipe.filter(pl.col("task") == "syn-case-2")["nn"].to_list() == [0.75]


def test_failures_and_gaps_are_told(results):
    (gap,) = results.gaps()
    assert gap.startswith(
        "broken failed on desk dis-5, desk swiftmend-40-30, desk syn-case-2, ... (not in its means): RuntimeError"
    )
    more = replace(results, requested=results.requested | {("zhu", "desk", "natural")})
    assert "1 of 21 results are not there yet, of zhu" in more.gaps()[0]
    assert results.over_logs(10).filter(pl.col("method") == "broken")["failed"].to_list() == [1]


def test_a_folder_is_read_once(label_results, results):
    assert LabelResults.of(results) is results
    assert LabelResults.of(label_results).singles.equals(results.singles)
