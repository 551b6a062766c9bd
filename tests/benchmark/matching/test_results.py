from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.matching.results import MatchingResults


@pytest.fixture(scope="module")
def results(matching_results):
    return benchmark.read(matching_results)


def row_of(frame, method, log):
    return frame.row(by_predicate=(pl.col("method") == method) & (pl.col("log") == log), named=True)


def test_figures_of_a_pair_are_means_over_draws_of_one_kind_and_task(results):
    frame = results.by_log()
    profile = row_of(frame, "profile", "town1~town2")
    assert (profile["codes_hit1"], profile["time_hit1"], profile["codes_ece"]) == (1.0, None, None)
    draws = results.singles.filter(method="profile", log="town1~by-cases", task="deleted-30")
    assert row_of(frame, "profile", "town1~by-cases")["deleted30_none_ap"] == pytest.approx(draws["none_ap"].mean())
    assert profile["megabytes"] >= 0


def test_answers_without_a_partner_are_shares_over_all_draws(results):
    even = row_of(results.by_log(), "even", "town1~by-cases")
    draws = results.singles.filter(method="even", log="town1~by-cases", task="deleted-30")
    said, true, right = (draws[f"none_{name}"].sum() for name in ("said", "true", "right"))
    assert even["deleted30_none_precision"] == right / said
    assert even["deleted30_none_recall"] == right / true
    assert row_of(results.by_log(), "profile", "town1~by-cases")["deleted30_none_recall"] is None


def test_probabilities_are_judged_where_nothing_is_known(results):
    pairs, best = results.tally("even", "codes")
    assert best.n.sum() == 16
    assert row_of(results.by_log(), "even", "town1~town2")["codes_ece"] == pytest.approx(
        abs(pairs.positives.sum() / pairs.n.sum() - 0.25)
    )
    assert results.probable == ["even"]


def test_means_are_over_families_and_over_pairs_of_a_single_one(results):
    def of(log, family, hit1):
        part = results.singles.filter(method="profile", log="town1~town2", task="known-0")
        return part.with_columns(pl.lit(log).alias("log"), pl.lit(family).alias("family"), pl.lit(hit1).alias("hit1"))

    one = replace(results, singles=pl.concat([of("a~b", "BPIC15", 0.0), of("a~c", "BPIC15", 1.0)]), tallies={})
    mean = one.over_logs(resamples=50).row(0, named=True)
    assert (mean["logs"], mean["families"], mean["codes_hit1"]) == (2, 1, 0.5)
    assert mean["codes_hit1_low"] < 0.5 < mean["codes_hit1_high"]
    two = replace(one, singles=pl.concat([one.singles, of("x~y", "BPIC20", 1.0)]))
    assert two.over_logs(resamples=50)["codes_hit1"].to_list() == [0.75]


def test_failures_and_gaps_are_told(results):
    (gap,) = results.gaps()
    assert gap.startswith("broken failed on town1~by-cases deleted-30, town1~by-cases known-0, town1~by-cases renamed-50, ...")
    more = replace(results, requested=results.requested | {("zhu", "town1~town2", "known-0")})
    assert "1 of 65 results are not there yet, of zhu" in more.gaps()[0]


def test_a_folder_is_read_once(matching_results, results):
    assert MatchingResults.of(results) is results
    assert MatchingResults.of(matching_results).singles.equals(results.singles)
