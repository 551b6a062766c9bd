import pytest

from actalike import EventLog
from actalike.benchmark.anomalies.case_draws import CaseDraws
from actalike.benchmark.anomalies.planting_values import PlantingValues


@pytest.mark.parametrize(
    ("kind", "shortest"),
    [
        ("skipped", 3),
        ("repeated", 2),
        ("early", 3),
        ("late", 3),
        ("inserted", 2),
        ("attribute", 1),
        ("foreign", 1),
        ("plausible", 2),
        ("swapped", 3),
        ("replaced", 1),
        ("cut", 2),
        ("block", 2),
    ],
)
def test_a_kind_applies_from_a_length_on(order_log, kind, shortest):
    values = PlantingValues(order_log, as_published=True)
    assert [values.applies(kind, length) for length in range(1, 5)] == [length >= shortest for length in range(1, 5)]


def test_without_attributes_no_value_is_odd():
    values = PlantingValues(EventLog.from_traces([["a", "b"]]), as_published=True)
    assert not values.applies("attribute", 2)
    assert values.names == [["a", "b", "Random activity 1"]]


def test_a_new_value_differs_from_the_old_one_if_labels_are_known(order_log):
    values = PlantingValues(order_log, as_published=False)
    edits = [values.draw_edit("attribute", 0, CaseDraws(seed)) for seed in range(100)]
    old = values.columns[1]
    assert all(code != old[position] for edit in edits for (position, _), code in edit.values.items())
    published = PlantingValues(order_log, as_published=True)
    edits = [published.draw_edit("attribute", 0, CaseDraws(seed)) for seed in range(100)]
    assert any(code == old[position] for edit in edits for (position, _), code in edit.values.items())


def test_a_single_value_cannot_be_replaced_by_another(order_log):
    only = order_log.attributes["user"]._replace(values=["Sue"], codes=order_log.attributes["user"].codes * 0)
    log = EventLog(order_log.activities, order_log.codes, order_log.offsets, order_log.case_ids, attributes={"user": only})
    assert PlantingValues(log, as_published=False).draw_edit("attribute", 0, CaseDraws(1)) is None
    assert PlantingValues(log, as_published=False).draw_edit("foreign", 0, CaseDraws(1)) is None
