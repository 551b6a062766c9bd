"""Tables and pictures of times are made of the rounds in the result files; times are noted with machine and versions."""

import platform
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import actalike
from actalike import ActalikeError
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.tasks import efficiency
from actalike.benchmark.tasks.efficiency import (
    Efficiency,
    EfficiencyResults,
    digits,
    machine,
    processor,
    versions,
)
from actalike.benchmark.tasks.measuring import DISTANCES, ITEMS, WITHOUT_DISCOVERY
from actalike.support.extras import Extra
from tests.benchmark.efficiency.made_up_cells import PAPER_LOG, a_round, measured, read, write_folder


def rows_of(results):
    return {(row["log"], row["method"]): row for row in results.by_log().iter_rows(named=True)}


@given(st.lists(st.tuples(*[st.floats(1e-6, 10)] * 3), min_size=1, max_size=6))
def test_medians_and_spread_are_those_of_the_rounds(rounds):
    calls = [a_round(whole, count=count, distances=distances) for whole, count, distances in rounds]
    rows = [{"method": "kin-w3", "log": "plain", "draw": draw, "error": None, **call} for draw, call in enumerate(calls)]
    schema = {"method": pl.String, "log": pl.String, "draw": pl.Int64, **Efficiency.metrics, "error": pl.String}
    singles = pl.DataFrame(rows, schema=schema)
    results = EfficiencyResults(ResultFolder("out", {}, {}), singles, Efficiency(), {}, frozenset())
    row = results.by_log().row(0, named=True)
    seconds, counts, distances = zip(*rounds, strict=True)
    assert row["repeats"] == len(rounds)
    assert row["least"] == min(seconds) <= row["lower_quartile"] <= row["seconds"] <= row["upper_quartile"] <= row["most"]
    assert row["most"] == max(seconds)
    medians = (np.median(seconds), np.median(counts), np.median(distances), np.median(seconds) / 2)
    assert (row["seconds"], row["count"], row["distances"], row["processor"]) == pytest.approx(medians)
    assert row["matrix"] is row["as_published"] is None


def test_single_results_are_rounds_and_failures(few_results):
    singles = few_results.singles.filter(few_results.singles["log"] == "plain")
    assert dict(singles["method"].value_counts().iter_rows())["kin-w3"] == 2
    assert singles.filter(singles["method"] == "kin-w3")["seconds"].to_list() == [0.1, 0.3]
    assert dict(few_results.failures.select("method", "error").iter_rows()) == {
        "sleeps": "more than 8 s",
        "unlucky": "RuntimeError: no luck.",
    }
    row = rows_of(few_results)["plain", "sleeps"]
    assert (row["seconds"], row["more_than"], row["error"]) == (None, 8, "more than 8 s")


def test_what_is_passed_over_and_the_time_of_reading_are_empty_where_results_do_not_say_them(few_results):
    rows = rows_of(few_results)
    said = {key: (row["passes_over"], row["reading"]) for key, row in rows.items()}
    assert said["plain", "kin-w11"] == ("variants, once", 0.75)
    assert said["plain", "kin-w3"] == (None, 0.75)
    assert said[PAPER_LOG, "kin-w3"] == (None, None)


def test_logs_and_windows_are_in_the_order_of_their_numbers(few_results):
    names = [method for log, method in rows_of(few_results) if log == "plain"]
    assert names.index("kin-w3") < names.index("kin-w11") < names.index("mine")


def test_parts_of_somebodys_method_come_before_the_distances(few_results):
    assert few_results.items == (*ITEMS[:-1], "luck", DISTANCES)
    assert rows_of(few_results)["plain", "mine"]["luck"] == 1.0


def test_discovery_is_told_apart(few_results):
    rows = rows_of(few_results)
    whole, without = (rows["plain", f"process-structure{end}"] for end in ("", WITHOUT_DISCOVERY))
    assert (whole["seconds"], whole["discovery"], whole["as_published"]) == (9.0, 5.0, 9.5)
    assert (without["seconds"], without["discovery"], without["as_published"]) == (3.5, None, 3.5)
    assert without["peak_bytes"] is without["processor"] is None


def test_the_papers_seconds_stand_beside_those_of_its_logs_only(few_results):
    rows = rows_of(few_results)
    row = rows[PAPER_LOG, "ac-sequence-ppmi-w9"]
    assert (row["paper"], row["as_published"], row["ratio"]) == (0.015, 0.03, 0.5)
    assert all(row["paper"] is None for where, row in rows.items() if where != (PAPER_LOG, "ac-sequence-ppmi-w9"))
    logs = {
        **few_results.folder.logs,
        PAPER_LOG: {**few_results.folder.logs[PAPER_LOG], "cases": 7},
    }  # called so, but another log
    folder = ResultFolder(few_results.folder.path, few_results.folder.description, logs)
    assert rows_of(read(folder))[PAPER_LOG, "ac-sequence-ppmi-w9"]["paper"] is None


def test_gaps_name_what_is_missing_what_failed_and_versions_that_differ(tmp_path):
    cells = {
        ("plain", "kin-w3"): measured(a_round(0.1)),
        ("plain", "kin-w5"): measured(a_round(0.1), version="1.1"),
        ("plain", "unlucky"): {"error": "RuntimeError: no luck.", "draw": 0, "versions": {"actalike": "1.0"}},
    }
    assert read(write_folder(tmp_path, cells, requested=[("plain", "one-hot")])).gaps() == [
        "1 of 4 results are not there yet, of one-hot",
        "unlucky failed on plain: RuntimeError: no luck",
        "the figures are of different versions of actalike (1.0, 1.1), so they do not compare",
    ]


