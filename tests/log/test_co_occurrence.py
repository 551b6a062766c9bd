"""Which activities are in the same cases."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.log.co_occurrence import CoOccurrence
from tests.helpers.strategies import traces

cases_of_few = traces(st.sampled_from("abcd"))


@given(cases_of_few, st.data())
def test_cases_with_any_several_and_all_members_are_those_of_the_traces(cases, data):
    log = EventLog.from_traces(cases)
    members = data.draw(st.lists(st.sampled_from(range(len(log.activities))), unique=True, min_size=1))
    held = [len({log.activities[i] for i in members} & set(case)) for case in cases]
    expected = tuple(sum(n >= least for n in held) for least in (1, 2, len(members)))
    assert CoOccurrence(log).cases(members) == expected


@given(cases_of_few)
def test_shared_cases_are_those_of_the_traces(cases):
    log = EventLog.from_traces(cases)
    expected = [[sum(a in case and b in case for case in cases) for b in log.activities] for a in log.activities]
    assert CoOccurrence(log).shared_cases().tolist() == expected


@given(cases_of_few)
def test_attraction_compares_mixed_pairs_with_names_by_chance(cases):
    log = EventLog.from_traces(cases)
    events = Counter(label for case in cases for label in case)
    attraction = CoOccurrence(log).attraction()
    for i, a in enumerate(log.activities):
        for j, b in enumerate(log.activities):
            if a == b:
                assert attraction[i, j] == 1
                continue
            pairs = [pair for case in cases for pair in combinations([x for x in case if x in (a, b)], 2)]
            mixed = sum(x != y for x, y in pairs)
            by_chance = 2 * events[a] * events[b] / (events[a] + events[b]) ** 2
            assert attraction[i, j] == pytest.approx((mixed + 5 * by_chance) / (len(pairs) + 5) / by_chance)
