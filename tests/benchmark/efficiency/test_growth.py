"""Made-up logs of growing size."""

import pytest

from actalike import EventLog
from actalike.benchmark.efficiency.growth import GROWTH_LOGS, made_log


@pytest.mark.parametrize("name", GROWTH_LOGS)
def test_made_up_logs_have_the_size_of_their_name(name):
    events, activities = GROWTH_LOGS[name]
    log = made_log(events, activities)
    assert (log.n_events, len(log.activities)) == (events, activities)
    assert int(name.rpartition("-")[2]) in (events, activities)
    assert made_log(events, activities) == log
    assert isinstance(log, EventLog)
