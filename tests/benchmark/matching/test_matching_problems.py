"""Which logs are matched, what is hidden, told and planted, and the truth."""

import numpy as np
import pytest

from actalike.benchmark.logs import find_logs
from actalike.benchmark.participants import find_tasks
from actalike.benchmark.tasks.matching import Matching
from actalike.benchmark.tasks.matching_problems import (
    KINDS,
    TASKS,
    LogPair,
    NamedLog,
    are_independent,
    choose_known,
    depends_on_chance,
    find_pairs,
    frequent_pairs,
    halves_by_cases,
    halves_by_time,
    make_problem,
    one_to_one,
    partner_mask,
    residue_of,
    scheme_of,
    takes_place,
    true_pairs,
)
from actalike.errors import ActalikeError
from actalike.log import EventLog
from tests.benchmark.matching.conftest import town
from tests.helpers.examples import real_logs


def timed(traces, start):
    log = EventLog.from_traces(traces)
    times = np.datetime64(start, "us") + np.arange(log.n_events) * np.timedelta64(1, "h")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)


def test_logs_with_a_document_in_common_have_partners_by_label_and_others_by_residue():
    declarations = ["Declaration SUBMITTED by EMPLOYEE", "Payment Handled"]
    requests = ["Payment Handled", "Request For Payment SUBMITTED by EMPLOYEE"]
    both = [*declarations, "Request For Payment SUBMITTED by EMPLOYEE"]
    assert true_pairs(declarations, requests) == (
        ("Declaration SUBMITTED by EMPLOYEE", "Request For Payment SUBMITTED by EMPLOYEE"),
        ("Payment Handled", "Payment Handled"),
    )
    assert [a for a, b in true_pairs(both, requests)] == ["Payment Handled", "Request For Payment SUBMITTED by EMPLOYEE"]
    assert residue_of("Permit FINAL_APPROVED by DIRECTOR") == "FINAL_APPROVED by DIRECTOR"


def test_a_label_may_have_several_partners():
    declaration = ["Declaration REJECTED by MISSING"]
    two = ["Permit REJECTED by MISSING", "Request For Payment REJECTED by MISSING"]
    pairs = true_pairs(declaration, two)
    assert len(pairs) == 2
    assert one_to_one(pairs) == ()
    assert partner_mask(declaration, two, pairs).all()


def test_logs_of_the_same_events_are_not_independent():
    log = timed([["a", "b"], ["a", "c"]], "2026-01-01")
    assert not are_independent(log, timed([["a", "b"], ["a", "d"], ["e"]], "2026-01-01"))
    assert are_independent(log, timed([["a", "b"], ["a", "c"]], "2026-02-01"))
    assert are_independent(log, EventLog.from_traces([["a", "b"], ["a", "c"]]))


COUNTS = {  # pairs of labels, those that are one to one, and whether the logs are of different events
    ("BPIC20_PrepaidTravelCost", "BPIC20_RequestForPayment"): (16, 16, True),
    ("BPIC20_DomesticDeclarations", "BPIC20_PrepaidTravelCost"): (25, 3, True),
    ("BPIC20_DomesticDeclarations", "BPIC20_RequestForPayment"): (16, 16, True),
    ("BPIC20_PermitLog", "BPIC20_RequestForPayment"): (16, 16, True),
    ("BPIC20_PermitLog", "BPIC20_PrepaidTravelCost"): (29, 29, False),
    ("BPIC15_1", "BPIC15_2"): (349, 349, True),
    ("BPIC15_4", "BPIC15_5"): (322, 322, True),
}


@pytest.mark.parametrize("pair", real_logs(*list(COUNTS)[:1], long=tuple(COUNTS)[1:]))
def test_real_logs_have_the_counted_partners(pair, real_log):
    a, b = map(real_log, pair)
    pairs = true_pairs(a.activities, b.activities)
    assert (len(pairs), len(one_to_one(pairs)), are_independent(a, b)) == COUNTS[pair]
    assert scheme_of(a.activities) == ("codes" if "15" in pair[0] else "vocabulary")


def timed_of_halves(traces, days):
    log = EventLog.from_traces(traces)
    times = np.datetime64("2026-01-01", "us") + np.array(days) * np.timedelta64(1, "D")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)


def test_every_case_is_in_one_half_and_seeds_differ():
    log = EventLog.from_traces([[f"s{i}"] for i in range(40)])
    halves = [halves_by_cases(log, seed) for seed in range(3)]
    for first, second in halves:
        assert sorted(first.activities + second.activities) == log.activities
    assert len({tuple(first.activities) for first, _ in halves}) == 3
    assert halves_by_cases(log, 1).first == halves[1].first


def test_the_cases_that_began_first_are_the_first_half_and_ties_go_by_file_order():
    log = timed_of_halves([["late", "x"], ["early"], ["tied"], ["tied too"], ["last"]], [5, 9, 1, 3, 3, 8])
    assert halves_by_time(log).first.traces() == [["early"], ["tied"]]


