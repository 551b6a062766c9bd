"""Every engine in turn."""

import tempfile

import pytest

from actalike.counting.engines import frames as lazy_frames
from tests.helpers.engine_frames import ENGINES, REMOTE

IN_PROCESS = [engine for engine in ENGINES if engine != "spark-connect"]  # Connect and classic Spark do not share a process


@pytest.fixture
def no_memory(monkeypatch, tmp_path):
    """Let lazy frames of Polars hold no more than a few rows, and return the folder where they put the others."""
    monkeypatch.setattr(lazy_frames, "AT_ONCE", 50)
    monkeypatch.setattr(lazy_frames, "_BATCH", 2)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(params=IN_PROCESS)
def engine(request):
    return prepared(request)


@pytest.fixture(params=[engine for engine in IN_PROCESS if engine in REMOTE])
def database(request):
    return request.param


@pytest.fixture(params=[engine for engine in IN_PROCESS if engine not in REMOTE])
def in_memory(request):
    return prepared(request)


def prepared(request):
    if request.param == "polars-spilled":
        request.getfixturevalue("no_memory")
    return request.param
