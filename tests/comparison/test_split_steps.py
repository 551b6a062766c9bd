import numpy as np
import pytest

from actalike import EventLog, match
from actalike.comparison.partner_probabilities import PartnerProbabilities
from actalike.comparison.split_steps import SplitStep, all_splits, split_steps

ONE = EventLog.from_traces([["in", "check", "out"]] * 40)
OTHER = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]] * 20)  # 2 and 3 are check
AGREEMENT = np.array([[0.1, 0.9, 0.85, 0.0], [0.9, 0.1, 0.1, 0.0], [0.1, 0.1, 0.1, 0.9]])  # check, in, out; 1 to 4
PARTNERS = {0: 1, 1: 0, 2: 3}


def test_the_logs_of_these_tests_have_these_labels():
    assert (ONE.activities, OTHER.activities) == (["check", "in", "out"], ["1", "2", "3", "4"])


def test_a_label_without_a_partner_that_agrees_with_a_matched_one_is_a_further_part():
    assert split_steps(ONE, OTHER, AGREEMENT, PARTNERS, {}) == [SplitStep(0, 1, (2,))]


@pytest.mark.parametrize(
    "why", ["agrees too little", "agrees better with another", "has a partner", "is rare", "is in the same cases"]
)
def test_a_label_is_no_further_part_if_it(why):
    agreement, partners, could_have, other = AGREEMENT.copy(), dict(PARTNERS), {}, OTHER
    if why == "agrees too little":
        agreement[0, 2] = 0.79
    elif why == "agrees better with another":
        agreement[1, 2], could_have = 0.85, {2: 1}
    elif why == "has a partner":
        del partners[1]
        partners[2] = 2
    elif why == "is rare":
        other = EventLog.from_traces([["1", "2", "4"]] * 36 + [["1", "3", "4"]] * 4)
    else:
        other = EventLog.from_traces([["1", "2", "3", "4"]] * 20 + [["1", "4"]] * 20)
    assert split_steps(ONE, other, agreement, partners, could_have) == []


def test_parts_that_are_together_more_frequent_than_the_step_are_not_its_parts():
    one = EventLog.from_traces([["in", "check", "out"]] * 20 + [["in", "out"]] * 20)
    assert split_steps(one, OTHER, AGREEMENT, PARTNERS, {}) == []


def test_empty_cases_change_nothing():
    with_empty = EventLog.from_traces([*ONE.traces(), *[[]] * 60])
    assert split_steps(with_empty, OTHER, AGREEMENT, PARTNERS, {}) == [SplitStep(0, 1, (2,))]


def test_a_step_may_have_more_than_two_parts_and_either_log_may_split():
    other = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"], ["1", "5", "4"]] * 20)
    agreement = np.column_stack([AGREEMENT, AGREEMENT[:, 2]])
    likely = PartnerProbabilities(np.zeros((3, 5)), np.zeros(3), np.zeros(5), agreement)
    assigned = np.array([0, 1, 2]), np.array([1, 0, 3])
    assert all_splits(ONE, other, likely, assigned, PARTNERS) == ([SplitStep(0, 1, (2, 4))], [])
    turned = PartnerProbabilities(np.zeros((5, 3)), np.zeros(5), np.zeros(3), agreement.T)
    back = {b: a for a, b in PARTNERS.items()}
    assert all_splits(other, ONE, turned, assigned[::-1], back) == ([], [SplitStep(0, 1, (2, 4))])


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
