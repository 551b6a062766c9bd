"""Proposed groups: which labels, what relation, what name; nothing in noise."""

import random
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import ActalikeError, Attribute, EventLog, count_windows, group, read_log, relabel, same_step
from actalike.benchmark.tasks.intrinsic import Recipe, make_log
from actalike.demo.loan_desk import SAME_STEP, loan_desk
from actalike.labels import OUTSIDE, RELATIONS, Caution, SharedNeighbours, group_words, in_words, judge, mapping_of
from actalike.labels.groups import average_linkage, cut_to, likely_clusters
from actalike.labels.relations import Proposals, by_frequency
from tests.helpers import naive_evidence
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

DAY = np.timedelta64(1, "D")
frequent_logs = logs().map(lambda log: EventLog.from_traces(log.traces() * 5))  # so that activities are not all too rare


def timed(cases, first_days):
    """A log whose cases begin on the given days; each event takes an hour."""
    log = EventLog.from_traces(cases)
    hours = np.concatenate([24 * day + np.arange(len(case)) for case, day in zip(cases, first_days, strict=True)])
    moments = np.datetime64("2024-01-01", "us") + hours * np.timedelta64(1, "h")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, moments)


def with_members(groups, *labels):
    """The group that has exactly these members."""
    (chosen,) = (one for one in groups if set(one.activities) == set(labels))
    return chosen


def relations(log, **options):
    return {frozenset(one.activities): one.relation for one in group(log, **options)}


@examples(6)
@given(frequent_logs | logs(), st.randoms())
@example(loan_desk(60), random.Random(1))
def test_groups_are_disjoint_and_do_not_depend_on_the_order_of_cases(log, rng):
    log = EventLog.from_traces(log.traces())
    groups = group(log)
    members = [label for one in groups for label in one.activities]
    assert len(members) == len(set(members)) <= len(log.activities)
    assert all(len(one.activities) > 1 for one in groups)
    assert [RELATIONS.index(one.relation) for one in groups] == sorted(RELATIONS.index(one.relation) for one in groups)
    traces = log.traces()
    rng.shuffle(traces)
    assert group(EventLog.from_traces(traces)) == groups == group(log, counts=count_windows(log, 7), same=same_step(log))


@examples(8)
@given(frequent_logs)
@example(loan_desk(60))
def test_figures_of_a_group_are_means_of_its_pairs(log):
    same = same_step(log)
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    for one in group(log, same=same):
        pairs = list({(witness.a, witness.b) for witness in one.witnesses}) or list(combinations(one.activities, 2))
        assert one.probability == pytest.approx(np.mean([same.probability(*pair) for pair in pairs]))
        assert one.overlap == pytest.approx(np.mean([same.overlap(*pair) for pair in pairs]))
        assert sum(reason.log_odds for reason in one.reasons) == pytest.approx(
            np.mean([sum(reason.log_odds for reason in same.evidence(*pair)) for pair in pairs])
        )
        assert list(one.activities) == sorted(one.activities, key=lambda label: (-events[label], -cases[label], label))
        held = [len(set(one.activities) & set(trace)) for trace in log.traces() if set(one.activities) & set(trace)]
        assert one.together == sum(n > 1 for n in held) / len(held)
        for context in one.evidence:
            assert sum(n > 0 for n in context.counts) > 1
            assert len(context.counts) == len(one.activities)


@examples(6)
@given(frequent_logs, st.data())
def test_steps_are_how_many_labels_are_left(log, data):
    steps = data.draw(st.integers(1, len(log.activities)))
    groups = group(log, steps=steps)
    assert len(log.activities) - sum(len(one.activities) - 1 for one in groups) == steps
    assert len(relabel(log, mapping_of(groups, RELATIONS)).activities) == steps


