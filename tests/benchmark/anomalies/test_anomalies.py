"""The benchmark of anomalies as a user runs it, reads it and draws it."""

import json
from dataclasses import replace

import polars as pl
import pytest

from actalike import benchmark
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.participants import load_plugin
from actalike.benchmark.tasks.anomalies import COLUMNS
from actalike.benchmark.tasks.anomaly_logs import published_figures
from actalike.benchmark.tasks.anomaly_scores import FIGURES
from actalike.benchmark.tasks.planted_anomalies import BPAD, CALLS, TASKS
from actalike.errors import ActalikeError
from tests.helpers.benchmark_runs import tree

SMALL = ("--methods", "naive", "--tasks", "bpad-10", "known", "--copies", "2")


def without_cost(folder):
    """All result files, without what depends on the machine."""
    contents = {name: json.loads(content) for name, content in tree(folder).items()}
    for content in contents.values():
        for one in content.get("participants", {}).values():
            for figures in one.get("figures", []):
                del figures["seconds"], figures["bytes"]
    return contents


def test_every_detector_has_a_file_for_each_task_of_each_log(anomaly_results):
    files = {name for name in tree(anomaly_results) if name.count("/") == 2}
    methods = ("odd", "naive", "links-all", "longest", "broken")
    of_both = ("bpad-10", "bpad-20", "known", "known-skipped", "known-cut")
    expected = {f"{log}/{task}/{method}.json" for log in ("orders", "bare") for task in of_both for method in methods}
    assert files == expected | {f"orders/known-foreign/{method}.json" for method in methods}
    known = json.loads((anomaly_results / "orders" / "known" / "odd.json").read_text())["participants"]["odd"]
    assert len(known["figures"]) == 2
    assert known["figures"][0]["trace_share"] == 0.1
    assert all(0 <= figures["trace_learnt_f"] <= figures["trace_f"] <= 1 for figures in known["figures"])
    assert sum(n for _, _, n in known["named"]) == 40
    published = json.loads((anomaly_results / "orders" / "bpad-10" / "odd.json").read_text())["participants"]["odd"]
    assert "trace_learnt_f" not in published["figures"][0]
    broken = json.loads((anomaly_results / "orders" / "known" / "broken.json").read_text())["participants"]["broken"]
    assert (broken["error"], broken["draw"]) == ("RuntimeError: no luck today", 0)


def test_several_processes_give_the_same_figures(order_files, tmp_path):
    options = {
        "logs": [order_files / "orders.csv"],
        "methods": ["odd", "links-case-out"],
        "tasks": ["bpad-10", "known"],
        "copies": 2,
    }
    benchmark.run("anomalies", out=tmp_path / "one", **options)
    benchmark.run("anomalies", out=tmp_path / "two", jobs=2, **options)
    assert without_cost(tmp_path / "one") == without_cost(tmp_path / "two")


def test_no_detector_changes_the_figures_of_those_after_it(order_files, tmp_path):
    load_plugin(str(order_files / "own_detectors.py"))
    options = {"logs": [order_files / "orders.csv"], "tasks": ["known"], "copies": 2}
    benchmark.run("anomalies", out=tmp_path / "two", methods=["vandal", "links-all"], **options)
    benchmark.run("anomalies", out=tmp_path / "one", methods=["links-all"], **options)
    after = without_cost(tmp_path / "two")
    assert "error" not in after["orders/known/vandal.json"]["participants"]["vandal"]
    assert after["orders/known/links-all.json"] == without_cost(tmp_path / "one")["orders/known/links-all.json"]


def test_what_cannot_be_done_is_refused(order_files, tmp_path):
    with pytest.raises(ActalikeError, match="tasks"):
        benchmark.run("anomalies", logs=[order_files / "bare.csv"], out=tmp_path / "out", tasks=["known-attribute"])
    with pytest.raises(ActalikeError, match="mean 'odd'"):
        benchmark.run("anomalies", logs=[order_files / "bare.csv"], out=tmp_path / "out", methods=["od"])


def test_nothing_is_asked_of_nothing(tmp_path):
    with pytest.raises(ActalikeError, match="--system-calls"):
        benchmark.run("anomalies", out=tmp_path / "out")


@pytest.fixture(scope="module")
def alarm_results(order_files, tmp_path_factory):
    """The folder of a run about alarms, references, times and system calls."""
    folder = tmp_path_factory.mktemp("alarms")
    parts = ["train"] * 12 + ["normal"] * 8 + ["attack"] * 4
    lines = [f"t{i},{part},,{'9 9 9' if part == 'attack' else f'1 2 {i % 3}'}" for i, part in enumerate(parts)]
    (folder / "calls.csv").write_text("\n".join(["trace,part,kind,calls", *lines, "empty,normal,,"]))
    benchmark.run(
        "anomalies",
        logs=[order_files / "orders.csv"],
        system_calls=str(folder / "calls.csv"),
        out=folder / "out",
        methods=["odd", "trigram", "naive", "waits"],
        tasks=["clean", "any-10", "reference", "timed-*", "calls", "calls-01"],
        copies=2,
    )
    return benchmark.read(folder / "out")


