import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from actalike import EventLog, datasets

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
