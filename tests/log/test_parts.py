"""Some cases or some events of a log, and when cases begin."""

import numpy as np
from hypothesis import given

from actalike.log import Attribute, EventLog, case_beginnings, cases_of, events_of
from tests.helpers.strategies import logs_with_attributes


@given(logs_with_attributes())
def test_some_cases_of_a_log_are_a_log_of_these_cases(log):
    chosen = np.arange(log.n_cases) % 2 == 0
    part = cases_of(log, chosen)
    assert part.traces() == log.traces()[::2]
    assert part.case_ids == log.case_ids[::2]
    of_event = np.repeat(chosen, log.lengths)
    for name, attribute in log.attributes.items():
        texts = [attribute.values[code] if code >= 0 else None for code in attribute.codes[of_event].tolist()]
        assert [part.attributes[name].values[c] if c >= 0 else None for c in part.attributes[name].codes.tolist()] == texts


@given(logs_with_attributes())
def test_all_cases_of_a_log_are_the_log(log):
    assert cases_of(log, np.ones(log.n_cases, dtype=bool)) == log


@given(logs_with_attributes())
def test_some_events_of_a_log_are_those_and_cases_may_be_empty(log):
    is_kept = log.codes % 2 == 0
    labels = set(log.activities[::2])
    part = events_of(log, is_kept, np.ones(log.n_cases, dtype=bool))
    assert part.traces() == [[label for label in trace if label in labels] for trace in log.traces()]


def test_values_that_no_kept_event_has_are_gone():
    log = EventLog(["a"], [0, 0], [0, 1, 2], ["1", "2"], attributes={"office": Attribute.from_texts(["A", "B"])})
    assert cases_of(log, np.array([False, True])).attributes["office"].values == ["B"]


def test_a_case_begins_with_its_earliest_timestamp():
    times = np.array(["2024-01-09", "2024-01-02", "NaT", "NaT", "2024-01-05"], dtype="datetime64[us]")
    log = EventLog(["a"], [0] * 5, [0, 2, 2, 3, 5], ["1", "empty", "undated", "2"], times)
    expected = np.array(["2024-01-02", "NaT", "NaT", "2024-01-05"], dtype="datetime64[us]")
    assert np.array_equal(case_beginnings(log), expected, equal_nan=True)
    assert np.isnat(case_beginnings(EventLog.from_traces([["a"], []]))).all()
