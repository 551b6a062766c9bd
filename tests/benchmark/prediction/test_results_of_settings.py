"""Results, tables, pictures and columns of few cases and of changed labels, against plain loops over made-up result files."""

import csv
import io
import json
from statistics import fmean

import numpy as np
import polars as pl
import pytest

from actalike import ActalikeError, benchmark, plot
from actalike.benchmark.scoring import draws
from tests.helpers.benchmark_runs import run_here
from tests.helpers.made_up_results import CONDITIONS, LOGS, METHODS, SEEDS, accuracies, read_files, write_results
from tests.helpers.pictures import number_of_colours

ALL = (*METHODS, "original")


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    out = tmp_path_factory.mktemp("few")
    write_results(out, "few-cases", models=("evermann", "tax"))
    return out


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    out = tmp_path_factory.mktemp("changed")
    write_results(out, "changed-labels")
    return out


def cells(line):
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def lines_of(text):
    """The rows of the tables in a text, without their heads."""
    return [cells(line) for line in text.splitlines() if line.startswith("| ")]


def naive_parts(out, method, condition, way):
    """Of each log: the accuracy beyond what one-hot vectors reach unplaced, and how far that is from what they reach if told.

    All are means over seeds, then over draws; the bounds are of the draws that the method has.
    """
    found, parts = accuracies(out), []
    for log in LOGS:
        own = found.get((log, method, condition, way), [])
        of_draws = {draw: fmean(accuracy for of, accuracy in own if of == draw) for draw, _ in own}
        if not own:
            continue
        bounds = {}
        for bound in ("unplaced", "told"):
            of_bound = found[log, "one-hot", condition, bound]
            bounds[bound] = fmean(fmean(accuracy for of, accuracy in of_bound if of == draw) for draw in of_draws)
        parts.append((fmean(of_draws.values()) - bounds["unplaced"], bounds["told"] - bounds["unplaced"]))
    return parts


def test_reached_is_what_is_gained_of_what_can_be_gained_summed_over_logs_draw_by_draw(changed):
    rows = benchmark.read(changed).over_logs()
    assert rows.height > 40
    for row in rows.iter_rows(named=True):
        parts = naive_parts(changed, row["method"], row["condition"], row["way"])
        expected = sum(gained for gained, _ in parts) / sum(possible for _, possible in parts)
        assert row["reached"] == pytest.approx(expected), row
        shares = sorted(
            sum(parts[log][0] for log in logs) / sum(parts[log][1] for log in logs) for logs in draws(len(parts)).tolist()
        )
        assert [row["reached_low"], row["reached_high"]] == pytest.approx(np.quantile(shares, [0.025, 0.975]))
    bounds = rows.filter(pl.col("method") == "one-hot")
    assert bounds.filter(pl.col("way") == "told")["reached"].to_list() == pytest.approx([1.0] * 3)
    assert bounds.filter(pl.col("way") == "unplaced")["reached"].to_list() == pytest.approx([0.0] * 3)


def test_the_bounds_of_a_way_with_one_draw_are_of_that_draw(changed):
    """One that is trained again knows the first draw alone."""
    found = accuracies(changed)
    assert {draw for draw, _ in found["loan", "kin-w5", "rename-30", "retrained"]} == {0}
    by_log = benchmark.read(changed).by_log()
    row = by_log.row(
        by_predicate=(pl.col("way") == "retrained") & (pl.col("method") == "kin-w5") & (pl.col("log") == "loan"), named=True
    )
    of_bound = found["loan", "one-hot", "rename-30", "unplaced"]
    assert row["one_hot_unplaced"] == pytest.approx(fmean(accuracy for draw, accuracy in of_bound if draw == 0))
    assert row["one_hot_unplaced"] != pytest.approx(fmean(accuracy for _, accuracy in of_bound))


def test_where_nothing_can_be_gained_nothing_is_reached(tmp_path):
    write_results(tmp_path, "changed-labels", logs=("loan",))
    path = tmp_path / "loan/results/evermann/one-hot.json"
    content = json.loads(path.read_text())
    for figures in content["seeds"]:
        for change in figures["changes"]:
            change["accuracy"] = 0.5
    path.write_text(json.dumps(content))
    results = benchmark.read(tmp_path)
    assert results.over_logs()["reached"].null_count() == results.over_logs().height
    assert "nan" not in results.table(form="md", by_log=False, intervals=True)
    assert results.pictures()


