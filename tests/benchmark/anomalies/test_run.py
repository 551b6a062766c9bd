"""The benchmark of anomalies as a user runs it: with detectors of one's own, resumed, killed, and in several processes."""

import json

import pytest

from actalike import benchmark
from actalike.benchmark.participants import load_plugin
from actalike.errors import ActalikeError
from tests.helpers.benchmark_runs import run_here, tree

SMALL = ("--methods", "naive", "--tasks", "bpad-10", "known", "--copies", "2")


def without_cost(folder):
    """All result files, without what depends on the machine."""
    contents = {name: json.loads(content) for name, content in tree(folder).items()}
    for content in contents.values():
        for figures in content.get("figures", []):
            del figures["seconds"], figures["bytes"]
    return contents


def test_every_detector_has_a_file_for_each_task_of_each_log(anomaly_results):
    files = {name for name in tree(anomaly_results) if name.count("/") == 2}
    methods = ("odd", "naive", "links-all", "longest", "broken")
    of_both = ("bpad-10", "bpad-20", "known", "known-skipped", "known-cut")
    expected = {f"{log}/{task}/{method}.json" for log in ("orders", "bare") for task in of_both for method in methods}
    assert files == expected | {f"orders/known-foreign/{method}.json" for method in methods}
    known = json.loads((anomaly_results / "orders" / "known" / "odd.json").read_text())
    assert len(known["figures"]) == 2
    assert known["figures"][0]["trace_share"] == 0.1
    assert all(0 <= figures["trace_learnt_f"] <= figures["trace_f"] <= 1 for figures in known["figures"])
    assert sum(n for _, _, n in known["named"]) == 40
    published = json.loads((anomaly_results / "orders" / "bpad-10" / "odd.json").read_text())
    assert "trace_learnt_f" not in published["figures"][0]
    broken = json.loads((anomaly_results / "orders" / "known" / "broken.json").read_text())
    assert (broken["error"], broken["copy"]) == ("RuntimeError: no luck today", 0)


def test_what_is_there_is_not_computed_again_and_more_detectors_join(order_files, tmp_path):
    call = ("anomalies", "--logs", order_files / "orders.csv", "--out", tmp_path / "out")
    first = json.loads(run_here(*call, *SMALL, "--json").stdout)
    assert (first["cells"], first["computed"], first["failed"]) == (2, 2, [])
    before = without_cost(tmp_path / "out")
    lost = tmp_path / "out" / "orders" / "known" / "naive.json"
    lost.unlink()  # as if the run had been killed before
    (lost.parent / "naive.json.part").write_text("{}")
    assert json.loads(run_here(*call, *SMALL, "--json").stdout)["computed"] == 1
    (lost.parent / "naive.json.part").unlink(missing_ok=True)
    assert without_cost(tmp_path / "out") == before
    run_here(*call, "--methods", "links", *SMALL[2:])
    assert "orders/known/links.json" in tree(tmp_path / "out")
    assert "of another plan (copies 2, not 3)" in run_here(*call, *SMALL[:-1], "3", code=1).stderr


def test_several_processes_give_the_same_figures(order_files, tmp_path):
    options = {
        "logs": [order_files / "orders.csv"],
        "methods": ["odd", "links-case-out"],
        "tasks": ["bpad-10", "known"],
        "copies": 2,
    }
    benchmark.run("anomalies", out=tmp_path / "one", **options)
    benchmark.run("anomalies", out=tmp_path / "two", jobs=2, backend="threading", **options)
    assert without_cost(tmp_path / "one") == without_cost(tmp_path / "two")


def test_no_detector_changes_the_figures_of_those_after_it(order_files, tmp_path):
    load_plugin(str(order_files / "own_detectors.py"))
    options = {"logs": [order_files / "orders.csv"], "tasks": ["known"], "copies": 2}
    benchmark.run("anomalies", out=tmp_path / "two", methods=["vandal", "links-all"], **options)
    benchmark.run("anomalies", out=tmp_path / "one", methods=["links-all"], **options)
    after = without_cost(tmp_path / "two")
    assert "error" not in after["orders/known/vandal.json"]
    assert after["orders/known/links-all.json"] == without_cost(tmp_path / "one")["orders/known/links-all.json"]


def test_failed_detectors_are_named_and_tried_again_if_asked(order_files, tmp_path):
    call = ("anomalies", "--logs", order_files / "orders.csv", "--out", tmp_path / "out")
    call += ("--plugin", order_files / "own_detectors.py", "--tasks", "known", "--methods", "broken")
    said = run_here(*call).stdout
    assert "broken failed on orders: RuntimeError: no luck today" in said
    assert "1 of 1 cells computed now (1 of them failed: --retry-failed tries again)." in said
    assert json.loads(run_here(*call, "--json").stdout)["computed"] == 0
    assert json.loads(run_here(*call, "--json", "--retry-failed").stdout)["computed"] == 1


def test_what_cannot_be_done_is_refused(order_files, tmp_path):
    with pytest.raises(ActalikeError, match="tasks"):
        benchmark.run("anomalies", logs=[order_files / "bare.csv"], out=tmp_path / "out", tasks=["known-attribute"])
    with pytest.raises(ActalikeError, match="mean 'odd'"):
        benchmark.run("anomalies", logs=[order_files / "bare.csv"], out=tmp_path / "out", methods=["od"])
