"""Test probabilities of cases, each counted anew without the case itself."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.distinct_cases import DistinctCases
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import Continuations, cases_of, log_probability
from tests.helpers.strategies import logs_with_equal_cases


def log_probabilities(log):
    """Return ln P of each variant's case, without that case in the counts."""
    cases = DistinctCases(log)
    logs = CaseProbabilities(cases).log_probabilities
    return cases, [logs[first : end + 1].sum() for first, end in zip(cases.first, cases.ends, strict=True)]


def naive_log_probability(cases, number, labels):
    return log_probability(cases[number], Continuations(cases[:number] + cases[number + 1 :]), labels)


def test_the_check_log_has_the_probabilities_that_are_counted_by_hand():
    _, (abc, ac) = log_probabilities(EventLog.from_traces([list("abc")] * 3 + [list("ac")]))
    # Without <a, c>: three cases <a, b, c>. a, b, c and the end are a quarter of what is predicted: (3 + 1/2) / (12 + 4/2).
    first = (3 + 16 / 4) / (3 + 16)  # a at the start
    c_after_a = 16 / 4 / (3 + 16)  # by a alone; c was never after a
    c_after_a_at_start = 16 * c_after_a / (3 + 16)
    end_after_c = (3 + 16 / 4) / (3 + 16)  # <a, c> before the end is new, so c alone counts
    assert ac == pytest.approx(np.log(first * c_after_a_at_start * end_after_c))
    assert ac == pytest.approx(np.log(7 / 19 * 64 / 361 * 7 / 19))
    # Without one <a, b, c>: two of them and <a, c>, so 3 a, 2 b, 3 c, 3 ends. Two symbols come after a, so it backs off by 32.
    first = (3 + 16 * 3.5 / 13) / (3 + 16)
    b_after_a = (2 + 32 * 2.5 / 13) / (3 + 32)
    b_after_a_at_start = (2 + 32 * b_after_a) / (3 + 32)
    c = 3.5 / 13
    for _ in range(3):  # after b, a b, and a b at the start: twice of two times
        c = (2 + 16 * c) / (2 + 16)
    end = (3 + 16 * 3.5 / 13) / (3 + 16)  # after c: three of three
    for _ in range(2):  # after b c, and a b c: two of two
        end = (2 + 16 * end) / (2 + 16)
    assert abc == pytest.approx(np.log(first * b_after_a_at_start * c * end))


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_a_case_is_as_probable_as_the_other_cases_make_it(log):
    traces = cases_of(log)
    cases, fast = log_probabilities(log)
    for variant, value in enumerate(fast):
        number = cases.variant_of_case.tolist().index(variant)
        assert value == pytest.approx(naive_log_probability(traces, number, len(log.activities)))


@pytest.mark.parametrize("name", ["Env_Permit", "BPIC13_open_problems"])
def test_cases_of_a_real_log_are_as_probable_as_the_others_make_them(real_log, name):
    log = real_log(name)
    traces = cases_of(log)
    cases, fast = log_probabilities(log)
    for variant in range(0, len(fast), len(fast) // 3):
        number = cases.variant_of_case.tolist().index(variant)
        assert fast[variant] == pytest.approx(naive_log_probability(traces, number, len(log.activities)))


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_what_follows_a_context_is_counted_in_the_whole_log(log):
    cases = DistinctCases(log)
    probabilities = CaseProbabilities(cases)
    after = {}
    for case in cases_of(log):
        line = [cases.start, *case, cases.end]
        for i in range(1, len(line)):
            for size in range(1, min(3, i) + 1):
                after.setdefault(tuple(line[i - size : i]), Counter())[line[i]] += 1
    for context, expected in after.items():
        symbols, times = probabilities.following(np.array(context))
        assert dict(zip(symbols.tolist(), times.tolist(), strict=True)) == expected
    nothing = probabilities.following(np.array([cases.end]))
    assert [len(one) for one in nothing] == [0, 0]