def test_one_log_has_no_interval(tmp_path):
    write_results(tmp_path, "changed-labels", logs=("loan",))
    rows = benchmark.read(tmp_path).over_logs()
    assert rows["reached"].null_count() == 0
    assert rows["reached_low"].null_count() == rows["reached_high"].null_count() == rows.height


def test_the_gain_of_few_cases_is_beyond_one_hot_vectors_of_the_same_share(few):
    found = {}
    for cell in read_files(few):
        key = cell["model"], cell["task"], cell["method"], cell["log"]
        found[key] = fmean(figures["accuracy"] for figures in cell["seeds"])
    rows = benchmark.read(few).over_logs()
    assert rows.height == 4 * (len(ALL) + 1)
    for row in rows.iter_rows(named=True):
        own = [found[row["model"], row["condition"], row["method"], log] for log in LOGS]
        assert row["accuracy"] == pytest.approx(fmean(own))
        if row["model"] == "tax":
            assert row["gain"] is None
            continue
        one_hot = [found["evermann", row["condition"], "one-hot", log] for log in LOGS]
        assert row["gain"] == pytest.approx(fmean(mine - other for mine, other in zip(own, one_hot, strict=True)))


def test_singles_have_a_row_for_each_seed_way_and_draw(few, changed):
    singles = benchmark.read(few).singles
    assert singles.height == 4 * (len(ALL) + 1) * len(LOGS) * SEEDS
    assert singles["way"].null_count() == singles.height
    singles = benchmark.read(changed).singles
    ways = 4 * len(METHODS) + 3  # a learned table is not placed
    assert singles.height == (ways * len(CONDITIONS) + 2 * 2) * len(LOGS) * SEEDS  # two methods are trained again


def test_a_table_of_few_cases_has_a_column_for_each_share(few):
    first, second = benchmark.read(few).table(form="md", by_log=False, intervals=False).split("\n\ntax:\n\n")
    assert first.startswith("evermann:\n\n")
    head, *rows = lines_of(first)
    assert head == ["method", "cases-01", "cases-05", "cases-10", "cases-25"]
    means = {(r["method"], r["condition"]): r["accuracy"] for r in benchmark.read(few).over_logs().iter_rows(named=True)}
    assert {row[0]: row[1:] for row in rows} == {
        method: [f"{means[method, condition]:.3f}" for condition in head[1:]] for method in ALL
    }
    assert [row[0] for row in lines_of(second)[1:]] == ["tax"]
    by_log = lines_of(run_here("table", few, "--by", "log").stdout)
    assert by_log[0] == ["log", *head]
    assert len(by_log) == 1 + len(ALL) * len(LOGS) + 1 + len(LOGS)
    assert run_here("table", few).stderr == ""


def test_a_table_of_changed_labels_has_accuracies_by_way_and_what_is_reached_by_condition(changed):
    results = benchmark.read(changed)
    accuracy, reached = results.table(form="md", by_log=False, intervals=False).split("\n\nOf the way from")
    head, *rows = lines_of(accuracy)
    assert accuracy.startswith("evermann:\n\nAccuracy, rename-30 (retrained: of the first draw, the others of all 3):\n\n")
    assert head == ["method", "unplaced", "told", "placed", "retrained", "read"]
    means = results.over_logs().rows_by_key(["method", "condition", "way"], named=True, unique=True)
    for method, *shown in rows:
        expected = [means.get((method, "rename-30", way)) for way in head[1:]]
        assert shown == [f"{row['accuracy']:.3f}" if row else "-" for row in expected]
    assert [row[0] for row in rows] == list(ALL)
    head, *rows = lines_of(reached)
    assert head == ["way", "method", "rename-30", "split-10", "rename-30-first-10"]  # all cases first, then fewer
    for way, method, *shown in rows:
        expected = [means.get((method, condition, way)) for condition in head[2:]]
        assert shown == [f"{row['reached']:.3f}" if row else "-" for row in expected]
    assert {(way, method) for way, method, *_ in rows} == (
        {("read", method) for method in ALL}
        | {("placed", method) for method in METHODS}
        | {("retrained", method) for method in METHODS if method != "one-hot"}
    )


