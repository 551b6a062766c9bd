"""Pairs that look like one step and are two: how they are chosen, and who is caught."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from actalike import ActalikeError, EventLog
from actalike.benchmark.tasks.groupers import GROUPERS
from actalike.benchmark.tasks.label_scores import judge_trapped
from actalike.benchmark.tasks.label_traps import TRAPS, outcomes, set_trap, trap_pairs
from actalike.labels import is_slip
from tests.helpers.examples import examples
from tests.helpers.strategies import traces


def trials(n=120):
    """Cases with steps in a fixed order, and with outcomes that a person judged."""
    decisions = ["A_APPROVED", "A_DECLINED", "O_ACCEPTED", "O_CANCELLED"]
    rng = np.random.default_rng(0)
    return EventLog.from_traces([["ask", "look", "think", str(rng.choice(decisions)), "write"] for _ in range(n)])


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_changes_labels_only_and_its_pairs_are_labels_of_the_log(trap):
    log = trials()
    trapped = set_trap(log, trap, seed=1, draw=2)
    assert np.array_equal(np.diff(trapped.log.offsets), np.diff(log.offsets))
    assert sorted(trapped.log.activity_counts.tolist()) == sorted(log.activity_counts.tolist())
    assert trapped.pairs
    assert {label for pair in trapped.pairs for label in pair} <= set(trapped.log.activities)
    assert set_trap(log, trap, seed=1, draw=2, digest=log.digest) == trapped


@examples(30)
@given(traces(max_cases=6))
def test_two_labels_that_often_share_cases_are_two_steps(cases):
    cases = cases * 12
    log = EventLog.from_traces(cases)
    expected = []
    for a, b in combinations(log.activities, 2):
        n, m = (sum(label in case for case in cases) for label in (a, b))
        both = sum(a in case and b in case for case in cases)
        if min(n, m) >= 20 and both >= 0.2 * min(n, m):
            expected.append((a, b))
    assert sorted(tuple(log.activities[i] for i in pair) for pair in trap_pairs(log, "trap-codes")) == sorted(expected)


def test_codes_number_the_steps_in_their_order():
    trapped = set_trap(trials(), "trap-codes")
    assert all(re.fullmatch(r"05_EIND_\d\d0", label) for label in trapped.log.activities)
    assert all(case == sorted(case) for case in trapped.log.traces())


def test_the_names_of_traps_are_made_of_the_same_words_or_differ_by_a_slip():
    for a, b in set_trap(trials(), "trap-order").pairs:
        assert a != b
        assert sorted(a.split()) == sorted(b.split())
    assert all(is_slip(a, b) for a, b in set_trap(trials(), "trap-slips").pairs)
    assert set(set_trap(trials(), "trap-outcomes").pairs) <= set(outcomes())


def test_a_log_without_such_labels_has_no_traps():
    with pytest.raises(ActalikeError, match="trap-codes"):
        set_trap(EventLog.from_traces([["a"], ["b"]] * 30), "trap-codes")


def test_who_merges_without_asking_is_caught_and_who_asks_is_not():
    class Bold:
        groups_ = (("a", "b"), ("c", "d"))

    class Careful(Bold):
        accepted_ = (("c", "d"),)

    class Silent:
        groups_ = None

    pairs = (("a", "b"), ("a", "c"))
    assert judge_trapped(Bold(), pairs).figures == {"trapped": 0.5}
    assert judge_trapped(Careful(), pairs).figures == {"trapped": 0.0}
    assert judge_trapped(Silent(), pairs).figures == {}


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("draw", range(3))
def test_same_step_falls_into_no_trap(trap, draw):
    trapped = set_trap(trials(400), trap, draw=draw)
    fitted = GROUPERS.make("same-step").fit(trapped.log)
    assert judge_trapped(fitted, trapped.pairs).figures == {"trapped": 0.0}
