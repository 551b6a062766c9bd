"""The probability that two labels are one step: figures by their definitions, exact reasons, no dependence on what means nothing."""

import json
import math
import random
import tracemalloc
from itertools import combinations, pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, embed, same_step, write_log
from actalike.demo.loan_desk import loan_desk
from actalike.errors import UnknownActivityError
from actalike.labels import evidence, judge, same_step_of
from actalike.labels.evidence import FURTHER, PairEvidence, overlaps, pair_evidence, shipped_weights
from actalike.labels.text import distinguishing_tokens
from actalike.labels.witnesses import have_unlike_words
from actalike.support.weights import Points
from tests.helpers import naive_evidence
from tests.helpers.commands import ok
from tests.helpers.examples import LONG, examples
from tests.helpers.strategies import logs


def timed(cases, first_days):
    """A log whose cases begin on the given days; each event takes an hour."""
    log = EventLog.from_traces(cases)
    hours = np.concatenate([24 * day + np.arange(len(case)) for case, day in zip(cases, first_days, strict=True)])
    moments = np.datetime64("2024-01-01", "us") + hours * np.timedelta64(1, "h")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, moments)


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
    if same.merged is not None:
        for i, j in combinations(range(len(log.activities)), 2):
            steps = [same.spelled.get(log.activities[place], log.activities[place]) for place in (i, j)]
            if steps[0] == steps[1]:
                assert same.log_odds[i, j] >= math.log(0.95 / 0.05) - 1e-9
            else:
                assert same.log_odds[i, j] == same.merged.log_odds[*(same.merged.activities.index(step) for step in steps)]
        same, log = same.merged, same.merged.log
    points = {name: (piece.at, piece.points) for name, piece in weights.same_step.pieces.items()}
    for i, j in combinations(range(len(log.activities)), 2):
        m = min(log.activity_cases[i], log.activity_cases[j])
        r = min(1, m / 10) if m >= 5 else m / 20
        behaviour = sum(
            naive_evidence.points(*weights.interchangeable.pieces[name], getattr(same.figures, name)[i, j])
            for name in weights.interchangeable.pieces
        )
        interchangeable = (1 - r) * weights.too_rare.base + r * (weights.interchangeable.base + behaviour)
        assert same.log_odds_interchangeable[i, j] == pytest.approx(interchangeable, abs=1e-9)
        a, b = log.activities[i], log.activities[j]
        flags = {
            "pattern": any({i, j} <= set(family.members) for family in same.families),
            "opposites": (i, j) in same.opposites,
        }
        if interchangeable >= math.log(1 / 9) and not any(flags.values()):
            flags |= {witness.kind: True for witness in same.uses_apart(i, j)}
            if same.texts[i, j] < 0.9:
                flags |= {"tokens": distinguishing_tokens(a, b) is not None, "words": have_unlike_words(a, b)}
        expected = naive_evidence.points(*points["interchangeable"], interchangeable)
        expected += naive_evidence.points(*points["text"], same.texts[i, j])
        figures = {kind: -math.log(same.chance[kind]) if kind in same.chance else 1.0 for kind, holds in flags.items() if holds}
        expected += sum(naive_evidence.points(*points[kind], figure) for kind, figure in figures.items())
        assert same.log_odds[i, j] == pytest.approx(expected, abs=1e-9)


@examples(15)
@given(frequent_logs | logs())
@example(loan_desk(60))
def test_more_interchangeable_is_never_less_likely_one_step_and_alone_never_likely(log):
    same = same_step(log)
    further = {"text", "name", "pattern", "periods", "people", "vocabularies"}
    for a, b in combinations(log.activities, 2):
        reasons = same.evidence(a, b)
        interchangeable = sum(reason.log_odds for reason in reasons if reason.is_behaviour)
        assert same.interchangeable(a, b) == pytest.approx(1 / (1 + math.exp(-interchangeable)), abs=1e-9)
        if not any(reason.kind in further and reason.log_odds > 0 for reason in reasons):
            assert same.probability(a, b) < 0.5
            assert same.probability(a, b) <= same.interchangeable(a, b)
    base_rate = shipped_weights().same_step.pieces["interchangeable"]
    assert all(left < right for left, right in pairwise(base_rate.points))
    assert max(base_rate.points) + shipped_weights().same_step.base < 0