@examples(20)
@given(logs(st.sampled_from(["a", "a 1", "a_2", "a: 3", "a-be77d0", "a 3fa9c1", "b 3fa9c1", "b:be77d0", "b"])), st.data())
def test_names_are_of_no_label_outside_the_group_and_of_no_other_group(log, data):
    groups = group(EventLog.from_traces(log.traces() * 4), steps=data.draw(st.none() | st.integers(1, len(log.activities))))
    names = [one.name for one in groups]
    assert len(names) == len(set(names))
    for one in groups:
        assert one.name not in set(log.activities) - set(one.activities)


@pytest.mark.parametrize(("blank", "other", "name"), [("", "a", "a"), (" ", "a", "a"), ("", " ", "(no name)")])
def test_a_group_with_a_blank_label_has_a_name_that_relabels_it(blank, other, name):
    log = EventLog.from_traces([[blank, blank, other]] * 5)
    (one,) = group(log, steps=1)
    assert one.name == name
    assert relabel(log, mapping_of([one], RELATIONS)).activities == [name]


def test_two_families_with_one_name_get_two():
    """Both patterns say *Check* without what varies."""
    users, rooms = [f"Check: {i}" for i in range(12)], [f"{i} Check" for i in range(12)]
    traces = [["a", label, "b"] for label in users] * 8 + [["c", "d", "e", label, "f", "g"] for label in rooms] * 8
    groups = group(EventLog.from_traces(traces))
    assert {frozenset(users), frozenset(rooms)} <= {frozenset(one.activities) for one in groups}
    names = [one.name for one in groups]
    assert names.count("Check") == 1
    assert len(names) == len(set(names))


def test_the_name_of_a_family_is_not_that_of_another_step():
    users = [f"{i}: Pay" for i in range(12)]
    traces = [["a", label, "b"] for label in users] * 8 + [["c", "d", "e", "Pay", "f", "g"]] * 50
    log = EventLog.from_traces(traces)
    pay = with_members(group(log), *users)
    assert (pay.name, pay.relation, pay.pattern) == (users[0], "synonyms", "#: Pay")
    assert sorted(relabel(log, mapping_of([pay])).activity_counts.tolist()) == [50, 50, 50, 50, 50, 50, 96, 96, 96]


def test_two_blood_tests_of_one_sample_belong_together():
    chance = random.Random(1)
    traces, days = [], []
    for day in range(200):
        trace = ["Admit"]
        for _ in range(chance.randrange(1, 4)):
            tests = chance.sample(["CRP", "Leucocytes"], 2)
            trace += tests if chance.random() < 0.8 else tests[:1]
            trace.append(chance.choice(["Visit", "Ward round", "Surgery"]))
        traces.append([*trace, "Release"])
        days.append(day)
    for log in (EventLog.from_traces(traces), timed(traces, days)):
        assert relations(log)[frozenset(["CRP", "Leucocytes"])] == "belong together"
        for at_least in (0.1, 0.9):
            held = {one: relation for one, relation in relations(log, at_least=at_least).items() if {"CRP", "Leucocytes"} <= one}
            assert set(held.values()) <= {"belong together"}


def decided(n=60):
    return [["Ask", "Accept offer", "Close"], ["Ask", "Reject offer", "Close"], ["Call", "Ask"], ["Close", "Call"]] * n


def test_outcomes_of_a_decision_are_alternatives_however_alike():
    traces = decided()
    for log in (EventLog.from_traces(traces), timed(traces, range(len(traces)))):
        one = with_members(group(log), "Accept offer", "Reject offer")
        assert one.relation == "alternatives"
        assert Caution("opposites", ("Accept offer", "Reject offer")) in one.cautions
        assert mapping_of(group(log)) == {}


def test_opposites_of_two_periods_are_alternatives_too():
    traces = sorted(decided(), key=lambda trace: "Reject offer" in trace)
    assert "synonyms" not in relations(timed(traces, range(len(traces)))).values()


def changed_systems(*names, shares):
    """One step whose name changes with the time, among others; 400 cases, a case a day."""
    chance, bounds = random.Random(2), np.cumsum(shares) * 400
    traces = []
    for day in range(400):
        name = names[int(np.searchsorted(bounds, day, "right"))]
        traces.append(["Open", *chance.choice([["Read"], ["Read", "Call"], []]), name, chance.choice(["File", "Send"]), "End"])
    return timed(traces, range(400))


