"""How labels are used, against loops over the events."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels.uses import LabelUses
from tests.helpers.naive_uses import dated_logs, naive_events, naive_gaps, naive_together, of
from tests.helpers.strategies import logs


def check(log, members):
    uses, labels = LabelUses(log), [log.activities[member] for member in members]
    events = of(naive_events(log), labels)
    names = [*log.activities, None]
    for counts, neighbour in ((uses.before(members), "before"), (uses.after(members), "after")):
        found = {names[i]: count for i, count in enumerate(counts.tolist()) if count}
        assert found == Counter(getattr(event, neighbour) for event in events)
    for found, seconds in ((uses.to_previous(members), "since"), (uses.to_next(members), "until")):
        expected = naive_gaps([getattr(event, seconds) for event in events])
        assert found is expected is None or found == pytest.approx(expected)
    assert uses.cases_of(members).tolist() == sorted({event.case for event in events})
    for name, found in uses.people(members).items():
        counts = Counter(event.people[name] for event in events)
        assert found.not_recorded == counts.pop(None, 0)
        assert list(found.values) == sorted(counts.items(), key=lambda one: (-one[1], one[0]))


@given(dated_logs(), st.data())
def test_a_use_is_that_of_all_events_of_its_labels(log, data):
    places = st.lists(st.sampled_from(range(len(log.activities))), min_size=1, max_size=3, unique=True)
    check(log, data.draw(places))


@given(logs())
def test_without_timestamps_and_people_there_are_neighbours_only(log):
    check(log, [0])
    uses = LabelUses(log)
    assert (uses.to_previous([0]), uses.to_next([0]), uses.people([0])) == (None, None, {})
    assert uses.instants_in_common(np.array([0])).tolist() == [[0]]


@given(dated_logs())
def test_instants_in_common_are_those_of_the_pairs(log):
    events, n = naive_events(log), len(log.activities)
    found = LabelUses(log).instants_in_common(np.arange(n))
    for i in range(n):
        for j in range(n):
            assert found[i, j] == naive_together(events, [log.activities[i]], [log.activities[j]])[1]


@pytest.mark.parametrize("name", ["BPIC13_open_problems"])
def test_the_uses_of_a_real_log(real_log, name):
    log = real_log(name)
    for code in range(len(log.activities)):
        check(log, [code])
