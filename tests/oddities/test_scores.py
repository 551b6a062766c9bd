"""How odd cases, events and cells are."""

import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, odd
from actalike.errors import LogError
from actalike.oddities import ODD
from tests.helpers.examples import examples
from tests.helpers.naive_odd_values import surprises_of
from tests.helpers.naive_oddities import END, START, Pairs, cases_of, naive_odds
from tests.helpers.strategies import logs_with_equal_cases


@examples(15)
@given(logs_with_equal_cases())
def test_scores_of_cases_events_and_cells_are_those_of_the_definition(log):
    oddities = odd(log)
    naive = naive_odds(cases_of(log), len(log.activities), surprises_of(log, oddities.attributes))
    assert oddities.caution == naive.caution
    assert oddities.case_scores() == pytest.approx(np.log1p(naive.cases))
    assert oddities.event_scores() == pytest.approx(np.log1p(naive.events))
    assert oddities.cell_scores() == pytest.approx(np.log1p(naive.cells))


def with_values(traces, texts):
    log = EventLog.from_traces(traces)
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"User": Attribute.from_texts(texts)})


def test_a_value_that_anybody_may_have_does_not_hide_a_slip():
    traces = [list("abcdef")] * 299 + [list("abdef")]
    users = np.random.default_rng(0).integers(0, 10, sum(map(len, traces)))
    log = with_values(traces, [f"user {user}" for user in users])
    assert odd(log).caution == 1
    assert odd(log).most(1)[0].missing == ("c",)
    assert odd(log).case_scores()[-1] == pytest.approx(odd(log, []).case_scores()[-1], abs=0.1)


def test_ordinary_values_speak_against_an_insertion_and_strange_ones_for_it():
    traces = [list("abcd")] * 300 + [list("abxcd")] * 2 + [list("xabcd")] * 3
    own = {"a": "Ann", "b": "Bea", "c": "Cem", "d": "Dan", "x": "Xi"}
    texts = [own[label] for trace in traces for label in trace]
    texts[300 * 4 + 2] = "Dan"  # the x of the first case <a, b, x, c, d>
    scores = odd(with_values(traces, texts)).cell_scores()[:, 0]
    strange, ordinary = scores[1202], scores[1207]
    assert strange > odd(EventLog.from_traces(traces)).cell_scores()[1202, 0] > ordinary


def test_an_empty_case_is_judged_without_marking_events_of_other_cases():
    for traces in ([[]] + [["a"]] * 500, [["b", "c"]] * 500 + [["a"]] * 500 + [[]]):
        oddities = odd(EventLog.from_traces(traces))
        empty = traces.index([])
        assert oddities.explain(empty)[0].kind == "skipped"
        assert not oddities.explain(empty)[0].events
        assert oddities.event_scores().max() < np.log(2) < oddities.explain(empty)[0].score


@pytest.mark.parametrize(
    ("case", "odd_events"),
    [
        ("abcdefg", {6}),  # h is missing at the end, which marks the last event
        ("abdefgh", {2}),  # c is missing before d
        ("abcdxefgh", {4}),
        ("abcdefbcdgh", {6, 7, 8}),
        ("abgcdefh", {2, 7}),  # g is early, and was expected before h
        ("acdefbgh", {5, 1}),  # b is late, and was expected before c
        ("abcefghd", {7, 3}),
    ],
)
def test_the_events_of_a_slip_and_those_after_its_gap_are_odd(case, odd_events):
    usual = ["abcdefgh"] * 300
    scores = odd(EventLog.from_traces(map(list, [case, *usual]))).event_scores()
    assert set(np.flatnonzero(scores > scores.max() / 2).tolist()) == odd_events


def test_where_half_of_all_cases_would_be_odd_caution_makes_the_evidence_smaller():
    random = np.random.default_rng(0)
    noise = EventLog.from_traces([[f"step {code}" for code in row] for row in random.integers(0, 20, (300, 8))])
    oddities = odd(noise)
    assert oddities.caution < 0.8
    assert np.median(oddities.case_scores()) < np.log(4), "slips have odds of 1, and breaks tell little"
    assert oddities.most(None) == []


def with_columns(traces, columns):
    log = EventLog.from_traces(traces)
    attributes = {name: Attribute.from_texts(texts) for name, texts in columns.items()}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)


def test_names_of_attributes_do_not_change_scores():
    random = np.random.default_rng(0)
    first, second = (["xyz"[code] for code in random.integers(0, 3, 400)] for _ in range(2))
    views = ["any value", "share", "activity", "previous", "next", "case", "activity and previous", "attribute 1"]
    plain = odd(with_columns([list("abcd")] * 100, {"P": first, "Q": second})).cell_scores()
    for name, other in zip(views, views[::-1], strict=True):
        for names in ((name, "Q"), (name, other)):
            named = odd(with_columns([list("abcd")] * 100, dict(zip(names, (first, second), strict=True))))
            assert named.cell_scores().tolist() == plain.tolist()


