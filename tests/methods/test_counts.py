"""The count methods: all settings of the paper, counts by position, their refinements, and the one-hot baseline."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike import (
    ActalikeError,
    CountEmbedder,
    Embedding,
    EventLog,
    OneHotEmbedder,
    PositionalEmbedder,
    UnknownMethodError,
    count_windows,
    embed,
    load,
    make_method,
    method_names,
    register,
)
from actalike.matrices import WEIGHTINGS, activity_position, reduce_rows
from actalike.methods import Estimator
from tests import oracle
from tests.helpers.examples import examples, real_logs
from tests.helpers.strategies import logs, traces

L1 = EventLog.from_traces([list("abcde")] * 5 + [list("addbe")])
POSITIONAL_WEIGHTINGS = [*WEIGHTINGS, "hellinger"]


def assert_equals_oracle(log, method):
    embedder = CountEmbedder().set_params(**_params(method)).fit(log)
    found = embedder.embedding_
    rows = oracle.vectors(log.traces(), embedder.matrix, embedder.context, embedder.weighting, embedder.window)
    assert found.activities == sorted(rows)
    np.testing.assert_allclose(found.distances(), _robust_distances(rows), atol=1e-12, rtol=0)
    for i, label in enumerate(found.activities):
        ours = found.stored_vectors[[i]].data
        theirs = [w for w in rows[label].values() if abs(w) > 1e-12]
        np.testing.assert_allclose(np.sort(ours), np.sort(theirs), atol=1e-12, rtol=1e-12)


def _robust_distances(rows):
    """The oracle's, where logarithms of 1 that came out as 1e-16 count as the zeros that they are."""
    return oracle.distances({a: {c: w for c, w in row.items() if abs(w) > 1e-12} for a, row in rows.items()})


def _params(method):
    matrix, context, weighting, window = method.split("-")
    return {
        "matrix": {"ac": "activity-context", "aa": "activity-activity"}[matrix],
        "context": context, "weighting": weighting, "window": int(window[1:]),
    }  # fmt: skip


COUNT_METHODS = [
    f"{m}-{c}-{w}-w{n}" for m in ("ac", "aa") for c in ("sequence", "multiset") for w in ("raw", "pmi", "ppmi") for n in (3, 5, 9)
]


def test_the_36_settings_are_registered():
    assert len(COUNT_METHODS) == 36
    assert set(COUNT_METHODS) <= set(method_names())


@pytest.mark.parametrize("method", COUNT_METHODS)
@pytest.mark.parametrize("name", real_logs("BPIC13_open_problems", campaign=["Helpdesk", "BPIC20_PrepaidTravelCost"]))
def test_every_setting_equals_the_oracle_on_real_logs(real_log, name, method):
    assert_equals_oracle(real_log(name), method)


@pytest.mark.parametrize("method", [*COUNT_METHODS, "ac-sequence-pmi-w4", "aa-multiset-pmi-w2", "ac-multiset-ppmi-w1"])
@examples(8)
@given(log=logs())
def test_every_setting_equals_the_oracle_on_generated_logs(method, log):
    assert_equals_oracle(log, method)


@given(traces())
def test_new_names_change_nothing_but_the_names(given_traces):
    log = EventLog.from_traces(given_traces)
    name = {label: f"{i:03}" for i, label in enumerate(log.activities)}  # the same order, so the same rows
    renamed = EventLog.from_traces([[name[label] for label in trace] for trace in given_traces])
    for method in ("ac-sequence-pmi-w5", "aa-multiset-raw-w3"):
        assert (embed(log, method).distances() == embed(renamed, method).distances()).all()


# Counts by position


@pytest.mark.parametrize("weighting", POSITIONAL_WEIGHTINGS)
@given(cases=traces(st.sampled_from("abcd")), window=st.integers(1, 6))
def test_positional_distances_are_as_defined(weighting, cases, window):
    log = EventLog.from_traces(cases)
    found = embed(log, f"positional-{weighting}-w{window}").distances()
    assert found == pytest.approx(np.array(oracle.distances(oracle.positional(cases, weighting, window))), abs=1e-9)


@pytest.mark.parametrize("name", real_logs("CCC19", "BPIC13_closed_problems", campaign=["Helpdesk"]))
@pytest.mark.parametrize("weighting", POSITIONAL_WEIGHTINGS)
def test_positional_distances_are_as_defined_on_real_logs(real_log, name, weighting):
    log = real_log(name)
    expected = oracle.distances(oracle.positional(log.traces(), weighting, 5))
    assert embed(log, f"positional-{weighting}-w5").distances() == pytest.approx(np.array(expected), abs=1e-9)


@given(cases=traces(st.sampled_from("abcd")), window=st.integers(2, 6))
def test_every_event_has_one_neighbour_at_each_place(cases, window):
    matrix = activity_position(count_windows(EventLog.from_traces(cases), window))
    assert (matrix.counts.sum(axis=1) == (window - 1) * matrix.rows).all()