def test_a_case_without_timestamps_is_late():
    log = timed_of_halves([["a"], ["b"], ["c"], ["d"]], [1, 2, 3, 4])
    times = log.timestamps.copy()
    times[0] = np.datetime64("NaT", "us")
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)
    assert halves_by_time(log).first.activities == ["b", "c"]


def test_what_cannot_be_halved_is_refused():
    with pytest.raises(ActalikeError, match="no timestamps"):
        halves_by_time(EventLog.from_traces([["a"], ["b"]]))
    with pytest.raises(ActalikeError, match="too few cases"):
        halves_by_cases(EventLog.from_traces([["a"]]))


HALVES_COUNTS = {"Env_Permit": (26, 26, 25), "CCC19": (29, 29, 29), "Helpdesk": (12, 14, 12), "BPIC15_4": (297, 241, 182)}


@pytest.mark.parametrize("name", real_logs("Env_Permit", "CCC19", long=("Helpdesk", "BPIC15_4")))
def test_halves_of_real_logs_have_the_counted_labels(name, real_log):
    first, second = (set(half.activities) for half in halves_by_time(real_log(name)))
    assert (len(first), len(second), len(first & second)) == HALVES_COUNTS[name]


def test_logs_are_read_with_what_their_codes_mean(towns):
    named = NamedLog.of_file(find_logs([towns / "town1.csv"], Matching().takes_log), "town1")
    assert named.texts["01_HOOFD_000"] == "step 0"
    assert named.texts["01_HOOFD_060"] == named.texts["01_HOOFD_070"] == "step 6"


def test_pairs_are_two_logs_in_one_scheme_and_two_halves_of_each():
    logs = {"t1": NamedLog(town(1), {"01_HOOFD_000": "begin"}), "t2": NamedLog(town(2), {})}
    pairs = {pair.name: pair for pair in find_pairs(logs)}
    assert list(pairs) == ["t1~t2", "t1~by-time", "t1~by-cases", "t2~by-time", "t2~by-cases"]
    both = pairs["t1~t2"]
    assert (both.kind, both.family, both.texts_a) == ("codes", "t1", {"01_HOOFD_000": "begin"})
    assert both.log_a.timestamps is None
    assert not both.log_a.attributes
    facts = both.facts()
    assert (facts["cases"], facts["activities"], facts["events"]) == (120, 8, logs["t1"].log.n_events + logs["t2"].log.n_events)
    assert pairs["t1~by-time"].log_a.n_cases == 30
    assert pairs["t1~by-cases"].log_b is None
    assert len({pair.digest for pair in pairs.values()}) == 5
    assert [pair.kind for pair in find_pairs(logs, ["time"])] == ["time", "time"]


def test_logs_of_the_same_events_and_logs_with_few_labels_are_no_pairs():
    sentences = []
    logs = {"t": NamedLog(town(1), {}), "u": NamedLog(town(1), {}), "few": NamedLog(EventLog.from_traces([["a", "b"]] * 9), {})}
    assert find_pairs(logs, ["codes"], sentences.append) == []
    assert sentences == ["t and u are not matched with each other: they record the same events."]
    assert all(not pair.name.startswith("few") for pair in find_pairs(logs))


def test_pairs_of_one_challenge_are_a_family_and_names_are_unique():
    log = town(1)
    assert LogPair("BPIC15_1~BPIC15_4", "codes", log, log, {}, {}).family == "BPIC15"
    with pytest.raises(ActalikeError, match="by-time"):
        find_pairs({"a": NamedLog(log, {}), "b~by-time": NamedLog(town(2), {}), "a~b": NamedLog(town(3), {})})


def test_names_and_wildcards_find_tasks():
    assert find_tasks(TASKS, None) == list(TASKS)
    assert find_tasks(TASKS, ["frequent-*", "split"]) == ["frequent-5", "frequent-10", "frequent-20", "split"]
    with pytest.raises(ActalikeError, match="mean 'known-5'"):
        find_tasks(TASKS, ["known-50"])


def test_every_task_is_done_with_some_pairs_and_nothing_known_with_all():
    assert all(takes_place("known-0", kind) for kind in KINDS)
    assert [kind for kind in KINDS if takes_place("known-5", kind)] == ["codes", "vocabulary", "time"]
    assert [kind for kind in KINDS if takes_place("renamed-50", kind)] == ["cases"]
    assert all(any(takes_place(task, kind) for kind in KINDS) for task in TASKS)


def test_what_no_chance_decides_is_done_once():
    assert [depends_on_chance(task, "codes") for task in ("known-0", "known-20", "frequent-20")] == [False, True, False]
    assert depends_on_chance("split", "cases")


