"""Test the English of odd events."""

import pytest
from hypothesis import given

from actalike import EventLog, Expected, OddEvent, odd
from actalike.oddities import KINDS, ODD
from actalike.oddities.describe import (
    KIND_WORDS,
    SCORE_WORDS,
    CaseNames,
    by_reason,
    odd_counts,
    odd_sentence,
    odd_summary,
    place_words,
)
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

CASE = ["Check", "Pay", "Pay", "Approve", "Archive"]
LOG = EventLog.from_traces([CASE, ["Check", "Approve", "Pay"]])
USUAL = (Expected("Approve", 1190, 1190 / 1204), Expected("Wait", 13, 13 / 1204))


def at(position, kind, events=None, expected=USUAL, times=1, total=1204, **changed):
    """An odd event of the first case, with the neighbours that it has there."""
    label = [*CASE, None][position]
    facts = {
        "before": CASE[position - 1] if position else None,
        "after": [*CASE, None, None][position + 1],
        "events": (position,) if events is None else events,
        "activity": label,
        "context": (CASE[position - 1] if position else None,),
        "seam": position,
        **changed,
    }
    return OddEvent(case="1", case_number=0, position=position, kind=kind, score=9.0, times=times, total=total,
                    expected=expected, **facts)  # fmt: skip


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (at(1, "inserted"), "after 'Check', 99 % go on to 'Approve'; here 'Pay' follows (1 of 1,204)"),
        (
            at(1, "skipped", missing=("Approve",)),
            "'Approve' is missing between 'Check' and 'Pay': after 'Check', 99 % go on to 'Approve'; here 'Pay' follows (1 of 1,204)",
        ),
        (
            at(0, "skipped", missing=("Order", "Call"), expected=(Expected("Order", 1203, 1203 / 1204),)),
            "'Order' and 'Call' are missing at the start, before 'Check': over 99 % of the cases begin with 'Order'; here "
            "'Check' comes first (1 of 1,204)",
        ),
        (
            at(5, "skipped", (), missing=("Close",), expected=(Expected("Close", 9, 0.9),), total=10),
            "'Close' is missing at the end, after 'Archive': after 'Archive', 90 % go on to 'Close'; here the case ends (1 of 10)",
        ),
        (
            at(2, "repeated", (2, 3), expected=(Expected("Archive", 6, 0.6), Expected(None, 3, 0.3)), total=10),
            "'Pay' and 'Approve' are repeated: after 'Pay', 90 % go on to 'Archive' or end; here 'Pay' follows (1 of 10)",
        ),
        (
            at(4, "repeated", expected=(Expected(None, 9, 0.9),), total=10),
            "'Archive' is repeated: after 'Approve', 90 % end; here 'Archive' follows (1 of 10)",
        ),
        (
            at(1, "early", belongs=4),
            "'Pay' comes 2 events too early, it belongs after 'Approve': after 'Check', 99 % go on to 'Approve'; here 'Pay' "
            "follows (1 of 1,204)",
        ),
        (
            at(3, "late", (3, 4), belongs=2, times=3, expected=(Expected("Wait", 1190, 1190 / 1204),)),
            "'Approve' and 'Archive' come 1 event too late, they belong before 'Pay': after 'Pay', 99 % go on to 'Wait'; here "
            "'Approve' follows (3 of 1,204)",
        ),
        (
            at(3, "attribute", expected=(Expected("Sue", 97, 0.97), Expected(None, 12, 0.12)), attribute="org:resource",
               value="Bob", total=100),
            "org:resource is 'Bob' (1 of 100): for 'Approve' it is 'Sue' (97 %) or missing (12 %)",
        ),
        (at(3, "attribute", expected=(), attribute="role", times=0), "role is missing (0 of 1,204)"),
    ],
)  # fmt: skip
def test_every_kind_has_a_sentence_with_counts(one, sentence):
    assert odd_sentence(one, LOG) == sentence


def test_a_place_that_is_mostly_as_here_says_so():
    often = at(1, "inserted", times=700)
    assert odd_sentence(often, LOG) == (
        "'Pay' does not belong between 'Check' and 'Pay': after 'Check', 'Pay' follows in 700 of 1,204"
    )
    first = at(0, "repeated", context=(None,), times=700)
    assert odd_sentence(first, LOG) == "'Check' is repeated: 'Check' comes first in 700 of 1,204"
    assert odd_sentence(at(5, "skipped", (), expected=(), total=1), LOG) == (
        "a step is missing at the end, after 'Archive': after 'Archive', the case ends in 1 of 1"
    )


