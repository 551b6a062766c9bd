import pytest
from benchmark_helpers import run
from prediction_helpers import SMALL

from actalike import EventLog, write_log
from actalike.benchmark.prediction.training import run as training
from actalike.loan_desk import loan_desk
from actalike.methods import registry


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """A complex log (every case a variant of its own), and one that is not."""
    folder = tmp_path_factory.mktemp("logs")
    write_log(loan_desk(60), folder / "loan.xes.gz")
    write_log(EventLog.from_traces([list("abcd"), list("acbd"), list("abd")] * 10), folder / "plain.csv")
    return folder


@pytest.fixture(scope="session")
def finished(logs, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "finished"
    run("prediction", "--logs", logs, "--out", out, *SMALL)
    return out


@pytest.fixture
def trained(monkeypatch):
    """What is trained from now on: log, model, methods."""
    found = []
    original = training.train_log

    def train_log(folder, model, methods, *rest):
        found.append((folder.name, model, list(methods)))
        original(folder, model, methods, *rest)

    monkeypatch.setattr(training, "train_log", train_log)
    return found


@pytest.fixture
def own_registry(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
