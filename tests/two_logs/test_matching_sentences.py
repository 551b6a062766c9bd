"""A matching in words: reasons with figures that can be checked, signs, and why a label has no partner."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, SplitStep
from actalike.two_logs.describe import OFFSETS, MatchedUses, MatchingWords, matching_sentences
from tests.helpers.examples import examples
from tests.helpers.matchings import MadeMatching
from tests.helpers.naive_matched_uses import naive_shares, naive_steps

traces = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=8)


@examples(15)
@given(traces, traces, st.integers(0, 1), st.booleans())
def test_shares_are_those_of_loops_over_the_events(traces_a, traces_b, fewer, with_split):
    logs = EventLog.from_traces(traces_a), EventLog.from_traces(traces_b)
    a, b = logs[0].activities, logs[1].activities
    pairs = [(x, y, 1.0) for x, y in zip(a, b, strict=False)][: min(len(a), len(b)) - fewer]
    splits = [SplitStep(a[0], "a", (b[0], b[-1]), 0.5)] if with_split and pairs and len(b) > len(pairs) else []
    matching = MadeMatching(*logs, pairs, splits)
    uses, steps = MatchedUses(matching), naive_steps(matching)
    for x, y in itertools.product(a, b):
        expected = []
        for offset in OFFSETS:
            shares_a = naive_shares(logs[0], 0, steps, x, offset)
            shares_b = naive_shares(logs[1], 1, steps, y, offset)
            expected += [(offset, step, shares_a[step], shares_b[step]) for step in shares_a.keys() & shares_b.keys()]
        shared = [
            (step.offset, (tuple(sorted(step.labels_a)), tuple(sorted(step.labels_b))), step.share_a, step.share_b)
            for step in uses.shared(x, y, 100)
        ]
        assert sorted(shared) == [(o, s, pytest.approx(float(p)), pytest.approx(float(q))) for o, s, p, q in sorted(expected)]
        assert all(min(first[2:]) >= min(second[2:]) - 1e-9 for first, second in itertools.pairwise(shared))


def test_the_largest_differences_come_first():
    logs = [EventLog.from_traces([list("xay")] * 9), EventLog.from_traces([list("xay")] * 3 + [list("ya")] * 6)]
    uses = MatchedUses(MadeMatching(*logs, [("x", "x", 1.0), ("y", "y", 1.0), ("a", "a", 1.0)]))
    differing = uses.differing("a", "a", 5)
    assert differing[0] == (-1, ("x",), ("x",), 1.0, pytest.approx(1 / 3))
    assert {(step.offset, step.labels_a) for step in differing} == {(-1, ("x",)), (-1, ("y",)), (1, ("y",)), (1, ())}


def test_frequencies_are_counted():
    log = EventLog.from_traces([list("aab"), list("b"), list("cb")])
    uses = MatchedUses(MadeMatching(log, log, []))
    assert uses.frequency(0, "a") == (1, pytest.approx(1 / 3), 2.0, 0.25)
    assert uses.frequency(1, "b") == (3, 1.0, 1.0, pytest.approx(2 / 3))


OURS = EventLog.from_traces(
    [["register", "check", "pay"]] * 70 + [["register", "check", "reject"]] * 25 + [["register", "audit", "pay"]] * 5
)
THEIRS = EventLog.from_traces(
    [["anlegen", "prüfen", "zahlen"]] * 60 + [["anlegen", "prüfen", "absagen"]] * 38 + [["anlegen", "mahnen"]] * 2
)
PAIRS = [("register", "anlegen", 1.0), ("check", "prüfen", 0.9), ("pay", "zahlen", 0.7)]


def made(pairs=PAIRS, log_a=OURS, log_b=THEIRS, **options):
    return MadeMatching(log_a, log_b, pairs, **options)


def test_the_neighbours_that_both_have_are_named_with_their_shares():
    sentences = matching_sentences(made(), "check", "prüfen")
    assert sentences == [
        ("+", "both come directly after 'register' = 'anlegen' (in 100 % and 100 % of their events)"),
        ("+", "both come directly before 'pay' = 'zahlen' (in 74 % and 61 % of their events)"),
        ("-", "'prüfen' comes directly before 'absagen', which has no partner, in 39 % of its events"),
        ("+", "both are in 95 % and 98 % of the cases, once each"),
    ]
    assert MatchingWords(made()).reason("check", "prüfen") == sentences[0].words


def test_the_beginning_and_the_end_of_the_case_are_neighbours_too():
    words = [sentence.words for sentence in matching_sentences(made(), "register", "anlegen")]
    assert words[0] == "both begin the case (in 100 % and 100 % of their events)"
    words = [sentence.words for sentence in matching_sentences(made(), "pay", "zahlen")]
    assert words[0] == "both end the case (in 100 % and 100 % of their events)"
    assert not any("last two events" in sentence for sentence in words)  # they end it


def test_what_speaks_against_a_pair_has_a_minus():
    sentences = matching_sentences(made([("register", "anlegen", 1.0)]), "audit", "zahlen")
    assert ("-", "'audit' comes directly after 'register' = 'anlegen' in 100 % of its events, 'zahlen' never") in sentences
    assert ("-", "'audit' is in 5 % of the cases, 'zahlen' in 60 %") in sentences
    assert ("-", "'audit' is on average at 50 % of the case, 'zahlen' at 100 %") in sentences
    assert MatchingWords(made([])).reason("register", "zahlen") == "no step is next to both in 10 % of their events"
    nothing = matching_sentences(made([]), "register", "zahlen")
    assert nothing[0] == ("-", "no step is next to both in 10 % of their events")
    loops = EventLog.from_traces([["register", "check", "check", "pay"]] * 50)
    assert ("-", "'check' of A is once in a case that has it, 'check' of B 2.0 times") in matching_sentences(
        made([("check", "check", 1.0)], OURS, loops), "check", "check"
    )
    rare = EventLog.from_traces([["register", "check"]] * 3)
    assert ("-", "'prüfen' is in 2 cases only, too rare to judge") not in matching_sentences(made(), "check", "prüfen")
    assert ("-", "'check' is in 3 cases only, too rare to judge") in matching_sentences(made([], rare), "check", "prüfen")


def test_a_few_cases_more_or_less_are_no_difference():
    logs = [EventLog.from_traces([["a", "b"]] * few + [["a"]] * 40) for few in (5, 8)]
    assert not any("% of the cases" in words and sign == "-" for sign, words in matching_sentences(made([], *logs), "b", "b"))


def test_a_pair_without_common_neighbours_has_the_next_best_reason():
    around = [[f"{place}{i}" for place in "uvwxyz"] for i in range(20)]
    logs = [EventLog.from_traces([[*rest[:3], side, *rest[3:]] for rest in around]) for side in "ab"]
    sentences = matching_sentences(made([], *logs), "a", "b")
    assert [sentence.sign for sentence in sentences] == ["-", "+"]
    assert MatchingWords(made([], *logs)).reason("a", "b") == "both are in 100 % and 100 % of the cases, once each"


def test_rivals_are_named():
    matching = made(others={("check", "mahnen"): 0.12, ("audit", "prüfen"): 0.09})
    rivals = [words for _, words in matching_sentences(matching, "check", "prüfen") if "candidate" in words]
    assert rivals == ["'mahnen' is also a candidate for 'check' (12 %)"]


def test_a_known_pair_says_so_first():
    matching = made(known={"pay": "zahlen"})
    assert matching_sentences(matching, "pay", "zahlen")[0] == ("+", "the pair was given as known")
    assert MatchingWords(matching).reason("pay", "zahlen") == "given as known"


def test_the_texts_are_spoken_of_only_if_they_were_looked_at():
    logs = [
        EventLog.from_traces([["accept offer", "pay"]] * 9),
        EventLog.from_traces([["Offer accepted", "reject offer", "pay"]] * 9),
    ]
    blind, seeing = made([], *logs), made([], *logs, use_labels=True)
    assert not any("text" in words or "label" in words for _, words in matching_sentences(blind, "pay", "pay"))
    said = {pair: matching_sentences(seeing, *pair)[-1] for pair in [("pay", "pay"), ("accept offer", "Offer accepted")]}
    assert said["pay", "pay"] == ("+", "the labels are the same")
    assert said["accept offer", "Offer accepted"] == ("+", "their texts have the same words in another order or form")
    assert ("-", "their texts differ in opposite words: 'accept' and 'reject'") in matching_sentences(
        seeing, "accept offer", "reject offer"
    )
    assert ("-", "the label texts are 0 % alike") in matching_sentences(seeing, "pay", "reject offer")


def test_a_split_step_is_named_by_all_its_labels():
    matching = made(splits=[SplitStep("pay", "a", ("zahlen", "absagen"), 0.6)])
    assert matching_sentences(matching, "check", "prüfen")[1] == (
        "+",
        "both come directly before 'pay' = 'zahlen' or 'absagen' (in 74 % and 100 % of their events)",
    )


@pytest.mark.parametrize(
    ("side", "label", "others", "said"),
    [
        ("a", "reject", {}, "no candidate"),
        ("a", "reject", {("reject", "zahlen"): 0.2}, "best candidate 'zahlen' (20 %), which is the partner of 'pay' (70 %)"),
        ("b", "mahnen", {}, "in 2 cases only, too rare to judge; no candidate"),
        ("b", "mahnen", {("audit", "mahnen"): 0.3}, "in 2 cases only, too rare to judge; best candidate 'audit' (30 %)"),
        (
            "b",
            "absagen",
            {("audit", "absagen"): 0.3},
            "best candidate 'audit' (30 %), but 'audit' comes directly after 'register' = 'anlegen' in 100 % of its events, 'absagen' "
            "never",
        ),
        ("a", "reject", {("reject", "absagen"): 0.4}, "best candidate 'absagen' (40 %)"),
        (
            "a",
            "reject",
            {("reject", "absagen"): 0.4, ("reject", "mahnen"): 0.3},
            "'absagen' (40 %) and 'mahnen' (30 %) are about as likely",
        ),
    ],
)
def test_a_label_without_a_partner_has_a_reason_too(side, label, others, said):
    assert MatchingWords(made(others=others)).of_unmatched(side, label) == said
