"""One contract for every registered method."""

import sys

import numpy as np
import pytest
from sklearn.base import clone

import actalike
from actalike import (
    ActalikeError,
    Embedding,
    EventLog,
    UnknownMethodError,
    count_windows,
    embed,
    make_method,
    method_names,
    register,
)
from actalike.demo.loan_desk import loan_desk
from actalike.support.extras import Extra

METHODS = method_names()


@pytest.fixture(scope="module")
def log():
    return loan_desk(cases=30)


@pytest.mark.parametrize("name", METHODS)
class TestContract:
    def test_fit_returns_self_and_leaves_an_embedding(self, name, log):
        method = make_method(name)
        assert method.fit(log) is method
        embedding = method.embedding_
        assert isinstance(embedding, Embedding)
        assert embedding.activities == log.activities
        assert embedding.vectors.shape[0] == len(log.activities)
        assert embedding.method == name

    def test_distances_are_distances(self, name, log):
        embedding = embed(log, name)
        distances = embedding.distances()
        assert distances.shape == (len(log.activities),) * 2
        assert np.isfinite(distances).all()
        assert (distances == distances.T).all()
        if embedding.compare == "scores":
            assert (distances == -embedding.vectors).all()
        else:
            assert (np.diag(distances) == 0).all()
            assert distances.min() >= 0

    def test_the_same_log_gives_the_same_bytes(self, name, log, tmp_path):
        for i in (1, 2):
            embed(EventLog.from_traces(log.traces()), name).save(tmp_path / f"{i}.actalike")
        assert (tmp_path / "1.actalike").read_bytes() == (tmp_path / "2.actalike").read_bytes()

    def test_parameters_follow_the_conventions(self, name, log):
        method = make_method(name)
        copy = clone(method)
        assert copy is not method
        assert copy.get_params() == method.get_params()
        assert repr(copy) == repr(method)
        assert not hasattr(method, "embedding_")
        for parameter, value in method.get_params().items():
            assert method.set_params(**{parameter: value}) is method
        with pytest.raises(ValueError, match="no parameter 'nonsense'"):
            method.set_params(nonsense=1)

    def test_extreme_logs_are_embedded_too(self, name, log):
        for traces in ([["a"]], [["a", "a", "a"]], [["a", "b"]], [["", ".", "NA"]], [[str(i)] for i in range(50)]):
            extreme = EventLog.from_traces(traces)
            assert np.isfinite(embed(extreme, name).distances()).all()


@pytest.mark.parametrize("name", [name for name in METHODS if make_method(name).takes == "counts"])
def test_count_methods_take_a_table_of_a_larger_window(name, log):
    counts = count_windows(log, 9)
    assert (embed(counts, name).distances() == embed(log, name).distances()).all()


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


@pytest.mark.parametrize("name", METHODS)
def test_what_a_method_cannot_learn_from_is_refused(name, log):
    with pytest.raises(ActalikeError, match="takes an EventLog, not list"):
        make_method(name).fit([["a", "b"]])
    if make_method(name).takes == "log":
        counts = count_windows(log, 9)
        for fit in (lambda: embed(counts, name), lambda: make_method(name).fit(counts)):
            with pytest.raises(ActalikeError, match=f"{name} learns from the log itself"):
                fit()


def test_scores_are_made_from_window_counts(log):
    for function in (actalike.substitution_scores, actalike.insertion_scores):
        with pytest.raises(ActalikeError, match="takes WindowCounts, not EventLog"):
            function(log)


def test_any_window_is_allowed():
    log = EventLog.from_traces([["a", "b", "c"]])
    assert embed(log, "ac-multiset-ppmi-w7").method == "ac-multiset-ppmi-w7"
    assert embed(log, "aa-sequence-raw-w2").method == "aa-sequence-raw-w2"


def test_the_default_is_what_embed_uses():
    log = EventLog.from_traces([["a", "b"]])
    assert embed(log).method == actalike.DEFAULT_METHOD == "kin-w5"


@pytest.mark.parametrize(
    "name",
    [
        "aa-sequnce-pmi-w3",
        "ac-sequence-pmi",
        "act2vec-cbow",
        "ac-sequence-pmi-span3",
        "ac-sequence-pmi-w0",
        "ac-sequence-pmi-w{n}",
        "",
        "w3",
    ],
)
def test_an_unknown_method_is_an_error(name):
    with pytest.raises(UnknownMethodError, match="actalike methods"):
        make_method(name)


def test_a_close_method_is_suggested():
    with pytest.raises(UnknownMethodError, match="Did you mean 'aa-sequence-pmi-w3'"):
        make_method("aa-sequnce-pmi-w3")


def test_unknown_parameters_are_found_by_fit():
    with pytest.raises(ActalikeError, match="weighting='tfidf' is none of raw, pmi, ppmi"):
        actalike.CountEmbedder(weighting="tfidf").fit(EventLog.from_traces([["a"]]))


class Mine:
    def __init__(self, window=3):
        self.window = window

    def fit(self, log):
        self.embedding_ = Embedding(log.activities, np.full((len(log.activities), 1), self.window))
        return self


def test_a_method_of_ones_own_takes_part():
    log = EventLog.from_traces([["a", "b"]])
    register("mine", Mine)
    register("mine-w{n}", Mine, windows=(3, 7))
    assert [name for name in method_names() if name.startswith("mine")] == ["mine", "mine-w3", "mine-w7"]
    assert embed(log, "mine").vectors.tolist() == [[3], [3]]
    assert embed(log, "mine").method == "mine"
    assert embed(log, "mine-w21").vectors.tolist() == [[21], [21]]


def test_what_cannot_be_a_method_is_refused():
    with pytest.raises(ActalikeError, match="lower-case"):
        register("My Method", Mine)
    with pytest.raises(ActalikeError, match="callable"):
        register("mine", Mine())
    register("wrong", lambda: type("Wrong", (), {"fit": lambda self, log: self, "embedding_": 3})())
    with pytest.raises(ActalikeError, match="not an Embedding"):
        embed(EventLog.from_traces([["a"]]), "wrong")
    with pytest.raises(ActalikeError, match="read_log"):
        embed([["a"]])
