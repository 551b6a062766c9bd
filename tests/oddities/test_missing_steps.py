"""Test which steps are likely to be missing between two neighbours."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog
from actalike.oddities import missing_steps
from actalike.oddities.count_tables import CountTable
from actalike.oddities.distinct_cases import DistinctCases
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import END, START, Pairs, cases_of
from tests.helpers.strategies import logs_with_equal_cases


def candidates(log):
    """Return the likely steps of each pair of symbols, by the fast way and by the naive one."""
    cases, labels = DistinctCases(log), len(log.activities)
    lines = [[cases.start, *case, cases.end] for case in cases_of(log)]
    keys = np.array([x * cases.n_symbols + y for line in lines for x, y in pairwise(line)])
    table, _ = CountTable.of(keys, np.ones(len(keys), dtype=np.int64))
    names = {cases.start: START, cases.end: END}
    pairs = [(x, y) for x in range(labels + 1) for y in (*range(labels), cases.end)]
    gaps = np.array([x * cases.n_symbols + y for x, y in pairs])
    columns = [one.tolist() for one in missing_steps.likely_missing(cases, table, gaps)]
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
    monkeypatch.setattr(missing_steps, "_AT_ONCE", 50)
    assert candidates(log)[0] == whole


@pytest.mark.parametrize("gap", [[], [0]])
def test_no_gap_and_a_gap_that_nothing_fills_have_no_steps(gap):
    cases = DistinctCases(EventLog.from_traces([["a"]]))
    table = CountTable(np.array([0 * 3 + 2, 1 * 3 + 0]), np.array([1, 1]))
    steps = list(missing_steps.likely_missing(cases, table, np.array(gap, dtype=np.int64)))
    assert [step.shape[1] for step in steps] == [1] * 6 + [2] * 3 + [3, 4, 5]
    assert all(len(step) == len(gap) for step in steps)
    assert all((step == -1).all() for step in steps)
