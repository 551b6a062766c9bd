"""Test which slips a case may have had, and what undoing each of them gains."""

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog
from actalike.oddities import case_slips
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.case_slips import find_slips
from actalike.oddities.distinct_cases import DistinctCases
from actalike.oddities.occurrences import Occurrences
from actalike.oddities.odd_data import KINDS
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import Pairs, cases_of, weighed_slips
from tests.helpers.strategies import logs_with_equal_cases


def slips_of(log):
    """Return the variants of a log, and the slips of each: (kind, start, end, size, missing) with (prior, gain)."""
    cases = DistinctCases(log)
    slips = find_slips(cases, CaseProbabilities(cases), Occurrences(cases))
    by_variant = [[] for _ in cases.weights]
    for i, variant in enumerate(slips.variants.tolist()):
        missing = tuple(code for code in slips.missing[i].tolist() if code >= 0)
        place = slips.starts[i].item(), slips.ends[i].item(), slips.sizes[i].item()
        by_variant[variant].append(((KINDS[slips.kinds[i]], *place, missing), (slips.priors[i], slips.gains[i])))
    return cases, [sorted(one, key=lambda slip: slip[0]) for one in by_variant]


def check_variant(log, cases, fast, variant):
    traces, labels = cases_of(log), len(log.activities)
    number = cases.variant_of_case.tolist().index(variant)
    naive = sorted(weighed_slips(number, traces, labels, Pairs(traces, labels)), key=lambda slip: slip[0][:5])
    assert [slip for slip, _ in fast[variant]] == [tuple(slip[:5]) for slip, _, _ in naive]
    weights = [one for _, weights in fast[variant] for one in weights]
    assert weights == pytest.approx([one for _, prior, gain in naive for one in (prior, gain)])


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_slips_are_the_edits_that_the_screen_lets_through(log):
    cases, fast = slips_of(log)
    for variant in range(len(fast)):
        check_variant(log, cases, fast, variant)


@pytest.mark.parametrize("name", ["Env_Permit", "BPIC13_open_problems"])
def test_slips_of_a_real_log_are_those_of_the_definition(real_log, name):
    log = real_log(name)
    cases, fast = slips_of(log)
    for variant in range(3, len(fast), len(fast) // 3):
        check_variant(log, cases, fast, variant)


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
    monkeypatch.setattr(case_slips, "_AT_ONCE", 1000)
    assert slips_of(log)[1] == whole
