"""Packages that are not there, or broken: one sentence with the remedy."""

import sys

import pytest

import actalike
from actalike import (
    embed,
)
from actalike.demo.loan_desk import loan_desk
from actalike.support.extras import Extra


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
    with pytest.raises(actalike.MissingExtraError, match=r"cannot be loaded \(libfoo.so is missing\)"):
        Extra("neural", "broken_package").load()
