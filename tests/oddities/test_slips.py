"""Which slips a case may have had, and what undoing each of them gains."""

from itertools import pairwise
from math import log as ln

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.oddities import KINDS
from actalike.oddities import slips as module
from actalike.oddities.model import CaseProbabilities, CountTable, DistinctCases
from actalike.oddities.slips import Occurrences, find_slips, likely_missing
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import END, START, Pairs, cases_of, occurrences_gain, variant_of_case, weighed_slips
from tests.helpers.strategies import logs_with_equal_cases


def slips_of(log):
    """Return the variants of a log, and the slips of each: (kind, start, end, size, missing) with (prior, gain)."""
    cases = DistinctCases(log.variants)
    slips = find_slips(cases, CaseProbabilities(cases), Occurrences(cases))
    by_variant = [[] for _ in cases.weights]
    for i, variant in enumerate(slips.variants.tolist()):
        missing = tuple(code for code in slips.missing[i].tolist() if code >= 0)
        place = slips.starts[i].item(), slips.ends[i].item(), slips.sizes[i].item()
        by_variant[variant].append(((KINDS[slips.kinds[i]], *place, missing), (slips.priors[i], slips.gains[i])))
    return cases, [sorted(one, key=lambda slip: slip[0]) for one in by_variant]


def check_variant(log, fast, variant):
    traces, labels = cases_of(log), len(log.activities)
    number = variant_of_case(log).index(variant)
    naive = sorted(weighed_slips(number, traces, labels, Pairs(traces, labels)), key=lambda slip: slip[0][:5])
    assert [slip for slip, _ in fast[variant]] == [tuple(slip[:5]) for slip, _, _ in naive]
    weights = [one for _, weights in fast[variant] for one in weights]
    assert weights == pytest.approx([one for _, prior, gain in naive for one in (prior, gain)])


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_slips_are_the_edits_that_the_screen_lets_through(log):
    _, fast = slips_of(log)
    for variant in range(len(fast)):
        check_variant(log, fast, variant)


