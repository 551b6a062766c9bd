"""What some tests need and not every machine has: real logs, Java, PostgreSQL, a browser, a GPU.

Without it a test skips and says how to get it. In CI the test fails instead, so that nothing goes untested unnoticed. What the
machines of CI cannot have is listed here, in ``NOT_IN_CI``, and nowhere else.
"""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from tests.helpers.postgres_server import find_programs

ROOT = Path(__file__).parents[2]
LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))

NOT_IN_CI = {
    "a GPU",
    "the folder of real logs",  # not a part of the repository; where there is one, its logs must be there, except:
    "the log BPIC13_incidents",
    "the log BPIC15_3",
    "the log BPIC17",
    "the log BPIC18",
    "the log BPIC19",
    "the log BPIC20_InternationalDeclarations",
    "the log Sepsis",
}


def missing(what: str, remedy: str) -> NoReturn:
    """Skip the test that needs ``what``, and say how to get it; in CI fail the test, unless ``what`` cannot be there."""
    if "CI" in os.environ and what not in NOT_IN_CI:
        pytest.fail(f"{what} is missing, and in CI it must be there: {remedy}")
    pytest.skip(f"{what} is missing: {remedy}")


def need_logs() -> Path:
    """Return the folder of real logs."""
    if "ACTALIKE_LOGS" in os.environ and not LOGS.is_dir():
        pytest.fail(f"ACTALIKE_LOGS names {LOGS}, which is not a folder")
    if not LOGS.is_dir():
        missing("the folder of real logs", f"set ACTALIKE_LOGS, or make {LOGS} (actalike datasets lists the logs)")
    return LOGS


def need_java() -> None:
    if not shutil.which("java") and "JAVA_HOME" not in os.environ:
        missing("Java", "Spark needs Java 17 or newer (JAVA_HOME, or java on the path)")


def need_postgres() -> Path:
    """Return the folder of PostgreSQL's programs."""
    programs = find_programs()
    if programs is None:
        missing("PostgreSQL", "make postgres (it installs Debian's package; initdb and postgres must be on the path)")
    return programs


def need_axe() -> str:
    """Return the script of axe-core, which looks for what keeps people from using a page."""
    script = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        missing("axe-core", "make node_modules/ready (it needs npm)")
    return script.read_text(encoding="utf-8")


def need_results() -> None:
    """Skip in the source archive, which leaves out results and pictures of the docs."""
    if not (ROOT / "docs" / "results").is_dir():
        missing("docs/results", "it is in the repository, and not in the source archive")


def need_gpu() -> None:
    import torch

    if not torch.cuda.is_available():
        missing("a GPU", "torch finds none")