def test_a_repetition_that_goes_on_as_usual_is_shown_by_the_number_of_occurrences():
    usual = at(2, "repeated", (2, 3), times=800, occurs=(2, 12, 80_000))
    assert odd_sentence(usual, LOG) == (
        "'Pay' and 'Approve' are repeated: 'Pay' occurs 2 times here, and so often in 12 of the 80,000 cases with it"
    )
    going_on = "'Pay' is repeated: after 'Pay', 99 % go on to 'Approve'; here 'Pay' follows (1 of 1,204)"
    assert odd_sentence(at(2, "repeated", occurs=(2, 1, 9000)), LOG) == going_on  # which is rare too
    assert "; here 'Pay' follows (200 of 1,204)" in odd_sentence(
        at(2, "repeated", times=200, occurs=(2, 9, 10)), LOG
    )  # which is rarer


def test_an_order_of_events_with_the_same_time_is_said_to_be_one():
    assert odd_sentence(at(1, "early", belongs=4, same_time=True), LOG).startswith(
        "'Pay' comes 2 events too early, it belongs after 'Approve' (only among events of the same time): after 'Check', "
    )


def test_the_context_is_quoted_where_the_sequence_breaks():
    assert odd_sentence(at(1, "inserted", context=("Check", "Pay"), seam=2), LOG) == (
        "'Pay' does not belong between 'Check' and 'Pay': after 'Check' and then 'Pay', 99 % go on to 'Approve'; here 'Pay' "
        "follows (1 of 1,204)"
    )
    assert odd_sentence(at(1, "inserted", context=(None, "Check")), LOG) == (
        "after 'Check' at the start, 99 % go on to 'Approve'; here 'Pay' follows (1 of 1,204)"
    )


def test_every_kind_has_words_and_a_claim():
    assert tuple(KIND_WORDS) == KINDS
    for kind in KINDS:
        more = {"missing": ("Check",), "events": (1, 2) if kind == "swapped" else (1,), "belongs": 3 if kind == "early" else 0}
        assert odd_sentence(at(1, kind, attribute="role", value="x", **more), LOG)
    for position, claim in ((0, "'Check' does not belong at the start, before 'Pay'"), (4, "at the end, after 'Approve'")):
        assert f"{claim}: " in odd_sentence(at(position, "inserted", seam=position + 1), LOG)


def test_cases_with_unclear_ids_have_their_numbers():
    names = CaseNames(EventLog(["a"], [0] * 4, range(5), ["x", "y", "x", ""]))
    assert [names.of(case) for case in range(4)] == [
        "x (number 1 of the log)", "y", "x (number 3 of the log)", "'' (number 4 of the log)",
    ]  # fmt: skip


def test_what_a_score_is_names_the_score_from_which_on_places_are_odd():
    assert f" {ODD:.1f}, from which on places are listed, is 100 to 1" in SCORE_WORDS


def test_places_count_from_one():
    assert place_words(at(1, "inserted")) == "event 2"
    assert place_words(at(5, "skipped", ())) == "end of the case"


def test_long_lists_are_cut_and_labels_have_their_second_names():
    log = EventLog(LOG.activities, LOG.codes, LOG.offsets, LOG.case_ids, names={"Pay": "Transfer money", "Check": "Check"})
    sentence = odd_sentence(at(0, "repeated", (0, 1, 2, 3, 4)), log)
    assert sentence.startswith("'Check', 'Pay' [Transfer money], 'Pay' [Transfer money] and 2 more are repeated: ")


@given(logs())
@examples(25)
def test_every_odd_event_of_any_log_can_be_said(log):
    result = odd(log)
    events = [one for case in range(log.n_cases) for one in result.explain(case)]
    for one in events:
        assert odd_sentence(one, log)
        assert place_words(one)
    groups = by_reason(events, log)
    assert sorted(map(id, events)) == sorted(id(one) for group in groups for one in group)
    assert all(len({odd_sentence(one, log) for one in group}) == 1 for group in groups)
    assert odd_summary(events).startswith("no odd place" if not events else f"{len(events):,} odd place")
    counts = odd_counts(events)
    assert counts["places"] == sum(counts["kinds"].values()) == len(events)
    assert counts["cases"] == len({one.case for one in events})
