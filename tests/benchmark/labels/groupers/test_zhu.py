import numpy as np
import pytest
from hypothesis import given

from actalike.benchmark.labels.groupers import zhu
from actalike.log import EventLog
from tests.helpers import naive_groupers as naive
from tests.helpers.examples import examples
from tests.helpers.strategies import labels, traces


@examples(15)
@given(traces(labels, max_cases=4, max_length=5))
def test_similarities_are_those_of_the_definition(cases):
    log = EventLog.from_traces(cases)
    assert zhu.Zhu().fit(log).scores_ == pytest.approx(np.array(naive.zhu(log.traces(), log.activities)), abs=1e-5)
