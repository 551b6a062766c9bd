"""Tables of the intrinsic benchmark have the figures of the results."""

import csv
import io

import pytest

from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.intrinsic.tables import table


@pytest.mark.parametrize("form", ["md", "latex"])
def test_a_table_has_the_means_over_the_logs_and_marks_the_best_of_those_that_compare(few_results, form):
    text = table(few_results, form=form, by_log=False, intervals=False)
    best, fewer = {"md": ("**0.700**¹", "0.900†"), "latex": (r"\textbf{0.700}$^1$", r"0.900$^\dagger$")}[form]
    row = next(line for line in text.splitlines() if "kin w 3" in line)
    assert best in row  # I_comp: 0.6 on loan, 0.8 on plain
    assert row.count(fewer) == 4
    assert "On fewer logs than the 2 of the others: kin-w5 1." in text


def test_intervals_stand_behind_means_of_several_logs(few_results):
    lines = table(few_results, form="md", by_log=False, intervals=True).splitlines()
    assert [line.count("[") for line in lines[2:]] == [3, 0, 4]  # kin-w3 has I_tri on one log, kin-w5 all figures


@pytest.mark.parametrize("by_log", [False, True])
def test_means_as_csv_have_the_columns_of_the_figures_of_the_logs(few_results, by_log):
    rows = list(csv.DictReader(io.StringIO(table(few_results, form="csv", by_log=by_log, intervals=False))))
    assert list(rows[0]) == ["method", "log", *METRICS]
    assert [row["log"] for row in rows] == (["loan", "plain"] * 3 if by_log else ["mean"] * 3)
    expected = few_results.frame(by_log=by_log)["I_nn"]
    assert [float(row["I_nn"]) if row["I_nn"] else None for row in rows] == expected.to_list()
