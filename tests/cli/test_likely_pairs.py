"""The labels that are most likely one step, as the command similar shows them."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import group, same_step
from actalike.cli.pairs import print_likely_pairs
from actalike.demo.loan_desk import loan_desk
from actalike.labels import LikelyPairs, judge, likely_pairs
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


@examples(25)
@given(logs(), st.integers(1, 8), st.sampled_from([1, 3, 5, 6]), st.booleans())
def test_pairs_are_ordered_by_probability_and_rare_labels_come_last(log, top, min_cases, of_one):
    same = same_step(log)
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    one = log.activities[0] if of_one else None
    pairs = [pair for pair in combinations(log.activities, 2) if one in (None, pair[0])]
    left = [pair for pair in pairs if all(cases[label] >= min_cases for label in pair if label != one)]
    rare = {pair: any(cases[label] < 5 for label in pair if label != one) for pair in left}
    naive = sorted(left, key=lambda pair: (rare[pair], -round(same.log_odds[tuple(map(log.activities.index, pair))], 9)))
    judged = likely_pairs(log, one, top, min_cases)
    assert [one[:2] for one in judged] == naive[:top]
    for found in judged:
        assert (found.cases_a, found.cases_b) == (cases[found.a], cases[found.b])
        assert found.probability == same.probability(*found[:2])


def test_the_verdicts_are_those_of_the_groups():
    log = loan_desk()
    same = same_step(log)
    for proposal in group(log, same=same):
        pairs = list(combinations(proposal.activities, 2))
        if all(same.probability(*pair) >= 0.5 for pair in pairs):  # a group may be more than its pairs
            assert {verdict.relation for verdict in judge(same, pairs)} == {proposal.relation}
    assert judge(same, [("Write note", "Approve loan")])[0] == (None, (), ())


@pytest.mark.parametrize(("activity", "columns"), [(None, 8), ("Sign contarct", 6)])
def test_a_pair_that_is_too_rare_says_so(activity, columns, capsys):
    print_likely_pairs(likely_pairs(loan_desk(), activity, 2000, 1), {})
    header, *rows = capsys.readouterr().out.splitlines()
    assert len(header.split()) == columns
    assert "too rare to judge" in rows[-1]
    assert all("too rare" not in row for row in rows[:5]) or activity is not None


def test_nothing_to_compare_is_said(capsys):
    print_likely_pairs(LikelyPairs([], loan_desk()), {})
    assert capsys.readouterr().out == "There are no two activities to compare.\n"