def test_intervals_stand_behind_what_is_reached(changed):
    _, reached = benchmark.read(changed).table(form="md", by_log=False, intervals=True).split("\n\nOf the way from")
    means = benchmark.read(changed).over_logs().rows_by_key(["method", "condition", "way"], named=True, unique=True)
    row = means["kin-w5", "split-10", "placed"]
    head, *rows = lines_of(reached)
    shown = next(row for row in rows if row[:2] == ["placed", "kin-w5"])
    assert shown[head.index("split-10")] == f"{row['reached']:.3f} [{row['reached_low']:.3f}, {row['reached_high']:.3f}]"


@pytest.mark.parametrize("by_log", [False, True])
def test_tables_by_log_latex_and_csv_have_the_same_figures(changed, by_log):
    results = benchmark.read(changed)
    rows = list(csv.DictReader(io.StringIO(results.table(form="csv", by_log=by_log, intervals=False))))
    frame = results.frame(by_log=by_log)
    assert [(row["condition"], row["way"], row["method"]) for row in rows] == list(
        frame.select("condition", "way", "method").iter_rows()
    )
    assert [float(row["accuracy"]) for row in rows] == pytest.approx(frame["accuracy"].to_list())
    latex = results.table(form="latex", by_log=by_log, intervals=False)
    assert latex.count(r"\begin{tabular}") == (1 if by_log else 2)
    if by_log:
        found = accuracies(changed)
        head, *lines = lines_of(results.table(form="md", by_log=True, intervals=False))
        assert head[:2] == ["log", "method"]
        for log, method, *shown in lines:
            values = [found.get((log, method, "rename-30", way)) for way in head[2:]]
            assert shown == [f"{fmean(a for _, a in of_way):.3f}" if of_way else "-" for of_way in values]


def test_gaps_and_failures_of_tasks_are_told(tmp_path):
    write_results(tmp_path, "changed-labels")
    wanted = len(LOGS) * (len(ALL) + 2)  # two methods are trained again
    assert benchmark.read(tmp_path).gaps() == []
    (tmp_path / "loan/rename-30/results/evermann/kin-w5.json").unlink()
    path = tmp_path / "plain/results/evermann/kin-w5.json"
    content = {name: value for name, value in json.loads(path.read_text()).items() if name != "seeds"}
    path.write_text(json.dumps({**content, "error": "RuntimeError: no luck"}))
    first, second = benchmark.read(tmp_path).gaps()
    assert first == f"1 of {wanted} results are not there yet, of evermann with kin-w5: means are over the others"
    assert second == "evermann with kin-w5 failed on plain (not in its means): RuntimeError: no luck"
    shown = run_here("table", tmp_path).stdout
    assert "None" not in shown
    assert "kin-w5" in shown
    (tmp_path / "loan/rename-30/results/evermann/ac-sequence-pmi-w3.json").write_text(json.dumps({**content, "task": "rename-30",
        "log": "loan", "method": "ac-sequence-pmi-w3", "error": "no",
        "log_digest": benchmark.read(tmp_path).folder.digest("loan")}))  # fmt: skip
    assert benchmark.read(tmp_path).gaps()[0] == first  # a failure is a result


def test_the_page_has_a_column_for_each_share_or_way(few, changed):
    assert [column.title for column in benchmark.read(few).page_columns()] == [
        *(f"evermann cases-{share}" for share in ("01", "05", "10", "25")),
        *(f"tax cases-{share}" for share in ("01", "05", "10", "25")),
    ]
    placed, read = benchmark.read(changed).page_columns()
    assert (placed.title, read.title) == ("evermann placed", "evermann read")
    found = accuracies(changed)
    for column, way in ((placed, "placed"), (read, "read")):
        shown = {(row["log"], row["method"]): row[column.figure] for row in column.table.iter_rows(named=True)}
        assert shown == {
            (log, method): pytest.approx(fmean(accuracy for _, accuracy in values))
            for (log, method, condition, of_way), values in found.items()
            if (condition, of_way) == ("rename-30", way)
        }
        assert "30 % of the labels are new" in column.about


