"""Slips of the keyboard are accepted; words that differ by one letter and are used differently are not."""

from collections import Counter

import numpy as np
import pytest

from actalike import EventLog, group
from actalike.labels import own_words


def reviews(n, share, other_before="order", other_after="pay", seed=0):
    """Cases with a step of which a share is spelled differently, and there has other neighbours, if so given."""
    rng = np.random.default_rng(seed)
    cases = []
    for case in range(n):
        misspelt = case % round(1 / share) == 0
        before, after = rng.choice(["order", "ask", "call"]), rng.choice(["pay", "bill", "remind"])
        if misspelt and other_before != "order":
            before = other_before
        if misspelt and other_after != "pay":
            after = other_after
        cases.append(["open", before, "Review plane" if misspelt else "Review plan", after, "close"])
    return EventLog.from_traces(cases)


def accepted(log):
    return {frozenset(one.activities) for one in group(log) if one.relation == "synonyms"}


def own(log):
    return {frozenset((log.activities[i], log.activities[j])) for i, j in own_words(log)}


PAIR = frozenset({"Review plan", "Review plane"})


@pytest.mark.parametrize("share", [0.005, 0.01, 0.02, 0.05, 0.08])
@pytest.mark.parametrize("seed", range(3))
def test_a_slip_is_accepted_at_any_frequency_up_to_a_tenth(share, seed):
    log = reviews(1200, share, seed=seed)
    assert accepted(log) == {PAIR}
    assert own(log) == set()


@pytest.mark.parametrize("share", [0.01, 0.02, 0.05, 0.08])
@pytest.mark.parametrize("other", [{"other_before": "refuse"}, {"other_after": "appeal"}, {"other_after": "remind"}])
def test_a_rare_label_that_is_used_differently_is_a_word_of_its_own(share, other):
    log = reviews(1200, share, **other)
    assert own(log) == {PAIR}
    assert accepted(log) == set()


def test_a_label_with_more_than_a_tenth_of_the_events_is_a_word_of_its_own():
    assert own(reviews(1200, 0.2)) == {PAIR}


def test_slips_beside_slips_do_not_make_each_other_words_of_their_own():
    rng = np.random.default_rng(1)
    slips = {"Review plan": "Review plna", "Approve order": "Aprove order"}
    steps = ["open", "Review plan", "Approve order", "close"]
    cases = [[slips.get(step, step) if rng.random() < 0.05 else step for step in steps] for _ in range(600)]
    assert own(EventLog.from_traces(cases)) == set()


def test_slips_by_chance_are_seldom_taken_for_words_of_their_own():
    found = Counter(bool(own(reviews(300, 0.05, seed=seed))) for seed in range(100))
    assert found[True] <= 2