def test_a_label_that_replaces_another_is_a_synonym_with_dates():
    log = changed_systems("Pay out", "Transfer loan", shares=[0.6, 0.4])
    one = with_members(group(log), "Pay out", "Transfer loan")
    assert (one.relation, one.name) == ("synonyms", "Pay out")
    (witness,) = one.witnesses
    assert (witness.kind, witness.earlier) == ("periods", "Pay out")
    assert witness.until < witness.since
    assert set(mapping_of(group(log)).values()) == {"Pay out"}
    side_by_side = EventLog(log.activities, log.codes, log.offsets, log.case_ids)
    assert with_members(group(side_by_side), "Pay out", "Transfer loan").relation == "alternatives"


def test_four_names_of_uneven_periods_are_one_group():
    for names in (["A07", "B12", "C31", "D44"], ["Pay", "Transfer loan", "Remit", "Disburse"]):
        one = with_members(group(changed_systems(*names, shares=[0.5, 0.25, 0.15, 0.1])), *names)
        assert (one.relation, one.name) == ("synonyms", names[0])


def test_a_replaced_label_is_no_proof_where_many_labels_are_replaced():
    """Each tenth of the cases has a note and a mail of its own."""
    replaced = changed_systems("Pay out", "Transfer loan", shares=[0.6, 0.4])
    traces = [[replaced.activities[code] for code in replaced.codes[a:b]] for a, b in pairwise(replaced.offsets.tolist())]
    traces = [[f"Note {day // 40}", *trace, *[f"Mail {day // 40}"] * (day % 3)] for day, trace in enumerate(traces)]
    log = timed(traces, range(400))
    one = with_members(group(log), "Pay out", "Transfer loan")
    assert (one.relation, one.witnesses) == ("alternatives", ())
    assert "one is used before the other" in " ".join(words for _, words in group_words(one))
    assert same_step(log).chance["periods"] > 0.1


def test_a_replaced_label_is_no_proof_if_a_third_one_takes_the_same_place():
    """Either of the other two may be the new name of the old one."""
    replaced = changed_systems("Pay out", "Transfer loan", shares=[0.6, 0.4])
    labels = [replaced.activities[code] for code in replaced.codes]
    paid = [i for i, label in enumerate(labels) if label in ("Pay out", "Transfer loan")]
    for i in paid[::3]:
        labels[i] = "Remit"
    traces = [labels[a:b] for a, b in pairwise(replaced.offsets.tolist())]
    assert relations(timed(traces, range(400)))[frozenset(["Pay out", "Transfer loan", "Remit"])] == "alternatives"


def test_a_typing_error_is_a_synonym_with_the_frequent_name():
    traces = [["File", "Check invoice", "Pay"]] * 200 + [["File", "Chekc invoice", "Pay"]] * 3 + [["Pay", "Call", "File"]] * 50
    one = with_members(group(EventLog.from_traces(traces)), "Check invoice", "Chekc invoice")
    assert (one.relation, one.name) == ("synonyms", "Check invoice")
    assert [witness.kind for witness in one.witnesses] == ["text"]
    assert Caution("too rare", ("Chekc invoice",)) in one.cautions


@pytest.mark.parametrize(("cases", "kinds"), [(4, ["too rare"]), (9, ["few cases"]), (19, ["few cases"]), (20, [])])
def test_the_fewer_cases_the_graver_the_caution(cases, kinds):
    log = EventLog.from_traces([[*"xay"]] * 30 + [[*"xby"]] * cases + [["y", "x"]] * 40)
    one = with_members(group(log), "a", "b")
    assert [caution.kind for caution in one.cautions] == kinds
    assert one.relation == ("too rare to judge" if cases < 5 else "alternatives")