def test_explanations_by_position_are_exact_and_read_well(tmp_path):
    log = EventLog.from_traces([["x", "u", "a", "y"], ["x", "v", "b", "y"], ["x", "u", "b"]])
    embedding = embed(log, "positional-hellinger-w5")
    shares = embedding.explain("a", "b", None)
    assert sum(share.share for share in shares) == pytest.approx(embedding.similarity("a", "b"))
    assert {share.context for share in shares} == {"x → · → ●", "u → ●", "● → y", "● → · → (end)"}
    assert shares[0].symbols in {("x",), ("u",), ("y",), (None,)}
    embedding.save(tmp_path / "positional.actalike")
    assert load(tmp_path / "positional.actalike").explain("a", "b", None) == shares


def test_an_unknown_weighting_of_positions_is_an_error():
    with pytest.raises(ActalikeError, match="hellinger"):
        PositionalEmbedder("tfidf").fit(EventLog.from_traces([["a"]]))


# Refinements


BASES = ["ac-sequence", "ac-multiset", "aa-sequence", "aa-multiset", "positional"]
shifts = st.sampled_from([1, 1.5, 5])
smoothings = st.sampled_from([1, 0.75, 0.5])
dimensions = st.sampled_from([None, 1, 2, 50])
exponents = st.sampled_from([1, 0.5, 0])


def weighted_by_definition(embedder, cases):
    refinements = (embedder.shift, embedder.smoothing)
    if isinstance(embedder, PositionalEmbedder):
        rows = oracle.positional(cases, embedder.weighting, embedder.window, *refinements)
    else:
        rows = oracle.vectors(cases, embedder.matrix, embedder.context, embedder.weighting, embedder.window, *refinements)
    return {a: {c: w for c, w in row.items() if abs(w) > 1e-11} for a, row in rows.items()}  # ln 1, rounded


def by_definition(embedder, cases):
    rows = weighted_by_definition(embedder, cases)
    if embedder.dimension is not None or embedder.exponent != 1:
        rows = oracle.svd(rows, embedder.dimension, embedder.exponent)
    return np.array(oracle.distances(rows))


def cut_is_clear(rows, dimension):
    """Whether singular values at the cut are equal or clearly different, and clearly something or nothing."""
    columns = sorted({c for row in rows.values() for c in row}, key=repr)
    values = np.linalg.svd([[row.get(c, 0.0) for c in columns] for row in rows.values()], compute_uv=False) if columns else [0.0]
    gaps = [abs(value - values[min(dimension or len(values), len(values)) - 1]) for value in values]
    return not any(1e-9 * values[0] < number < 1e-4 * values[0] for number in [*values, *gaps])


@pytest.mark.parametrize("weighting", ["pmi", "ppmi"])
@pytest.mark.parametrize("base", BASES)
@examples(8)
@given(cases=traces(st.sampled_from("abcde")), window=st.integers(1, 5), shift=shifts, smoothing=smoothings)
def test_shift_and_smoothing_are_as_defined(base, weighting, cases, window, shift, smoothing):
    embedder = make_method(f"{base}-{weighting}-w{window}").set_params(shift=shift, smoothing=smoothing)
    found = embedder.fit(EventLog.from_traces(cases)).embedding_
    rows = weighted_by_definition(embedder, cases)
    assert found.activities == sorted(rows)
    for i, label in enumerate(found.activities):
        np.testing.assert_allclose(
            np.sort(found.stored_vectors[[i]].data), np.sort(list(rows[label].values())), rtol=1e-9, atol=1e-12
        )
    assert found.distances() == pytest.approx(by_definition(embedder, cases), abs=1e-9)


@pytest.mark.parametrize("base", BASES)
@examples(15)
@given(
    cases=traces(st.sampled_from("abcde")), weighting=st.sampled_from(["raw", "pmi", "ppmi"]), window=st.integers(1, 5),
    shift=shifts, smoothing=smoothings, dimension=dimensions, exponent=exponents,
)  # fmt: skip
def test_every_combination_is_as_defined(base, cases, weighting, window, shift, smoothing, dimension, exponent):
    refinements = {"dimension": dimension, "exponent": exponent}
    if weighting != "raw":
        refinements |= {"shift": shift, "smoothing": smoothing}
    embedder = make_method(f"{base}-{weighting}-w{window}").set_params(**refinements)
    assume(cut_is_clear(weighted_by_definition(embedder, cases), dimension))
    found = embedder.fit(EventLog.from_traces(cases)).embedding_.distances()
    assert found == pytest.approx(by_definition(embedder, cases), abs=1e-6)


