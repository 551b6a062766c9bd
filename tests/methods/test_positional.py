import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, embed, load
from actalike.matrices.count_matrices import activity_position
from actalike.methods.positional import POSITIONAL_WEIGHTINGS, PositionalEmbedder
from tests import oracle
from tests.helpers.strategies import traces

WEIGHTINGS = list(POSITIONAL_WEIGHTINGS)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@given(cases=traces(st.sampled_from("abcd")), window=st.integers(1, 6))
def test_distances_are_as_defined(weighting, cases, window):
    log = EventLog.from_traces(cases)
    found = embed(log, f"positional-{weighting}-w{window}").distances()
    assert found == pytest.approx(np.array(oracle.distances(oracle.positional(cases, weighting, window))), abs=1e-9)


@pytest.mark.parametrize("name", ["Helpdesk", "CCC19", "BPIC13_closed_problems"])
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_distances_are_as_defined_on_real_logs(real_log, name, weighting):
    log = real_log(name)
    expected = oracle.distances(oracle.positional(log.traces(), weighting, 5))
    assert embed(log, f"positional-{weighting}-w5").distances() == pytest.approx(np.array(expected), abs=1e-9)


@given(cases=traces(st.sampled_from("abcd")), window=st.integers(2, 6))
def test_every_event_has_one_neighbour_at_each_place(cases, window):
    matrix = activity_position(count_windows(EventLog.from_traces(cases), window))
    assert (matrix.counts.sum(axis=1) == (window - 1) * matrix.rows).all()


def test_explanations_are_exact_and_read_well(tmp_path):
    log = EventLog.from_traces([["x", "u", "a", "y"], ["x", "v", "b", "y"], ["x", "u", "b"]])
    embedding = embed(log, "positional-hellinger-w5")
    shares = embedding.explain("a", "b", None)
    assert sum(share.share for share in shares) == pytest.approx(embedding.similarity("a", "b"))
    assert {share.context for share in shares} == {"x → · → ●", "u → ●", "● → y", "● → · → (end)"}
    assert shares[0].symbols in {("x",), ("u",), ("y",), (None,)}
    embedding.save(tmp_path / "positional.actalike")
    assert load(tmp_path / "positional.actalike").explain("a", "b", None) == shares


def test_an_unknown_weighting_is_refused():
    with pytest.raises(ActalikeError, match="none of raw, pmi, ppmi, hellinger"):
        PositionalEmbedder("tfidf").fit(EventLog.from_traces([["a"]]))
