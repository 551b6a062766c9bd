"""Verdicts, reasons, witnesses and cautions in English."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, group
from actalike.demo.loan_desk import loan_desk
from actalike.labels.describe import (
    group_words,
    in_words,
    no_witness_words,
    percent,
    reason_words,
    sign,
    text_difference_words,
    verdict_words,
    with_people_together,
    witness_facts,
)
from actalike.labels.relations import RELATIONS, Caution, Witness
from actalike.labels.step_probabilities import Reason
from actalike.labels.uses import OUTSIDE, SharedNeighbours


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (SharedNeighbours("x", None, (3, 2)), "both follow 'x' (3 and 2 times)"),
        (SharedNeighbours(None, "y", (3, 2, 1)), "all precede 'y' (3, 2 and 1 times)"),
        (SharedNeighbours("x", OUTSIDE, (3, 0, 1)), "2 of them follow 'x' and end the case (3, 0 and 1 times)"),
        (SharedNeighbours(OUTSIDE, OUTSIDE, (1000, 20)), "both begin the case and end the case (1,000 and 20 times)"),
    ],
)
def test_what_members_share_is_said_with_their_counts(context, words):
    assert in_words(context) == words


@pytest.mark.parametrize(
    ("caution", "words"),
    [
        (Caution("few cases", ("a", "b", "c")), "in fewer than 20 cases, so the evidence is thin: 'a', 'b', 'c'"),
        (Caution("too rare", ("a",) * 5), "in fewer than 5 cases, too rare to judge by behaviour: 'a', 'a', 'a' and 2 more"),
        (Caution("opposites", ("accept", "reject")), "their words say the opposite: 'accept', 'reject'"),
    ],
)
def test_a_caution_names_its_reason(caution, words):
    assert in_words(caution) == words


@given(st.floats(0, 1))
def test_a_percentage_claims_nothing_or_all_only_if_it_is(share):
    assert (percent(share) == "0 %") == (share <= 1e-9)
    assert (percent(share) == "100 %") == (share >= 1 - 1e-9)


def test_only_synonyms_and_different_steps_have_a_percentage():
    assert [("%" in verdict_words(relation, 0.93)) for relation in (*RELATIONS, None)] == [True, False, False, False, False, True]
    assert verdict_words("synonyms", 0.99993) == "over 99 % likely one step"
    assert "Your call" in verdict_words("alternatives", 0.99)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason("any pair", -9.0), "prior: most label pairs are different steps"),
        (Reason("neighbours", 3.0, 0.3), "30 % of their neighbours are the same"),
        (Reason("company", 3.0), "the steps around them are alike, near and far, compared with other labels"),
        (Reason("company", -3.0), "the steps around them are less alike than those of other labels"),
        (Reason("position", 1.0, 1.0), "100 % of their positions in the case are the same"),
        (Reason("cases", 1.0, -1e-18), "never in the same case"),
        (Reason("cases", 1.0, 0.2), "in the same case no more often than by chance (20 % of the cases of the rarer one)"),
        (Reason("cases", -1.0, 0.999), "over 99 % of the cases of the rarer one have both"),
        (Reason("rarity", 0.5, 16.99999), "the rarer one is in 17 cases"),
        (Reason("rarity", 0.5, 1.0), "the rarer one is in 1 case"),
        (Reason("text", 5.0, 0.97), "they are spelled 97 % alike"),
        (Reason("opposites", -5.0), "their words say the opposite"),
        (Reason("pattern", 5.0), "they differ only in a number, an id, a date or a name"),
    ],
)
def test_a_reason_has_a_figure_that_can_be_checked(reason, words):
    assert reason_words(reason) == words
    assert ("on average" in reason_words(reason, members=3)) == (reason.figure is not None and "never" not in words)


def test_witnesses_are_told_with_dates_attributes_and_patterns():
    days = np.datetime64("2024-03-01"), np.datetime64("2024-03-03")
    periods = Witness("periods", "Transfer loan", "Pay out", None, "Pay out", *days)
    assert in_words(periods) == "'Transfer loan' is used from 3 March 2024 on, 'Pay out' until 1 March 2024"
    assert witness_facts(periods)["until"] == "2024-03-01"
    assert in_words(Witness("text", "a b", "a  b")) == "'a b' and 'a··b' differ only in spaces"
    assert in_words(Witness("text", "a b", "a b ")) == "'a b' and 'a b·' differ only by a space at the end"
    assert in_words(Witness("pattern", "a1", "a2", pattern="a#")) == "they differ only in what varies in 'a#'"
    assert "(org:role)" in in_words(Witness("people", "a", "b", "org:role"))
    far = Witness("periods", "a", "b", None, "a", np.datetime64("-0044-03-15"), np.datetime64("12024-01-01"))
    assert in_words(far).startswith("'b' is used from 12024-01-01 on, 'a' until -044-03-15")


@given(st.dates())
def test_a_day_is_written_out(day):
    words = in_words(Witness("periods", "a", "b", None, "a", np.datetime64(day), np.datetime64(day)))
    assert f"until {day.day} {date(2000, day.month, 1):%B} {day.year}" in words


def test_people_of_one_pair_are_told_once():
    witnesses = [Witness("people", "a", "b", "g"), Witness("people", "a", "c", "g"), Witness("people", "a", "b", "u")]
    assert [witness.attribute for witness in with_people_together(witnesses)] == ["g, u", "g"]
    texts = [Witness("text", "a", "b"), Witness("text", "a", "c")]
    assert with_people_together(texts) == texts


def test_the_reasons_of_a_group_have_signs_and_the_strongest_comes_first():
    log = loan_desk()
    for proposal in group(log):
        words = list(group_words(proposal))
        assert {mark for mark, _ in words} <= {"+", "-"}
        told = [reason for reason in proposal.reasons if (sign(reason.log_odds), reason_words(reason)) in words]
        assert told == sorted(told, key=lambda reason: -abs(reason.log_odds))
        assert (("-", no_witness_words()) in words) == (proposal.relation == "alternatives")
        assert any("% of their neighbours are the same" in text for _, text in words)
        assert ("of the cases with one of them have two or more" in words[0][1]) == (proposal.relation == "belong together")


def test_of_many_witnesses_only_some_are_told():
    traces = [["x", f"pay by user {i % 10}", "y"] for i in range(100)]
    (family,) = [found for found in group(EventLog.from_traces(traces)) if found.relation == "synonyms"]
    assert [words for _, words in group_words(family)].count("they differ only in what varies in 'pay by user #'") == 1
    pairs = tuple(Witness("text", "a", str(i)) for i in range(5))
    assert ("+", "and 2 more of this kind") in list(group_words(family._replace(witnesses=pairs)))


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("Check invoice", "CHECK_INVOICE", "their texts differ only in case, accents, spaces or punctuation"),
        ("Sign contract", "Sign contarct", "their texts differ by a slip of the keyboard: 'contract' and 'contarct'"),
        ("Approve loan", "Loan approved", "their texts have the same words in another order or form"),
        ("Reminder 1", "Reminder 2", "their texts differ only in numbers, ids or dates: '1' and '2'"),
        ("Reminder", "Reminder 2", "their texts differ only in numbers, ids or dates: only one has '2'"),
        ("Offer accepted", "Reject offer", "their texts differ in opposite words: 'accepted' and 'reject'"),
        ("Code ok", "Code not ok", "their texts differ in opposite words: only one has 'not'"),
        ("Approved by owner", "Rejected by clerk", "their texts have opposite words: 'approved' and 'rejected'"),
        ("Pay out", "Transfer loan", None),
    ],
)
def test_how_texts_differ_is_said_if_it_is_telling(first, second, words):
    assert text_difference_words(first, second) == words
