"""Tables of the next-activity benchmark have a part for each model, with the figures of the results."""

import csv
import io

import pytest


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
    head, _, row = second.splitlines()
    assert cells(head)[-1] == "time_mae"
    assert cells(row)[-1] == "2.500"


@pytest.mark.parametrize("by_log", [False, True])
def test_csv_has_all_models_in_one_table(few_results, by_log):
    rows = list(csv.DictReader(io.StringIO(few_results.table(form="csv", by_log=by_log, intervals=False))))
    frame = few_results.frame(by_log=by_log)
    assert list(rows[0]) == frame.columns
    assert [(row["model"], row["method"]) for row in rows] == list(frame.select("model", "method").iter_rows())