@pytest.mark.parametrize("name", ["Env_Permit", "BPIC13_open_problems"])
def test_slips_of_a_real_log_are_those_of_the_definition(real_log, name):
    log = real_log(name)
    _, fast = slips_of(log)
    for variant in range(3, len(fast), len(fast) // 3):
        check_variant(log, fast, variant)


def test_a_skipped_step_gains_what_is_counted_by_hand():
    _, (_, ac) = slips_of(EventLog.from_traces([list("abc")] * 30 + [list("ac")]))
    # By the other 30 cases <a, b, c>: each symbol is a quarter of all, (30 + 1/2) / (120 + 4/2), and the only one that comes after
    # the one, two or three symbols before it.
    one = (30 + 16 / 4) / (30 + 16)
    two = (30 + 16 * one) / (30 + 16)
    three = (30 + 16 * two) / (30 + 16)
    undone = one * two * three * three  # a at the start; b after the start and a; c and the end after three symbols
    c_after_a = 16 / 4 / (30 + 16)
    as_is = one * 16 * c_after_a / (30 + 16) * one  # a at the start; c after the start and a; the end after c
    occurrences = np.log((30 + 1 / 2) / (0 + 1 / 2))  # 30 cases have b once, none has no b
    prior = -np.log(2 * 2)  # two places, and one step or two
    assert dict(ac)["skipped", 1, 1, 1, (1,)] == pytest.approx((prior, np.log(undone / as_is) + occurrences / 2))


def test_few_cases_tell_no_slip():
    _, (_, ac) = slips_of(EventLog.from_traces([list("abc")] * 3 + [list("ac")]))
    assert "skipped" not in {slip[0] for slip, _ in ac}


def test_a_move_among_equal_events_is_no_slip():
    _, (only,) = slips_of(EventLog.from_traces([["a"] * 6] * 3))
    assert {slip[0] for slip, _ in only} <= {"inserted", "repeated"}


def test_slips_are_the_same_if_they_are_measured_in_small_portions(real_log, monkeypatch):
    log = real_log("BPIC13_open_problems")
    whole = slips_of(log)[1]
    monkeypatch.setattr(module, "_AT_ONCE", 1000)
    assert slips_of(log)[1] == whole


def candidates(log):
    """Return the likely steps of each pair of symbols, by the fast way and by the naive one."""
    cases, labels = DistinctCases(log.variants), len(log.activities)
    lines = [[cases.start, *case, cases.end] for case in cases_of(log)]
    keys = np.array([x * cases.n_symbols + y for line in lines for x, y in pairwise(line)])
    table, _ = CountTable.of(keys, np.ones(len(keys), dtype=np.int64))
    names = {cases.start: START, cases.end: END}
    pairs = [(x, y) for x in range(labels + 1) for y in (*range(labels), cases.end)]
    gaps = np.array([x * cases.n_symbols + y for x, y in pairs])
    columns = [one.tolist() for one in likely_missing(cases, table, gaps)]
    fast = [[tuple(column[i]) for column in columns if min(column[i]) >= 0] for i in range(len(gaps))]
    naive = Pairs(cases_of(log), labels)
    return fast, [naive.likely_missing(names.get(x, x), names.get(y, y)) for x, y in pairs]


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_steps_are_tried_by_the_pairs_that_they_would_make(log):
    fast, naive = candidates(log)
    assert fast == naive


def test_the_steps_of_a_real_log_are_the_same_in_small_portions(real_log, monkeypatch):
    log = real_log("BPIC13_open_problems")
    whole, naive = candidates(log)
    assert whole == naive
    monkeypatch.setattr(module, "_GAPS_AT_ONCE", 50)
    assert candidates(log)[0] == whole


@pytest.mark.parametrize("gap", [[], [0]])
def test_no_gap_and_a_gap_that_nothing_fills_have_no_steps(gap):
    cases = DistinctCases(EventLog.from_traces([["a"]]).variants)
    table = CountTable(np.array([0 * 3 + 2, 1 * 3 + 0]), np.array([1, 1]))
    steps = list(likely_missing(cases, table, np.array(gap, dtype=np.int64)))
    assert [step.shape[1] for step in steps] == [1] * 6 + [2] * 3 + [3, 4, 5]
    assert all(len(step) == len(gap) for step in steps)
    assert all((step == -1).all() for step in steps)


@given(logs_with_equal_cases(max_attributes=0), st.data())
def test_a_block_that_is_added_or_removed_changes_the_occurrences_of_its_labels(log, data):
    traces, cases = cases_of(log), DistinctCases(log.variants)
    occurrences = Occurrences(cases)
    number = data.draw(st.integers(0, log.n_cases - 1))
    case, others = traces[number], traces[:number] + traces[number + 1 :]
    variant = np.array(variant_of_case(log)[number : number + 1])
    block = data.draw(st.lists(st.integers(0, len(log.activities) - 1), min_size=1, max_size=3))
    added = occurrences.gains(variant, np.array([block]), 1)
    assert added == pytest.approx(occurrences_gain(case, case + block, others))
    for size in range(1, min(3, len(case)) + 1):
        removed = occurrences.gains(variant, np.array([case[:size]]), -1)
        assert removed == pytest.approx(occurrences_gain(case, case[size:], others))


def test_from_nine_on_occurrences_are_counted_together():
    log = EventLog.from_traces([["a"] * 8] * 2 + [["a"] * 9] * 3 + [["a"] * 10] * 4 + [["a"] * 12])
    cases = DistinctCases(log.variants)
    ten = np.array(variant_of_case(log)[5:6])
    gains = [float(Occurrences(cases).gains(ten, np.zeros((1, size), dtype=np.int64), -1)[0]) for size in (1, 2)]
    # Of the other nine cases, seven have it 9 times or more, and two 8 times.
    assert gains == pytest.approx([0.0, ln(2.5 / 7.5)])