def test_evidence_counts_the_neighbours_that_members_share():
    traces = [[*"xay"]] * 7 + [[*"xby"]] * 6 + [[*"by"]] * 5 + [[*"az"]] * 5 + [["z"], [*"xzx"]]
    one = next(one for one in group(EventLog.from_traces(traces), steps=4) if "a" in one.activities)
    assert one.activities == ("a", "b")
    assert one.evidence == (SharedNeighbours("x", "y", (7, 6)), SharedNeighbours(OUTSIDE, None, (5, 5)))


def test_what_the_loan_desk_calls_by_several_names_is_found():
    groups = [set(one.activities) for one in group(loan_desk())]
    assert sum(same in groups for same in SAME_STEP) >= 6


@pytest.mark.parametrize("name", ["Helpdesk"])
def test_an_activity_split_in_two_is_found(real_log, name):
    log = real_log(name)
    chosen = tuple(sorted(random.Random(1).sample([log.activities[i] for i in np.argsort(-log.activity_counts)[:6]], 2)))
    groups = [set(one.activities) for one in group(make_log(log, Recipe(log.digest, 2, 2, 0, 0, "paper", chosen)).log)]
    assert all(any({f"{label}:0", f"{label}:1"} <= one for one in groups) for label in chosen)


NOISY_LABELS = {
    "words": lambda code: f"{chr(97 + code)}{code}",
    "words in two orders": lambda code: " ".join(["review", "record"][:: 1 - 2 * (code % 2)] + ["again"] * (code // 2)),
    "codes": lambda code: f"01_HOOFD_{10 * code:03}",
    "codes with letters": lambda code: f"10_UOV_{10 * code:03}{'ab'[code % 2]}",
}


def noise(seed, label=NOISY_LABELS["words"]):
    """Events drawn independently, a case a day, done by ten people."""
    chance = np.random.default_rng(seed)
    n, n_cases = int(chance.integers(6, 20)), int(chance.integers(100, 400))
    traces = [[label(code) for code in chance.integers(0, n, chance.integers(2, 10))] for _ in range(n_cases)]
    return timed(traces, range(n_cases))


@pytest.mark.parametrize("labels", NOISY_LABELS)
def test_noise_has_no_synonyms(labels):
    assert not any("synonyms" in relations(noise(seed, NOISY_LABELS[labels])).values() for seed in range(6))


@pytest.mark.parametrize("name", ["BPIC13_closed_problems", "Helpdesk"])
def test_shuffled_events_have_no_synonyms(real_log, name):
    log = real_log(name)
    order = np.lexsort((np.random.default_rng(1).random(log.n_events), np.repeat(np.arange(log.n_cases), log.lengths)))
    shuffled = EventLog(log.activities, log.codes[order], log.offsets, log.case_ids, log.timestamps)
    assert "synonyms" not in relations(shuffled).values()


@pytest.mark.parametrize("traces", [[["a"]], [["a", "a"], []]])
def test_one_activity_has_no_groups(traces):
    assert group(EventLog.from_traces(traces)) == group(EventLog.from_traces(traces), steps=1) == []


@pytest.mark.parametrize("at_least", [-0.1, 0, 1.1, float("nan")])
def test_what_is_no_probability_is_an_error(at_least):
    with pytest.raises(ActalikeError, match="above"):
        group(loan_desk(20), at_least)


def test_what_cannot_be_grouped_is_an_error():
    log = EventLog.from_traces([[*"xay"], [*"xby"]])
    with pytest.raises(ActalikeError, match="WindowCounts"):
        group(count_windows(log, 5))
    with pytest.raises(ActalikeError, match="are those of another log"):
        group(log, same=same_step(EventLog.from_traces([[*"xay"]])))
    with pytest.raises(ActalikeError, match="counts"):
        group(log, counts=count_windows(EventLog.from_traces([[*"xay"]]), 5))
    with pytest.raises(ActalikeError, match="counts"):
        group(log, counts=count_windows(EventLog.from_traces([[*"xay"]]), 5), same=same_step(log))
    for steps in (0, 5, -1):
        with pytest.raises(ActalikeError, match="between"):
            group(log, steps=steps)
    assert group(EventLog.from_traces(log.traces()), same=same_step(log)) == group(log)


def in_a_process(label, number):
    """A case around a label, with an optional step, so that neighbours vary."""
    return ["register", *(["call"] if number % 3 == 0 else []), "check", label, *(["copy"] if number % 5 == 0 else []), "close"]


def test_two_outcomes_are_not_merged_through_the_label_that_they_replace():
    """Until the middle one step *judge*, then *repair* or *scrap* side by side."""
    chance = random.Random(4)
    labels = ["judge"] * 300 + [chance.choice(["repair", "scrap"]) for _ in range(300)]
    log = timed([in_a_process(label, number) for number, label in enumerate(labels)], range(600))
    assert relations(log)[frozenset({"judge", "repair", "scrap"})] == "alternatives"


def test_two_processes_that_follow_each_other_have_no_synonyms():
    first = [["a", "b", *(["c"] if day % 3 else []), "d", "e"] for day in range(300)]
    second = [["k", "l", *(["m"] if day % 4 else []), "n", "o", "p"] for day in range(300)]
    assert "synonyms" not in relations(timed(first + second, range(600))).values()


def test_every_slip_gets_the_name_of_the_label_it_comes_from():
    slips = {7: "chekc invoice", 30: "chekc invoice", 55: "check invioce", 90: "check invioce", 120: "check invocie"}
    traces = [["register", slips.get(number, "check invoice"), *(["ask"] if number % 3 else []), "pay"] for number in range(300)]
    (one,) = (found for found in group(EventLog.from_traces(traces)) if found.relation == "synonyms")
    assert set(one.activities) == {"check invoice", *slips.values()}
    assert one.name == "check invoice"


def test_a_label_that_is_often_used_is_no_slip():
    chance = random.Random(1)
    traces = [in_a_process("hearing" if chance.random() < 0.15 else "heating", number) for number in range(600)]
    assert relations(EventLog.from_traces(traces))[frozenset({"heating", "hearing"})] == "alternatives"


@pytest.mark.parametrize(("share", "n"), [(0.005, 1000), (0.02, 1000), (0.08, 1000), (0.025, 200)])
def test_a_slip_of_the_keyboard_is_accepted_up_to_a_tenth_of_the_events_of_the_label(share, n):
    chance = random.Random(3)
    traces = [in_a_process("check invocie" if chance.random() < share else "check invoice", number) for number in range(n)]
    assert relations(EventLog.from_traces(traces))[frozenset({"check invoice", "check invocie"})] == "synonyms"


@pytest.mark.parametrize(("meant", "written"), [("Approved", "Aproved"), ("Rechnung prüfen", "Rechnung prÃ¼fen")])
def test_what_is_too_rare_for_behaviour_is_accepted_by_its_text(meant, written):
    traces = [in_a_process(written if number in (40, 90) else meant, number) for number in range(100)]
    assert relations(EventLog.from_traces(traces))[frozenset({meant, written})] == "synonyms"


def test_a_word_that_other_labels_have_too_is_no_slip():
    traces = [in_a_process("book hostel" if number % 20 == 0 else "book hotel", number) for number in range(600)]
    traces = [[*trace, *(["pay hostel"] if number % 3 else [])] for number, trace in enumerate(traces)]
    assert relations(EventLog.from_traces(traces)).get(frozenset({"book hostel", "book hotel"})) in (None, "alternatives")


def named(traces, names):
    """A log whose labels have second names."""
    rows = [(str(case), label, names.get(label)) for case, trace in enumerate(traces) for label in trace]
    return read_log(pl.DataFrame(rows, schema=["case", "activity", "name"], orient="row"), name="name")


def test_codes_with_one_second_name_are_synonyms_if_they_behave_alike():
    chance = random.Random(4)
    traces = [in_a_process(chance.choice(["A07", "B12"]), number) for number in range(200)]
    one = with_members(group(named(traces, {"A07": "Check invoice", "B12": "check  invoice"})), "A07", "B12")
    assert one.relation == "synonyms"
    assert [(witness.kind, witness.name) for witness in one.witnesses] in (
        [("name", "Check invoice")],
        [("name", "check  invoice")],
    )
    assert with_members(group(EventLog.from_traces(traces)), "A07", "B12").relation == "alternatives"


def test_codes_with_one_second_name_that_are_in_no_group_are_shown_and_not_merged():
    log = named([["A07", "x", "B12", "y", "B12"]] * 40, {"A07": "Check invoice", "B12": "Check invoice", "x": "Pay"})
    proposals = Proposals(same_step(log), count_windows(log, 5), 0.5)
    (one,) = proposals.named_alike({"x", "y"})
    assert (one.activities, one.relation) == (("B12", "A07"), "same name")
    assert proposals.named_alike({"A07"}) == []
    assert mapping_of([one]) == {}


def test_different_second_names_speak_against_periods_as_proof():
    log = changed_systems("A07", "B12", shares=[0.6, 0.4])
    assert with_members(group(log), "A07", "B12").relation == "synonyms"
    names = log.to_frame().with_columns(pl.col("activity").replace({"A07": "Check invoice", "B12": "Order paper"}).alias("name"))
    one = with_members(group(read_log(names, name="name")), "A07", "B12")
    assert (one.relation, [caution.kind for caution in one.cautions]) == ("alternatives", ["names"])


def test_a_group_says_which_labels_take_its_place_without_a_witness():
    chance = random.Random(5)
    labels, weights = ["check invoice", "check invocie", "verify bill"], [60, 3, 40]
    traces = [in_a_process(label, number) for number, label in enumerate(chance.choices(labels, weights, k=900))]
    one = with_members(group(EventLog.from_traces(traces)), "check invoice", "check invocie")
    assert one.relation == "synonyms"
    assert [caution.labels for caution in one.cautions if caution.kind == "same place"] == [("verify bill",)]


def test_a_slip_is_found_beside_an_alternative_that_is_more_frequent():
    labels, weights = ["send by post", "send by courier", "send by curier"], [60, 40, 0.7]
    traces = [in_a_process(label, number) for number, label in enumerate(random.Random(2).choices(labels, weights, k=1500))]
    assert relations(EventLog.from_traces(traces))[frozenset({"send by courier", "send by curier"})] == "synonyms"


def test_opposite_words_are_no_synonyms_whatever_else_differs():
    labels = ["claim approved by clerk"] * 300 + ["claim rejected by board"] * 300
    log = timed([in_a_process(label, number) for number, label in enumerate(labels)], range(600))
    (one,) = (found for found in group(log) if "claim approved by clerk" in found.activities)
    assert (one.relation, one.cautions[0].kind) == ("alternatives", "opposites")


def test_an_attribute_that_names_no_people_is_no_witness():
    labels = ["deny loan" if number % 2 else "sign agreement" for number in range(600)]
    log = EventLog.from_traces([in_a_process(label, number) for number, label in enumerate(labels)])
    outcome = Attribute.from_texts(labels[case] for case in np.repeat(np.arange(600), log.lengths))
    for name, relation in (("outcome", "alternatives"), ("department", "synonyms")):
        with_it = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={name: outcome})
        assert relations(with_it)[frozenset({"deny loan", "sign agreement"})] == relation


def two_offices(first, second):
    """A log in which one office says ``first``, the other ``second``, and their people otherwise do the same work."""
    labels = [(first, second)[number % 2] for number in range(600)]
    log = EventLog.from_traces([in_a_process(label, number) for number, label in enumerate(labels)])
    people = Attribute.from_texts(f"{'NS'[case % 2]}{case % 7}" for case in np.repeat(np.arange(600), log.lengths))
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"org:resource": people})


