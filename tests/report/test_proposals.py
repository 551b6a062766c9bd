"""Groups, contexts and shares as plain data, and sentences as parts."""

import json

import numpy as np
import pytest

from actalike.embedding import CodedShare
from actalike.labels import OUTSIDE, RELATIONS, Caution, Group, Reason, SharedNeighbours, Witness
from actalike.report.proposals import Sentences, proposal, share_parts, verdicts
from actalike.support.text import plain_text

NUMBER = {"a": 1, "b": 0, "x": 2}
EVENTS = {"a": 4, "b": 8, "x": 16}


def made(**changes):
    periods = Witness("periods", "b", "a", None, "a", np.datetime64("2024-03-01"), np.datetime64("2024-03-03"))
    reasons = (Reason("neighbours", 3.0, 0.8), Reason("cases", 1.5, -1e-17), Reason("position", 1.0, 0.9))
    group = Group(
        ("b", "a"), "b", 0.123456789, 0.9, 0.5, "synonyms", 0.1 / 3, "b …", (periods, Witness("text", "b", "a")), reasons,
        (SharedNeighbours("x", None, (8, 1)),), (Caution("opposites", ("a", "b")),),
    )  # fmt: skip
    return group._replace(**changes)


def lines(data, key, sentences):
    return [
        (sign, "".join(part if isinstance(part, str) else "·" for part in sentences.all[number])) for sign, number in data[key]
    ]


def test_a_group_begins_with_its_strongest_reasons_a_witness_and_every_caution():
    sentences = Sentences(NUMBER.__getitem__)
    data = proposal(made(), NUMBER, EVENTS, sentences)
    assert data["members"], data["probability"] == ([0, 1], 0.12345679)
    assert lines(data, "shown", sentences) == [
        ("+", "· is used from 3 March 2024 on, · until 1 March 2024"),
        ("+", "· and · are spelled alike"),
        ("+", "80 % of their neighbours are the same (both follow ·)"),
        ("-", "their words say the opposite: ·, ·"),
    ]
    assert [words for _, words in lines(data, "more", sentences)] == [
        "never in the same case",
        "90 % of their positions in the case are the same",
    ]
    assert "-0.0" not in json.dumps([data, sentences.all])


def test_without_a_witness_three_reasons_are_shown():
    sentences = Sentences(NUMBER.__getitem__)
    data = proposal(made(witnesses=(), cautions=(), relation="alternatives"), NUMBER, EVENTS, sentences)
    assert [sign for sign, _ in data["shown"]] == ["+", "+", "+", "-"]
    assert data["more"] == []


def test_a_large_group_has_few_witnesses_to_send():
    labels = tuple(f"Pay {i}" for i in range(500))
    number = {label: i for i, label in enumerate(labels)}
    found = tuple(Witness("pattern", "Pay 0", label, pattern="Pay …") for label in labels[1:])
    sentences = Sentences(number.__getitem__)
    data = proposal(
        made(activities=labels, witnesses=found, evidence=(), cautions=()), number, dict.fromkeys(labels, 1), sentences
    )
    assert lines(data, "shown", sentences)[0] == ("+", "they differ only in what varies in '·'")
    assert len(data["shown"] + data["more"]) == 4


def test_what_has_no_figure_to_check_stands_in_the_sum_only():
    sentences = Sentences(NUMBER.__getitem__)
    for kind, log_odds, is_quiet in (("any pair", -9, True), ("company", 2, True), ("company", -2, False), ("cases", 2, False)):
        _, number = sentences.reason(Reason(kind, log_odds, 0.4))
        assert (number in sentences.quiet) == is_quiet, kind


def test_the_ends_of_a_case_and_members_without_a_context():
    sentences = Sentences(NUMBER.__getitem__)
    assert sentences.context(SharedNeighbours(OUTSIDE, None, (1, 3)), (4, 4)) == [0, "25 % to 75 % of events"]
    assert sentences.context(SharedNeighbours("x", "a", (0, 1, 2)), (5, 3, 4)) == [1, "33 % to 50 % of events"]
    assert sentences.all == [["both begin the case"], ["2 of them follow ", {"label": 2}, " and precede ", {"label": 1}]]


def test_every_relation_has_its_words():
    assert set(verdicts()) == {*RELATIONS, "pair", "overlap"}
    assert all(verdicts()[key].count("{}") == 1 for key in ("synonyms", "pair", "overlap"))


@pytest.mark.parametrize(
    ("kind", "share", "codes", "place", "words"),
    [
        ("beside", 0.1, (0,), -1, "both come directly after 'a'"),
        ("beside", 0.1, (0, 1), 2, "one comes two steps before 'a', the other before 'b', which are alike"),
        ("beside", 0.1, (-1,), -1, "both begin the case"),
        ("beside", 0.1, (-1,), 3, "both are near the end of the case (at most 2 events after them)"),
        ("beside", -0.1, (0,), 1, "one more, the other less than usual: both come directly before 'a'"),
        ("seldom", 0.1, (0,), -1, "less than usual: both come directly after 'a'"),
        ("constant", 0.5, (), 0, "what all activities of this log have in common"),
        ("between", 0.1, (-1, 0, 1, 2), 2, "both follow 'a' at the beginning of the case and precede 'b' → 'c'"),
        ("among", 0.1, (0, 1, -1), 0, "both have around them 'a', 'b' and the outside of the case"),
        ("like", 0.1, (3,), 0, "both are like 'd'"),
    ],
)
def test_a_share_of_a_similarity_is_a_sentence(kind, share, codes, place, words):
    assert plain_text(share_parts(CodedShare(kind, share, codes, place), "abcd".__getitem__)) == words
