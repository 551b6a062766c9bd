import json
import shutil

import pytest

from actalike import benchmark
from actalike.benchmark.anomalies.cells import Plan, is_missing
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.method_cells import Cell, request_of, requested
from actalike.errors import ActalikeError


def test_a_published_rate_has_one_copy():
    assert [Plan(copies=7).copies_of(task) for task in ("bpad-05", "known", "known-early")] == [1, 7, 7]


def test_a_folder_knows_what_was_asked_for_and_which_attributes_a_log_has(anomaly_results):
    folder = ResultFolder.open(anomaly_results)
    wanted = requested(folder)
    assert ("longest", "orders", "known-foreign") in wanted
    assert ("longest", "bare", "known-foreign") not in wanted  # it has no attributes
    cells = [Cell("b", "known", "odd"), Cell("a", "bpad-10", "naive")]
    assert request_of(cells) == {"methods": {"naive": {"a": ["bpad-10"]}, "odd": {"b": ["known"]}}}
    assert (folder.logs["orders"]["attributes"], folder.logs["bare"]["attributes"]) == (["user"], [])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 7}, "seed"),
        ({"task": "nonsense"}, "sound"),
        ({"figures": []}, "copies"),
        ({"named": [["skipped", "lost", 3]]}, "sound"),
    ],
)
def test_a_damaged_or_strange_file_is_refused(anomaly_results, tmp_path, change, words):
    shutil.copytree(anomaly_results, tmp_path / "out")
    path = tmp_path / "out" / "orders" / "known" / "odd.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ActalikeError, match=words):
        benchmark.read(tmp_path / "out")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nonsense": 1.0}, "nonsense"),
        ({"trace_f": "high"}, "trace_f"),
        ({"trace_ap": 7.0}, "trace_ap"),
        ({"precision5": -0.5}, "precision5"),
        ({"trace_f": ...}, "trace_f"),
        ({"seconds": ...}, "seconds"),
        ({"cell_f": ...}, "lacks the figure 'cell_f'"),
        ({"place_chance": ...}, "lacks the figure 'place_chance'"),
        ({"trace_learnt_f": ...}, "lacks the figure 'trace_learnt_f'"),
    ],
)
def test_figures_that_cannot_be_or_are_lost_are_refused(anomaly_results, tmp_path, change, words):
    """A figure that is changed to ... is taken out."""
    shutil.copytree(anomaly_results, tmp_path / "out")
    path = tmp_path / "out" / "orders" / "known" / "odd.json"
    content = json.loads(path.read_text())
    figures = content["figures"][1] | change
    content["figures"][1] = {name: value for name, value in figures.items() if value is not ...}
    path.write_text(json.dumps(content))
    with pytest.raises(ActalikeError, match=words):
        benchmark.read(tmp_path / "out")


def test_failed_ones_are_missing_only_if_they_are_tried_again(anomaly_results):
    digests = {"orders": ResultFolder.open(anomaly_results).digest("orders")}
    for method, expected in (("broken", [False, True]), ("odd", [False, False]), ("links", [True, True])):
        cell = Cell("orders", "known", method)
        assert [is_missing(cell, Plan(copies=2), digests, anomaly_results, retry) for retry in (False, True)] == expected
