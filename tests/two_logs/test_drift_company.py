import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog, read_log
from actalike.two_logs.drift_company import OFFSETS, all_activities, companies
from tests.helpers import naive_drift
from tests.helpers.examples import examples
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces


def changes(before, after):
    return {label: float(one.changes(one.before[np.newaxis])[0]) for label, one in companies(before, after)}


@examples(25)
@given(traces(), traces())
def test_the_change_is_that_of_the_definition(before, after):
    logs = EventLog.from_traces(before), EventLog.from_traces(after)
    found = changes(*logs)
    assert set(found) == set(logs[0].activities) & set(logs[1].activities)
    for label, change in found.items():
        assert change == pytest.approx(max(naive_drift.change(before, after, label), 0), abs=1e-12)


@examples(15)
@given(traces(), traces())
def test_each_neighbour_has_its_exact_part_of_the_change(before, after):
    logs = EventLog.from_traces(before), EventLog.from_traces(after)
    symbols = [*all_activities(*logs), None]
    for label, company in companies(*logs):
        definition = naive_drift.parts(before, after, label)
        first, second, parts = company.parts()
        for i, part in enumerate(parts):
            offset, neighbour = OFFSETS[company.offset[i]], symbols[company.neighbour[i]]
            assert part == pytest.approx(definition.pop((offset, neighbour)), abs=1e-12)
            for side, share in ((before, first[i]), (after, second[i])):
                counts = naive_drift.shares(side, offset, label)
                assert share == pytest.approx(counts[neighbour] / counts.total())
        unseen = sum(definition.values())  # by pseudo-events alone
        change = float(company.changes(company.before[np.newaxis])[0])
        assert parts.sum() + unseen == pytest.approx(change, abs=1e-12)


def test_cases_that_use_an_activity_in_the_same_way_are_counted_together():
    log = EventLog.from_traces([["a", "b", "x"], ["y", "q", "a", "b", "x"], ["a", "b", "x"]])
    company = dict(companies(log, log))["x"]
    assert (company.before.tolist(), company.after.tolist(), company.events.tolist()) == ([3], [3], [1])


@pytest.mark.parametrize("name", ["CCC19", "Helpdesk"])
def test_real_logs_change_as_the_definition_says(name):
    log = read_log(need_logs() / f"{name}.xes.gz")
    cases = log.traces()[:120]
    before, after = cases[: len(cases) // 3], cases[len(cases) // 3 :]
    found = changes(EventLog.from_traces(before), EventLog.from_traces(after))
    for label in sorted(found)[:: max(len(found) // 4, 1)]:
        assert found[label] == pytest.approx(naive_drift.change(before, after, label), abs=1e-12)
