"""Decisions adjust the weights of evidence: as the definition says, with exact reasons, and without changing what was decided."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, DecidedGroup, Decisions, EventLog, group, same_step, write_decisions
from actalike.demo.loan_desk import ALTERNATIVES, SAME_STEP, loan_desk
from actalike.labels import learn
from actalike.labels.learning import SPREADS, adjusted_weights, fit, lessons_of
from tests.helpers.examples import examples

DESK = loan_desk()
SAME = same_step(DESK)
LABELS = DESK.activities


def accepted(*labels, **options):
    return DecidedGroup(labels[0], labels, "accepted", **options)


def rejected(*labels, **options):
    return DecidedGroup(labels[0], labels, "rejected", **options)


TRUTH = Decisions((*(accepted(*sorted(pair)) for pair in SAME_STEP), *(rejected(*sorted(pair)) for pair in ALTERNATIVES)))


def naive_loss(theta, decisions):
    """What is least: the surprise at each decided pair, by the probabilities themselves, and the penalty."""
    weights = SAME.weights._replace(same_step=adjusted_weights(SAME.weights.same_step, theta))
    merged = SAME.merged.with_weights(weights)
    loss = sum((value / spread) ** 2 / 2 for value, spread in zip(theta, SPREADS.values(), strict=True))
    for decided in decisions.groups:
        steps = {SAME.spelled.get(label, label) for label in decided.activities}
        for a, b in combinations(steps, 2):
            i, j = merged.activities.index(a), merged.activities.index(b)
            if (i, j) not in merged._log_odds_of_partners:
                sign = 1 if decided.decision == "accepted" else -1
                loss += 2 / len(steps) * np.logaddexp(0, -sign * merged.log_odds[i, j])
    return loss


@pytest.mark.parametrize(
    "decisions",
    [
        TRUTH,
        Decisions((rejected("Check completeness", "Check completness"), rejected("Pay out", "Transfer loan"))),
        Decisions((accepted("Customer declines", "Offer expires"), rejected("Pay out", "Transfer loan", "Offer expires"))),
    ],
)
def test_what_is_learned_is_the_least_surprise_with_the_penalty(decisions):
    _, learned = learn(SAME, decisions)
    theta = np.array(list(learned.adjustments.values()))
    for step, spread in zip(np.eye(len(SPREADS)) * 1e-4, SPREADS.values(), strict=True):  # the loss is convex: flat is least
        slope = (naive_loss(theta + step, decisions) - naive_loss(theta - step, decisions)) / 2e-4
        assert abs(slope) < 2e-4 / spread**2


@st.composite
def some_decisions(draw):
    """Decisions about labels of the loan desk; each label is in one group."""
    labels = iter(draw(st.permutations(LABELS)))
    groups = []
    for size in draw(st.lists(st.integers(2, 4), min_size=1, max_size=5)):
        members = tuple(label for _, label in zip(range(size), labels, strict=False))
        if len(members) > 1:
            groups.append(DecidedGroup(members[0], members, draw(st.sampled_from(["accepted", "rejected", "undecided"]))))
    return Decisions(tuple(groups))


@given(some_decisions())
@examples(15)
def test_after_learning_the_reasons_of_a_pair_sum_to_its_log_odds(decisions):
    adjusted, _ = learn(SAME, decisions)
    for i, j in combinations(range(0, len(LABELS), 2), 2):
        reasons = adjusted.evidence(LABELS[i], LABELS[j])
        assert sum(reason.log_odds for reason in reasons) == pytest.approx(adjusted.log_odds[i, j], abs=1e-9)
    assert (adjusted.interchangeabilities() == SAME.interchangeabilities()).all()


@given(some_decisions(), st.sampled_from([0.2, 0.5, 0.8]))
@examples(15)
def test_what_was_accepted_is_proposed_as_it_was_and_what_was_rejected_never_again(decisions, at_least):
    groups = group(DESK, at_least, same=SAME, decisions=decisions)
    of = [one for one in decisions.groups if one.decision == "accepted"]
    for one, found in zip(of, groups, strict=False):
        assert (found.name, found.activities[: len(one.activities)], found.relation) == (one.name, one.activities, "synonyms")
        further = set(found.activities) - set(one.activities)  # only spellings of the accepted labels
        assert further <= SAME.spelled.keys() | SAME.spelled.values()
    for one in decisions.groups:
        if one.decision == "rejected":
            steps = [
                {SAME.spelled.get(label, label) for label in some} for some in (one.activities, *(g.activities for g in groups))
            ]
            rejected_alone = len(steps[0]) == 1
            assert all(len(steps[0] & some) < 2 for some in steps[1 + len(of) :])
            assert not rejected_alone or all(len(set(one.activities) & set(other.activities)) < 2 for other in groups)
    members = [label for one in groups for label in one.activities]
    assert len(members) == len(set(members))
    assert len({one.name for one in groups}) == len(groups)


def test_a_part_of_a_group_is_proposed_if_another_part_was_rejected():
    log = EventLog.from_traces([["x", label, "y"] for label in "abc"] * 30)
    assert [set(one.activities) for one in group(log) if one.relation == "alternatives"] == [{"a", "b", "c"}]
    left = group(log, 0.3, decisions=Decisions((rejected("a", "b"),)))
    assert [set(one.activities) for one in left if one.relation == "alternatives"] == [{"a", "c"}]


def test_a_rejected_typing_error_is_not_proposed_again_and_others_are_proposed_as_before():
    typo = "Check completeness", "Check completness"
    groups = group(DESK, same=SAME, decisions=Decisions((rejected(*typo),)))
    others = [one for one in group(DESK, same=SAME) if not set(typo) <= set(one.activities)]
    assert others
    assert all(one in groups for one in others)
    assert not any(set(typo) <= set(one.activities) for one in groups)


def test_rejecting_a_group_says_nothing_of_the_spellings_of_its_labels():
    mistyped = rejected("Sign contract", "Sign contarct", "Approve loan")
    of_steps = rejected("Sign contract", "Approve loan")
    assert learn(SAME, Decisions((mistyped,)))[1].adjustments == learn(SAME, Decisions((of_steps,)))[1].adjustments
    groups = group(DESK, same=SAME, decisions=Decisions((mistyped,)))
    assert any({"Sign contract", "Sign contarct"} <= set(one.activities) for one in groups)


def test_no_decisions_change_nothing():
    undecided = DecidedGroup("Pay out", ("Pay out", "Transfer loan"), "undecided")
    of_actalike = rejected("Pay out", "Transfer loan", by="actalike")
    renaming = accepted("Pay out")
    for decisions in (Decisions(), Decisions((undecided, of_actalike, renaming))):
        adjusted, learned = learn(SAME, decisions)
        assert adjusted is SAME
        assert not any(learned.adjustments.values())
        assert learned.to_dict()["decisions"] == 0 == learned.accepted_pairs + learned.rejected_pairs
        assert list(group(DESK, same=SAME, decisions=decisions)) == list(group(DESK, same=SAME))


def test_the_same_file_gives_the_same_groups_and_the_order_of_decisions_hardly_counts(tmp_path):
    write_decisions(TRUTH, tmp_path / "decisions.json")
    first, second = (group(DESK, decisions=tmp_path / "decisions.json").to_dict() for _ in range(2))
    assert first == second == group(DESK, same=SAME, decisions=TRUTH).to_dict()
    _, learned = learn(SAME, TRUTH)
    _, other = learn(SAME, Decisions(TRUTH.groups[::-1]))
    assert list(learned.adjustments.values()) == pytest.approx(list(other.adjustments.values()), abs=1e-6)


def test_thresholds_are_scored_on_decisions_that_were_not_learned_from():
    _, learned = learn(SAME, TRUTH)
    right = {threshold.at_least: [0, 0] for threshold in learned.thresholds}
    for left_out in range(len(TRUTH.groups)):
        others = [one for k, one in enumerate(TRUTH.groups) if k != left_out]
        yes, no = ([one for one in others if one.decision == decision] for decision in ("accepted", "rejected"))
        weights = adjusted_weights(SAME.weights.same_step, fit(lessons_of(SAME, yes, no)))
        held = SAME.with_weights(SAME.weights._replace(same_step=weights))
        one = TRUTH.groups[left_out]
        for threshold, counts in right.items():
            is_proposed = held.probability(*one.activities) >= threshold
            counts[0] += is_proposed and one.decision == "accepted"
            counts[1] += is_proposed
    for threshold in learned.thresholds:
        hits, proposed = right[threshold.at_least]
        assert threshold.precision == (hits / proposed if proposed else None)
        assert threshold.recall == hits / len(SAME_STEP)


def test_a_threshold_is_suggested_from_ten_decided_pairs_on():
    typed = {label for pair in SAME_STEP for label in pair}
    others = sorted(set(LABELS) - typed - {label for pair in ALTERNATIVES for label in pair})
    further = tuple(rejected(*pair) for pair in list(combinations(others, 2))[:4])
    assert learn(SAME, Decisions(TRUTH.groups + further[:3]))[1].suggested is None
    assert learn(SAME, Decisions(TRUTH.groups + further))[1].suggested in (0.3, 0.5, 0.7, 0.8, 0.9)
    assert learn(SAME, Decisions((rejected(*others[:5]),)))[1].suggested is None


def test_labels_that_the_log_does_not_have_are_named(tmp_path):
    decisions = Decisions((accepted("Pay out", "Pay in"), rejected("Buy", "Sell")))
    with pytest.raises(ActalikeError, match="'Pay in', 'Buy', 'Sell'"):
        group(DESK, same=SAME, decisions=decisions)
    write_decisions(decisions, tmp_path / "mine.json")
    with pytest.raises(ActalikeError, match=r"mine\.json: .*'Pay in'"):
        group(DESK, same=SAME, decisions=tmp_path / "mine.json")


def test_a_number_of_steps_and_decisions_contradict_each_other():
    with pytest.raises(ActalikeError, match="rejected"):
        group(DESK, steps=3, same=SAME, decisions=TRUTH)
