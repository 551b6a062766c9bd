import numpy as np
import pytest
from hypothesis import given

from actalike.benchmark.matching.matchers.profile import Profile
from actalike.log import EventLog
from tests.helpers import naive_partners as naive
from tests.helpers.examples import examples
from tests.helpers.strategies import labels, traces


@examples(20)
@given(traces(labels, max_cases=4, max_length=7), traces(labels, max_cases=4, max_length=7))
def test_profiles_are_compared_as_by_hand(cases_a, cases_b):
    log_a, log_b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    expected = [[naive.profile(log_a.traces(), log_b.traces(), a, b) for b in log_b.activities] for a in log_a.activities]
    assert Profile().fit(log_a, log_b, {}).scores_ == pytest.approx(np.array(expected))
