"""The probability that two labels are one step: exact reasons, no dependence on what means nothing, and sense at the edges."""

import math
import random
import tracemalloc
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, same_step, write_log
from actalike.demo.loan_desk import loan_desk
from actalike.errors import UnknownActivityError
from actalike.labels import judge, same_step_of
from actalike.labels.evidence import PairEvidence, shipped_weights
from tests.helpers import naive_evidence
from tests.helpers.commands import ok
from tests.helpers.examples import LONG, examples
from tests.helpers.strategies import logs

frequent_logs = logs().map(lambda log: EventLog.from_traces(log.traces() * 4))


@examples(20)
@given(frequent_logs | logs())
def test_reasons_sum_to_the_log_odds_of_the_probability(log):
    same = same_step(log)
    probabilities = same.probabilities()
    assert (probabilities == probabilities.T).all()
    assert (probabilities.diagonal() == 1).all()
    for (i, a), (j, b) in permutations(enumerate(log.activities), 2):
        reasons = same.evidence(a, b)
        assert reasons == same.evidence(b, a)
        total = sum(reason.log_odds for reason in reasons)
        assert total == pytest.approx(same.log_odds[i, j], abs=1e-9)
        assert same.probability(a, b) == probabilities[i, j] == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-12)
        sizes = [abs(reason.log_odds) for reason in reasons[1:]]
        assert sizes == sorted(sizes, reverse=True)
        assert reasons[0].kind == "any pair"


@examples(20)
@given(frequent_logs | logs(), st.data())
def test_some_labels_compared_with_all_are_judged_as_all_are(log, data):
    labels = data.draw(st.lists(st.sampled_from(log.activities), min_size=1, max_size=2))
    same, some = same_step(log), same_step_of(log, labels)
    for label in labels:
        of_all, of_some = same.most_likely(None, label), some.most_likely(None, label)
        assert [pair._replace(probability=0) for pair in of_some] == [pair._replace(probability=0) for pair in of_all]
        assert [pair.probability for pair in of_some] == pytest.approx([pair.probability for pair in of_all], abs=1e-12)
        pairs = [(pair.b, pair.a) for pair in of_all]
        assert judge(some, pairs) == judge(same, pairs)
        for pair in pairs:
            assert some.overlap(*pair) == same.overlap(*pair)
            assert dict(some.evidence(*pair)[0]._asdict()) == pytest.approx(same.evidence(*pair)[0]._asdict())


def test_one_label_takes_a_fraction_of_the_memory_of_all_pairs(tmp_path):
    rng = random.Random(0)
    path, n = tmp_path / "log.csv", 1500
    write_log(EventLog.from_traces([[f"step {rng.randrange(n):04d}" for _ in range(10)] for _ in range(n)]), path)
    tracemalloc.start()
    try:
        ok("similar", path, "step 0007")
        assert tracemalloc.get_traced_memory()[1] < 8 * n**2 * len(PairEvidence._fields)
    finally:
        tracemalloc.stop()


@examples(15)
@given(frequent_logs | logs())
def test_the_log_odds_are_the_weighted_sum_of_the_figures(log):
    same, weights = same_step(log), shipped_weights()
    for i, j in combinations(range(len(log.activities)), 2):
        m = min(log.activity_cases[i], log.activity_cases[j])
        r = min(1, m / 10) if m >= 5 else m / 20
        behaviour = sum(
            naive_evidence.points(*weights.behaviour[name], figures[i, j])
            for name, figures in zip(same.figures._fields, same.figures, strict=True)
        )
        in_family = any({i, j} <= set(family.members) for family in same.families)
        text = (
            naive_evidence.points(*weights.text, same.texts[i, j])
            + weights.pattern * in_family
            + weights.opposites * ((i, j) in same.opposites)
        )
        expected = (1 - r) * weights.prior + r * (weights.base + behaviour) + text
        assert same.log_odds[i, j] == pytest.approx(expected, abs=1e-9)


@examples(15)
@given(st.lists(st.lists(st.sampled_from("ABCDE"), max_size=8), min_size=1, max_size=8).filter(any), st.randoms())
def test_neither_the_order_of_cases_nor_neutral_names_matter(cases, rng):
    same = same_step(EventLog.from_traces(cases * 3))
    shuffled = cases * 3
    rng.shuffle(shuffled)
    renamed = dict(zip("ABCDE", rng.sample("ABCDE", 5), strict=True))
    other = same_step(EventLog.from_traces([[renamed[x] for x in case] for case in shuffled]))
    for a, b in combinations(same.activities, 2):
        assert other.probability(renamed[a], renamed[b]) == pytest.approx(same.probability(a, b), abs=1e-9)
        assert other.overlap(renamed[a], renamed[b]) == pytest.approx(same.overlap(a, b))


def test_figures_of_reasons_can_be_checked_in_the_log():
    same = same_step(EventLog.from_traces([[*"xay"], [*"xby"]] * 20 + [[*"xayxby"]] * 5 + [[*"yc"]] * 20))
    figures = {reason.kind: reason.figure for reason in same.evidence("a", "b")}
    assert figures["neighbours"] == pytest.approx(1)
    assert (figures["cases"], figures["rarity"]) == (5 / 25, 25)
    assert figures["position"] == pytest.approx(20 / 25)
    assert figures["any pair"] is figures["company"] is None


@pytest.mark.parametrize("cases", [1, 2, 3])
def test_rare_labels_stay_near_the_prior_however_alike_they_behave(cases):
    traces = [[*"xay"]] * 200 + [[*"xby"]] * cases + [[*"xcz"], [*"zcx"]] * 50
    assert same_step(EventLog.from_traces(traces)).probability("a", "b") < 0.2


