import numpy as np

from actalike import Attribute, EventLog, odd
from actalike.benchmark.anomalies.contract import Answer
from actalike.benchmark.anomalies.detectors.odd_events import Odd, OddActivities
from actalike.benchmark.anomalies.planting import plant


def test_scores_and_reasons_are_those_of_odd(order_log):
    log = plant(order_log, "orders", "bpad-10").log
    oddities = odd(log)
    answer = Answer(Odd().fit(log), log)
    assert np.array_equal(answer.cases, oddities.case_scores())
    assert np.array_equal(answer.events, oddities.event_scores())
    assert np.array_equal(answer.cells, oddities.cell_scores())
    assert answer.reasons([3, 5]) == [next(iter(oddities.explain(case)), None) for case in ("4", "6")]


def test_columns_of_attributes_that_odd_ignores_are_zero(order_log):
    ids = Attribute.from_texts([f"n{i}" for i in range(order_log.n_events)])
    attributes = {"id": ids, "user": order_log.attributes["user"]}
    log = EventLog(order_log.activities, order_log.codes, order_log.offsets, order_log.case_ids, attributes=attributes)
    oddities = odd(log)
    cells = Answer(Odd().fit(log), log).cells
    assert oddities.attributes == ("user",)
    assert not cells[:, 1].any()
    assert np.array_equal(cells[:, [0, 2]], oddities.cell_scores())


def test_without_attributes_only_activities_are_odd(order_log):
    answer = Answer(OddActivities().fit(order_log), order_log)
    assert answer.cells.shape == (order_log.n_events, 2)
    assert not answer.cells[:, 1].any()
    assert np.array_equal(answer.cases, odd(order_log, []).case_scores())