def test_there_are_no_means_of_seconds_over_logs(few_results):
    assert few_results.frame(by_log=False).equals(few_results.by_log())
    with pytest.raises(ActalikeError, match="over"):
        few_results.over_logs()


def test_columns_have_the_medians_of_what_was_measured(few_results):
    seconds, memory = few_results.page_columns()
    assert (seconds.title, seconds.kind, memory.title, memory.kind) == ("seconds", "seconds", "memory", "bytes")
    times = {(row["log"], row["method"]): row[seconds.figure] for row in seconds.table.iter_rows(named=True)}
    assert times["plain", "kin-w3"] == 0.2  # of 0.1 and 0.3
    assert not {"sleeps", "unlucky"} & {method for _, method in times}
    rises = {(row["log"], row["method"]): row[memory.figure] for row in memory.table.iter_rows(named=True)}
    assert set(rises.values()) == {2_500_000}
    assert times.keys() - rises.keys() == {("plain", "process-structure w/o discovery")}  # derived from times alone


def cells_of(text):
    """The cells of Markdown tables, by the first."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return {cells[0]: cells[1:] for line in lines if (cells := [cell.strip() for cell in line.strip("|").split(" | ")])}


def test_seconds_stand_by_log_beside_those_of_the_paper(few_results):
    rows = cells_of(few_results.table(form="md", by_log=False, intervals=False))
    paper = [f"{PAPER_LOG}{end}" for end in ("", ", CPU", ", as published", ", paper")]
    assert rows["method"] == [*paper, "plain", "plain, CPU"]
    assert rows["ac-sequence-ppmi w 9"] == ["0.02", "0.01", "0.03", "0.015", "-", "-"]
    assert rows["sleeps"] == [*["-"] * 4, ">8", "-"]
    assert rows["unlucky"] == ["-"] * 6


def test_windows_stand_side_by_side_if_every_log_has_all_of_them(few_results):
    rows = cells_of(few_results.table(form="md", by_log=False, intervals=False))
    assert rows["kin-w3"][4:] == ["0.2", "0.1"]
    assert rows["kin-w11"] == [*["-"] * 4, "0.4", "0.2"]
    plain = cells_of(few_results.of_logs(["plain"]).table(form="md", by_log=False, intervals=False))
    assert plain[r"kin w 3 \| 11"] == [r"0.2 \| 0.4", r"0.1 \| 0.2"]


def test_all_that_was_measured_is_in_the_tables_of_the_logs(few_results):
    text = few_results.table(form="md", by_log=True, intervals=False)
    assert f"{PAPER_LOG}:\n\n" in text
    rows = cells_of(text.partition("plain:\n\n")[2])
    assert dict(zip(rows["method"], rows["kin-w3"], strict=True)) == {
        "passes over": "-",
        "calls": "2",
        "reading s": "0.75",
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
    assert rows["kin-w11"][0] == "variants, once"
    assert rows["sleeps"][:4] == ["-", "0", "0.75", ">8"]
    assert rows["unlucky"][:4] == ["-", "0", "0.75", "failed"]
    assert len({len(cells) for cells in rows.values()}) == 1


@given(st.floats(1e-6, 1e9))
def test_numbers_keep_three_digits_or_all_before_the_point(value):
    assert float(digits(value).replace(",", "")) == pytest.approx(value, rel=0.005)
    assert "e" not in digits(value)


@pytest.fixture
def cpuinfo(tmp_path, monkeypatch):
    monkeypatch.setattr(efficiency, "Path", lambda name: tmp_path / "cpuinfo")
    monkeypatch.setattr(efficiency, "_cores", lambda: 2)
    return tmp_path / "cpuinfo"


def test_the_processor_goes_by_the_name_that_linux_gives(cpuinfo):
    cpuinfo.write_text("processor\t: 0\nmodel name\t: Abacus 3000 @ 1 Hz \nflags\t\t: fpu\n\nmodel name\t: Abacus 3000 @ 1 Hz\n")
    assert processor() == "Abacus 3000 @ 1 Hz, 2 cores"


@pytest.mark.parametrize("text", [None, "processor\t: 0\n"])
def test_elsewhere_it_goes_by_the_name_that_python_gives(cpuinfo, monkeypatch, text):
    if text is not None:
        cpuinfo.write_text(text)
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(platform, "machine", lambda: "abacus64")
    assert processor() == "abacus64, 2 cores"
    monkeypatch.setattr(platform, "machine", lambda: "")
    assert processor() == "unknown processor, 2 cores"


def test_the_cores_are_those_that_this_process_may_use():
    assert machine()["processor"] == processor()
    assert int(processor().rpartition(", ")[2].removesuffix(" cores")) >= 1


def test_versions_are_of_what_every_method_uses_and_of_what_this_one_needs():
    numbers = versions(SimpleNamespace(needs=[Extra("plot", "matplotlib"), Extra("odd", "no-such-package")]))
    assert list(numbers) == ["actalike", "python", "numpy", "scipy", "matplotlib", "no-such-package"]
    assert (numbers["actalike"], numbers["numpy"]) == (actalike.__version__, np.__version__)
    assert numbers["no-such-package"] == "unknown"