def test_who_cannot_learn_from_a_reference_is_not_asked_where_there_is_one(alarm_results):
    asked = {(method, unit) for method, _, unit in alarm_results.done}
    assert ("trigram", "reference") in asked
    assert ("trigram", "calls-01") in asked
    assert {unit for method, unit in asked if method == "waits"} == {"clean", "any-10"}  # the orders have no times
    assert not alarm_results.failures.height


def test_alarms_are_in_tables(alarm_results):
    row = alarm_results.by_log().row(by_predicate=(pl.col("method") == "odd") & (pl.col("log") == "orders"), named=True)
    assert row["false_alarms"] == row["others_called"] == 0
    assert row["any10_share"] == 0.1
    assert 0 < row["any10_own_f"] <= row["any10_f"]
    assert "Nothing planted: share of cases that are called odd" in benchmark.table(alarm_results)


def test_traces_of_system_calls_are_scored_behind_those_to_learn_from(alarm_results):
    row = alarm_results.by_log().row(by_predicate=(pl.col("method") == "trigram") & (pl.col("log") == "calls"), named=True)
    assert (row["calls_auc"], row["calls_mean_auc"], row["calls_share"]) == (1.0, 1.0, 4 / 12)
    assert row["calls01_share"] == 4 / 23  # one of the normal ones is learned from


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("trace,calls\n1,2 3\n", "'part'"),
        ("part,calls\ntrain,1\nnormal,1\n", "'attack'"),
        ("part,calls\ntrain,1\nnormal,1\nattack,2\nlost,2\n", "'lost'"),
    ],
)
def test_what_is_no_table_of_system_calls_is_refused(content, key, tmp_path):
    (tmp_path / "calls.csv").write_text(content)
    with pytest.raises(ActalikeError, match=key):
        benchmark.run("anomalies", system_calls=str(tmp_path / "calls.csv"), out=tmp_path / "out", methods=["trigram"])
    with pytest.raises(ActalikeError, match="cannot be read"):
        benchmark.run("anomalies", system_calls=str(tmp_path / "none.csv"), out=tmp_path / "out", methods=["trigram"])
    assert not (tmp_path / "out").exists()


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
        row = whole.published_rows(by_log=by_log).row(by_predicate=pl.col("method") == "GAMA, published", named=True)
        assert row["trace_ap"] == expected["trace_ap"]
    assert results.published_rows(by_log=True).is_empty()
    assert "naive  | RTFM" in benchmark.table(whole)
    assert "GAMA, published" in benchmark.table(whole, by="log")
    assert "Re-creation of simple methods" in benchmark.table(whole, intervals=True)


def test_a_table_has_a_part_for_each_question_that_has_an_answer(results):
    text = benchmark.table(results)
    titles = [line for line in text.splitlines() if line.endswith(":")]
    assert titles[0] == "BPAD's protocol, mean over the rates 0.05 to 0.45:"
    assert "Known labels and values, one kind alone: AP of cases:" in titles
    assert "Known labels and values: kinds as odd names them (columns), of planted cases (rows):" in titles
    assert "published" not in text  # no log of these has published figures
    header = text.splitlines()[2]
    assert "trace_share" in header
    assert "**0.1" not in text.split("trace_share")[0]
    (reasons,) = (part for part in text.split("\n\n") if "known_place_chance" in part)
    assert reasons.splitlines()[2].split(" | ")[2].strip()[0] == "0"  # a chance is no figure to be best in


def test_every_picture_that_the_results_have_is_drawn(anomaly_results):
    pictures = benchmark.read(anomaly_results).pictures()
    assert list(pictures) == ["bpad", "bpad_kinds", "known", "known_kinds", "kinds_alone", "outside_kinds", "rates"]
    assert [axes.get_title() for axes in pictures["kinds_alone"].axes] == ["alone_skipped", "alone_foreign"]
    legend = {text.get_text() for text in pictures["rates"].axes[0].get_legend().get_texts()}
    assert legend == {"odd", "naive", "links-all", "longest", "share of planted cases"}


def test_the_page_has_a_column_for_each_figure_that_somebody_has(anomaly_results):
    by_title = {column.title: column for column in benchmark.read(anomaly_results).page_columns()}
    assert list(by_title) == [
        "trace_ap", "trace_f", "event_ap", "cell_ap", "cell_f", "known_trace_ap", "known_cell_ap", "known_trace_learnt_f",
        "known_precision1", "known_precision5", "alone_skipped", "alone_foreign", "outside_cut", "known_place", "known_expected", "known_kind", "seconds",
    ]  # fmt: skip
    assert set(by_title["cell_ap"].table["method"]) == {"odd", "links-all"}
    assert {column.kind for column in by_title.values()} == {"share", "seconds"}


def test_every_column_is_of_tasks_and_a_figure_that_exist_and_every_task_is_in_some_table():
    for column in COLUMNS:
        assert set(column.units["task"]) <= {*TASKS, *CALLS}, column.name
        assert column.figure in {*FIGURES, "megabytes"}, column.name
        assert column.about
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
    assert {task for column in COLUMNS for task in column.units["task"]} == {*TASKS, *CALLS}


def test_a_folder_says_which_attributes_a_log_has(anomaly_results):
    logs = ResultFolder.open(anomaly_results).logs
    assert (logs["orders"]["attributes"], logs["bare"]["attributes"]) == (["user"], [])
