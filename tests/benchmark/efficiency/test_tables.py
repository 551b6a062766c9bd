"""Tables of times: seconds of methods by logs, or all that was measured on each log."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.efficiency.tables import digits, table
from tests.benchmark.efficiency.made_up_cells import PAPER_LOG


def rows_of(text):
    """The cells of Markdown tables, by the first."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return {cells[0]: cells[1:] for line in lines if (cells := [cell.strip() for cell in line.strip("|").split(" | ")])}


def test_seconds_stand_by_log_beside_those_of_the_paper(few_results):
    rows = rows_of(table(few_results, form="md", by_log=False, intervals=False))
    paper = [f"{PAPER_LOG}{end}" for end in ("", ", CPU", ", as published", ", paper")]
    assert rows["method"] == [*paper, "plain", "plain, CPU"]
    assert rows["ac-sequence-ppmi w 9"] == ["0.02", "0.01", "0.03", "0.015", "-", "-"]
    assert rows["sleeps"] == [*["-"] * 4, ">8", "-"]
    assert rows["unlucky"] == ["-"] * 6


def test_windows_stand_side_by_side_if_every_log_has_all_of_them(few_results):
    rows = rows_of(table(few_results, form="md", by_log=False, intervals=False))
    assert rows["kin-w3"][4:] == ["0.2", "0.1"]
    assert rows["kin-w11"] == [*["-"] * 4, "0.4", "0.2"]
    plain = rows_of(table(few_results.of_logs(["plain"]), form="md", by_log=False, intervals=False))
    assert plain[r"kin w 3 \| 11"] == [r"0.2 \| 0.4", r"0.1 \| 0.2"]


def test_all_that_was_measured_is_in_the_tables_of_the_logs(few_results):
    text = table(few_results, form="md", by_log=True, intervals=False)
    assert f"{PAPER_LOG}:\n\n" in text
    rows = rows_of(text.partition("plain:\n\n")[2])
    assert dict(zip(rows["method"], rows["kin-w3"], strict=True)) == {
        "calls": "2",
        "median s": "0.2",
        "quartiles": "0.15 - 0.25",
        "least - most": "0.1 - 0.3",
        "CPU s": "0.1",
        "as published s": "-",
        "paper s": "-",
        "ratio": "-",
        "parts, ms": "count 50 + distances 100 = 150",
        "rows x dimension": "3 x 40",
        "dense": "960 B",
        "stored": "72 B",
        "memory": "2.5 MB",
    }
    assert rows["sleeps"][:2] == ["0", ">8"]
    assert rows["unlucky"][:2] == ["0", "failed"]
    assert len({len(cells) for cells in rows.values()}) == 1


@pytest.mark.parametrize("by_log", [False, True])
def test_csv_has_all_that_was_measured(few_results, by_log):
    rows = list(csv.DictReader(io.StringIO(table(few_results, form="csv", by_log=by_log, intervals=False))))
    assert list(rows[0]) == few_results.by_log().columns
    assert [row["method"] for row in rows] == few_results.by_log()["method"].to_list()


def test_latex_has_no_bare_signs(few_results):
    text = table(few_results, form="latex", by_log=False, intervals=False)
    assert "$>$8" in text
    assert text.count(">") == text.count("$>$")
    assert PAPER_LOG.replace("_", r"\_") in text


@given(st.floats(1e-6, 1e9))
def test_numbers_keep_three_digits_or_all_before_the_point(value):
    assert float(digits(value).replace(",", "")) == pytest.approx(value, rel=0.005)
    assert "e" not in digits(value)
