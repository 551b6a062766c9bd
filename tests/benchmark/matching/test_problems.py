import pytest

from actalike.benchmark.matching.log_pairs import NamedLog, find_pairs
from actalike.benchmark.matching.problems import choose_known, frequent_pairs, make_problem
from actalike.benchmark.matching.tasks import TASKS, takes_place
from actalike.benchmark.matching.truth import one_to_one
from actalike.errors import ActalikeError
from actalike.log import EventLog
from tests.benchmark.matching.conftest import town


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
    from actalike.benchmark.matching.log_pairs import LogPair

    pair = LogPair("x~by-cases", "cases", EventLog.from_traces([["a"]] * 40), None, {}, {})
    assert len(make_problem(pair, "deleted-30").true) == 1  # never all
    with pytest.raises(ActalikeError, match="too few cases"):
        make_problem(LogPair("x~by-cases", "cases", EventLog.from_traces([["a"]]), None, {}, {}), "known-0")
