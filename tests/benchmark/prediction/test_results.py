"""Results of the next-activity benchmark: means, tables, the columns of the page, and pictures show the same figures."""

import csv
import io
import json
import shutil
from pathlib import Path
from statistics import fmean, stdev

import polars as pl
import pytest

from actalike import ActalikeError, benchmark, plot
from actalike.prediction.training.task import METRICS
from tests.helpers.benchmark_runs import run, run_here, tree
from tests.helpers.pictures import number_of_colours
from tests.helpers.prediction_runs import ALL, FEW, MODELS, SMALL


def by_definition(out, model, method):
    """Means over seeds, then over logs."""
    found = {}
    for log in ("loan", "plain"):
        of, own = (json.loads((out / log / "results" / model / f"{m}.json").read_text())["seeds"] for m in (method, "original"))
        accuracies = [figures["accuracy"] for figures in of]
        found[log] = {
            "accuracy": fmean(accuracies),
            "mcc": fmean(figures["mcc"] for figures in of),
            "spread": stdev(accuracies),
            "gain": fmean(accuracies) - fmean(figures["accuracy"] for figures in own),
        }
    means = {name: fmean(figures[name] for figures in found.values()) for name in found["loan"]}
    return found, {**means, "complex": found["loan"]["accuracy"]}


def test_tables_have_the_means_of_the_definition(finished):
    rows = json.loads(run_here("table", finished, "--json").stdout)
    assert [(row["model"], row["method"]) for row in rows] == [(m, k) for m in MODELS for k in ALL]
    for row in rows:
        single, means = by_definition(finished, row["model"], row["method"])
        assert {name: row[name] for name in means} == pytest.approx(means, abs=1e-12)
        assert (row["logs"], row["failed"]) == (2, 0)
        for name in ("accuracy", "mcc", "gain"):
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
            values = [figures[name] for figures in single.values()]
            assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx((min(values), max(values)))  # of two logs
    by_log = csv.DictReader(io.StringIO(run_here("table", finished, "--by", "log", "--format", "csv").stdout))
    for row in by_log:
        single, _ = by_definition(finished, row["model"], row["method"])
        for name in ("accuracy", "mcc", "spread"):
            assert float(row[name]) == pytest.approx(single[row["log"]][name], abs=1e-12)
        assert float(row["least"]) <= float(row["accuracy"]) <= float(row["most"])


def test_tables_have_a_part_for_each_model(finished):
    done = run_here("table", finished)
    assert done.stderr == ""
    first, second = done.stdout.split("evermann-published:\n\n")
    assert first.startswith("evermann:\n\n| method")
    for part in (first, second):
        lines = part.strip().splitlines()
        heads = [cell.strip() for cell in lines[-6].strip("|").split(" | ")]
        assert heads == ["method", "accuracy", "complex", "mcc", "spread", "gain"]
        assert lines[-4].startswith("| ac-sequence-pmi w 3 \\| 5 ")
        assert "¹" in part
        assert part.count("0.000") >= 1  # what the original gains over itself
    shown = run_here("table", finished, "--by", "log").stdout
    assert len([line for line in shown.splitlines() if line.startswith("| loan")]) == 4 * 2
    intervals = run_here("table", finished, "--intervals").stdout
    row = next(line for line in intervals.splitlines() if line.startswith("| kin-w5"))
    assert row.count("[") == 3  # of the complex logs there is but one, which says nothing of others
    latex = run_here("table", finished, "--format", "latex").stdout
    assert latex.count(r"\begin{tabular}{lccccc}") == 2
    assert "evermann-published" in latex
    wide = list(csv.DictReader(io.StringIO(run_here("table", finished, "--format", "csv").stdout)))
    assert len(wide) == 10
    assert {"model", "method", "logs", "failed", "accuracy", "accuracy_low", "complex", "gain", "spread"} <= set(wide[0])


