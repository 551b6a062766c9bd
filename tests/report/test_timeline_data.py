import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.log import timeline
from actalike.report.timeline_data import timeline_data
from tests.report.test_packing import unpacked_runs


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10**5)), min_size=1, max_size=20))
def test_the_page_is_given_the_counts_of_the_shown_activities(events):
    labels, hours = zip(*events, strict=True)
    moments = np.array(hours, dtype="datetime64[h]")
    log = EventLog(labels, range(len(labels)), [0, len(labels)], ["1"], timestamps=moments)
    order = np.argsort(-log.activity_counts, kind="stable")[:2]
    expected = timeline(log)
    found = timeline_data(log, order)
    assert found["unit"] == expected.unit
    assert found["starts"] == [str(start) for start in expected.starts]
    assert unpacked_runs(found["counts"]) == expected.counts[order].ravel().tolist()
    assert found["undated"] == [0] * len(order)


def test_without_timestamps_the_page_has_no_timeline():
    assert timeline_data(EventLog.from_traces([["a", "b"]]), np.array([0, 1])) is None
