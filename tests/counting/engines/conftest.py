"""Every engine in turn."""

import pytest

from tests.helpers.engine_frames import ENGINES, REMOTE, SLOW, SPARK

IN_PROCESS = [engine for engine in ENGINES if engine != "spark-connect"]  # Connect and classic Spark do not share a process


def kept_together(engines):
    return [pytest.param(engine, marks=SPARK) if engine in SLOW else engine for engine in engines]


@pytest.fixture(params=kept_together(IN_PROCESS))
def engine(request):
    return request.param


@pytest.fixture(params=kept_together(engine for engine in IN_PROCESS if engine in REMOTE))
def database(request):
    return request.param


@pytest.fixture(params=[engine for engine in IN_PROCESS if engine not in REMOTE])
def in_memory(request):
    return request.param
