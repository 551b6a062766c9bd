import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog, read_log
from actalike.two_logs.company import WEIGHTS, company_of, togetherness
from tests.helpers import naive_matching
from tests.helpers.examples import examples
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces


def assert_equals_definition(cases):
    log = EventLog.from_traces(cases)
    company, symbols = company_of(log), [*log.activities, None]
    for around in company.around:
        definition = naive_matching.company(cases, around.offset)
        rows = np.array([[definition[a, x] for x in symbols] for a in log.activities])
        assert np.array([around.row(i) for i in range(len(log.activities))]) == pytest.approx(rows, abs=1e-12)
    definition = naive_matching.togetherness(cases)
    rows = np.array([[definition[a, x] for x in log.activities] for a in log.activities])
    assert company.together == pytest.approx(rows, abs=1e-6)  # differences of roots, divided by their length


@examples(10)
@given(traces())
def test_company_is_that_of_the_definition(cases):
    assert_equals_definition(cases)


def test_the_company_in_a_real_log_is_that_of_the_definition():
    assert_equals_definition(read_log(need_logs() / "Helpdesk.xes.gz").traces()[:60])


@examples(8)
@given(traces())
def test_the_squares_of_each_row_sum_to_one(cases):
    company = company_of(EventLog.from_traces(cases))
    for around in company.around:
        for i in range(len(company)):
            assert (around.row(i) ** 2).sum() == pytest.approx(1.0)


def test_offsets_weigh_one_together_and_the_same_on_both_sides():
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    assert all(WEIGHTS[offset] == WEIGHTS[-offset] for offset in WEIGHTS)


def test_up_to_four_events_away_counts_less_the_farther():
    company = company_of(EventLog.from_traces([list("abcdef")] * 1000))
    far = company.around[-1]
    assert far.offset == 4
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert (far.row(0) ** 2)[1:5] == pytest.approx([1 / d / harmonic for d in (1, 2, 3, 4)], abs=1e-3)
    assert (far.row(5) ** 2)[-1] == pytest.approx(1.0, abs=1e-3)  # outside the case, at all four distances


def test_nobody_is_more_together_than_usual_if_all_activities_are_in_all_cases():
    together = togetherness(EventLog.from_traces([["a", "b", "c"], ["c", "a", "b", "b"]] * 3))
    assert np.isfinite(together).all()
    assert together == pytest.approx(0.0, abs=1e-3)


def test_activities_of_the_same_cases_are_together():
    together = togetherness(EventLog.from_traces([["a", "b"], ["c", "d"]] * 10))
    assert (together[0] > 0).tolist() == [True, True, False, False]
    assert together[0] == pytest.approx(together[2][[2, 3, 0, 1]])
