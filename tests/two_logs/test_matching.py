from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, UnknownActivityError, match, read_log
from actalike.log import Variants
from actalike.two_logs import top_terms
from actalike.two_logs.cross_kin import togetherness
from actalike.two_logs.matching import _assigned, match_variants
from tests.helpers.examples import examples
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces

few_traces = traces(st.sampled_from("abcde"), max_cases=6, max_length=8)


def process(n_cases, seed, steps="abcdefghij"):
    """Cases of a made-up process: steps in order, some left out, some repeated, some exchanged, each with chances of its own."""
    chance = np.random.default_rng(seed)
    cases = []
    for _ in range(n_cases):
        case = []
        for place, step in enumerate(steps):
            if chance.random() < 0.95 - 0.08 * (place % 5):
                case += [step] * (1 + (place % 4 == 2 and chance.random() < 0.4))
        for i in range(len(case) - 1):
            if chance.random() < 0.1:
                case[i], case[i + 1] = case[i + 1], case[i]
        cases.append(case)
    return cases


def renamed(cases, names):
    return [[names[label] for label in case] for case in cases]


FIRST, SECOND = process(150, 1), process(150, 2)
A, B = EventLog.from_traces(FIRST), EventLog.from_traces(SECOND)


def is_tied(matching):
    """Whether a pair has an equal in its row or column, so that the order of labels decides."""
    scores = np.sort(matching.scores(), axis=0), np.sort(matching.scores(), axis=1)
    return any((np.diff(one, axis=axis) < 1e-6).any() for axis, one in enumerate(scores))


def assert_is_sound(matching):
    """Check what holds of every matching."""
    scores, probabilities = matching.scores(), matching.probabilities()
    shape = len(matching.activities_a), len(matching.activities_b)
    assert scores.shape == probabilities.shape == shape
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    assert scores.max() == pytest.approx(1.0)
    assert np.isfinite(probabilities).all()
    assert (probabilities >= 0).all()
    assert (probabilities.sum(axis=0) <= 1 + 1e-9).all()
    assert (probabilities.sum(axis=1) <= 1 + 1e-9).all()
    for labels, unmatched, paired in (
        (matching.activities_a, matching.unmatched_a, [pair.a for pair in matching.pairs]),
        (matching.activities_b, matching.unmatched_b, [pair.b for pair in matching.pairs]),
    ):
        assert sorted([*paired, *(one.activity for one in unmatched)]) == sorted(labels)
        assert all(0 <= one.probability <= 1 for one in unmatched)
        assert unmatched == sorted(unmatched, key=lambda one: -one.probability)
    is_known = [pair.a in matching.known for pair in matching.pairs]
    assert is_known == sorted(is_known, reverse=True)
    for pair in matching.pairs:
        place = matching.activities_a.index(pair.a), matching.activities_b.index(pair.b)
        assert pair.probability == probabilities[place]
        is_part = any(pair.b in split.parts and pair.a == split.activity for split in matching.splits if split.side == "a")
        is_part |= any(pair.a in split.parts and pair.b == split.activity for split in matching.splits if split.side == "b")
        assert pair.probability > 0.5 or is_part
    for split in matching.splits:
        assert len(split.parts) > 1
        assert 0 < split.probability < 1
    assert set(matching.mapping()) <= set(matching.activities_b)


