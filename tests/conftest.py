import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from actalike import EventLog, datasets, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers import examples
from tests.helpers.requirements import missing, need_logs

examples.load_profile()

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",  # the pages are our own, and containers often have no sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def logs_folder() -> Path:
    return need_logs()


@pytest.fixture(scope="session")
def log_file(logs_folder: Path) -> Callable[[str], Path]:
    """The file of a real log."""
    files = datasets.find(logs_folder)

    def get(name: str) -> Path:
        if name not in files:
            missing(f"the log {name}", f"put it into {logs_folder}; actalike datasets says where it is published")
        return files[name]

    return get


@pytest.fixture(scope="session")
def real_log(logs_folder: Path, log_file: Callable[[str], Path]) -> Callable[[str], EventLog]:
    """A real log, read once."""
    logs: dict[str, EventLog] = {}

    def get(name: str) -> EventLog:
        log_file(name)
        if name not in logs:
            logs[name] = datasets.load(name, logs_folder, attributes=None)
        return logs[name]

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
    from tests.helpers.benchmark_runs import run_here
    from tests.helpers.prediction_runs import SMALL

    out = tmp_path_factory.mktemp("out") / "finished"
    run_here("prediction", "--logs", small_logs, "--out", out, *SMALL)
    return out


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, list[str]]]:
    """What the next-activity benchmark trains from now on: log, model, methods."""
    from actalike.prediction.training import run as training

    calls = []
    original = training.train_part

    def train_part(folder, model, methods, *rest):
        calls.append((folder.name, model, list(methods)))
        original(folder, model, methods, *rest)

    monkeypatch.setattr(training, "train_part", train_part)
    return calls


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real browser. There is one for all tests of a process: Playwright refuses a second one beside it."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        missing("Chromium", "make browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright", "it is in the dependency group dev")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)  # with a new, empty profile
        yield browser
        browser.close()
