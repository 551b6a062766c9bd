"""Tables of times are made of the rounds in the result files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.benchmark.efficiency.parts import DISTANCES, ITEMS
from actalike.benchmark.efficiency.published import WITHOUT_DISCOVERY
from actalike.benchmark.efficiency.results import EfficiencyResults, read
from actalike.benchmark.folders import ResultFolder
from tests.benchmark.efficiency.made_up_cells import PAPER_LOG, a_round, measured, write_folder


def rows_of(results):
    return {(row["log"], row["method"]): row for row in results.by_log().iter_rows(named=True)}


@given(st.lists(st.tuples(*[st.floats(1e-6, 10)] * 3), min_size=1, max_size=6))
def test_medians_and_spread_are_those_of_the_rounds(rounds):
    calls = [a_round(whole, count=count, distances=distances) for whole, count, distances in rounds]
    cell = {"log": "plain", "method": "kin-w3", **measured(*calls)}
    results = EfficiencyResults(ResultFolder("out", {}, {}), None, [cell], ITEMS, frozenset())
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


def test_results_of_a_log_have_its_cells_alone(few_results):
    part = few_results.of_logs([PAPER_LOG])
    assert {log for log, _ in rows_of(part)} == set(part.singles["log"]) == {PAPER_LOG}
    assert few_results.of_logs(None) is few_results


def test_gaps_name_what_is_missing_what_failed_and_versions_that_differ(tmp_path):
    cells = {
        ("plain", "kin-w3"): measured(a_round(0.1)),
        ("plain", "kin-w5"): measured(a_round(0.1), version="1.1"),
        ("plain", "unlucky"): {"error": "RuntimeError: no luck.", "versions": {"actalike": "1.0"}},
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


def test_a_folder_without_cells_has_no_results(tmp_path):
    folder = write_folder(tmp_path, {})
    with pytest.raises(ActalikeError, match="has no results yet"):
        read(folder)