@examples(12)
@given(few_traces, few_traces)
@example([["a"]], [["b"]])
@example([["a"]], [list("bcdef")] * 3)
@example([["a"] * 900], [["b"] * 700, ["c"]])
@example([list("abc") * 300], [list("xyz") * 200])
@example([[label] for label in "abcd"], [[label] for label in "abcde"])
@example([list(order) for order in permutations("abcd")], [list(order) for order in permutations("abc")])
@example([list("abcde")] * 30, [["z"] * n for n in range(1, 12)])
def test_a_matching_is_sound_and_the_mirror_of_the_matching_the_other_way_round(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    matching = match(a, b)
    assert_is_sound(matching)
    turned = match(b, a)
    if not is_tied(matching):
        assert pytest.approx(matching.scores(), abs=1e-6) == turned.scores().T
        assert pytest.approx(matching.probabilities(), abs=1e-6) == turned.probabilities().T


@examples(4)
@given(st.permutations("abcdefghij"), st.permutations("qrstuvwxyz"))
def test_labels_and_their_order_do_not_matter(new_a, new_b):
    names_a, names_b = (dict(zip("abcdefghij", names, strict=True)) for names in (new_a, new_b))
    matching = match(EventLog.from_traces(FIRST), EventLog.from_traces(SECOND))  # they have no ties
    other = match(EventLog.from_traces(renamed(FIRST, names_a)), EventLog.from_traces(renamed(SECOND, names_b)))
    places = np.ix_(
        [other.activities_a.index(names_a[label]) for label in matching.activities_a],
        [other.activities_b.index(names_b[label]) for label in matching.activities_b],
    )
    assert other.scores()[places] == pytest.approx(matching.scores(), abs=1e-6)
    assert other.probabilities()[places] == pytest.approx(matching.probabilities(), abs=1e-6)


@examples(8)
@given(few_traces, few_traces, st.data())
def test_known_pairs_are_certain_and_nobody_else_gets_their_labels(cases_a, cases_b, data):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    n = data.draw(st.integers(1, min(len(a.activities), len(b.activities))))
    known = dict(zip(a.activities[:n], data.draw(st.permutations(b.activities))[:n], strict=True))
    matching = match(a, b, known)
    assert_is_sound(matching)
    assert {pair[:2]: pair.probability for pair in matching.pairs[:n]} == dict.fromkeys(known.items(), 1.0)
    for x, y in known.items():
        i, j = a.activities.index(x), b.activities.index(y)
        for cells in (matching.scores(), matching.probabilities()):
            assert np.count_nonzero(cells[i]) == np.count_nonzero(cells[:, j]) == 1
        assert x not in [one.activity for one in matching.unmatched_a]
        assert y not in [one.activity for one in matching.unmatched_b]


@examples(8)
@given(few_traces, few_traces)
def test_the_shares_of_all_reasons_sum_to_one(cases_a, cases_b):
    matching = match(EventLog.from_traces(cases_a), EventLog.from_traces(cases_b))
    x, y = matching.activities_a[0], matching.activities_b[-1]
    reasons = matching.explain(x, y, 10**6)
    if reasons:  # none, if they have less than nothing in common
        assert sum(reason.share for reason in reasons) == pytest.approx(1.0)
        sizes = [abs(reason.share) for reason in reasons]
        assert sizes == sorted(sizes, reverse=True)
        assert [reason.share for reason in matching.explain(x, y, 3)] == [reason.share for reason in reasons[:3]]
        assert all(reason.offset for reason in reasons if None in (reason.neighbour_a, reason.neighbour_b))


def test_empty_cases_change_nothing():
    padded = [EventLog.from_traces([[], *cases, *[[]] * 70]) for cases in (FIRST, SECOND)]
    plain, with_empty = match(A, B), match(*padded)
    assert np.array_equal(with_empty.probabilities(), plain.probabilities())
    assert with_empty.splits == plain.splits


def test_the_same_input_has_the_same_result():
    first, second = match(A, B), match(EventLog.from_traces(FIRST), EventLog.from_traces(SECOND))
    assert first.pairs == second.pairs
    assert np.array_equal(first.scores(), second.scores())
    assert first.explain("a", "b") == second.explain("a", "b")


def test_all_pairs_of_two_draws_of_a_process_are_found_with_reasons():
    matching = match(A, B)
    assert {pair[:2] for pair in matching.pairs} == {(label, label) for label in "abcdefghij"}
    assert min(pair.probability for pair in matching.pairs) > 0.8
    best = matching.explain("a", "a")[0]
    assert (best.offset, best.neighbour_a, best.neighbour_b) in {(-1, None, None), (-4, None, None)}
    assert matching.candidates("c", 1) == [pair for pair in matching.pairs if pair.a == "c"]
    assert [one.b for one in matching.candidates("c", 99)][:1] == ["c"]
    assert len(matching.candidates("c", 99)) == 10


def test_a_log_is_matched_with_itself():
    matching = match(A, A)
    assert all(pair.a == pair.b for pair in matching.pairs)
    assert len(matching.pairs) == 10
    assert matching.mapping() == {label: label for label in "abcdefghij"}


def test_an_activity_that_was_deleted_has_no_partner():
    without = EventLog.from_traces([[label for label in case if label != "g"] for case in SECOND])
    for matching, unmatched in ((match(A, without), "unmatched_a"), (match(without, A), "unmatched_b")):
        alone = getattr(matching, unmatched)[0]
        assert alone.activity == "g"
        assert alone.probability > 0.5
        assert all(pair.a == pair.b for pair in matching.pairs)
        assert len(matching.pairs) >= 7


def test_noise_is_matched_with_nothing():
    chance = np.random.default_rng(3)
    noise = [EventLog.from_traces([[f"x{i}" for i in row] for row in chance.integers(0, 15, (60, 12))]) for _ in range(2)]
    assert match(*noise).pairs == []
    assert match(A, noise[0]).pairs == []


def test_label_texts_tell_alternatives_apart():
    names = {"b": "Pay by card", "c": "Pay in cash"}
    cases = [["x", "b", "y"], ["x", "c", "y"]] * 20
    a, b = (
        EventLog.from_traces(renamed(cases, names | {"x": "Start", "y": "End"})),
        EventLog.from_traces(renamed(cases, {"b": "Cash was paid in", "c": "Paid by card", "x": "one", "y": "two"})),
    )
    blind, reading = match(a, b), match(a, b, use_labels=True)
    assert {pair[:2] for pair in blind.pairs} == {("Start", "one"), ("End", "two")}
    right = {("Start", "one"), ("End", "two"), ("Pay by card", "Paid by card"), ("Pay in cash", "Cash was paid in")}
    assert {pair[:2] for pair in reading.pairs} == right
    assert reading.use_labels
    assert not blind.use_labels


def test_any_frame_is_taken_and_a_label_that_is_not_there_is_refused():
    frame = pl.DataFrame({"case": [1, 1, 2, 2], "activity": ["a", "b", "a", "b"]})
    matching = match(frame, frame)
    assert matching.activities_a == ["a", "b"]
    with pytest.raises(UnknownActivityError, match="'q'"):
        matching.explain("a", "q")
    with pytest.raises(UnknownActivityError, match="'q'"):
        matching.candidates("q")


@pytest.mark.parametrize("name", ["Helpdesk", "CCC19"])
def test_matching_the_halves_of_a_real_log_is_sound_and_has_a_mirror(name):
    log = read_log(need_logs() / f"{name}.xes.gz")
    halves = [EventLog.from_traces(log.traces()[start::2]) for start in (0, 1)]
    matching, turned = match(*halves), match(*halves[::-1])
    assert_is_sound(matching)
    assert pytest.approx(matching.scores(), abs=1e-9) == turned.scores().T
    assert pytest.approx(matching.probabilities(), abs=1e-9) == turned.probabilities().T
    assert {pair[:2] for pair in matching.pairs} == {(pair.b, pair.a) for pair in turned.pairs}
    assert np.mean([pair.a == pair.b for pair in matching.pairs]) > 0.8


def test_pairs_that_are_apart_are_no_pairs_and_no_parts_of_a_split():
    traces = [["in", "check", "out"]] * 40
    one = EventLog.from_traces(traces)
    other = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]] * 20)  # 2 and 3 are check
    assert {part for split in match(one, other).splits for part in split.parts} == {"2", "3"}
    matching = match(one, other, {"in": "1"}, apart=[("check", "3"), ("in", "4")])
    assert matching.splits == []
    assert "3" not in [pair.b for pair in matching.pairs]
    assert matching.probabilities()[matching.activities_a.index("check"), matching.activities_b.index("3")] == 0
    turned = match(other, one, {"1": "in"}, apart=[("3", "check"), ("4", "in")])
    assert sorted((pair.b, pair.a) for pair in turned.pairs) == sorted((pair.a, pair.b) for pair in matching.pairs)
    nothing = match(one, one, apart=[(a, b) for a in one.activities for b in one.activities])
    assert (nothing.pairs, [lone.probability for lone in nothing.unmatched_a]) == ([], [1.0] * 3)
    assert nothing.mapping() == {label: f"{label} (b)" for label in one.activities}


