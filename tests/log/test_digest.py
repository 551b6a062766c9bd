"""Logs have the same digest if they have the same cases in the same order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from tests.helpers.strategies import logs, traces


@given(
    traces(st.sampled_from("ab"), max_cases=3, max_length=3).flatmap(
        lambda cases: st.tuples(st.just(cases), st.permutations(cases))
    )
)
def test_digests_are_equal_if_and_only_if_the_cases_are(both):
    one, other = both
    digests = [EventLog.from_traces(cases).digest for cases in both]
    assert (digests[0] == digests[1]) == (one == other)


@given(logs())
def test_case_ids_and_times_do_not_count(log):
    times = np.arange(log.n_events).astype("datetime64[us]")
    named = EventLog(log.activities, log.codes, log.offsets, [f"case {i}" for i in range(log.n_cases)], times)
    assert named.digest == log.digest


def test_labels_are_kept_apart():
    labels = [["ab", "c"], ["a", "bc"], ["abc"], ["\ud800", "c"]]
    assert len({EventLog(names, [0], [0, 1], ["1"]).digest for names in labels}) == len(labels)


def test_a_digest_stays_as_it_is_from_version_to_version():
    """Published results name the digests of their logs; they must never change."""
    log = EventLog.from_traces([list("abcde"), list("aabbc"), list("edcba")])
    assert log.digest[:16] == "765ef6cc2d20ec40"
