import numpy as np
import pytest

from actalike import EventLog
from actalike.benchmark.anomalies.detectors.bags import BagForest


def test_a_strange_bag_is_the_oddest_and_the_order_of_events_does_not_matter():
    pytest.importorskip("sklearn")
    log = EventLog.from_traces([["a", "b", "c"]] * 40 + [["a", "c", "b"]] * 20 + [["z", "z", "a"]])
    one, same = (BagForest().fit(log).case_scores_ for _ in range(2))
    assert np.array_equal(one, same)
    assert one.argmax() == 60
    assert one[0] == one[45]