@examples(8)
@given(few_traces, few_traces, st.booleans())
def test_a_pair_that_is_more_likely_than_not_is_proposed(cases_a, cases_b, use_labels):
    matching = match(EventLog.from_traces(cases_a), EventLog.from_traces(cases_b), use_labels=use_labels)
    rows, columns = np.nonzero(matching.probabilities() > 0.5)
    likely = {(matching.activities_a[i], matching.activities_b[j]) for i, j in zip(rows, columns, strict=True)}
    assert likely <= {(pair.a, pair.b) for pair in matching.pairs}


def test_a_likely_pair_that_the_assignment_by_scores_has_not_is_proposed():
    likely = np.array([[0.56, 0.1], [0.3, 0.2]])
    assert [codes.tolist() for codes in _assigned(likely, (np.array([0, 1]), np.array([1, 0])))] == [[0], [0]]
    likely[0, 0] = 0.4
    assert [codes.tolist() for codes in _assigned(likely, (np.array([0, 1]), np.array([1, 0])))] == [[0, 1], [1, 0]]


def test_terms_say_whether_both_are_seldom_in_cases_with_the_neighbours():
    matching = match(A, A)
    together = togetherness(A.variants)
    terms = [(a, term) for a in A.activities for term in matching.explain(a, a, 1000) if term.offset == 0]
    place = A.activities.index
    for a, term in terms:
        both = together[place(a), place(term.neighbour_a)], together[place(a), place(term.neighbour_b)]
        assert term.seldom == (max(both) < 0)
    assert {term.seldom for _, term in terms} == {True, False}
    for a in A.activities:
        told = top_terms(matching, a, a, 1000)
        assert (0, a, a) not in [(term.offset, term.neighbour_a, term.neighbour_b) for term in told]
    with pytest.raises(ActalikeError, match="The other log has it"):
        match(EventLog.from_traces([["x"]]), EventLog.from_traces([["1"]])).explain("1", "x")


