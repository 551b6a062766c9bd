"""Test what is said of odd places: their kind, where they are, and what was expected instead."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from actalike import Attribute, EventLog, odd, read_log
from actalike.benchmark.tasks.planted_anomalies import plant
from actalike.oddities import ODD
from tests.helpers.examples import examples
from tests.helpers.naive_odd_reasons import naive_reasons
from tests.helpers.naive_odd_values import surprises_of
from tests.helpers.naive_oddities import cases_of, naive_odds
from tests.helpers.strategies import logs_with_equal_cases

USUAL = ["abcdefgh"] * 200 + ["abcdfgh"] * 60 + ["abxcdefgh"] * 40  # after d, some leave out e; after b, some do x

# what was done: the case, its kind, the events, the missing steps, where the events belong, the seam and the context
PLANTED = {
    "two steps skipped": ("abefgh", "skipped", (2,), ("c", "d"), None, 2, ("b",)),
    "the first step skipped": ("bcdefgh", "skipped", (0,), ("a",), None, 0, (None,)),
    "the last step skipped": ("abcdefg", "skipped", (), ("h",), None, 7, ("g",)),
    "a new label": ("abcdqefgh", "inserted", (4,), (), None, 4, ("d",)),
    "a known label": ("abcdexfgh", "inserted", (5,), (), None, 5, ("e",)),
    "a new first event": ("qabcdefgh", "inserted", (0,), (), None, 0, (None,)),
    "a known last event": ("abcdefghx", "inserted", (8,), (), None, 8, ("h",)),
    "an event twice in a row": ("abcddefgh", "repeated", (4,), (), None, 4, ("d",)),
    "a pair again": ("abcdcdefgh", "repeated", (4, 5), (), None, 4, ("d",)),
    "three events again, later": ("abcdefbcdgh", "repeated", (6, 7, 8), (), None, 6, ("f",)),
    "the last pair again": ("abcdefghgh", "repeated", (8, 9), (), None, 8, ("h",)),
    "an event early": ("abfcdegh", "early", (2,), (), 6, 2, ("b",)),
    "an event first": ("dabcefgh", "early", (0,), (), 4, 0, (None,)),
    "the last event early": ("abchdefg", "early", (3,), (), 8, 3, ("c",)),
    "a pair early": ("aefbcdgh", "early", (1, 2), (), 6, 1, ("a",)),
    "an event late": ("acdefbgh", "late", (5,), (), 1, 1, ("a",)),
    "an event last": ("abdefghc", "late", (7,), (), 2, 2, ("b",)),
    "the first event late": ("bcdaefgh", "late", (3,), (), 0, 0, (None,)),
    "a pair late": ("adefbcgh", "late", (4, 5), (), 1, 1, ("a",)),
}


@pytest.mark.parametrize("done", PLANTED)
def test_a_planted_slip_is_named(done):
    case, kind, events, missing, belongs, seam, context = PLANTED[done]
    oddities = odd(EventLog.from_traces(map(list, [*USUAL, case])))
    reason = oddities.explain(len(USUAL))[0]
    assert (reason.kind, reason.events, reason.missing, reason.belongs) == (kind, events, missing, belongs)
    assert (reason.seam, reason.context) == (seam, context)
    position = events[0] if events else len(case)
    assert reason.position == position
    assert reason.activity == (case[position] if position < len(case) else None)
    assert reason.before == (case[position - 1] if position else None)
    assert reason.after == (case[position + 1] if position + 1 < len(case) else None)
    assert oddities.most(1) == [reason], "it is the oddest of the log"
    assert reason.score > np.log(100)
    assert_counts_are_those_of_the_log(oddities, reason)


def test_a_longer_context_is_quoted_where_it_is_much_clearer():
    usual = ["abcdefgh"] * 150 + ["xydfgh"] * 40
    reason = odd(EventLog.from_traces(map(list, [*usual, "abcdfgh"]))).explain(len(usual))[0]
    assert (reason.missing, reason.context, reason.times, reason.total) == (("e",), ("c", "d"), 1, 151)
    usual += ["zcdefgh"] * 30 + ["zcdfgh"]  # now, 1 of 151 after b, c, d is hardly clearer than 2 of 182 after c, d
    reason = odd(EventLog.from_traces(map(list, [*usual, "abcdfgh"]))).explain(len(usual))[0]
    assert (reason.context, reason.times, reason.total) == (("c", "d"), 2, 182)


def test_an_unusual_value_is_named():
    traces = USUAL * 4
    log = EventLog.from_traces(map(list, traces))
    users = [f"clerk {label}" for label in "".join(traces)]
    users[6] = "clerk a"  # the g of the first case
    users[-1] = None  # the h of the last case
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"User": Attribute.from_texts(users)})
    strange, missing = sorted(odd(log).most(None), key=lambda one: one.case_number)
    for one, case, event, value in ((strange, 0, 6, "clerk a"), (missing, 1199, 8, None)):
        assert (one.kind, one.case_number, one.events, one.attribute, one.value) == ("attribute", case, (event,), "User", value)
        assert (one.times, one.total, one.seam, one.context, one.belongs) == (1, 1200, event, (), None)
        assert one.expected == ((f"clerk {one.activity}", 1199, 1199 / 1200),)


def assert_counts_are_those_of_the_log(oddities, reason):
    """Check context, times, total and what was expected by going through all events of the log."""
    log = oddities.log
    lines = [[None, *(log.activities[code] for code in case), None] for case in cases_of(log)]
    size, here = len(reason.context), lines[reason.case_number][reason.seam + 1]
    assert tuple(lines[reason.case_number][reason.seam + 1 - size : reason.seam + 1]) == reason.context
    following = Counter()
    for line in lines:
        for i in range(size, len(line)):
            if tuple(line[i - size : i]) == reason.context:
                following[line[i]] += 1
    assert (reason.times, reason.total) == (following[here], following.total())
    others = sorted(
        (-times, len(log.activities) if label is None else log.activities.index(label), label)
        for label, times in following.items()
        if label != here
    )
    assert reason.expected == tuple((label, -times, -times / following.total()) for times, _, label in others[:3])


@examples(12)
@given(logs_with_equal_cases())
def test_reasons_are_the_explanations_of_the_definition_gathered(log):
    oddities = odd(log)
    traces = cases_of(log)
    naive = naive_odds(traces, len(log.activities), surprises_of(log, oddities.attributes))
    for number, case in enumerate(traces):
        expected = naive_reasons(case, naive, number)
        reasons = oddities.explain(number)
        assert [(one.kind, one.position, one.missing) for one in reasons] == [
            (kind, events[0], tuple(log.activities[code] for code in missing)) for kind, events, missing, _ in expected
        ]
        assert [one.score for one in reasons] == pytest.approx([np.log1p(p) for *_, p in expected], abs=1e-8)
        for one in reasons:
            if one.kind != "attribute":
                assert_counts_are_those_of_the_log(oddities, one)


def test_places_have_all_odds_of_a_case_but_for_those_that_hardly_count(log_file):
    log = read_log(log_file("Env_Permit"), attributes=["org:group", "org:resource"])
    planted = plant(log, "Env_Permit", "bpad-10").log
    oddities = odd(planted)
    scores = oddities.case_scores()
    chosen = np.argsort(-scores)[:60]
    assert scores[chosen].min() > ODD, "cases in which something is odd"
    kinds = set()
    for case in chosen.tolist():
        explanations = odds_of_case(oddities, case)
        kept = explanations[explanations >= min(np.expm1(scores[case]) / 1000, 1)]
        reasons = oddities.explain(case)
        assert sum(np.expm1(one.score) for one in reasons) == pytest.approx(kept.sum(), rel=1e-6)
        assert reasons[0].score <= scores[case] + 1e-9
        kinds |= {one.kind for one in reasons}
    assert kinds >= {"inserted", "repeated", "early", "late", "swapped", "attribute"}


def odds_of_case(oddities, case):
    """The odds of all that may be wrong with a case: slips, breaks, and values."""
    flow, events = oddities._flow, slice(*oddities.log.offsets[case : case + 2])
    cases, slips, variant = flow._cases, flow._slips, oddities._variant_of_case[case]
    others = (slips.variants == variant) & ~slips.is_inserted
    breaks = flow._breaks[cases.first[variant] : cases.ends[variant] + 1]
    return np.concatenate([flow._slip_odds[others], oddities._inserted[events], breaks, oddities._values.odds[events].ravel()])


def test_every_odd_place_of_a_long_case_is_named():
    usual = list("abcdefgh")
    broken = [list("abcdefqh"), list("abdcefgh"), list("abcefgh"), list("abcdefgh")]
    case = [label for i in range(1200) for label in broken[i % 4]]
    oddities = odd(EventLog.from_traces([case] + [usual * 5] * 3000))
    reasons = oddities.explain(0)
    assert Counter(one.kind for one in reasons) == {"replaced": 300, "swapped": 300, "skipped": 300}
    assert reasons[-1].score < oddities.case_scores()[0] - np.log(1000), "the smallest are a tiny part of the whole"
    assert sum(np.expm1(one.score) for one in reasons) < np.expm1(oddities.case_scores()[0]), "breaks multiply"


def test_equal_explanations_are_ordered_by_their_place_and_then_by_their_kind():
    usual = [list("abcdefgh")] * 300
    moved = odd(EventLog.from_traces([*usual, list("abdecfgh")])).explain(300)
    assert (moved[0].kind, moved[0].events, moved[0].belongs) == ("late", (4,), 2), "one event is late, rather than two early"
    swapped = odd(EventLog.from_traces([*usual, list("abdcefgh")])).explain(300)
    assert (swapped[0].kind, swapped[0].events) == ("swapped", (2, 3))
    twice = odd(EventLog.from_traces([*(list("abcdefgh" * 2) for _ in usual), list("abcdfgh" * 2)])).explain(300)
    assert [one.position for one in twice] == [4, 11]
    assert twice[0].missing == twice[1].missing == ("e",)
