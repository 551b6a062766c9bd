"""Times are noted with the machine and the versions that they are of."""

import platform
from types import SimpleNamespace

import numpy as np
import pytest

import actalike
from actalike.benchmark.efficiency import machine as module
from actalike.benchmark.efficiency.machine import machine, processor, versions
from actalike.support.extras import Extra


@pytest.fixture
def cpuinfo(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "Path", lambda name: tmp_path / "cpuinfo")
    monkeypatch.setattr(module, "_cores", lambda: 2)
    return tmp_path / "cpuinfo"


def test_the_processor_goes_by_the_name_that_linux_gives(cpuinfo):
    cpuinfo.write_text("processor\t: 0\nmodel name\t: Abacus 3000 @ 1 Hz \nflags\t\t: fpu\n\nmodel name\t: Abacus 3000 @ 1 Hz\n")
    assert processor() == "Abacus 3000 @ 1 Hz, 2 cores"


@pytest.mark.parametrize("text", [None, "processor\t: 0\n"])
def test_elsewhere_it_goes_by_the_name_that_python_gives(cpuinfo, monkeypatch, text):
    if text is not None:
        cpuinfo.write_text(text)
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(platform, "machine", lambda: "abacus64")
    assert processor() == "abacus64, 2 cores"
    monkeypatch.setattr(platform, "machine", lambda: "")
    assert processor() == "unknown processor, 2 cores"


def test_the_cores_are_those_that_this_process_may_use():
    assert machine()["processor"] == processor()
    assert int(processor().rpartition(", ")[2].removesuffix(" cores")) >= 1


def test_versions_are_of_what_every_method_uses_and_of_what_this_one_needs():
    numbers = versions(SimpleNamespace(needs=[Extra("plot", "matplotlib"), Extra("odd", "no-such-package")]))
    assert list(numbers) == ["actalike", "python", "numpy", "scipy", "matplotlib", "no-such-package"]
    assert (numbers["actalike"], numbers["numpy"]) == (actalike.__version__, np.__version__)
    assert numbers["no-such-package"] == "unknown"
