"""The similarities of centred kin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, embed
from actalike.matrices import factor
from actalike.methods.centred_kin_similarity import centred_kin
from tests import oracle
from tests.helpers.examples import examples
from tests.helpers.strategies import logs, traces


@examples(30)
@given(traces(st.sampled_from("abcd")), st.integers(2, 5), st.integers(1, 4), st.sampled_from([0.5, 2.0]))
def test_similarities_are_as_defined(cases, window, rounds, shrinkage):
    log = EventLog.from_traces(cases)
    expected = oracle.centred_kin(cases, window, rounds, shrinkage)
    similarities, _ = centred_kin(count_windows(log, window), rounds, shrinkage)
    assert similarities == pytest.approx(np.array([[expected[a, b] for b in log.activities] for a in log.activities]), abs=1e-8)


@pytest.mark.parametrize("name", ["Helpdesk", "BPIC13_closed_problems"])
def test_similarities_are_as_defined_on_real_logs(real_log, name):
    log = real_log(name)
    expected = oracle.centred_kin(log.traces(), 5, 6, 2.0)
    assert embed(log, "kin2-w5").cosines == pytest.approx(
        np.array([[expected[a, b] for b in log.activities] for a in log.activities]), abs=1e-9
    )


@given(logs(), st.integers(2, 6), st.integers(1, 6))
def test_similarities_are_cosines(log, window, rounds):
    similarities, _ = centred_kin(count_windows(log, window), rounds, 2.0)
    assert np.array_equal(similarities, similarities.T)
    assert (similarities.diagonal() == 1).all()
    assert np.abs(similarities).max() == 1
    assert np.linalg.eigvalsh(similarities).min() > -1e-9
    vectors = factor(similarities)
    assert vectors @ vectors.T == pytest.approx(similarities, abs=1e-8)


def test_activities_without_any_difference_are_alike():
    """All differences are rounding errors, which must not be magnified."""
    for traces_ in ([["a"]], [["a"], ["b"]] * 9, [["a"], ["b"], ["c"]] * 3, [[a, b] for a in "ab" for b in "ab"] * 7):
        log = EventLog.from_traces(traces_)
        assert embed(log, "kin2-w5").cosines == pytest.approx(1.0, abs=1e-6)


def test_similarities_of_many_activities_spread_further_than_those_of_kin(real_log):
    log = real_log("BPIC20_PermitLog")
    kin, centred = (embed(log, method).cosines[np.triu_indices(51, 1)] for method in ("kin-w5", "kin2-w5"))
    assert np.quantile(kin, 0.05) > 0.7
    assert np.quantile(centred, 0.05) < 0.3