def two_periods(first, second):
    labels = [first] * 300 + [second] * 300
    return timed([in_a_process(label, number) for number, label in enumerate(labels)], range(600))


@pytest.mark.parametrize("used_apart", [two_offices, two_periods])
@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Register at ER", "Register at FD", "alternatives"),
        ("Wait - Vendor", "Wait - Customer", "alternatives"),
        ("1. reminder", "2. reminder", "alternatives"),
        ("First check", "Second check", "alternatives"),
        ("Release A", "Release B", "alternatives"),
        ("B register claim", "S register claim", "alternatives"),
        ("Receive letter (web)", "Receive letter (phone)", "alternatives"),
        ("Pay out", "Transfer loan", "synonyms"),
        ("Query agency", "Query bureau", "synonyms"),
        ("Approved by PRE_APPROVER", "Approved by ADMINISTRATION", "alternatives"),
        ("01_HOOFD_810", "01_HOOFD_790", "synonyms"),
    ],
)
def test_people_or_periods_alone_are_no_proof_if_a_token_tells_labels_apart(used_apart, first, second, relation):
    one = with_members(group(used_apart(first, second)), first, second)
    assert one.relation == relation
    kinds = {caution.kind for caution in one.cautions}
    assert bool(kinds & {"tokens", "role"}) == (relation == "alternatives")


