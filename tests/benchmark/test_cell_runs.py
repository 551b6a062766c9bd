from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from actalike.benchmark.cell_runs import check_same_run, compute_cells
from actalike.benchmark.record import Failure
from actalike.errors import ActalikeError


def test_progress_and_failures_are_told():
    told = []

    @contextmanager
    def progress(title, n):
        told.append((title, n))
        yield told.append

    computed = [(SimpleNamespace(log="a"), {"zhu": "no luck"}), (SimpleNamespace(log="b"), {})]
    outcome = compute_cells(
        "work", computed, lambda cell: f"on {cell.log}", n_cells=5, n_missing=2, out=Path("out"), logs=["a", "b"],
        methods=["zhu"], progress=progress,
    )  # fmt: skip
    assert told == [("work", 2), "on a", "on b"]
    assert (outcome.cells, outcome.computed, outcome.failed, outcome.failures) == (5, 2, 1, (Failure("zhu", "a", "no luck"),))


def test_a_file_of_another_run_is_refused():
    check_same_run(Path("a.json"), {"seed": 1, "more": 2}, {"seed": 1})
    with pytest.raises(ActalikeError, match="seed"):
        check_same_run(Path("a.json"), {"seed": 1}, {"seed": 2})
