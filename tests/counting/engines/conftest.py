"""Every engine in turn."""

import pytest

from tests.helpers.engine_frames import ENGINES, REMOTE

IN_PROCESS = [engine for engine in ENGINES if engine != "spark-connect"]  # Connect and classic Spark do not share a process


@pytest.fixture(params=IN_PROCESS)
def engine(request):
    return request.param


@pytest.fixture(params=[engine for engine in IN_PROCESS if engine in REMOTE])
def database(request):
    return request.param


@pytest.fixture(params=[engine for engine in IN_PROCESS if engine not in REMOTE])
def in_memory(request):
    return request.param
