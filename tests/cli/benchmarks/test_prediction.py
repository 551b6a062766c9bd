"""The command benchmark prediction."""

import json
from pathlib import Path

import pytest

from actalike import benchmark
from actalike.benchmark.record import Failure, TrainingOutcome
from actalike.prediction.training.task import MODELS
from tests.helpers.commands import ok, refuses, run

CALL = ("benchmark", "prediction", "--logs", "orders.csv", "--out", "results")


@pytest.fixture
def ends_with(monkeypatch):
    """Let the benchmark end at once, on this device."""

    def replace(device, *failures):
        outcome = TrainingOutcome(
            Path("results"), 6, 6, len(failures), failures, ("orders",), ("kin-w5", "w2v"), ("tax",), 3, device
        )
        monkeypatch.setattr(benchmark, "run", lambda name, **options: outcome)

    return replace


def test_help_names_all_models():
    help_text = "".join(ok("benchmark", "prediction", "--help").split())  # without the breaks of its lines
    assert f"Of{','.join(MODELS)}.[{MODELS[0]}]" in help_text


def test_options_reach_the_benchmark(calls):
    run(*CALL)
    run(*CALL, "--models", "tax", "evermann", "--epochs", 2, "--device", "cpu", "--jobs", 3)
    plain, chosen = (options for _, options in calls)
    assert (plain["models"], plain["seeds"], plain["epochs"], plain["device"]) == (["evermann"], 5, None, "auto")
    assert (plain["jobs"], chosen["jobs"]) == (None, 3)
    assert (chosen["models"], chosen["epochs"], chosen["device"]) == (["tax", "evermann"], 2, "cpu")


def test_a_finished_run_names_its_size_its_device_and_its_failures(ends_with):
    ends_with("cpu", Failure("w2v", "orders", "no luck", "tax"))
    done = run(*CALL)
    assert done.returncode == 1
    failure, size, following = done.stdout.splitlines()
    assert failure == "tax with w2v failed on orders: no luck"
    assert size == "results: 1 logs, 2 methods, 1 models, 3 seeds (cpu)."
    assert following == "Next: actalike benchmark table results"


def test_the_same_facts_for_programs(ends_with):
    ends_with("cpu", Failure("w2v", "orders", "no luck", "tax"))
    failed = [{"model": "tax", "method": "w2v", "log": "orders", "error": "no luck"}]
    done = run(*CALL, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "schema": "actalike/benchmark-prediction/1",
        "out": "results", "device": "cpu", "setting": "standard", "logs": ["orders"], "models": ["tax"], "failed": failed,
    }  # fmt: skip


def test_an_unknown_device_is_refused():
    assert "abacus" in refuses(*CALL, "--device", "abacus")