def test_a_role_that_takes_over_at_a_date_is_shown_as_a_replacement_and_not_accepted():
    labels = "Approved by PRE_APPROVER", "Approved by ADMINISTRATION"
    one = with_members(group(two_periods(*labels)), *labels)
    [caution] = [caution for caution in one.cautions if caution.kind == "role"]
    assert caution.labels == labels
    assert str(caution.since) in in_words(caution)


@pytest.mark.parametrize(("every", "relation"), [(1, "synonyms"), (5, None)])
def test_a_label_that_is_used_much_more_than_the_one_that_it_replaces_is_another_step(every, relation):
    labels = ["Pay out" if number % every == 0 else "Wait" for number in range(600)] + ["Settle"] * 600
    log = timed([in_a_process(label, number) for number, label in enumerate(labels)], range(1200))
    found = [one.relation for one in group(log) if {"Pay out", "Settle"} <= set(one.activities) and one.relation == "synonyms"]
    assert found == ([relation] if relation else [])


@pytest.mark.parametrize("labels", [("Record review", "Review record"), ("Send invoice to customer", "Send customer to invoice")])
def test_the_same_words_in_another_order_are_no_witness_by_themselves(labels):
    traces = [in_a_process(labels[number % 2], number) for number in range(600)]
    assert relations(EventLog.from_traces(traces))[frozenset(labels)] == "alternatives"
    assert relations(two_periods(*labels))[frozenset(labels)] == "synonyms"