@examples(8)
@given(few_traces, few_traces)
def test_variants_with_weights_are_enough(cases_a, cases_b):
    """Whether equal cases are counted as one variant or several: what is found is the same."""
    logs = [EventLog.from_traces(cases) for cases in (cases_a, cases_b)]
    one_by_one = [Variants(log.activities, log.codes, log.offsets, np.ones(log.n_cases, dtype=np.int64)) for log in logs]
    by_variants, by_cases = match_variants(*(log.variants for log in logs), {}), match_variants(*one_by_one, {})
    assert np.array_equal(by_variants.probabilities(), by_cases.probabilities())
    assert (by_variants.pairs, by_variants.splits) == (by_cases.pairs, by_cases.splits)
    assert by_variants.to_dict() == by_cases.to_dict()


def orders(seed, shares, names, together=False):
    """300 orders that come by one of three channels, or by all of them in any order."""
    chance = np.random.default_rng(seed)
    channels, cases = ("mail", "phone", "web"), []
    for _ in range(300):
        taken = chance.permutation(channels).tolist() if together else [chance.choice(channels, p=shares)]
        rest = ["reject"] if chance.random() < 0.3 else ["pack", "send"]
        cases.append([names.get(step, step) for step in ("order", *taken, "check", *rest, "close")])
    return EventLog.from_traces(cases)


GERMAN = {"order": "Auftrag", "check": "Prüfung", "reject": "Nein", "pack": "Kiste", "send": "Fracht", "close": "Zu"}


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("names", [{}, GERMAN])
def test_alternatives_share_the_probability_and_equal_labels_decide(together, names):
    a, b = orders(3, (0.5, 0.3, 0.2), {}, together), orders(4, (0.2, 0.5, 0.3), names, together)
    blind, reading = match(a, b), match(a, b, use_labels=True)
    likely = {pair[:2]: pair.probability for pair in blind.pairs}
    assert all(likely.get((x, y), 0) < 0.85 for x in ("mail", "phone", "web") for y in ("mail", "phone", "web"))
    for step in ("order", "check", "reject", "pack", "send", "close"):
        assert likely[step, names.get(step, step)] > 0.9
    found = {pair[:2]: pair.probability for pair in reading.pairs}
    assert set(found) == {(step, names.get(step, step)) for step in a.activities}
    assert min(found.values()) > 0.9


def test_words_of_another_language_never_count_against_a_pair():
    a = orders(1, (0.5, 0.3, 0.2), {})
    b = orders(2, (0.5, 0.3, 0.2), GERMAN | {"mail": "Brief", "phone": "Gruß", "web": "Klick"})
    blind = {pair[:2]: pair.probability for pair in match(a, b).pairs}
    reading = {pair[:2]: pair.probability for pair in match(a, b, use_labels=True).pairs}
    assert len(blind) > 6
    assert all(reading[pair] > probability - 0.01 for pair, probability in blind.items())
