import json
import shutil

import pytest

from actalike import benchmark
from actalike.benchmark.anomalies.cells import Cell, Plan, is_missing, request_of, requested
from actalike.benchmark.folders import ResultFolder
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
        ({"seed": 7}, "is of another run than its folder .seed 7, not 0"),
        ({"task": "nonsense"}, "not a sound result file"),
        ({"figures": []}, "does not have the figures of 2 copies"),
        ({"figures": [{"nonsense": 1.0}] * 2}, "has a figure 'nonsense'"),
        ({"figures": [{"trace_f": "high"}] * 2}, "not a sound result file"),
        ({"named": [["skipped", "lost", 3]]}, "not a sound result file"),
    ],
)
def test_a_damaged_or_strange_file_is_refused(anomaly_results, tmp_path, change, words):
    shutil.copytree(anomaly_results, tmp_path / "out")
    path = tmp_path / "out" / "orders" / "known" / "odd.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ActalikeError, match=words):
        benchmark.read(tmp_path / "out")


def test_failed_ones_are_missing_only_if_they_are_tried_again(anomaly_results):
    digests = {"orders": ResultFolder.open(anomaly_results).digest("orders")}
    for method, expected in (("broken", [False, True]), ("odd", [False, False]), ("links", [True, True])):
        cell = Cell("orders", "known", method)
        assert [is_missing(cell, Plan(copies=2), digests, anomaly_results, retry) for retry in (False, True)] == expected