def test_outcomes_of_a_decision_are_interchangeable_and_not_likely_one_step():
    traces = [["ask", "deny loan", "close"], ["ask", "sign agreement", "close"], ["call", "ask"], ["close", "call"]] * 60
    same = same_step(EventLog.from_traces(traces))
    assert same.interchangeable("deny loan", "sign agreement") > 0.9 > 0.5 > same.probability("deny loan", "sign agreement")
    assert "base rate" in {reason.kind for reason in same.evidence("deny loan", "sign agreement")}


def test_labels_of_one_naming_scheme_are_different_steps():
    """Three labels that differ in one place; two of them are used one before the other."""
    chance = random.Random(2)
    traces = [
        ["open", *chance.choice([["read"], ["read", "call"], []]), f"Query credit {role}", chance.choice(["file", "send"])]
        for role in ["agency"] * 200 + ["bureau"] * 200
    ]
    third = [["call", "Query credit desk", "open"]] * 30
    pair = ("Query credit agency", "Query credit bureau")
    plain, scheme = timed(traces, range(400)), timed([*traces, *third], [*range(400), *range(30)])
    assert same_step(plain).probability(*pair) > 0.5 > same_step(scheme).probability(*pair)
    assert {reason.kind: reason.figure for reason in same_step(scheme).evidence(*pair)}["scheme"] == 3


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
        probabilities.append(same_step(EventLog.from_traces(traces)).interchangeable("a", "b"))
    assert probabilities == sorted(probabilities)
    assert probabilities[0] < 0.6 < 0.9 < probabilities[-1]


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


small_logs = logs(st.sampled_from("abcde"))


def agrees(log, pairs=None):
    """Compare all figures of all pairs (or of some) with the definitions."""
    evidence, traces, labels = pair_evidence(log), log.traces(), log.activities
    place = {label: i for i, label in enumerate(labels)}
    tables = [embed(log, method).distances().round(12) for method in ("kin-w5", "ac-sequence-raw-w5")]
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


FILE = Path(evidence.__file__).with_name("evidence_weights.json")
STORED = json.loads(FILE.read_text(encoding="utf-8"))
RISE = ("rare_overlap", "position")  # more is better; of the others less is better, and of cases neither is


@pytest.mark.parametrize("name", list(shipped_weights().interchangeable.pieces))
def test_a_piece_never_counts_against_its_sense(name):
    points = shipped_weights().interchangeable.pieces[name]
    assert len(points.at) == len(points.points) >= 2
    assert all(left < right for left, right in pairwise(points.at))
    if name != "cases":
        direction = 1 if name in RISE else -1
        assert all(direction * (right - left) >= 0 for left, right in pairwise(points.points))


def test_alike_texts_speak_for_one_step_and_opposites_against():
    weights, pieces = shipped_weights(), shipped_weights().same_step.pieces
    assert list(pieces["text"].points) == sorted(pieces["text"].points)
    assert pieces["text"].points[0] == 0  # unlike texts say nothing
    for kind in ("names", "opposites", "words", "scheme", "tokens"):
        assert max(pieces[kind].points) == 0 > min(pieces[kind].points)
    for kind in ("pattern", "periods", "people"):
        assert min(pieces[kind].points) <= 0 < max(pieces[kind].points)
    assert weights.too_rare.base < 0  # few pairs are one step


def test_opposites_outweigh_all_else():
    pieces = shipped_weights().same_step.pieces
    assert sum(max(pieces[kind].points) for kind in ("interchangeable", "text", "periods", "people", "opposites")) < 20
    assert min(pieces["opposites"].points) <= -25


def test_the_file_says_where_it_comes_from():
    assert set(STORED["functions"]) == {"interchangeable", "too rare", "same step"}
    assert list(STORED["functions"]["same step"]["pieces"]) == list(FURTHER)
    assert STORED["fitted_by"].startswith("python measurements/fit_same_step.py --write (actalike ")
    assert STORED["fitted_on"] == sorted(set(STORED["fitted_on"]))
    assert STORED["logs"] >= len(STORED["fitted_on"]) > 0


def test_the_file_is_written_as_the_fit_writes_it():
    assert FILE.read_text(encoding="utf-8") == json.dumps(STORED, indent=2) + "\n"


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.floats(-5, 5)), min_size=2, max_size=5, unique_by=lambda knot: knot[0]),
    st.floats(-25, 25),
)
def test_points_are_linear_between_knots_and_constant_beyond(knots, figure):
    at, points = zip(*sorted(knots), strict=True)
    assert Points(at, points).of(np.array([figure]))[0] == pytest.approx(naive_evidence.points(at, points, figure), abs=1e-9)
