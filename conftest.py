"""For all tests and doctests: how they are shared out, and that methods which a test registers are gone after it."""

import os

# before NumPy and torch are loaded: tests run side by side, more threads would only wait
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gc
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule

from actalike.methods import registry
from tests.helpers import scheduling

gc.disable()  # until all tests are collected: hardly anything of what is imported and collected is garbage


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests where there are any: to import all other modules takes each worker a second."""
    collectors = yield
    has_examples = file_path.suffix == ".py" and ">>> " in file_path.read_text(encoding="utf-8")
    return [one for one in collectors if has_examples or not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the groups of tests that take longest."""
    items.sort(key=lambda item: scheduling.start_order(item.nodeid))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the tests and modules, which stay to the end: a look through them takes a tenth of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)  # tests leave little garbage, and look through all they use a hundred times less often
    gc.enable()


def pytest_sessionfinish() -> None:
    """Let Python free at its end what was spared: DuckDB prints a line for each of its objects that is still there."""
    gc.unfreeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say that tests were left out."""
    if terminalreporter.config.option.markexpr == "not campaign":
        terminalreporter.write_line("Campaigns were left out: make test-campaigns runs them.")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> scheduling.GroupScheduling:
    """Keep tests together that share a file, Java, a browser or real logs."""
    return scheduling.GroupScheduling(config, log)


@pytest.fixture(autouse=True)
def _registry_as_before() -> Iterator[None]:
    before = dict(registry._REGISTRY)
    yield
    registry._REGISTRY.clear()
    registry._REGISTRY.update(before)
