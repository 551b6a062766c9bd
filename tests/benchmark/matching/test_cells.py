import json
import shutil

import pytest

from actalike import benchmark
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.matching.cells import Plan, is_missing, pair_kind
from actalike.benchmark.method_cells import Cell, request_of, requested
from actalike.errors import ActalikeError


def test_what_no_chance_decides_and_what_is_slow_is_done_once():
    plan = Plan(draws=7)
    assert [plan.draws_of(task, "codes") for task in ("known-0", "known-5", "frequent-5")] == [1, 7, 1]
    assert [plan.draws_of("known-0", "cases", slow) for slow in (False, True)] == [7, 1]


def test_a_folder_knows_what_was_asked_for(matching_results):
    folder = ResultFolder.open(matching_results)
    wanted = requested(folder)
    assert ("even", "town1~town2", "known-5") in wanted
    assert ("reader", "town1~town2", "known-0") in wanted
    assert not any(method == "reader" and "by-" in log for method, log, _ in wanted)  # halves have the same labels
    cells = [Cell("a", "known-0", "zhu"), Cell("b", "split", "match")]
    assert request_of(cells) == {"methods": {"match": {"b": ["split"]}, "zhu": {"a": ["known-0"]}}}
    assert pair_kind(folder, "town1~by-time") == ("time", "town1")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 7}, "seed"),
        ({"task": "known-0"}, "is of another run"),
        ({"task": "nonsense"}, "sound"),
        ({"figures": []}, "draws"),
        ({"slow": True}, "draws"),
        ({"figures": [{"nonsense": 1.0}] * 2}, "nonsense"),
        ({"figures": [{"hit1": "high"}] * 2}, "sound"),
        ({"best": [[2.0, 1, 0]]}, "sound"),
        ({"proposed": 3}, "sound"),
    ],
)
def test_a_damaged_or_strange_file_is_refused(matching_results, tmp_path, change, words):
    shutil.copytree(matching_results, tmp_path / "out")
    path = tmp_path / "out" / "town1~town2" / "known-5" / "even.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ActalikeError, match=words):
        benchmark.read(tmp_path / "out")


def test_a_pair_of_an_unknown_kind_is_refused(matching_results, tmp_path):
    shutil.copytree(matching_results, tmp_path / "out")
    path = tmp_path / "out" / "town1~town2" / "log.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "kind": "strange"}))
    with pytest.raises(ActalikeError, match="sound"):
        benchmark.read(tmp_path / "out")


def test_failed_ones_are_missing_only_if_they_are_tried_again(matching_results):
    digest = ResultFolder.open(matching_results).digest("town1~town2")
    pairs = {"town1~town2": (digest, "codes")}
    for method, expected in (("broken", [False, True]), ("even", [False, False]), ("zhu", [True, True])):
        cell = Cell("town1~town2", "known-0", method)
        assert [is_missing(cell, Plan(draws=2), pairs, matching_results, retry) for retry in (False, True)] == expected