def test_caution_is_the_same_whatever_attributes_are_looked_at():
    random = np.random.default_rng(0)
    traces = [[f"step {code}" for code in row] for row in random.integers(0, 20, (200, 8))]
    texts = [f"user {code}" for code in random.integers(0, 3, 1600)]
    assert odd(with_values(traces, texts)).caution == odd(EventLog.from_traces(traces)).caution < 1


def test_no_event_is_odder_than_its_case_whatever_number_of_attributes_it_has():
    columns = {}
    for number in range(80):
        texts = [f"{label} {number}" for label in "abcdefgh" * 100]
        texts[404], texts[8 * number + 1] = "strange", "another"  # of which each column has its own, so that none is a copy
        columns[f"x {number}"] = texts
    log = with_columns([list("abcdefgh")] * 100, columns)
    oddities = odd(log)
    events, cases = oddities.event_scores(), oddities.case_scores()
    assert events[404] > 60, "more than a single value can have"
    assert (events <= np.repeat(cases, 8) + 1e-9).all()
    assert np.isfinite(cases).all()


def test_the_largest_odds_are_finite():
    traces = [[f"step {i}" for i in range(40)]] * 1000
    shuffled = [[f"step {i}" for i in range(40)][::-1]]
    oddities = odd(with_values(traces + shuffled, [str(i % 40) for i in range(1000 * 40)] + ["x"] * 40))
    for scores in (oddities.case_scores(), oddities.event_scores(), oddities.cell_scores()):
        assert np.isfinite(scores).all()
        assert (scores >= 0).all()


def test_a_rare_link_is_the_oddest():
    log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    oddities = odd(log)
    assert oddities.case_scores().argmax() == 50
    assert oddities.most(1)[0].before == "order"


@examples(8)
@given(logs_with_equal_cases(max_attributes=0), st.randoms(use_true_random=False))
def test_scores_depend_neither_on_the_order_of_cases_nor_on_the_names_of_labels(log, random):
    scores, other, same = in_another_order(log.traces(), random)
    if not ties(log):  # of equally likely missing steps, those with the first labels are tried
        assert other == pytest.approx(same, abs=1e-9)
    assert odd(log).case_scores().tolist() == scores.tolist()


def test_scores_of_planted_cases_depend_neither_on_their_order_nor_on_names():
    usual = ["abcdefgh"] * 200 + ["abcdfgh"] * 60 + ["abxcdefgh"] * 40 + ["abyycdefgh"] * 30
    slips = ["abefgh", "abcdqefgh", "abcdcdefgh", "abfcdegh", "acdefbgh", "gabcdefh", "abhcdef", "xabcdefgh", "abcdefghy"]
    traces = [list(case) for case in usual + slips]
    scores, other, same = in_another_order(traces, Random(0))
    assert scores[-len(slips) :].min() > ODD
    assert other == pytest.approx(
        same, abs=1e-6
    )  # of equally likely labels that may stand there instead, the first three are tried


def in_another_order(traces, random):
    """The scores of cases; those in another order and with names that sort differently; and the first ones in that order."""
    log = EventLog.from_traces(traces)
    scores = odd(log).case_scores()
    order = random.sample(range(len(traces)), len(traces))
    other = dict(zip(log.activities, random.sample(log.activities, len(log.activities)), strict=True))
    shuffled = EventLog.from_traces([[other[label] for label in traces[i]] for i in order])
    return scores, odd(shuffled).case_scores(), scores[order]


def ties(log):
    """Return whether it depends on the order of labels which steps are tried in a gap."""
    pairs = Pairs(cases_of(log), len(log.activities))
    symbols = [START, *range(len(log.activities)), END]
    return any(pairs.has_ties(x, y) for x in symbols[:-1] for y in symbols[1:])


@examples(8)
@given(logs_with_equal_cases(), st.integers(0, 4))
def test_the_oddest_are_the_first_of_all_and_no_odder_than_their_cases(log, topn):
    log = repeated(log, 40)
    oddities = odd(log)
    everything = oddities.most(None)
    assert oddities.most(topn) == everything[:topn]
    assert [one.score for one in everything] == sorted((one.score for one in everything), reverse=True)
    for one in everything:
        assert ODD <= one.score <= oddities.case_scores()[one.case_number] + 1e-6
        assert one in oddities.explain(one.case_number)
    by_kind = [one for kind in {one.kind for one in everything} for one in oddities.most(None, kind)]
    assert sorted(by_kind, key=everything.index) == everything
    assert odd(log).most(None) == everything
    assert oddities.cell_scores().shape == (log.n_events, 1 + len(oddities.attributes))


