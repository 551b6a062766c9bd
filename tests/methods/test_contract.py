"""One contract for every registered method."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.base import clone

import actalike
from actalike import (
    ActalikeError,
    Embedding,
    EventLog,
    count_windows,
    embed,
    make_method,
    method_names,
    register,
)
from actalike.demo.loan_desk import loan_desk
from actalike.methods.registry import Method, complete, missing_extra

METHODS = method_names()


@pytest.fixture(scope="module")
def log():
    return loan_desk(cases=30)


@pytest.fixture(scope="module")
def embedding(name, log):
    """What a method learns from the log; learned once for all tests of the method."""
    method = make_method(name)
    assert method.fit(log) is method
    return method.embedding_


@pytest.mark.parametrize("name", METHODS, scope="module")
class TestContract:
    def test_fit_returns_self_and_leaves_an_embedding(self, name, log, embedding):
        assert isinstance(embedding, Embedding)
        assert embedding.activities == log.activities
        assert embedding.vectors.shape[0] == len(log.activities)
        assert embedding.method == name

    def test_distances_are_distances(self, log, embedding):
        distances = embedding.distances()
        assert distances.shape == (len(log.activities),) * 2
        assert np.isfinite(distances).all()
        assert (distances == distances.T).all()
        if embedding.compare == "scores":
            assert (distances == -embedding.vectors).all()
        else:
            assert (np.diag(distances) == 0).all()
            assert distances.min() >= 0

    def test_the_same_log_gives_the_same_bytes(self, name, log, embedding, tmp_path):
        embedding.save(tmp_path / "1.actalike")
        embed(EventLog.from_traces(log.traces()), name).save(tmp_path / "2.actalike")
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
        with pytest.raises(ValueError, match="nonsense"):
            method.set_params(nonsense=1)

    @pytest.mark.campaign
    def test_extreme_logs_are_embedded_too(self, name, log):
        for traces in ([["a"]], [["a", "a", "a"]], [["a", "b"]], [["", ".", "NA"]], [[str(i)] for i in range(50)]):
            extreme = EventLog.from_traces(traces)
            assert np.isfinite(embed(extreme, name).distances()).all()


@pytest.mark.parametrize("name", [name for name in METHODS if make_method(name).takes == "counts"])
def test_count_methods_take_a_table_of_a_larger_window(name, log):
    counts = count_windows(log, 9)
    assert (embed(counts, name).distances() == embed(log, name).distances()).all()


@pytest.mark.parametrize("name", METHODS)
def test_what_a_method_cannot_learn_from_is_refused(name, log):
    with pytest.raises(ActalikeError, match="EventLog"):
        make_method(name).fit([["a", "b"]])
    if make_method(name).takes == "log":
        counts = count_windows(log, 9)
        for fit in (lambda: embed(counts, name), lambda: make_method(name).fit(counts)):
            with pytest.raises(ActalikeError, match=name):
                fit()


def test_scores_are_made_from_window_counts(log):
    for function in (actalike.substitution_scores, actalike.insertion_scores):
        with pytest.raises(ActalikeError, match="WindowCounts"):
            function(log)


class Silent:
    """A method that says nothing of itself."""

    def fit(self, log):
        self.embedding_ = Embedding(log.activities, np.eye(len(log.activities)))
        return self


def test_what_a_method_does_not_say_is_filled_in():
    method = complete(Silent(), "mine-w7+svd3")
    assert (method.name, method.family, method.window, method.takes) == ("mine-w7+svd3", "mine", 7, "log")
    assert (method.needs, method.explains, method.reads_labels, method.parts, method.passes_over) == ((), True, False, (), "")
    assert isinstance(method.fit(EventLog.from_traces([["a"]])), Method)
    assert complete(Silent(), "mine").window is None


def test_what_a_method_says_of_itself_stays():
    said = {
        "name": "mine-w3", "family": "ours", "window": 3, "takes": "counts", "needs": ("x",), "explains": False,
        "reads_labels": True, "parts": ("count",), "passes_over": "variants, once",
    }  # fmt: skip
    method = complete(type("Eloquent", (Silent,), said)(), "other-w7")
    assert {attribute: getattr(method, attribute) for attribute in said} == said


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"fit": None}, r"has no fit\(log\)"),
        ({"takes": "traces"}, "traces"),
        ({"takes": "counts"}, "window"),
        ({"passes_over": 3}, "passes_over"),
    ],
)
def test_a_method_that_breaks_the_contract_is_refused(attributes, words):
    with pytest.raises(ActalikeError, match=words):
        complete(type("Broken", (Silent,), attributes)(), "mine")


def test_the_first_extra_that_is_missing_is_named():
    class Needed(NamedTuple):
        is_installed: bool
        remedy: str

    method = complete(Silent(), "mine")
    assert missing_extra(method) is None
    method.needs = (Needed(True, "pip install a"), Needed(False, "pip install b"), Needed(False, "pip install c"))
    assert missing_extra(method) == "pip install b"
    method.needs = method.needs[:1]
    assert missing_extra(method) is None


@dataclass(frozen=True)
class Frozen:
    def fit(self, log):
        object.__setattr__(self, "embedding_", embed(log, "one-hot"))
        return self


class Slotted:
    __slots__ = ("embedding_",)

    def fit(self, log):
        self.embedding_ = embed(log, "one-hot")
        return self


def test_a_frozen_estimator_is_completed_and_a_slotted_one_is_told_what_it_lacks(log):
    register("frozen", Frozen)
    assert embed(log, "frozen").method == "one-hot"
    register("slotted", Slotted)
    with pytest.raises(ActalikeError, match="name"):
        embed(log, "slotted")


def test_parts_that_are_no_names_are_refused(log):
    class Parts(Frozen):
        parts = 3

    register("parts", Parts)
    with pytest.raises(ActalikeError, match="tuple"):
        embed(log, "parts")


@pytest.mark.parametrize("name", [name for name in METHODS if make_method(name).takes == "counts" and name != "label-text"])
def test_a_method_says_whether_its_embedding_explains_itself(name, log):
    assert make_method(name).explains == embed(log, name).explains


def test_a_method_that_only_wraps_a_counting_one_keeps_its_intervals(log):
    class Wrapped:
        takes, window = "counts", 5

        def fit(self, source):
            self.embedding_ = make_method("kin-w5").fit(source).embedding_
            return self

    register("wrapped-w{n}", lambda window: Wrapped())
    assert embed(log, "wrapped-w5", counts=count_windows(log, 5)).resampler is not None