@pytest.mark.parametrize("switches", ["+shift5", "+smooth0.75", "+svd4", "+power0", "+shift2+smooth0.5+svd3+power0.5"])
@pytest.mark.parametrize("base", ["aa-sequence-pmi-w3", "ac-sequence-ppmi-w5", "ac-multiset-pmi-w3", "positional-ppmi-w5"])
@pytest.mark.parametrize("name", ["Helpdesk", "BPIC13_closed_problems"])
def test_real_logs_are_as_defined(real_log, name, base, switches):
    log = real_log(name)
    embedder = make_method(base + switches)
    assert cut_is_clear(weighted_by_definition(embedder, log.traces()), embedder.dimension)
    assert embedder.fit(log).embedding_.distances() == pytest.approx(by_definition(embedder, log.traces()), abs=1e-6)


@pytest.mark.parametrize("base", BASES)
@examples(12)
@given(cases=traces(), shift=shifts, smoothing=smoothings, dimension=dimensions, exponent=exponents)
def test_the_switches_are_independent_of_each_other(base, cases, shift, smoothing, dimension, exponent):
    """All together are one after the other: smooth, shift, cut at zero, reduce."""
    counts = count_windows(EventLog.from_traces(cases), 3)

    def embedded(weighting, **switches):
        return make_method(f"{base}-{weighting}-w3").set_params(**switches).fit(counts).embedding_

    seen = embedded("raw").vectors > 0
    smoothed = embedded("pmi", smoothing=smoothing).vectors
    shifted = np.where(seen, smoothed - np.log(shift), 0)
    refined = embedded("pmi", shift=shift, smoothing=smoothing).vectors
    np.testing.assert_allclose(refined, shifted, atol=1e-11)
    positive = embedded("ppmi", shift=shift, smoothing=smoothing)
    assert (positive.vectors == np.maximum(0, refined)).all()
    if dimension is not None or exponent != 1:
        together = embedded("ppmi", shift=shift, smoothing=smoothing, dimension=dimension, exponent=exponent)
        assert (together.vectors == reduce_rows(positive.stored_vectors, dimension, exponent)).all()


@pytest.mark.parametrize("name", [name for name in method_names() if name.startswith(("ac-", "aa-", "positional-"))])
def test_switched_off_they_change_no_byte(name, tmp_path):
    off = {"shift": 1.0, "smoothing": 1.0, "dimension": None, "exponent": 1.0}
    make_method(name).fit(L1).embedding_.save(tmp_path / "without.actalike")
    make_method(name).set_params(**off).fit(L1).embedding_.save(tmp_path / "off.actalike")
    assert (tmp_path / "off.actalike").read_bytes() == (tmp_path / "without.actalike").read_bytes()


@pytest.mark.parametrize(
    "name", ["ac-sequence-ppmi-w5+shift5+smooth0.75+svd50+power0.5", "positional-hellinger-w3+svd2", "aa-multiset-raw-w3+power0"]
)
def test_refined_methods_are_methods(name, tmp_path):
    for i, log in enumerate((L1, EventLog.from_traces(L1.traces()))):
        embedding = embed(log, name)
        assert embedding.method == name == make_method(name).name
        embedding.save(tmp_path / f"{i}.actalike")
    assert (tmp_path / "0.actalike").read_bytes() == (tmp_path / "1.actalike").read_bytes()
    assert (embed(count_windows(L1, 9), name).distances() == embedding.distances()).all()
    for cases in ([["a"]], [["a", "a", "a"]], [["a", "b"]], [[str(i)] for i in range(50)]):
        assert np.isfinite(embed(EventLog.from_traces(cases), name).distances()).all()


@pytest.mark.parametrize(
    "wrong", [{"shift": 0}, {"shift": "5"}, {"shift": float("nan")}, {"smoothing": None}, {"dimension": 2.0}, {"exponent": -1}]
)
def test_fit_refuses_wrong_values(wrong):
    for embedder in (CountEmbedder(**wrong), PositionalEmbedder(**wrong)):
        with pytest.raises(ActalikeError, match=f"{next(iter(wrong))}="):
            embedder.fit(L1)
    with pytest.raises(ActalikeError, match="weightings"):
        CountEmbedder(weighting="raw", smoothing=0.5).fit(L1)


class Mine(Estimator):
    def __init__(self, window=3, shift=1):
        self.window = window
        self.shift = shift

    def fit(self, log):
        self.embedding_ = Embedding(log.activities, np.full((len(log.activities), 1), float(self.shift)))
        return self


def test_a_method_of_ones_own_has_the_switches_that_it_has_parameters_for():
    register("shifty-w{n}", Mine)
    assert embed(L1, "shifty-w3+shift5").vectors[0] == 5
    assert embed(L1, "shifty-w3+shift5").method == "shifty-w3+shift5"
    with pytest.raises(UnknownMethodError, match="switch"):
        make_method("shifty-w3+svd5")


# One-hot


@given(logs())
def test_every_activity_is_as_far_from_every_other(log):
    n = len(log.activities)
    embedding = OneHotEmbedder().fit(log).embedding_
    assert (embedding.activities, embedding.method) == (log.activities, "one-hot")
    assert embedding.distances() == pytest.approx(1 - np.eye(n))
    assert (embed(count_windows(log, 3), "one-hot").stored_vectors != embedding.stored_vectors).nnz == 0
