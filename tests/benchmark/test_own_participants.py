"""A method, a grouper, a matcher and detectors of one's own: run, killed, resumed, tabulated, and on the page."""

import json
import signal
import subprocess
import sys
import time

import pytest

from actalike import benchmark
from actalike.methods import registry
from tests.helpers.benchmark_runs import command, run_here, tree

PLUGIN = """
import time
from pathlib import Path

import numpy as np

import actalike
from actalike import benchmark


class Mine(actalike.OneHotEmbedder):
    pass


class SameLetter:
    reads_labels = True

    def fit(self, log):
        first = np.array([label[:1] for label in log.activities])
        self.scores_ = (first[:, np.newaxis] == first).astype(float)
        self.groups_ = []
        return self


class InOrder:
    def fit(self, log_a, log_b, known):
        self.scores_ = -np.abs(np.subtract.outer(range(len(log_a.activities)), range(len(log_b.activities)))).astype(float)
        return self


class Longest:
    def fit(self, log):
        self.case_scores_ = np.asarray(log.lengths, dtype=float)
        return self


class Halfway:
    def fit(self, log):
        self.changes_ = [log.n_cases // 2]
        return self


class Waits:
    def fit(self, *logs):
        if not Path(WAITED).exists():
            Path(WAITED).touch()
            time.sleep(600)
        raise RuntimeError("waited long enough")


actalike.register("mine", Mine)
actalike.register("waits", Waits)
for kind, factory in {"grouper": SameLetter, "matcher": InOrder, "detector": Longest, "change-detector": Halfway}.items():
    benchmark.register(kind, "mine-" + kind, factory)
    benchmark.register(kind, "waits-" + kind, Waits)
"""
KINDS = {  # the benchmark, who takes part, what is asked
    "method": ("intrinsic", ("mine", "one-hot"), "waits", ("--r", "1", "--w", "2", "--samples", "1")),
    "grouper": (
        "labels",
        ("mine-grouper", "contrast"),
        "waits-grouper",
        ("--recipes", "syn-case-2", "unplanted", "--draws", "1"),
    ),
    "matcher": (
        "matching",
        ("mine-matcher", "profile"),
        "waits-matcher",
        ("--kinds", "cases", "--tasks", "known-0", "--draws", "1"),
    ),
    "detector": ("anomalies", ("mine-detector", "naive"), "waits-detector", ("--tasks", "known-skipped", "--copies", "1")),
    "change-detector": (
        "change_points",
        ("mine-change-detector", "blind-guess"),
        "waits-change-detector",
        ("--tasks", "planted-renamed", "--draws", "1"),
    ),
}


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    path = tmp_path / "own_participants.py"
    path.write_text(PLUGIN.replace("WAITED", repr(str(tmp_path / "waited"))))
    monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
    yield path
    sys.modules.pop("own_participants", None)


@pytest.mark.parametrize(
    "kind", [kind if kind == "detector" else pytest.param(kind, marks=pytest.mark.campaign) for kind in KINDS]
)
def test_a_participant_of_any_kind_takes_part_in_a_run_that_is_killed_and_resumed(kind, plugin, small_logs, tmp_path):
    name, participants, waiting, options = KINDS[kind]
    out = tmp_path / "out"
    call = (
        name,
        "--logs",
        small_logs / "loan.xes.gz",
        "--plugin",
        plugin,
        "--out",
        out,
        *options,
        "--methods",
        *participants,
        waiting,
    )
    running = subprocess.Popen(command(*call), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not (tmp_path / "waited").exists():
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    before = {path: content for path, content in tree(out).items() if not path.endswith(".part")}
    failed = json.loads(run_here(*call, "--json").stdout)["failed"]
    assert {one["method"]: one["error"] for one in failed} == {waiting: "RuntimeError: waited long enough"}
    assert before.items() <= tree(out).items()  # what was there stays as it was
    shown = run_here("table", out)
    assert participants[0] in shown.stdout
    assert f"{waiting} failed on" in shown.stderr
    run_here("report", out, "-o", tmp_path / "page.html")
    assert participants[0] in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert participants[0] in set(benchmark.read(out).singles["method"])
