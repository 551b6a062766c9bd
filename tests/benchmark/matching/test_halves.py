import numpy as np
import pytest

from actalike.benchmark.matching.halves import halves_by_cases, halves_by_time
from actalike.errors import ActalikeError
from actalike.log import EventLog
from tests.helpers.examples import real_logs


def timed(traces, days):
    log = EventLog.from_traces(traces)
    times = np.datetime64("2026-01-01", "us") + np.array(days) * np.timedelta64(1, "D")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)


def test_every_case_is_in_one_half_and_seeds_differ():
    log = EventLog.from_traces([[f"s{i}"] for i in range(40)])
    halves = [halves_by_cases(log, seed) for seed in range(3)]
    for first, second in halves:
        assert sorted(first.activities + second.activities) == log.activities
    assert len({tuple(first.activities) for first, _ in halves}) == 3
    assert halves_by_cases(log, 1).first == halves[1].first


def test_the_cases_that_began_first_are_the_first_half_and_ties_go_by_file_order():
    log = timed([["late", "x"], ["early"], ["tied"], ["tied too"], ["last"]], [5, 9, 1, 3, 3, 8])
    assert halves_by_time(log).first.traces() == [["early"], ["tied"]]


def test_a_case_without_timestamps_is_late():
    log = timed([["a"], ["b"], ["c"], ["d"]], [1, 2, 3, 4])
    times = log.timestamps.copy()
    times[0] = np.datetime64("NaT")
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)
    assert halves_by_time(log).first.activities == ["b", "c"]


def test_what_cannot_be_halved_is_refused():
    with pytest.raises(ActalikeError, match="no timestamps"):
        halves_by_time(EventLog.from_traces([["a"], ["b"]]))
    with pytest.raises(ActalikeError, match="too few cases"):
        halves_by_cases(EventLog.from_traces([["a"]]))


COUNTS = {"Env_Permit": (26, 26, 25), "CCC19": (29, 29, 29), "Helpdesk": (12, 14, 12), "BPIC15_4": (297, 241, 182)}


@pytest.mark.parametrize("name", real_logs("Env_Permit", "CCC19", long=("Helpdesk", "BPIC15_4")))
def test_halves_of_real_logs_have_the_counted_labels(name, real_log):
    first, second = (set(half.activities) for half in halves_by_time(real_log(name)))
    assert (len(first), len(second), len(first & second)) == COUNTS[name]
