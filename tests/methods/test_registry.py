"""Methods by name: those that come with actalike, and those of one's own; names, windows and refinements in a name."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from actalike.methods import MethodName, by_number, family_of, full_name


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
        "ac-sequence-pmi-w0",
    ],
)
def test_an_unknown_method_is_an_error(name):
    with pytest.raises(UnknownMethodError, match="actalike methods"):
        make_method(name)


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


@pytest.mark.parametrize("name", ["kin-w5", "kin", "kin-w{n}", "one-hot"])
def test_a_method_of_ones_own_cannot_take_the_name_of_another(name):
    before = embed(EventLog.from_traces([["a", "b"]]))
    with pytest.raises(ActalikeError, match="choose another name"):
        register(name, Mine)
    assert np.array_equal(embed(EventLog.from_traces([["a", "b"]])).vectors, before.vectors)


def test_a_method_that_forgets_to_return_itself_is_told_so():
    register("forgets", type("Forgets", (), {"fit": lambda self, log: None}))
    with pytest.raises(ActalikeError, match="return self"):
        embed(EventLog.from_traces([["a"]]), "forgets")


def test_what_cannot_be_a_method_is_refused():
    with pytest.raises(ActalikeError, match="lower-case"):
        register("My Method", Mine)
    with pytest.raises(ActalikeError, match="callable"):
        register("mine", Mine())
    register("wrong", lambda: type("Wrong", (), {"fit": lambda self, log: self, "embedding_": 3})())
    with pytest.raises(ActalikeError, match="Embedding"):
        embed(EventLog.from_traces([["a"]]), "wrong")
    with pytest.raises(ActalikeError, match="read_log"):
        embed([["a"]])


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


def test_the_default_window_is_the_factorys_or_else_the_first():
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
def test_a_name_is_made_of_few_signs(name):
    with pytest.raises(ActalikeError, match="lower-case"):
        register(name, Mine)


class Faulty(Mine):
    def __init__(self, window=3):
        raise KeyError("weights")


def test_a_fault_in_the_constructor_of_a_method_is_shown_with_its_cause():
    register("faulty", Faulty)
    register("faulty-w{n}", Faulty)
    for use in (
        lambda: family_of("faulty"),
        lambda: make_method("faulty-w7"),
        lambda: embed(EventLog.from_traces([["a"]]), "faulty"),
    ):
        with pytest.raises(ActalikeError, match=r"faulty.*KeyError.*weights") as caught:
            use()
        assert isinstance(caught.value.__cause__, KeyError)


class TakesALog(Mine):
    def fit(self, log):
        assert isinstance(log, EventLog)
        return super().fit(log)


class TestGivenCounts:
    """Windows that were counted already."""

    def test_they_are_used_if_their_window_is_large_enough(self, log, monkeypatch):
        monkeypatch.setattr("actalike.methods.registry.count_windows", None)
        for window in (5, 9):
            embedding = embed(log, "kin-w5", counts=count_windows(log, window))
            assert embedding.similarity("Pay out", "Transfer loan") > 0.5
            assert embedding.resampler is not None

    @pytest.mark.parametrize("method", ["kin-w5", "one-hot", "takes-a-log"])
    def test_a_smaller_window_or_a_method_that_does_not_count_takes_the_log(self, log, method):
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


def test_an_embedding_keeps_the_name_that_it_has():
    named = Embedding(["a"], [[1.0]], method="its own name")
    register("named", lambda: type("Named", (), {"fit": lambda self, log: self, "embedding_": named})())
    assert embed(EventLog.from_traces([["a"]]), "named").method == "its own name"


# Names


BASES = ["ac-sequence", "ac-multiset", "aa-sequence", "aa-multiset", "positional"]


@given(
    base=st.sampled_from(BASES), weighting=st.sampled_from(["pmi", "ppmi"]), window=st.integers(1, 50), shift=st.floats(1, 1e6),
    smoothing=st.floats(0, 1, exclude_min=True), dimension=st.none() | st.integers(1, 10**6), exponent=st.floats(0, 1),
)  # fmt: skip
def test_names_tell_the_parameters_and_back(base, weighting, window, shift, smoothing, dimension, exponent):
    refinements = {"shift": shift, "smoothing": smoothing, "dimension": dimension, "exponent": abs(exponent)}
    embedder = make_method(f"{base}-{weighting}-w{window}").set_params(**refinements)
    again = make_method(embedder.name)
    assert again.get_params() == embedder.get_params()
    assert again.name == embedder.name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("aa-sequnce-pmi-w3+shift5", "Did you mean 'aa-sequence-pmi-w3'"),
        ("aa-sequence-pmi-w3+", "has '+', where only"),
        ("aa-sequence-pmi-w3+shfit5", "has '+shfit5', where only"),
        ("aa-sequence-pmi-w3+svd5\n", r"has '+svd5\n', where only"),
        ("aa-sequence-pmi+shift5-w3", "has '+shift5-w3', where only"),
        ("aa-sequence-pmi-w3+svd50+shift5", "'aa-sequence-pmi-w3+shift5+svd50'"),
        ("aa-sequence-pmi-w3+shift5.0", "'aa-sequence-pmi-w3+shift5'"),
        ("aa-sequence-pmi-w3+shift5+shift5", "'aa-sequence-pmi-w3+shift5'"),
        ("aa-sequence-pmi-w3+shift0.5", "shift=0.5"),
        ("aa-sequence-pmi-w3+smooth2", "smoothing=2"),
        ("aa-sequence-pmi-w3+svd1.5", "dimension=1.5"),
        ("aa-sequence-pmi-w3+power2", "exponent=2"),
        ("aa-sequence-raw-w3+shift5", "shift=5"),
        ("kin-w5+shift5", "kin-w5 has no switch +shift"),
        ("one-hot+svd5", "one-hot has no switch +svd"),
    ],
)  # fmt: skip
def test_a_wrong_name_is_an_error_in_one_sentence(name, said):
    with pytest.raises(ActalikeError, match=re.escape(said)) as caught:
        make_method(name)
    if "=" not in said:
        assert isinstance(caught.value, UnknownMethodError)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("kin-w5", ("kin", "w", 5, "")),
        ("act2vec-cbow-span11", ("act2vec-cbow", "span", 11, "")),
        ("aa-sequence-pmi-w3+shift5+svd16", ("aa-sequence-pmi", "w", 3, "+shift5+svd16")),
        ("aa-sequence-pmi+svd16", ("aa-sequence-pmi", "", None, "+svd16")),
        ("kin-w3-w5", ("kin-w3", "w", 5, "")),
        ("kin-w10000", ("kin-w10000", "", None, "")),
        ("kin-w0", ("kin-w0", "", None, "")),
    ],
)
def test_a_name_has_a_stem_a_window_and_refinements(name, parts):
    assert MethodName.parse(name) == parts


@pytest.mark.parametrize(
    ("name", "pattern", "without_window"),
    [
        ("kin-w5", "kin-w{n}", "kin"),
        ("act2vec-cbow-span3", "act2vec-cbow-span{n}", "act2vec-cbow"),
        ("aa-sequence-pmi-w3+svd16", "aa-sequence-pmi-w{n}", "aa-sequence-pmi+svd16"),
        ("one-hot", "one-hot", "one-hot"),
    ],
)
def test_methods_that_differ_in_the_window_have_the_same_pattern(name, pattern, without_window):
    assert (MethodName.parse(name).pattern, MethodName.parse(name).without_window) == (pattern, without_window)


def test_names_are_sorted_by_their_numbers():
    names = ["a-w9", "a-w11", "a-w11+svd8", "a-w11+svd16", "b-w3", "b10-w3"]
    assert sorted(sorted(names), key=by_number) == names


# Parameters


def test_unknown_parameters_are_found_by_fit():
    with pytest.raises(ActalikeError, match="tfidf"):
        actalike.CountEmbedder(weighting="tfidf").fit(EventLog.from_traces([["a"]]))


@pytest.mark.parametrize("window", [np.int8(3), np.uint64(3)])
def test_the_window_of_a_method_may_be_an_integer_of_numpy(window):
    log = EventLog.from_traces([["a", "b", "c"], ["a", "c"]] * 20)
    embedding, expected = (actalike.KinEmbedder(window=n).fit(log).embedding_ for n in (window, 3))
    assert embedding.confidence("a", "b") == expected.confidence("a", "b")
