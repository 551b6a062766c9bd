"""Methods by name: those that are there, and those of one's own."""

import numpy as np
import pytest

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
from actalike.methods import registry
from actalike.methods.registry import family_of, full_name


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


@pytest.fixture
def own_registry(monkeypatch):
    """Forget what a test registers."""
    monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("kin", "kin-w5"),
        ("ac-sequence-pmi+svd16", "ac-sequence-pmi-w3+svd16"),
        ("act2vec-cbow", "act2vec-cbow-w3"),
        ("kin-w7", "kin-w7"),
        ("one-hot", "one-hot"),
        ("no-such-method", "no-such-method"),
    ],
)
def test_a_name_without_its_window_has_the_default_window(name, full):
    assert full_name(name) == full


def test_the_default_window_is_the_factorys_or_else_the_first(own_registry):
    register("mine-with-default-w{n}", Mine, windows=(5, 7))
    register("mine-without-w{n}", lambda window: Mine(window), windows=(7, 5))
    register("mine-with-none-w{n}", lambda window=None: Mine(window), windows=(9,))
    register("mine-unlisted-w{n}", lambda window: Mine(window), windows=())
    assert full_name("mine-with-default") == "mine-with-default-w3"
    assert full_name("mine-without") == "mine-without-w7"
    assert full_name("mine-with-none") == "mine-with-none-w9"
    assert full_name("mine-unlisted") == "mine-unlisted"


def test_windows_that_are_listed_are_those_of_the_paper():
    assert [name for name in method_names() if name.startswith("kin-")] == ["kin-w3", "kin-w5", "kin-w9"]
    assert [name for name in method_names() if name.startswith("autoencoder")] == ["autoencoder-w3", "autoencoder-masked-w3"]


def test_names_lead_to_the_parameters_of_their_methods():
    assert make_method("act2vec-skipgram-span4").get_params()["span"] is True
    assert make_method("act2vec-skipgram-w3").get_params()["span"] is False
    assert make_method("autoencoder-masked-w5").get_params()["masked"] is True
    assert make_method("process-structure-fixed").get_params()["fixed"] is True


def test_the_family_of_an_unknown_method_is_its_stem():
    assert (family_of("kin-w7"), family_of("somebody-elses-w5+svd3")) == ("kin", "somebody-elses")


@pytest.mark.parametrize("name", ["Mine", "mine w3", "-mine", "", "mine-w{n}-x", "mine-{n}"])
def test_a_name_is_made_of_few_signs(own_registry, name):
    with pytest.raises(ActalikeError, match="lower-case"):
        register(name, Mine)


class TakesALog(Mine):
    def fit(self, log):
        assert isinstance(log, EventLog)
        return super().fit(log)


class TestGivenCounts:
    """Windows that were counted already."""

    def test_they_are_used_if_their_window_is_large_enough(self, log, monkeypatch):
        monkeypatch.setattr("actalike.methods.estimator.count_windows", None)
        for window in (5, 9):
            embedding = embed(log, "kin-w5", counts=count_windows(log, window))
            assert embedding.similarity("Pay out", "Transfer loan") > 0.5
            assert embedding.resampler is not None

    @pytest.mark.parametrize("method", ["kin-w5", "one-hot", "takes-a-log"])
    def test_a_smaller_window_or_a_method_that_does_not_count_takes_the_log(self, log, method, own_registry):
        register("takes-a-log", TakesALog)
        embedding = embed(log, method, counts=count_windows(log, 3))
        assert (embedding.distances() == embed(log, method).distances()).all()

    def test_their_embedding_has_the_same_intervals(self, log):
        pair = ("Pay out", "Transfer loan")
        given = embed(log, "kin-w3", counts=count_windows(log, 5)).confidence(*pair, resamples=20)
        assert given == embed(log, "kin-w3").confidence(*pair, resamples=20)

    def test_those_of_another_log_are_refused(self):
        log = EventLog.from_traces([["a", "b"]])
        for other in ([["a", "b"]] * 2, [["a", "c"]]):
            with pytest.raises(ActalikeError, match="other activities or events"):
                embed(log, counts=count_windows(EventLog.from_traces(other), 5))


def test_an_embedding_keeps_the_name_that_it_has(own_registry):
    named = Embedding(["a"], [[1.0]], method="its own name")
    register("named", lambda: type("Named", (), {"fit": lambda self, log: self, "embedding_": named})())
    assert embed(EventLog.from_traces([["a"]]), "named").method == "its own name"
