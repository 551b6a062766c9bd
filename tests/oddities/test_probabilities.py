"""How probable cases are, each counted anew without the case itself."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.oddities.model import MARGIN, CaseProbabilities, CountTable, DistinctCases
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import Continuations, cases_of, log_probability, variant_of_case
from tests.helpers.strategies import logs_with_equal_cases


def log_probabilities(log):
    """Return ln P of each variant's case, without that case in the counts."""
    cases = DistinctCases(log.variants)
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
    _, fast = log_probabilities(log)
    for variant, value in enumerate(fast):
        number = variant_of_case(log).index(variant)
        assert value == pytest.approx(naive_log_probability(traces, number, len(log.activities)))


@pytest.mark.parametrize("name", ["Env_Permit", "BPIC13_open_problems"])
def test_cases_of_a_real_log_are_as_probable_as_the_others_make_them(real_log, name):
    log = real_log(name)
    traces = cases_of(log)
    _, fast = log_probabilities(log)
    for variant in range(0, len(fast), len(fast) // 3):
        number = variant_of_case(log).index(variant)
        assert fast[variant] == pytest.approx(naive_log_probability(traces, number, len(log.activities)))


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_what_follows_a_context_is_counted_in_the_whole_log(log):
    cases = DistinctCases(log.variants)
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


@given(logs_with_equal_cases(max_attributes=0))
def test_each_variant_stands_once_between_starts_and_ends(log):
    cases, traces = DistinctCases(log.variants), cases_of(log)
    variants = [traces[variant_of_case(log).index(variant)] for variant in range(len(cases.weights))]
    assert sorted(variants) == sorted(map(list, {tuple(trace) for trace in traces}))
    assert [variants[variant] for variant in variant_of_case(log)] == traces
    assert cases.weights.tolist() == [traces.count(variant) for variant in variants]
    assert cases.weights.sum() == log.n_cases
    laid_out = [symbol for one in variants for symbol in [cases.start] * MARGIN + one + [cases.end] * MARGIN]
    assert cases.symbols.tolist() == laid_out
    assert cases.symbols[cases.places].tolist() == [symbol for one in variants for symbol in one]
    assert (cases.symbols[cases.ends] == cases.end).all()
    assert (cases.symbols[cases.first - 1] == cases.start).all()
    assert cases.offsets.tolist() == [sum(map(len, variants[:i])) for i in range(len(variants) + 1)]
    assert cases.position.tolist() == [i for one in variants for i in range(len(one))]


keys = st.lists(st.tuples(st.integers(0, 2**62), st.integers(1, 2**40)) | st.tuples(st.integers(0, 5), st.integers(1, 3)))


@given(keys, st.lists(st.integers(0, 7)))
def test_counts_are_exact_and_unknown_keys_count_nothing(weighted, asked):
    numbers = np.array([key for key, _ in weighted], dtype=np.int64)
    weights = np.array([weight for _, weight in weighted], dtype=np.int64)
    table, of_key = CountTable.of(numbers, weights)
    expected = Counter()
    for key, weight in weighted:
        expected[key] += weight
    assert dict(zip(table.keys.tolist(), table.counts.tolist(), strict=True)) == expected
    assert table.keys[of_key].tolist() == numbers.tolist()
    asked = np.array([*asked, *numbers.tolist()], dtype=np.int64)
    assert table.of_keys(asked).tolist() == [expected[key] for key in asked.tolist()]
    found = table.numbers(asked)
    assert (found >= 0).tolist() == [key in expected for key in asked.tolist()]
    assert table.keys[found[found >= 0]].tolist() == asked[found >= 0].tolist()
