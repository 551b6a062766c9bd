"""The benchmark of matching as a user runs it: with matchers of one's own, resumed, killed, and in several processes."""

import json

import pytest

from actalike import EventLog, benchmark, write_log
from actalike.errors import ActalikeError
from tests.helpers.benchmark_runs import run_here, tree

SMALL = ("--methods", "profile", "--kinds", "codes", "time", "--tasks", "known-0", "--draws", "2")


def without_cost(folder):
    """All result files, without what depends on the machine."""
    contents = {name: json.loads(content) for name, content in tree(folder).items()}
    for content in contents.values():
        for figures in content.get("figures", []):
            del figures["seconds"], figures["bytes"]
    return contents


def test_every_matcher_has_a_file_for_each_task_of_each_pair(matching_results):
    files = {name for name in tree(matching_results) if name.count("/") == 2}
    told, planted = ("known-0", "known-5", "known-10", "known-20"), ("known-0", "renamed-50", "split", "deleted-30")
    expected = {f"town1~town2/{task}/reader.json" for task in told}
    for name in ("profile", "even", "broken"):
        expected |= {f"town1~town2/{task}/{name}.json" for task in told}
        expected |= {f"town{i}~by-time/{task}/{name}.json" for i in (1, 2) for task in told}
        expected |= {f"town{i}~by-cases/{task}/{name}.json" for i in (1, 2) for task in planted}
    assert files == expected
    content = json.loads((matching_results / "town1~town2" / "known-0" / "profile.json").read_text())
    assert content["figures"][0]["hit1"] == 1.0
    assert content["figures"][0]["seconds"] >= 0
    assert (content["seed"], content["draws"], content["slow"], content["best"]) == (0, 2, False, [])
    broken = json.loads((matching_results / "town1~town2" / "known-0" / "broken.json").read_text())
    assert (broken["error"], broken["draw"]) == ("RuntimeError: no luck today", 0)


def test_readers_find_the_same_names_and_are_drawn_once_if_they_are_slow(matching_results):
    content = json.loads((matching_results / "town1~town2" / "known-20" / "reader.json").read_text())
    assert len(content["figures"]) == 1
    assert 0.7 < content["figures"][0]["hit1"] <= 1  # two steps have the same English name


def test_what_is_there_is_not_computed_again_and_more_matchers_join(towns, tmp_path):
    call = ("matching", "--logs", towns / "town1.csv", towns / "town2.csv", "--out", tmp_path / "out")
    first = json.loads(run_here(*call, *SMALL, "--json").stdout)
    assert (first["cells"], first["computed"], first["failed"]) == (3, 3, [])
    before = tree(tmp_path / "out")
    lost = tmp_path / "out" / "town1~town2" / "known-0" / "profile.json"
    lost.unlink()  # as if the run had been killed before
    (lost.parent / "profile.json.part").write_text("{")
    assert json.loads(run_here(*call, *SMALL, "--json").stdout)["computed"] == 1
    run_here(*call, "--methods", "frequency", *SMALL[2:])
    after = tree(tmp_path / "out")
    assert {name: after[name] for name in before if "town1~town2/known-0/" not in name} == {
        name: content for name, content in before.items() if "town1~town2/known-0/" not in name
    }
    assert "town1~town2/known-0/frequency.json" in after
    assert "of another plan (draws 2, not 3)" in run_here(*call, *SMALL[:-1], "3", code=1).stderr


def test_several_processes_give_the_same_figures(towns, tmp_path):
    options = {"logs": [towns / "town1.csv", towns / "town2.csv"], "methods": ["match", "procrustes-counts"], "draws": 1}
    options |= {"tasks": ["known-0", "known-10", "split"], "kinds": ["codes", "cases"]}
    benchmark.run("matching", out=tmp_path / "one", **options)
    benchmark.run("matching", out=tmp_path / "two", jobs=2, backend="threading", **options)
    assert without_cost(tmp_path / "one") == without_cost(tmp_path / "two")


def test_failed_matchers_are_named_and_tried_again_if_asked(towns, tmp_path):
    call = ("matching", "--logs", towns / "town1.csv", "--out", tmp_path / "out", "--plugin", towns / "own_matchers.py")
    call += ("--kinds", "time", "--tasks", "known-0", "--methods", "broken")
    assert "broken failed on town1~by-time: RuntimeError: no luck today" in run_here(*call).stdout
    assert json.loads(run_here(*call, "--json").stdout)["computed"] == 0
    assert json.loads(run_here(*call, "--json", "--retry-failed").stdout)["computed"] == 1


def test_what_cannot_be_matched_is_refused(towns, tmp_path):
    write_log(EventLog.from_traces([["a", "b"]] * 5), tmp_path / "few.csv")
    with pytest.raises(ActalikeError, match="match"):
        benchmark.run("matching", logs=[tmp_path / "few.csv"], out=tmp_path / "out")
    with pytest.raises(ActalikeError, match="tme"):
        benchmark.run("matching", logs=[towns], out=tmp_path / "out", kinds=["tme"])
