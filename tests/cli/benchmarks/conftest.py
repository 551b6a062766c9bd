import shutil
from pathlib import Path
from typing import Any

import pytest

from actalike import EventLog, benchmark, write_log


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small run of the intrinsic benchmark: two methods on one log."""
    folder = tmp_path_factory.mktemp("results")
    write_log(EventLog.from_traces([list("abcd"), list("acbd"), list("abd")] * 5), folder / "letters.csv")
    methods = ["aa-sequence-pmi-w3", "one-hot"]
    benchmark.run("intrinsic", logs=[folder / "letters.csv"], out=folder / "out", methods=methods, r=[1, 2], w=[2], samples=1)
    return folder / "out"


@pytest.fixture
def incomplete(results: Path, tmp_path: Path) -> Path:
    """The same results, without those of two split activities."""
    shutil.copytree(results, tmp_path / "incomplete")
    (tmp_path / "incomplete" / "letters" / "r02-w2" / "_counts.json").unlink()
    return tmp_path / "incomplete"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """The benchmarks that commands would run from now on, with their options; each run is stopped before it begins."""
    calls: list[tuple[str, dict[str, Any]]] = []

    def run(name: str, **options: Any) -> None:
        calls.append((name, options))
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "run", run)
    return calls
