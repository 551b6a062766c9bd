from pathlib import Path

import pytest

from actalike import write_log
from actalike.demo.loan_desk import loan_desk


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a loan desk's log, of 200 cases."""
    path = tmp_path_factory.mktemp("cli") / "loan.xes.gz"
    write_log(loan_desk(200), path)
    return path


@pytest.fixture(scope="session")
def whole_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the demonstration's log, of 600 cases."""
    path = tmp_path_factory.mktemp("cli") / "loan.xes.gz"
    write_log(loan_desk(), path)
    return path