def test_the_oddest_place_may_be_in_a_case_that_is_not_the_oddest():
    cases = ["abcdefghijkl"] * 200 + ["abdefghikl", "abcdefghijijkl"]  # two steps are skipped, or one pair is repeated
    oddities = odd(EventLog.from_traces(map(list, cases)))
    assert oddities.case_scores().argmax() == 200
    assert oddities.most(1)[0].kind == "repeated"


def repeated(log, times):
    """Return a log whose first case has many copies, so that others can be odd."""
    first = log.codes[: log.offsets[1]]
    codes = np.concatenate([log.codes, *[first] * times])
    offsets = np.concatenate([log.offsets, log.offsets[-1] + len(first) * np.arange(1, times + 1)])
    return EventLog(log.activities, codes.astype(np.int32), offsets, [str(i) for i in range(len(offsets) - 1)])


def test_a_log_of_equal_cases_has_nothing_odd():
    for traces in ([list("abcdef")] * 500, [["a"]] * 500, [["a"] * 9] * 100, [["a"]], [list("abcab")]):
        oddities = odd(EventLog.from_traces(traces))
        assert oddities.most(None) == []
        assert oddities.case_scores().max() < np.log(4)


def test_noise_has_nothing_odd():
    random = np.random.default_rng(0)
    log = EventLog.from_traces([[f"step {code}" for code in row] for row in random.integers(0, 10, (2000, 4))])
    assert (odd(log).case_scores() >= ODD).mean() == 0


def test_a_variant_that_is_merely_rare_is_less_odd_than_a_slip_in_a_frequent_one():
    usual = ["abcdefgh"] * 1500 + ["abcdfgh"] * 300 + ["abxcdefgh"] * 130 + ["abcdcdefgh"] * 60
    branch = ["abUVWgh"] * 3  # a branch with labels of its own
    loop = ["abcdcdcdefgh"]  # three rounds in place of two
    slips = ["abdefgh", "abcedfgh", "abcdexfgh", "abcdefefgh"]
    scores = odd(EventLog.from_traces(map(list, usual + branch + loop + slips))).case_scores()
    assert scores[-len(slips) :].min() > 2 * scores[len(usual) : -len(slips)].max()
    assert scores[len(usual)] < ODD, "a branch of its own has no slip that explains it"
    assert scores[: len(usual)].max() < ODD


def test_many_labels_and_long_cases_need_no_table_of_all_pairs():
    codes = np.random.default_rng(0).permutation(np.repeat(np.arange(10_000), 2))
    many = EventLog.from_traces([[f"step {code}" for code in codes[i : i + 20]] for i in range(0, len(codes), 20)])
    long = EventLog.from_traces([["a", "b"] * 10_000] + [["a", "b"] * rounds for rounds in (1, 2, 3)] * 30)
    for log in (many, long):
        tracemalloc.start()
        try:
            oddities = odd(log)
            oddities.event_scores()
            oddities.most(5)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 150e6, "a table of 10,000 labels by 10,000 would take 800 MB"
        assert np.isfinite(oddities.case_scores()).all()


@pytest.mark.parametrize(
    ("attribute", "said"),
    [
        (Attribute(["x", "y"], np.array([0, 99, 1])), "positions"),
        (Attribute(["x", "y"], np.array([0, -2, 1])), "positions"),
        (Attribute(["x", "y"], np.array([0, 1])), "codes"),
        (Attribute(["x", 7], np.array([0, 1, 1])), "not a string: 7"),
    ],
)
def test_an_attribute_that_was_put_into_a_log_by_hand_is_checked(attribute, said):
    log = EventLog.from_traces([["a", "b", "c"]])
    log.attributes["User"] = attribute
    with pytest.raises(LogError, match=said):
        odd(log)


def test_the_copy_of_an_attribute_counts_once_whatever_its_values_are_called():
    resources = ["Sue", "Bob", "Sue"] * 300 + ["Sue", "Zed", "Sue"]
    traces = EventLog.from_traces([["order", "check", "pay"]] * 301)
    resource, copy = Attribute.from_texts(resources), Attribute.from_texts([name[::-1] for name in resources])
    once, twice = (
        odd(EventLog(traces.activities, traces.codes, traces.offsets, traces.case_ids, attributes=attributes))
        for attributes in ({"resource": resource}, {"resource": resource, "copy": copy})
    )
    assert (twice.attributes, twice.ignored) == (("resource",), ("copy",))
    assert twice.case_scores().tolist() == once.case_scores().tolist()
