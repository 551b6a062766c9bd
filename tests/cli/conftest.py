from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from actalike import write_log
from actalike.demo.loan_desk import loan_desk
from actalike.report import report_data


@pytest.fixture(scope="package", autouse=True)
def few_draws() -> Iterator[None]:
    """Resample as seldom as possible, as in the tests of the report: with all draws, a page takes most of its time for intervals."""
    with patch.object(report_data, "RESAMPLES", report_data.FEWEST_RESAMPLES):
        yield


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