def test_few_cases_are_drawn_as_a_line_for_each_method(few, tmp_path):
    figures = benchmark.read(few).pictures()
    assert list(figures) == ["evermann_by_share", "tax_by_share"]
    (axes,) = figures["evermann_by_share"].axes
    means = benchmark.read(few).over_logs().filter(pl.col("model") == "evermann")
    assert {line.get_label(): list(line.get_ydata()) for line in axes.lines} == {
        method: pytest.approx(means.filter(pl.col("method") == method).sort("condition")["accuracy"].to_list()) for method in ALL
    }
    assert [label.get_text() for label in axes.get_xticklabels()] == ["cases-01", "cases-05", "cases-10", "cases-25"]
    for path in run_here("plots", few, "-o", tmp_path).stdout.split():
        assert number_of_colours(path) > 20


def test_changed_labels_are_drawn_by_way_and_by_condition(changed):
    figures = benchmark.read(changed).pictures()
    assert list(figures) == ["evermann_reached", "evermann_by_condition"]
    means = benchmark.read(changed).over_logs().rows_by_key(["method", "condition", "way"], named=True, unique=True)
    (axes,) = figures["evermann_reached"].axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    drawn = dict(zip(names, [bar.get_width() for bar in axes.patches], strict=True))
    assert drawn == {
        f"{method}, {way}": pytest.approx(row["reached"])
        for (method, condition, way), row in means.items()
        if condition == "rename-30" and way not in ("told", "unplaced", "retrained, told")
    }
    (axes,) = figures["evermann_by_condition"].axes
    assert len(axes.lines) == 8  # the best of nine
    conditions = [label.get_text() for label in axes.get_xticklabels()]
    for line in axes.lines:
        method, _, way = line.get_label().partition(", ")
        for place, value in zip(line.get_xdata(), line.get_ydata(), strict=True):
            assert value == pytest.approx(means[method, conditions[place], way]["reached"])


def write_trigrams(out, digest=None):
    """Write what was counted on the new cases alone, and return the accuracies by log."""
    of_logs = dict(zip(LOGS, (0.6, 0.5, 0.7), strict=True))
    for log, accuracy in of_logs.items():
        noted = json.loads((out / log / "log.json").read_text())["log_digest"]
        figures = [{"condition": "rename-30-first-10", "draw": 0, "accuracy": accuracy}]
        (out / log / "trigram.json").write_text(json.dumps({"log_digest": digest or noted, "figures": figures}))
    return of_logs


def test_what_is_counted_on_the_new_cases_alone_stands_beside_the_networks(tmp_path):
    write_results(tmp_path, "changed-labels")
    before = benchmark.read(tmp_path)
    of_logs = write_trigrams(tmp_path)
    results = benchmark.read(tmp_path)
    is_trigram = pl.col("method") == "trigram"
    assert results.over_logs().filter(~is_trigram).equals(before.over_logs())
    (row,) = results.over_logs().filter(is_trigram).iter_rows(named=True)
    assert (row["condition"], row["way"], row["logs"]) == ("rename-30-first-10", "counted", len(LOGS))
    assert row["accuracy"] == pytest.approx(fmean(of_logs.values()))
    bounds = results.by_log().filter(is_trigram)
    possible = (bounds["one_hot_told"] - bounds["one_hot_unplaced"]).sum()
    assert row["reached"] == pytest.approx((bounds["accuracy"] - bounds["one_hot_unplaced"]).sum() / possible)
    _, reached = results.table(form="md", by_log=False, intervals=False).split("\n\nOf the way from")
    assert ["counted", "trigram", "-", "-", f"{row['reached']:.3f}"] in lines_of(reached)
    assert results.gaps() == []
    assert results.done == before.done
    (axes,) = results.pictures()["evermann_by_condition"].axes
    assert "trigram, counted" in [line.get_label() for line in axes.lines]


def test_trigrams_of_another_log_are_refused(tmp_path):
    write_results(tmp_path, "changed-labels")
    write_trigrams(tmp_path, digest="of another log")
    with pytest.raises(ActalikeError, match="trigram"):
        benchmark.read(tmp_path)


def test_a_picture_that_would_mix_conditions_is_refused(few, changed):
    for out, setting in ((few, "few-cases"), (changed, "changed-labels")):
        for draw in (plot.accuracy_by_method, plot.accuracy_by_log, plot.accuracy_spread):
            with pytest.raises(ActalikeError, match=setting):
                draw(out, "evermann")