@examples(25)
@given(frequent_logs | logs())
@example(loan_desk(60))
def test_verdict_and_probability_never_contradict_each_other(log):
    same = same_step(log)
    pairs = list(combinations(log.activities, 2))
    for pair, verdict in zip(pairs, judge(same, pairs), strict=True):
        assert (verdict.relation == "synonyms") == (same.probability(*pair) >= 0.5)
        assert verdict.relation is not None or same.interchangeable(*pair) < 0.5


def test_two_labels_without_common_neighbours_are_proposed_if_they_are_interchangeable():
    """Two offices with their own words for three steps in a row: the one in the middle has no neighbour in common."""
    words = [["note", "file", "send"], ["memo", "store", "mail"]]
    log = EventLog.from_traces(
        [["open", "ask", *words[number % 2], *(["call"] if number % 3 else []), "pay", "end"] for number in range(900)]
    )
    same = same_step(log)
    assert same.overlap("file", "store") == 0
    assert same.interchangeable("file", "store") > 0.5 > same.probability("file", "store")
    assert judge(same, [("file", "store")])[0].relation == "alternatives"
    assert any({"file", "store"} <= set(one.activities) for one in group(log))


def test_the_name_of_a_family_has_no_empty_brackets():
    traces = [["file", f"Pay (reference <W> <{number}>)", "close"] for number in [*"0123456789", "17", "23"] * 10]
    (one,) = group(EventLog.from_traces([*traces, *[["other", "thing"]] * 30]))
    assert one.name == "Pay (reference <W> )"


