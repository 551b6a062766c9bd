"""What long cases are judged by: whether even their most ordinary stretch surprises unusually often."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import beta

from actalike import EventLog, odd
from actalike.oddities import ControlFlow
from actalike.oddities.model import STRETCH, CaseProbabilities, DistinctCases
from actalike.oddities.stretches import Stretches


def loops(rng, n_cases, shortest, longest, noise):
    """Return cases that go around "abcdef", with this share of labels drawn at random."""
    traces = []
    for length in rng.integers(shortest, longest, n_cases).tolist():
        ordered = np.array(list("abcdef") * (length // 6 + 1))[:length]
        drawn = rng.choice(list("abcdefghij"), length)
        traces.append(np.where(rng.random(length) < noise, drawn, ordered).tolist())
    return traces


def naive_odds(log):
    """Return the odds of each case by the shares of all, the plain way."""
    cases = DistinctCases(log.variants)
    logs = CaseProbabilities(cases, None, 5, 1.0).log_probabilities
    shares = []
    for first, length, weight in zip(cases.first, cases.lengths, cases.weights, strict=True):
        surprising = [logs[first + i] < -2 for i in range(length)]
        stretches = [sum(surprising[i : i + STRETCH]) / STRETCH for i in range(length - STRETCH + 1)]
        shares += [min(stretches)] * int(weight) if stretches else []
    mean = (sum(shares) + 1 / 2) / (len(shares) + 1)
    variance = (sum((share - mean) ** 2 for share in shares) + mean * (1 - mean)) / (len(shares) + 1)
    size = mean * (1 - mean) / variance - 1
    return [1 / beta(mean * size, (1 - mean) * size).sf(share * STRETCH / (STRETCH + 1)) - 1 for share in shares]


def test_the_odds_of_a_long_case_are_those_of_its_most_ordinary_stretch():
    log = EventLog.from_traces(loops(np.random.default_rng(1), 12, STRETCH, 220, 0.2))
    found = Stretches(DistinctCases(log.variants))
    assert found.ordinary.odds(found.shares) == pytest.approx(naive_odds(log), rel=1e-6)


def test_a_long_case_that_surprises_throughout_is_odder_than_one_that_does_so_in_places():
    draw = partial(loops, np.random.default_rng(2))
    half = [*draw(1, 150, 151, 0.0)[0], *draw(1, 150, 151, 0.8)[0]]
    new = EventLog.from_traces([*draw(5, 200, 400, 0.05), half, *draw(5, 200, 400, 0.5)])
    scores = odd(new, reference=EventLog.from_traces(draw(100, 100, 400, 0.05))).case_scores()
    assert scores[:6].max() < np.log(100) < scores[6:].min()


def test_a_case_that_is_odd_as_a_whole_is_shown_where_it_surprises_most():
    draw = partial(loops, np.random.default_rng(3))
    new = EventLog.from_traces(draw(1, 300, 301, 0.5))
    oddities = odd(new, reference=EventLog.from_traces(draw(100, 100, 400, 0.05)))
    reasons = oddities.explain(0)
    assert reasons[0].score == pytest.approx(oddities.case_scores()[0], abs=0.1)
    assert oddities.event_scores().argmax() in reasons[0].events


def test_cases_shorter_than_a_stretch_are_judged_by_their_places_alone():
    log = EventLog.from_traces(loops(np.random.default_rng(4), 20, 10, STRETCH, 0.3))
    stretches = Stretches(DistinctCases(log.variants))
    assert not len(stretches.long)
    assert not len(stretches.oddest)
    assert np.isfinite(ControlFlow(log.variants).scores()).all()
