import numpy as np
import pytest

from actalike import EventLog, match
from actalike.two_logs.partner_probabilities import PartnerProbabilities
from actalike.two_logs.split_steps import SplitStep, all_splits, split_steps

ONE = EventLog.from_traces([["in", "check", "out"]] * 40)
OTHER = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]] * 20)  # 2 and 3 are check
AGREEMENT = np.array([[0.1, 0.9, 0.85, 0.0], [0.9, 0.1, 0.1, 0.0], [0.1, 0.1, 0.1, 0.9]])  # check, in, out; 1 to 4
ASSIGNED = {0: 1, 1: 0, 2: 3}
LIKELY = np.array([[0.0, 0.4, 0.3, 0.0], [0.8, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.8]])
SPLIT = [SplitStep(0, 1, (2,))]


def test_the_logs_of_these_tests_have_these_labels():
    assert (ONE.activities, OTHER.activities) == (["check", "in", "out"], ["1", "2", "3", "4"])


def test_a_label_without_a_partner_that_agrees_with_an_assigned_one_is_a_further_part():
    assert split_steps(ONE, OTHER, AGREEMENT, LIKELY, ASSIGNED) == SPLIT


@pytest.mark.parametrize(
    "why", ["agrees too little", "agrees as well with another", "is unlikely", "has a partner", "is rare", "is in the same cases"]
)
def test_a_label_is_no_further_part_if_it(why):
    agreement, likely, assigned, other = AGREEMENT.copy(), LIKELY.copy(), dict(ASSIGNED), OTHER
    if why == "agrees too little":
        agreement[0, 2] = 0.69
    elif why == "agrees as well with another":
        agreement[1, 2], assigned[1] = 0.85, 2
    elif why == "is unlikely":
        likely[0, 2] = 0.1
    elif why == "has a partner":
        assigned[2], likely[2, 2] = 2, 0.6
    elif why == "is rare":
        other = EventLog.from_traces([["1", "2", "4"]] * 36 + [["1", "3", "4"]] * 4)
    else:
        other = EventLog.from_traces([["1", "2", "3", "4"]] * 20 + [["1", "4"]] * 20)
    assert split_steps(ONE, other, agreement, likely, assigned) == []


def test_a_label_that_was_assigned_to_an_unlikely_partner_may_be_a_part():
    assert split_steps(ONE, OTHER, AGREEMENT, LIKELY, {0: 1, 1: 0, 2: 2}) == SPLIT


def test_parts_that_are_together_more_frequent_than_the_step_are_not_its_parts():
    one = EventLog.from_traces([["in", "check", "out"]] * 20 + [["in", "out"]] * 20)
    assert split_steps(one, OTHER, AGREEMENT, LIKELY, ASSIGNED) == []


def test_empty_cases_change_nothing():
    with_empty = EventLog.from_traces([*ONE.traces(), *[[]] * 60])
    assert split_steps(with_empty, OTHER, AGREEMENT, LIKELY, ASSIGNED) == SPLIT


def test_a_step_may_have_more_than_two_parts_and_either_log_may_split():
    other = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"], ["1", "5", "4"]] * 20)
    agreement, pairs = (np.column_stack([cells, cells[:, 2]]) for cells in (AGREEMENT, LIKELY))
    assigned = np.array([0, 1, 2]), np.array([1, 0, 3])
    likely = PartnerProbabilities(pairs, np.zeros(3), np.zeros(5), agreement)
    assert all_splits(ONE, other, likely, assigned) == ([SplitStep(0, 1, (2, 4))], [])
    turned = PartnerProbabilities(pairs.T, np.zeros(5), np.zeros(3), agreement.T)
    assert all_splits(other, ONE, turned, assigned[::-1]) == ([], [SplitStep(0, 1, (2, 4))])


def test_a_planted_split_is_found_in_both_directions():
    one = [
        ["in", "check", "pay", "out"],
        ["in", "check", "ask", "check", "out"],
        ["in", "ask", "check", "pay", "mail", "out"],
    ] * 30
    other = [[f"{x} 2" if x == "check" and i % 2 else x for x in case] for i, case in enumerate(one[:-1])]
    logs = EventLog.from_traces(one), EventLog.from_traces(other)
    matching, turned = match(*logs), match(*logs[::-1])
    for found, side in ((matching, "a"), (turned, "b")):
        (split,) = found.splits
        assert (split.activity, split.side, sorted(split.parts)) == ("check", side, ["check", "check 2"])
        assert 0.5 < split.probability < 1
    assert matching.mapping()["check 2"] == "check"
    assert "check" not in [one.activity for one in matching.unmatched_a]
