import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.labels.naming import NAMINGS, first_timestamps, part_of, resource_of
from actalike.benchmark.labels.recipes import recipe
from actalike.errors import ActalikeError
from actalike.log import Attribute, EventLog
from tests.helpers import naive_label_defects as naive
from tests.helpers.examples import examples

SEED = ("test", 1)


@st.composite
def logs_with_time_and_people(draw):
    traces = draw(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=5, max_size=25))
    log = EventLog.from_traces(traces)
    days = draw(st.lists(st.integers(0, 9), min_size=log.n_events, max_size=log.n_events))
    people = draw(st.lists(st.sampled_from(["", *"vwxyz"]), min_size=log.n_events, max_size=log.n_events))
    attribute = Attribute.from_texts(person or None for person in people)
    times = np.datetime64("2026-01-01", "us") + np.array(days) * np.timedelta64(1, "D")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times, attributes={"org:resource": attribute})


@examples(30)
@given(logs_with_time_and_people(), st.sampled_from(["-2", "-2-uneven", "-3-uneven", "-4-uneven", "-5"]))
def test_events_get_the_names_of_the_definitions(log, end):
    label = log.activities[0]
    events = np.flatnonzero(log.codes == 0)
    for way in ("case", "event", "period"):
        chosen = recipe(f"syn-{way}{end}")
        expected = getattr(naive, f"by_{way}")(log, chosen.shares, label, SEED)
        assert NAMINGS[way](log, chosen, events, SEED).tolist() == expected
    if resource_of(log) is not None:
        chosen = recipe(f"syn-resource{end}")
        people = [person or "" for person in log.attributes["org:resource"].texts()]  # the missing one sorts first here, too
        expected = naive.by_resource(log, chosen.shares, label, SEED, people)
        assert NAMINGS["resource"](log, chosen, events, SEED).tolist() == expected


@given(st.integers(1, 300), st.sampled_from([1, 3, 10, 30, 50]))
def test_an_exact_share_of_the_events_gets_the_second_name(n, percent):
    log = EventLog.from_traces([["a"]] * n)
    names = NAMINGS["part"](log, recipe(f"syn-part-{percent}"), np.arange(n), SEED)
    assert names.sum() == part_of(percent / 100, n) == int((percent * n + 50) // 100)


def test_periods_are_those_of_the_cases_with_the_label():
    times = np.array(["2026-01-03", "2026-01-01", "2026-01-02", "NaT"], dtype="datetime64[us]")
    log = EventLog(["a", "b"], [0, 0, 1, 0], [0, 1, 2, 3, 4], ["1", "2", "3", "4"], times)
    chosen = recipe("syn-period-3")
    assert NAMINGS["period"](log, chosen, np.array([0, 1, 3]), SEED).tolist() == [1, 0, 2]
    assert str(first_timestamps(log)[3]) == "NaT"


def test_the_earliest_timestamp_of_a_case_counts_and_a_case_may_be_empty():
    times = np.array(["2026-01-03", "2026-01-01", "NaT"], dtype="datetime64[us]")
    log = EventLog(["a"], [0, 0, 0], [0, 2, 2, 3], ["1", "2", "3"], times)
    assert first_timestamps(log).astype("datetime64[D]").astype(str).tolist() == ["2026-01-01", "NaT", "NaT"]


def test_a_log_without_time_has_no_periods_and_without_people_no_resources():
    log = EventLog.from_traces([["a"]] * 20)
    with pytest.raises(ActalikeError, match="no timestamps"):
        NAMINGS["period"](log, recipe("syn-period-2"), np.arange(20), SEED)
    with pytest.raises(ActalikeError, match="each"):
        NAMINGS["resource"](log, recipe("syn-resource-2"), np.arange(20), SEED)


def test_persons_come_before_organisations_and_few_values_do_not_count():
    def log(**attributes):
        texts = {name.replace("_", ":"): Attribute.from_texts(values) for name, values in attributes.items()}
        return EventLog(["a"], [0] * 5, [0, 5], ["1"], attributes=texts)

    assert resource_of(log(org_group="vwxyz", org_resource="abcde")).values == list("abcde")
    assert resource_of(log(org_group="vwxyz", org_resource="aabbb")) is None
    assert resource_of(log(org_group="vwxyz")).values == list("vwxyz")
    assert resource_of(log(amount="vwxyz")) is None
