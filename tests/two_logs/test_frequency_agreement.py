import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.two_logs.activity_profiles import profiles_of
from actalike.two_logs.frequency_agreement import frequency_agreement
from tests.helpers import naive_matching
from tests.helpers.examples import examples
from tests.helpers.strategies import traces


def agreement(a, b, certain):
    rows, columns = np.array(certain, dtype=np.int64).reshape(-1, 2).T
    return frequency_agreement(profiles_of(a), a.activity_cases, profiles_of(b), b.activity_cases, (rows, columns))


@examples(12)
@given(traces(), traces(), st.data())
def test_the_agreement_is_that_of_the_definition(cases_a, cases_b, data):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    pairs = st.lists(st.tuples(st.integers(0, len(a.activities) - 1), st.integers(0, len(b.activities) - 1)), max_size=4)
    certain = data.draw(pairs)
    labels = [(a.activities[i], b.activities[j]) for i, j in certain]
    definition = naive_matching.Logs(cases_a, cases_b).frequency_agreement(labels)
    expected = np.array([[definition[x, y] for y in b.activities] for x in a.activities])
    assert agreement(a, b, certain) == pytest.approx(expected, abs=1e-9)


def log_of(shares):
    """A log of 1,000 cases, in each share of which an activity is."""
    cases = [["all", *(f"{share}" for share in shares if i < 1000 * share)] for i in range(1000)]
    return EventLog.from_traces(cases)


def test_frequencies_count_for_much_only_if_those_of_certain_pairs_agree():
    a, b = log_of([0.1, 0.2, 0.4, 0.8]), log_of([0.1, 0.2, 0.4, 0.8])
    other = log_of([0.8, 0.05, 0.9, 0.2])
    pairs = [(0, 0), (1, 1), (2, 2), (3, 3)]
    trusted, doubted = agreement(a, b, pairs)[0, 1], agreement(a, other, pairs)[0, 0]
    assert trusted < -3 < doubted < 0  # twice as frequent is much in the first pair of logs, and four times little in the second


def test_without_certain_pairs_frequencies_count_for_little():
    a = log_of([0.1, 0.8])
    assert -0.5 < agreement(a, a, []).min() < agreement(a, a, []).max() <= 0
