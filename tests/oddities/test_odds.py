"""Test how slips and unusual values are weighed against none."""

import numpy as np
import pytest
from hypothesis import given

from actalike import Attribute, EventLog, odd
from tests.helpers.examples import examples
from tests.helpers.naive_odd_values import surprises_of
from tests.helpers.naive_oddities import cases_of, naive_odds
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
    assert np.median(oddities.case_scores()) < np.log(3), "slips have odds of 1, and breaks tell nothing"
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