@given(st.integers(2, 9), st.integers(0, 2**32), st.sampled_from([0.2, 0.5, 0.8]))
def test_clusters_are_those_of_average_linkage(n, seed, at_least):
    random_values = np.random.default_rng(seed).random((n, n))
    probabilities = (random_values + random_values.T) / 2
    clusters = {frozenset(one) for one in average_linkage(probabilities, np.random.default_rng(seed).permutation(n), at_least)}
    assert clusters == naive_evidence.average_linkage(lambda i, j: probabilities[i, j], range(n), at_least)


@examples(6)
@given(frequent_logs)
def test_rounds_compare_the_merged_log_again(log):
    names = {label: frozenset([label]) for label in log.activities}
    current = log
    for number in range(3):
        same = same_step(current)
        if number:
            same = replace(same, texts=np.zeros_like(same.texts), families=())
        merged = naive_evidence.average_linkage(
            lambda i, j, same=same: round(same.probabilities()[i, j], 12), by_frequency(current).tolist(), 0.5
        )
        rename = {}
        for members in merged:
            labels = [current.activities[i] for i in by_frequency(current).tolist() if i in members]
            rename |= dict.fromkeys(labels, labels[0])
            names[labels[0]] = frozenset().union(*(names.pop(label) for label in labels))
        current = current.relabel(lambda label, rename=rename: rename.get(label, label))
    expected = {members for members in names.values() if len(members) > 1}
    clusters = likely_clusters(same_step(log), count_windows(log, 5), 0.5)
    assert {frozenset(log.activities[i] for i in cluster) for cluster in clusters} == expected


def test_the_last_of_four_uneven_names_is_found_in_a_later_round():
    rng = np.random.default_rng(3)
    steps = ["register", "check", "decide", "send", "close"]
    names = ["check", "verify", "control", "proof"]

    def one_case():
        name = rng.choice(names, p=[0.55, 0.25, 0.12, 0.08])
        case = [str(name) if step == "check" else step for step in steps]
        if rng.random() < 0.4:
            case.insert(3, "ask")
        if rng.random() < 0.3:
            case.insert(1, "call")
        return case

    log = EventLog.from_traces([one_case() for _ in range(400)])
    clusters = likely_clusters(same_step(log), count_windows(log, 5), 0.5)
    assert {log.activities[i] for i in clusters[0]} == set(names)
    assert next(log.activities[i] for i in clusters[0]) == "check"


@examples(6)
@given(frequent_logs, st.data())
def test_a_cut_leaves_so_many_groups(log, data):
    steps = data.draw(st.integers(1, len(log.activities)))
    groups = list(cut_to(same_step(log).probabilities(), by_frequency(log), steps))
    assert len(log.activities) - sum(len(members) - 1 for members in groups) == steps


def test_two_labels_that_are_alike_are_merged_at_once():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    assert likely_clusters(same_step(log), count_windows(log, 5), 0.5) == [[0, 1]]


@pytest.mark.parametrize(
    ("labels", "names", "name"),
    [
        (("A_17", "B_04"), {"A_17": "Pay out", "B_04": "Transfer"}, "Pay out"),
        (("A_17", "B_04"), {"A_17": " ", "B_04": "Transfer"}, "A_17"),
        (("Pay out", "Transfer"), {}, "Pay out"),
    ],
)
def test_a_step_is_called_by_the_second_name_of_its_most_frequent_label(labels, names, name):
    first, second = labels
    traces = [["x", first, "y"]] * 25 + [["x", second, "y"]] * 20 + [["y", "c"]] * 20
    log = EventLog.from_traces(traces)
    named = EventLog(log.activities, log.codes, log.offsets, log.case_ids, names=names)
    assert [found.name for found in group(named) if set(found.activities) == set(labels)] == [name]
