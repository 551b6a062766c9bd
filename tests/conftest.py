import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from actalike import EventLog, datasets, write_log
from actalike.demo.loan_desk import loan_desk

os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch is not loaded yet; tests run side by side, more threads would only wait
settings.register_profile("actalike", deadline=None, print_blob=True)
settings.load_profile("actalike")

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


@pytest.fixture(scope="session")
def logs_folder() -> Path:
    if not LOGS.is_dir():
        pytest.skip(f"no folder of real logs at {LOGS}: set ACTALIKE_LOGS to one (actalike datasets lists them)")
    return LOGS


@pytest.fixture(scope="session")
def log_file(logs_folder: Path) -> Callable[[str], Path]:
    found = datasets.find(logs_folder)

    def get(name: str) -> Path:
        if name not in found:
            pytest.skip(f"{logs_folder} has no {name}")
        return found[name]

    return get


@pytest.fixture(scope="session")
def real_log(logs_folder: Path, log_file: Callable[[str], Path]) -> Callable[[str], EventLog]:
    read: dict[str, EventLog] = {}

    def get(name: str) -> EventLog:
        log_file(name)
        if name not in read:
            read[name] = datasets.load(name, logs_folder)
        return read[name]

    return get


@pytest.fixture(scope="session")
def small_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a complex log (every case a variant of its own), and one that is not."""
    folder = tmp_path_factory.mktemp("logs")
    write_log(loan_desk(60), folder / "loan.xes.gz")
    write_log(EventLog.from_traces([list("abcd"), list("acbd"), list("abd")] * 70), folder / "plain.csv")
    return folder


@pytest.fixture(scope="session")
def finished(small_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a small run of the next-activity benchmark."""
    from tests.helpers.benchmark_runs import run
    from tests.helpers.prediction_runs import SMALL

    out = tmp_path_factory.mktemp("out") / "finished"
    run("prediction", "--logs", small_logs, "--out", out, *SMALL)
    return out


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, list[str]]]:
    """What the next-activity benchmark trains from now on: log, model, methods."""
    from actalike.prediction.training import run as training

    found = []
    original = training.train_log

    def train_log(folder, model, methods, *rest):
        found.append((folder.name, model, list(methods)))
        original(folder, model, methods, *rest)

    monkeypatch.setattr(training, "train_log", train_log)
    return found