def test_a_rare_label_is_likely_if_the_text_speaks():
    traces = (
        [["File", "Check invoice", "Pay"]] * 200
        + [["File", "Chekc invoice", "Pay"]] * 3
        + [["Call", "File"], ["Pay", "Call"]] * 50
    )
    same = same_step(EventLog.from_traces(traces))
    assert same.probability("Check invoice", "Chekc invoice") > 0.5 > same.probability("Check invoice", "Call")


def test_more_context_in_common_never_lowers_the_probability():
    """b does k of its 20 cases where a does all of its own, and the rest where another label is."""
    probabilities = []
    for k in range(0, 21, 4):
        traces = [[*"xay"]] * 20 + [[*"xby"]] * k + [[*"ubv"]] * (20 - k) + [[*"ucv"]] * 20 + [[*"yx"], [*"vu"]] * 5
        probabilities.append(same_step(EventLog.from_traces(traces)).probability("a", "b"))
    assert probabilities == sorted(probabilities)
    assert probabilities[0] < 0.5 < 0.9 < probabilities[-1]


def test_more_cases_in_common_never_raise_the_probability():
    """k cases have both a and b in the same place, one after the other."""
    probabilities = []
    for k in range(0, 21, 4):
        traces = [[*"xay"], [*"xby"]] * (20 - k) + [[*"xayzxby"], [*"xbyzxay"]] * (k // 2) + [[*"ucv"], [*"yz"]] * 10
        probabilities.append(same_step(EventLog.from_traces(traces)).probability("a", "b"))
    assert probabilities == sorted(probabilities, reverse=True)
    assert probabilities[0] > probabilities[-1]


def test_opposites_are_never_likely():
    traces = [["Ask", "Accept offer", "Close"], ["Ask", "Reject offer", "Close"], ["Ask", "Call"], ["Call", "Close"]] * 50
    same = same_step(EventLog.from_traces(traces))
    assert same.probability("Accept offer", "Reject offer") < 0.05
    assert "opposites" in [reason.kind for reason in same.evidence("Accept offer", "Reject offer")]


def test_the_most_likely_pairs_come_first():
    same = same_step(loan_desk(100))
    pairs = same.most_likely(topn=None)
    assert len(pairs) == math.comb(len(same.activities), 2)
    assert [pair.probability for pair in pairs] == pytest.approx(sorted((pair.probability for pair in pairs), reverse=True))
    assert same.most_likely(3) == pairs[:3]
    (first, *_) = same.most_likely(activity="Transfer loan")
    assert (first.a, first.b) == ("Transfer loan", "Pay out")
    assert first.probability == same.probability("Pay out", "Transfer loan")
    assert first.overlap == same.overlap("Pay out", "Transfer loan")


@pytest.mark.parametrize("traces", [[["a"]], [["a", "a"], []], [["a", "b"]], [["a"], [], ["b"]], [[*"abcabc"]]])
def test_the_smallest_logs_have_probabilities(traces):
    same = same_step(EventLog.from_traces(traces))
    assert np.isfinite(same.log_odds).all()
    assert ((same.probabilities() > 0) & (same.probabilities() <= 1)).all()
    for a, b in combinations(same.activities, 2):
        assert same.probability(a, b) < 0.2
    assert len(same.most_likely(activity="a")) == len(same.activities) - 1


def test_what_cannot_be_compared_is_an_error():
    log = EventLog.from_traces([[*"xay"], [*"xby"]])
    same = same_step(log)
    with pytest.raises(UnknownActivityError, match="No activity is called 'c'"):
        same.probability("a", "c")
    with pytest.raises(UnknownActivityError):
        same.most_likely(activity="c")
    with pytest.raises(ActalikeError, match="compared"):
        same.evidence("a", "a")
    assert same.probability("a", "a") == same.overlap("a", "a") == 1
    with pytest.raises(ActalikeError, match="same_step"):
        same_step([["a"]])
    with pytest.raises(ActalikeError, match="counts"):
        same_step(log, counts=count_windows(EventLog.from_traces([[*"xay"], [*"xby"]] * 2), 5))
    with pytest.raises(ActalikeError, match="count"):
        same_step(log, counts=count_windows(log, 3))
    assert (same_step(log, counts=count_windows(log, 7)).log_odds == same.log_odds).all()


def test_kept_probabilities_cannot_be_overwritten():
    with pytest.raises(ValueError, match="read-only"):
        same_step(EventLog.from_traces([[*"ab"]])).probabilities()[0, 1] = 1


def test_many_labels_are_compared():
    chance, n = random.Random(3), 2000 if LONG else 400
    traces = [[f"{step:02d}{(chance.randrange(7) + case) % (n // 20):02d}" for step in range(20)] for case in range(5 * n)]
    same = same_step(EventLog.from_traces(traces))
    assert same.log_odds.shape == (n, n)
    assert np.isfinite(same.log_odds).all()


def test_it_is_shown_in_one_line_and_as_a_card():
    same = same_step(EventLog.from_traces([["x", f"{i:04}<b>", "y"] for i in range(60)]))
    n_likely = sum(pair.probability > 0.5 for pair in same.most_likely(None))
    assert repr(same) == f"SameStep(62 activities, 1,891 pairs, {n_likely:,} of them likely one step)"
    card = same._repr_html_()
    assert "and 1,881 more pairs" in card
    assert "<b>" not in card


@pytest.mark.parametrize("label", [0, None, ["a", "b"]], ids=repr)
def test_a_label_that_is_not_a_text_is_refused(label):
    with pytest.raises(UnknownActivityError, match="given by its label, a text"):
        same_step(EventLog.from_traces([["a", "b"]])).probability("a", label)
