"""Confidence: intervals by resampling the cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, embed, load, make_method
from actalike.embedding.resampling import ENOUGH_CASES, Resampler
from tests.helpers.strategies import logs

METHODS = ["kin-w5", "ac-sequence-pmi-w3", "aa-multiset-ppmi-w5", "positional-hellinger-w3", "substitution-w3"]


def drawn_log(log, rng):
    """The same draw, case by case: variants in the order of their first case, each as often as the generator says."""
    variants = {}
    for trace in log.traces():
        variants.setdefault(tuple(trace), []).append(trace)
    times = rng.multinomial(log.n_cases, [len(cases) / log.n_cases for cases in variants.values()])
    return EventLog.from_traces([list(variant) for variant, n in zip(variants, times, strict=True) for _ in range(n)])


@given(logs(), st.integers(1, 6), st.integers(0, 9))
def test_a_draw_counts_the_windows_of_the_drawn_cases(log, window, seed):
    try:
        expected = count_windows(drawn_log(log, np.random.default_rng(seed)), window)
    except ActalikeError:
        return  # only cases without events were drawn
    assert Resampler(log, None, window).draw(np.random.default_rng(seed)) == expected


@given(logs())
def test_activity_cases_are_the_cases_with_an_activity(log):
    traces = log.traces()
    assert log.activity_cases.tolist() == [sum(label in trace for trace in traces) for label in log.activities]


def some_log():
    rng = np.random.default_rng(3)
    steps = [["x", "u"], ["a", "b", "c"], ["y", "v"], ["z"]]
    traces = [[str(rng.choice(step)) for step in steps if rng.random() < 0.9] for _ in range(60)]
    return EventLog.from_traces([*traces, ["x", "rare", "z"]])


@pytest.mark.parametrize("method", METHODS)
def test_intervals_are_those_of_the_definition(method):
    log = some_log()
    embedding = embed(log, method)
    rng = np.random.default_rng(7)
    found = [embed(drawn_log(log, rng), method).similarity("a", "b") for _ in range(20)]
    low, high = np.quantile(found, [0.1, 0.9]) - np.median(found) + embedding.similarity("a", "b")
    if embedding.compare == "cosine":
        high = min(high, 1.0)
    confidence = embedding.confidence("a", "b", resamples=20, level=0.8, seed=7)
    assert (confidence.low, confidence.high) == pytest.approx((low, high), abs=1e-9)
    assert confidence.similarity == embedding.similarity("a", "b")


@pytest.mark.parametrize("method", METHODS)
def test_the_similarity_lies_between_its_bounds(method):
    embedding = embed(some_log(), method)
    confidence = embedding.confidence("a", "c", resamples=30)
    assert confidence.low <= confidence.similarity <= confidence.high
    assert not confidence.too_rare


def test_more_cases_give_narrower_bounds():
    log = some_log()
    few = embed(log, "positional-hellinger-w3").confidence("a", "x")
    many = embed(EventLog.from_traces(log.traces() * 25), "positional-hellinger-w3").confidence("a", "x")
    assert few.high - few.low > 3 * (many.high - many.low) > 0


def test_an_activity_in_few_cases_is_too_rare_to_judge():
    traces = [["x", "a", "y"]] * 20
    at_the_bound = EventLog.from_traces(traces + [["x", "b", "b", "b", "y"]] * ENOUGH_CASES)
    below_it = EventLog.from_traces(traces + [["x", "b", "b", "b", "y"]] * (ENOUGH_CASES - 1))
    assert not embed(at_the_bound).confidence("a", "b").too_rare
    rare = embed(below_it).confidence("a", "b")
    assert rare.too_rare
    assert rare.high is None
    assert rare.cases == (20, ENOUGH_CASES - 1)
    assert str(rare) == "too rare to judge"


def test_an_activity_is_like_itself_in_all_draws():
    confidence = embed(some_log()).confidence("a", "a")
    assert (confidence.low, confidence.high) == (1.0, 1.0)


def test_draws_that_have_no_events_are_passed_over():
    log = EventLog.from_traces([["a", "b"]] * ENOUGH_CASES + [[]] * 40)
    assert not embed(log).confidence("a", "b").too_rare


def test_several_pairs_share_the_draws_and_the_seed_decides():
    embedding = embed(some_log())
    both = embedding.confidences([("a", "b"), ("x", "z")], seed=4)
    assert both == [embedding.confidence("a", "b", seed=4), embedding.confidence("x", "z", seed=4)]
    assert both != embedding.confidences([("a", "b"), ("x", "z")], seed=5)


def test_changing_the_estimator_afterwards_changes_no_interval():
    estimator = make_method("kin-w5")
    embedding = estimator.fit(some_log()).embedding_
    before = embedding.confidence("a", "b", resamples=20)
    estimator.set_params(rounds=1, window=3)
    assert embedding.confidence("a", "b", resamples=20) == before


def test_without_cases_there_is_no_confidence(tmp_path):
    log = some_log()
    embed(log).save(tmp_path / "stored.actalike")
    for embedding in (embed(count_windows(log, 5)), load(tmp_path / "stored.actalike"), embed(log, "one-hot")):
        with pytest.raises(ActalikeError, match="resample"):
            embedding.confidence("a", "b")


def test_unknown_activities_and_impossible_levels_are_refused():
    embedding = embed(some_log())
    with pytest.raises(ActalikeError, match="No activity is called 'q'"):
        embedding.confidence("a", "q")
    for wrong in ({"resamples": 0}, {"resamples": 19}, {"resamples": 20.5}, {"level": 1.0}, {"level": 0.0}):
        with pytest.raises(ActalikeError, match="resamples="):
            embedding.confidence("a", "b", **wrong)


def test_pairs_among_some_activities_are_those_of_all_pairs():
    embedding = embed(some_log())
    some = ["a", "b", "x", "rare"]
    expected = [pair for pair in embedding.most_similar_pairs(None) if pair[0] in some and pair[1] in some]
    assert embedding.most_similar_pairs(None, among=some) == expected
    assert embedding.most_similar_pairs(2, among=some) == expected[:2]


@pytest.mark.parametrize(
    ("draws", "low", "high"),
    [
        (np.linspace(-0.9, 0.9, 21), -1.0, pytest.approx(-0.95 + 0.81)),  # no similarity is below -1
        ([0.5] * 10 + [np.nan] * 11, -0.95, -0.95),  # draws without one of the two say nothing
        ([np.nan] * 21, None, None),
    ],
)
def test_bounds_are_those_of_the_draws_that_have_both_activities(monkeypatch, draws, low, high):
    log = EventLog.from_traces([["a", "b"]] * ENOUGH_CASES)
    monkeypatch.setattr(Resampler, "_draws", lambda *arguments: np.array([draws]).T)
    (confidence,) = Resampler(log, None, 3).confidences([("a", "b")], [-0.95], 1.0, 21, 0.9, 0)
    assert (confidence.low, confidence.high) == (low, high)


def test_nothing_is_resampled_if_no_pair_can_have_an_interval(monkeypatch):
    embedding = embed(some_log())
    monkeypatch.setattr(Resampler, "draw", lambda self, rng: pytest.fail("resampled"))
    too_rare, itself = embedding.confidences([("a", "rare"), ("b", "b")])
    assert too_rare.too_rare
    assert (itself.low, itself.high) == (itself.similarity, itself.similarity)


def test_progress_is_told_after_each_resample():
    steps = []
    embed(some_log()).confidences([("a", "b")], 20, done=steps.append)
    assert steps == [f"resample {i}" for i in range(1, 21)]
