"""The figures that a report begins with."""

import numpy as np
from hypothesis import given

from actalike import EventLog
from actalike.report.log_facts import log_facts
from tests.helpers.reading import read_bytes
from tests.helpers.strategies import logs


@given(logs())
def test_the_figures_are_those_of_the_log(log):
    facts = log_facts(log)
    assert facts.items() >= log.statistics().items()
    assert facts["median_length"] == np.median([len(trace) for trace in log.traces()])
    assert (facts["first_day"], facts["last_day"]) == (None, None)


def test_the_period_is_that_of_the_known_timestamps():
    content = b"case,activity,timestamp\n1,a,2024-03-01T23:59:59\n1,b,\n2,a,2023-12-31T00:00:00\n"
    facts = log_facts(read_bytes(content, "log.csv", order="file"))
    assert (facts["first_day"], facts["last_day"]) == ("2023-12-31", "2024-03-01")


def test_timestamps_of_which_none_is_known_have_no_period():
    log = EventLog.from_traces([["a", "b"]])
    log.timestamps = np.array(["NaT", "NaT"], dtype="datetime64[us]")
    assert log_facts(log)["first_day"] is None
