"""Methods by name: those that are there, and those of one's own."""

import numpy as np
import pytest

import actalike
from actalike import (
    ActalikeError,
    Embedding,
    EventLog,
    UnknownMethodError,
    embed,
    make_method,
    method_names,
    register,
)
from actalike.demo.loan_desk import loan_desk


@pytest.fixture(scope="module")
def log():
    return loan_desk(cases=30)


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
        "ac-sequence",
        "ac-sequence-pmi-w",
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
