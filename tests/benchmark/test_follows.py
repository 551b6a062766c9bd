from hypothesis import given

from actalike.benchmark.follows import follow_cases, follow_counts
from tests.helpers import naive_groupers as naive
from tests.helpers.strategies import logs


@given(logs())
def test_steps_are_counted_as_by_hand(log):
    expected = naive.follows(log.traces())
    in_cases = {}
    for trace in log.traces():
        for pair in naive.follows([trace]):
            in_cases[pair] = in_cases.get(pair, 0) + 1
    counts, cases = follow_counts(log), follow_cases(log)
    for i, a in enumerate(log.activities):
        for j, b in enumerate(log.activities):
            assert counts[i, j] == expected.get((a, b), 0)
            assert cases[i, j] == in_cases.get((a, b), 0)
