"""Packages that are not there, or broken: one sentence with the remedy."""

import subprocess
import sys

import pytest

import actalike
from actalike import (
    embed,
)
from actalike.demo.loan_desk import loan_desk
from actalike.support.extras import Extra
from tests.helpers.commands import fails


@pytest.fixture(scope="module")
def log():
    return loan_desk(cases=30)


MISSING = [("act2vec-cbow-w3", "gensim", "neural"), ("autoencoder-w3", "torch", "neural"), ("process-structure", "pm4py", "process-models"),
           ("label-text", "sentence_transformers", "text")]  # fmt: skip


@pytest.mark.parametrize(("name", "package", "extra"), MISSING)
def test_a_missing_extra_is_one_sentence_with_the_remedy(name, package, extra, log, monkeypatch):
    for loaded in [module for module in sys.modules if module.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, loaded, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(actalike.MissingExtraError) as caught:
        embed(log, name)
    assert str(caught.value) == f"{name} needs {package}: pip install 'actalike[{extra}]'."


def test_a_package_that_is_there_but_broken_says_so(log, tmp_path, monkeypatch):
    (tmp_path / "broken_package.py").write_text("raise ImportError('libfoo.so is missing')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(actalike.MissingExtraError, match="loaded"):
        Extra("neural", "broken_package").load()


@pytest.mark.parametrize("package", ["joblib", "cloudpickle"])
def test_running_a_benchmark_without_its_extra_is_one_sentence_with_the_remedy(package, log, tmp_path, monkeypatch):
    actalike.write_log(log, tmp_path / "log.csv")
    for loaded in [module for module in sys.modules if module.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, loaded, None)
    monkeypatch.setitem(sys.modules, package, None)
    said = fails("benchmark", "intrinsic", "--logs", tmp_path / "log.csv", "--out", tmp_path / "out")
    assert package in said
    assert "pip install 'actalike[benchmark]'" in said
    assert not (tmp_path / "out").exists()


def test_results_of_benchmarks_are_tabulated_without_an_extra(log, tmp_path):
    """The packages of the extra are loaded by none of the six benchmarks until it runs."""
    actalike.write_log(log, tmp_path / "log.csv")
    actalike.benchmark.run("intrinsic", logs=[tmp_path / "log.csv"], out=tmp_path / "out", methods=["one-hot"], r=[1], w=[2])
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['joblib', 'cloudpickle', 'sklearn', 'matplotlib', 'torch']))\n"
        "from actalike import benchmark\n"
        "for name in benchmark.BENCHMARKS: benchmark.get(name)\n"
        f"print(benchmark.table({str(tmp_path / 'out')!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "one-hot" in done.stdout
