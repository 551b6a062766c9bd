from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.anomalies.tables import published_rows
from actalike.benchmark.tasks.anomaly_logs import published_figures
from actalike.benchmark.tasks.planted_anomalies import BPAD


@pytest.fixture(scope="module")
def results(anomaly_results):
    return benchmark.read(anomaly_results)


def as_published(results, log="RTFM", cases=150370):
    """The same results as if they were of a published log, with all rates."""
    one = results.singles.filter(method="naive", log="orders", task="bpad-10")
    singles = pl.concat([one.with_columns(pl.lit(log).alias("log"), pl.lit(task).alias("task")) for task in BPAD])
    facts = {**results.folder.logs["orders"], "log": log, "cases": cases}
    return replace(results, singles=singles, folder=replace(results.folder, logs={log: facts}))


def test_figures_of_a_log_are_means_over_tasks_and_copies(results):
    row = results.by_log().row(by_predicate=(pl.col("method") == "odd") & (pl.col("log") == "orders"), named=True)
    singles = results.singles.filter(method="odd", log="orders")
    assert row["trace_ap"] == pytest.approx(singles.filter(pl.col("task").is_in(["bpad-10", "bpad-20"]))["trace_ap"].mean())
    assert row["known_trace_learnt_f"] == pytest.approx(singles.filter(task="known")["trace_learnt_f"].mean())
    assert row["alone_skipped"] == pytest.approx(singles.filter(task="known-skipped")["trace_ap"].mean())
    assert row["alone_late"] is None
    assert row["megabytes"] >= 0


def test_means_are_over_logs_with_intervals(results):
    means = results.over_logs(resamples=50).row(by_predicate=pl.col("method") == "naive", named=True)
    of_logs = results.by_log().filter(method="naive")
    assert (means["logs"], means["known_trace_ap"]) == (2, pytest.approx(of_logs["known_trace_ap"].mean()))
    assert means["known_trace_ap_low"] <= means["known_trace_ap"] <= means["known_trace_ap_high"]


def test_names_of_kinds_are_counted_over_logs_and_tasks_of_a_protocol(results):
    known = results.confusion("odd", "known")
    assert sum(n for (planted, _), n in known.items() if planted == "foreign") == 40
    assert not results.confusion("naive", "known")
    assert {planted for planted, _ in results.of_logs(["bare"]).confusion("odd", "known")}.isdisjoint({"foreign", "attribute"})


def test_failures_gaps_and_missing_rates_are_told(results):
    (gap,) = results.gaps()
    assert gap.startswith("broken failed on bare bpad-10, bare bpad-20, bare known, ...")
    whole = as_published(results)
    assert not any("published" in gap for gap in whole.gaps())
    part = replace(whole, singles=whole.singles.filter(pl.col("task") != "bpad-45"))
    assert "those of RTFM are not shown" in part.gaps()[-1]
    assert (whole.published_logs, part.published_logs, results.published_logs) == (["RTFM"], [], [])


def test_published_rows_are_of_the_same_logs(results):
    whole = as_published(results)
    expected = published_figures()["RTFM", "GAMA"]
    for by_log in (False, True):
        row = published_rows(whole, by_log).row(by_predicate=pl.col("method") == "GAMA, published", named=True)
        assert row["trace_ap"] == expected["trace_ap"]
    assert published_rows(results, True).is_empty()
    assert "naive  | RTFM" in benchmark.table(whole)
    assert "GAMA, published" in benchmark.table(whole, by="log")
    assert "Re-creation of simple methods" in benchmark.table(whole, intervals=True)