@pytest.fixture(scope="module")
def pairs():
    texts = {f"01_HOOFD_0{i}0": f"step {min(i, 6)}" for i in range(8)}
    found = find_pairs({"t1": NamedLog(town(1), texts), "t2": NamedLog(town(2), texts)})
    return {pair.name: pair for pair in found}


def test_labels_are_hidden_apart_and_the_truth_is_kept(pairs):
    problem = make_problem(pairs["t1~t2"], "known-0")
    for log, old in ((problem.log_a, town(1)), (problem.log_b, town(2))):
        assert all(label.startswith("step ") for label in log.activities)
        assert (log.n_events, sorted(log.activity_counts.tolist())) == (old.n_events, sorted(old.activity_counts.tolist()))
    assert len(problem.true) == 8
    assert any(a != b for a, b in problem.true)
    counts = [dict(zip(log.activities, log.activity_counts.tolist(), strict=True)) for log in (problem.log_a, problem.log_b)]
    olds = [dict(zip(log.activities, log.activity_counts.tolist(), strict=True)) for log in (town(1), town(2))]
    assert sorted((counts[0][a], counts[1][b]) for a, b in problem.true) == sorted((olds[0][c], olds[1][c]) for c in olds[0])


def test_readers_are_given_words_and_names_that_repeat_get_a_number(pairs):
    problem = make_problem(pairs["t1~t2"], "known-0", names="words")
    assert problem.log_a.activities == [*(f"step {i}" for i in range(7)), "step 6 (2)"]
    assert len(set(problem.true)) == 8


def test_every_draw_and_every_task_can_be_made_again(pairs):
    for pair in (pairs["t1~t2"], pairs["t1~by-cases"]):
        for task in TASKS:
            if takes_place(task, pair.kind):
                assert make_problem(pair, task, draw=1) == make_problem(pair, task, draw=1)
    first, second = (make_problem(pairs["t1~by-cases"], "known-0", draw=draw) for draw in (0, 1))
    assert first.log_a.traces() != second.log_a.traces()
    told = [make_problem(pairs["t1~t2"], "known-20", draw=draw) for draw in range(5)]
    assert len({tuple(problem.known) for problem in told}) > 1
    assert {tuple(problem.log_a.activities) for problem in told} == {tuple(told[0].log_a.activities)}


def test_known_pairs_are_true_and_never_all(pairs):
    for task, n in (("known-0", 0), ("known-5", 1), ("known-20", 2), ("frequent-20", 2)):
        problem = make_problem(pairs["t1~t2"], task)
        assert len(problem.known) == n
        assert set(problem.known.items()) <= set(problem.true)
    assert len(make_problem(pairs["t1~by-cases"], "renamed-10").known) == 7
    assert choose_known(town(1), town(1), (("01_HOOFD_000", "01_HOOFD_000"),), 1.0, False, ("x",)) == ()


def test_the_most_frequent_pairs_are_what_a_person_would_tell(pairs):
    problem = make_problem(pairs["t1~t2"], "frequent-5")
    ((a, b),) = problem.known.items()
    assert problem.log_a.activity_counts[problem.log_a.activities.index(a)] == problem.log_a.activity_counts.max()
    assert problem.log_b.activity_counts[problem.log_b.activities.index(b)] == problem.log_b.activity_counts.max()


def test_deleted_labels_have_no_partner_and_no_events(pairs):
    problem, whole = (make_problem(pairs["t1~by-cases"], task) for task in ("deleted-30", "known-0"))
    assert len(problem.true) == len(problem.log_b.activities) == len(whole.true) - 3
    assert len(problem.log_a.activities) == 8
    assert problem.log_b.n_events < whole.log_b.n_events
    assert min(problem.log_b.lengths) > 0


def test_split_labels_have_two_partners(pairs):
    problem = make_problem(pairs["t1~by-cases"], "split")
    assert (len(problem.true), len(one_to_one(problem.true)), len(problem.log_b.activities)) == (9, 7, 9)
    split = [a for a, _ in problem.true if [x for x, _ in problem.true].count(a) == 2]
    names = {b for a, b in problem.true if a == split[0]}
    for trace in problem.log_b.traces():
        assert len(names & set(trace)) < 2


def test_frequent_labels_are_in_five_cases_of_both():
    log = EventLog.from_traces([["a", "b"]] * 4 + [["a"]])
    assert frequent_pairs(log, log, (("a", "a"), ("b", "b"))) == (("a", "a"),)


def test_a_log_with_one_label_cannot_lose_it():
    from actalike.benchmark.tasks.matching_problems import LogPair

    pair = LogPair("x~by-cases", "cases", EventLog.from_traces([["a"]] * 40), None, {}, {})
    assert len(make_problem(pair, "deleted-30").true) == 1  # never all
    with pytest.raises(ActalikeError, match="too few cases"):
        make_problem(LogPair("x~by-cases", "cases", EventLog.from_traces([["a"]]), None, {}, {}), "known-0")
