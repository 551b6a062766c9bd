"""The refinements of the count methods: each alone and all together, against the formulas; and their names."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike import (
    ActalikeError,
    CountEmbedder,
    Embedding,
    EventLog,
    PositionalEmbedder,
    UnknownMethodError,
    count_windows,
    embed,
    make_method,
    method_names,
    register,
)
from actalike.matrices.svd import reduce_rows
from actalike.methods.estimator import Estimator
from tests import oracle
from tests.helpers.examples import examples
from tests.helpers.strategies import traces
from tests.matrices.test_count_matrices import L1

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
        np.testing.assert_allclose(np.sort(found.vectors[[i]].data), np.sort(list(rows[label].values())), rtol=1e-9, atol=1e-12)
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

    def vectors(weighting, **switches):
        return make_method(f"{base}-{weighting}-w3").set_params(**switches).fit(counts).embedding_.vectors

    seen = vectors("raw").toarray() > 0
    smoothed = vectors("pmi", smoothing=smoothing)
    shifted = np.where(seen, smoothed.toarray() - np.log(shift), 0)
    refined = vectors("pmi", shift=shift, smoothing=smoothing)
    np.testing.assert_allclose(refined.toarray(), shifted, atol=1e-11)
    positive = vectors("ppmi", shift=shift, smoothing=smoothing)
    assert (positive.toarray() == np.maximum(0, refined.toarray())).all()
    if dimension is not None or exponent != 1:
        together = vectors("ppmi", shift=shift, smoothing=smoothing, dimension=dimension, exponent=exponent)
        assert (together == reduce_rows(positive, dimension, exponent)).all()


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
        with pytest.raises(ActalikeError, match=f"{next(iter(wrong))}=.* is not"):
            embedder.fit(L1)
    with pytest.raises(ActalikeError, match="is for the weightings pmi and ppmi"):
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
    with pytest.raises(UnknownMethodError, match=r"shifty-w3 has no switch \+svd"):
        make_method("shifty-w3+svd5")