def test_tidy_tables_have_a_row_for_each_seed(finished, tmp_path):
    run_here("table", finished, "--tidy", tmp_path / "all.parquet")
    run_here("table", finished, "--tidy", tmp_path / "all.csv")
    table = pl.read_parquet(tmp_path / "all.parquet")
    assert table.height == 2 * 2 * 5 * 2  # models, logs, methods, seeds
    assert table.columns == ["model", "method", "log", "seed", *METRICS, "time_mae", "epoch", "error"]
    assert pl.read_csv(tmp_path / "all.csv").height == table.height
    assert "must end in" in run_here("table", finished, "--tidy", tmp_path / "all.txt", code=1).stderr


def test_one_log_and_one_seed_make_a_table_too(small_logs, tmp_path):
    run_here("prediction", "--logs", small_logs / "plain.csv", "--out", tmp_path / "out", *FEW)
    line = run_here("table", tmp_path / "out").stdout.splitlines()[-2]
    assert line.startswith("| one-hot ")
    assert line.count("| - ") == 2  # neither complex logs nor a spread between seeds
    assert "| - " in run_here("table", tmp_path / "out", "--intervals").stdout
    assert run_here("plots", tmp_path / "out", "-o", tmp_path / "pictures").stdout.count(".png") == 3


def test_a_table_says_what_is_missing(small_logs, finished, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    (out / "plain/results/evermann/kin-w5.json").unlink()
    shown = run_here("table", out)
    assert "1 of 20 results are not there yet, of evermann with kin-w5: means are over the others" in shown.stderr
    assert "† On fewer logs than the 2 of the others: kin-w5 1." in shown.stdout
    shutil.rmtree(out / "loan/vectors")  # vectors that are gone are made again, if there is use for them
    run_here("prediction", "--logs", small_logs, "--out", out, *SMALL)
    assert run_here("table", out).stderr == ""


@pytest.mark.campaign
def test_results_are_drawn_for_each_model_with_the_same_bytes_each_time(finished, tmp_path):
    said = run_here("plots", finished, "-o", tmp_path / "first").stdout.split()
    assert [Path(path).name for path in said] == [
        f"{model}_{what}.png" for model in MODELS for what in ("by_method", "by_log", "spread")
    ]
    for path in said:
        assert number_of_colours(path) > 20
    assert json.loads(run("plots", finished, "-o", tmp_path / "again", "--json").stdout) == [
        path.replace("first", "again") for path in said
    ]
    assert tree(tmp_path / "again") == tree(tmp_path / "first")


def test_the_best_method_is_on_top_and_complex_logs_stand_beside(finished):
    results = benchmark.read(finished)
    figures = results.pictures()
    means = results.over_logs().filter(pl.col("model") == "evermann").sort("accuracy", "method")
    bars = figures["evermann_by_method"].axes
    assert [axes.get_title() for axes in bars] == ["accuracy", "accuracy on complex logs"]
    for axes, metric in zip(bars, ("accuracy", "complex"), strict=True):
        assert [bar.get_width() for bar in axes.patches] == pytest.approx(means[metric].to_list())
    assert [label.get_text() for label in bars[0].get_yticklabels()] == means["method"].to_list()  # from below
    squares = figures["evermann_by_log"].axes[0]
    assert [label.get_text() for label in squares.get_xticklabels()] == ["loan *", "plain"]
    shown = {(round(text.get_position()[0]), round(text.get_position()[1])): text.get_text() for text in squares.texts}
    for method, log, accuracy in (
        results.by_log().filter(pl.col("model") == "evermann").select("method", "log", "accuracy").iter_rows()
    ):
        assert shown[["loan", "plain"].index(log), means["method"].to_list().index(method)] == f"{accuracy:.3f}"


def cells(line):
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def test_each_model_has_its_own_table_of_means(few_results):
    first, second = few_results.table(form="md", by_log=False, intervals=False).split("\n\ntax:\n\n")
    title, _, head, _, *rows = first.splitlines()
    assert title == "evermann:"
    assert cells(head) == ["method", "accuracy", "complex", "mcc", "spread", "gain"]
    # kin: 0.5 on loan, 1 on plain; beyond the original by 0.25 and 0.5; the deviation of loan's two seeds is 0.354
    assert cells(rows[0]) == ["kin w 5", "**0.750**¹", "**0.500**¹", "**0.750**¹", "0.354", "0.375"]
    assert cells(rows[1]) == ["one-hot", *["-†"] * 5]  # it failed
    assert cells(rows[2]) == ["original", "**0.375**²", "**0.250**²", "**0.375**²", "-", "0.000"]
    assert cells(second.splitlines()[2]) == ["tax", "0.125", "0.125", "0.125", "-", "-", "2.500"]  # no other, no original


def test_a_table_by_log_has_the_means_over_the_seeds(few_results):
    lines = few_results.table(form="md", by_log=True, intervals=False).splitlines()
    assert cells(lines[2]) == ["log", "method", "accuracy", "spread", "mcc"]
    assert cells(lines[4]) == ["loan", "kin w 5", "0.500", "0.354", "0.500"]
    assert cells(lines[5]) == ["loan", "one-hot", "-", "-", "-"]


def test_intervals_stand_behind_means_of_several_logs(few_results):
    lines = few_results.table(form="md", by_log=False, intervals=True).splitlines()
    assert cells(lines[2]) == ["method", "logs", "accuracy", "complex", "mcc", "gain"]
    assert cells(lines[4]) == ["kin-w5", "2", *("0.750 [0.500, 1.000]", "0.500", "0.750 [0.500, 1.000]", "0.375 [0.250, 0.500]")]


@pytest.mark.parametrize(("by_log", "intervals"), [(False, False), (False, True), (True, False)])
def test_only_a_model_that_predicts_times_shows_their_error(few_results, by_log, intervals):
    first, second = few_results.table(form="md", by_log=by_log, intervals=intervals).split("\n\ntax:\n\n")
    assert "time_mae" not in first
    head, _, row = second.splitlines()[:3]  # a caution about few logs may follow
    assert cells(head)[-1] == "time_mae"
    assert cells(row)[-1] == "2.500"


@pytest.mark.parametrize("by_log", [False, True])
def test_csv_has_all_models_in_one_table(few_results, by_log):
    rows = list(csv.DictReader(io.StringIO(few_results.table(form="csv", by_log=by_log, intervals=False))))
    frame = few_results.frame(by_log=by_log)
    assert list(rows[0]) == frame.columns
    assert [(row["model"], row["method"]) for row in rows] == list(frame.select("model", "method").iter_rows())


"""The benchmark page has a column of accuracies for each model."""


def test_each_model_has_a_column_with_its_accuracy_on_each_log(few_results):
    by_title = {column.title: column for column in few_results.page_columns()}
    assert list(by_title) == ["evermann", "tax"]
    figures = {
        model: {(row["method"], row["log"]): row[column.figure] for row in column.table.iter_rows(named=True)}
        for model, column in by_title.items()
    }
    assert figures["tax"] == {("tax", "loan"): 0.125}
    assert figures["evermann"] == {  # means over the seeds; what failed is left out
        ("kin-w5", "loan"): 0.5,
        ("kin-w5", "plain"): 1.0,
        ("original", "loan"): 0.25,
        ("original", "plain"): 0.5,
    }
    assert {column.kind for column in by_title.values()} == {"share"}
    assert all(model in column.about for model, column in by_title.items())


def rows(figure):
    """The names at the left, which all panels share, from below."""
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_the_spread_of_the_accuracy_is_that_of_each_log(finished):
    figure = plot.accuracy_spread(finished, "evermann")
    table = benchmark.read(finished).by_log().filter(pl.col("model") == "evermann")
    for line, name in zip(figure.axes[0].lines, rows(figure), strict=True):
        assert sorted(line.get_xdata()) == pytest.approx(sorted(table.filter(pl.col("method") == name)["accuracy"]))
    one = plot.accuracy_by_method(finished, "evermann", ["loan"])
    expected = dict(table.filter(pl.col("log") == "loan").select("method", "accuracy").iter_rows())
    assert dict(zip(rows(one), [bar.get_width() for bar in one.axes[0].patches], strict=True)) == pytest.approx(expected)


def test_of_several_models_one_is_asked_for(finished):
    for draw in (plot.accuracy_by_method, plot.accuracy_by_log, plot.accuracy_spread):
        with pytest.raises(ActalikeError, match="evermann"):
            draw(finished)
        with pytest.raises(ActalikeError, match="lstm"):
            draw(finished, "lstm")
