"""The figures of evidence agree with their definitions."""

import math
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, embed, same_step
from actalike.labels.evidence import PairEvidence, overlaps, pair_evidence
from tests.helpers import naive_evidence
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

small_logs = logs(st.sampled_from("abcde"))


def agrees(log, pairs=None):
    """Compare all figures of all pairs (or of some) with the definitions."""
    evidence, traces, labels = pair_evidence(log), log.traces(), log.activities
    place = {label: i for i, label in enumerate(labels)}
    tables = [embed(log, method).distances().round(12) for method in ("kin-w5", "ac-sequence-raw-w3", "ac-sequence-raw-w5")]
    distances = [lambda x, y, table=table: table[place[x], place[y]] for table in tables]
    compete = naive_evidence.competitors(traces, labels)
    for a, b in combinations(labels, 2) if pairs is None else pairs:
        expected = naive_evidence.figures(traces, labels, a, b, compete, distances)
        for name, figures in zip(PairEvidence._fields, evidence, strict=True):
            assert figures[place[a], place[b]] == figures[place[b], place[a]] == pytest.approx(expected[name], abs=1e-9), name


@examples(25)
@given(small_logs)
@example(EventLog.from_traces([["a"], ["b"]]))
@example(EventLog.from_traces([[*"xaybxay"], [*"xby"], [*"xay"], [], [*"abab"]]))
def test_figures_are_those_of_the_definitions(log):
    agrees(log)


@pytest.mark.parametrize("name", ["BPIC13_closed_problems"])
def test_figures_of_a_real_log_are_those_of_the_definitions(real_log, name):
    log = EventLog.from_traces(real_log(name).traces()[:150])
    agrees(log, list(combinations(log.activities, 2))[:3])


def test_figures_of_an_example_are_those_worked_out_by_hand():
    """a and b have the same neighbours and share 5 of 25 cases; c comes at the end of other cases."""
    evidence = pair_evidence(EventLog.from_traces([[*"xay"], [*"xby"]] * 20 + [[*"xayxby"]] * 5 + [[*"yc"]] * 20))
    a, b, c = 0, 1, 2
    assert evidence.overlap[a, b] == pytest.approx(1)
    assert evidence.overlap[a, c] == 0  # nothing in common before, although c has y as a neighbour
    assert evidence.position[a, b] == pytest.approx(20 / 25)  # the middle of 20 cases; the second and the fifth of six differ
    assert evidence.cases[a, b] == pytest.approx(math.log(25))
    assert evidence.shared_cases[a, b] == pytest.approx(math.log(5.5 / 26))
    # 5 pairs of events in one case, all mixed; half of the pairs would be by chance
    assert math.exp(evidence.attraction[a, b]) == pytest.approx((5 + 2.5) / (5 + 5) / 0.5)
    assert evidence.excess[a, b] == pytest.approx(math.log((5 * (1 - 1 / 1.5) + 0.5) / 26))
    assert evidence.overlap_rank[a, b] == pytest.approx(math.log(2))
    assert evidence.nearer[a, b] == 0


def test_equal_ranks_are_averaged():
    """Three names of one step: each has two others that are equally near, so both have the rank 1.5."""
    evidence = pair_evidence(EventLog.from_traces([["x", name, "y"] for name in "abc"] * 20))
    assert evidence.overlap_rank[0, 1] == evidence.context_rank[0, 2] == pytest.approx(math.log(2.5))


@given(small_logs)
def test_figures_are_finite_and_symmetric_and_their_diagonals_are_0(log):
    for figures in pair_evidence(log):
        assert np.isfinite(figures).all()
        assert (figures == figures.T).all()
        assert not figures.diagonal().any()


def test_counts_may_be_of_larger_windows():
    log = EventLog.from_traces([[*"xayb"], [*"xby"], [*"bay"]] * 3)
    for figures, expected in zip(pair_evidence(log, count_windows(log, 9)), pair_evidence(log), strict=True):
        assert (figures == expected).all()
    assert (overlaps(count_windows(log, 3)) == overlaps(count_windows(log, 7))).all()


def test_too_many_labels_are_refused_before_anything_is_computed(monkeypatch):
    monkeypatch.setenv("ACTALIKE_MEMORY", "100MB")
    log = EventLog.from_traces([[str(i) for i in range(2000)]])
    with pytest.raises(ActalikeError, match=r"2,000 activities .* memory"):
        pair_evidence(log)


def test_too_many_labels_are_refused_before_their_texts_are_compared(monkeypatch):
    monkeypatch.setenv("ACTALIKE_MEMORY", "100MB")
    log = EventLog.from_traces([[str(i) for i in range(5000)]])
    tracemalloc.start()
    try:
        with pytest.raises(ActalikeError, match="memory"):
            same_step(log)
        assert tracemalloc.get_traced_memory()[1] < 8 * 5000**2 / 4  # of one figure for each pair
    finally:
        tracemalloc.stop()
