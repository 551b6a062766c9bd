"""Unusual times: waits that are long or short for their pair of activities, and copies of events."""

import csv
import json

import numpy as np
import pytest

from actalike import ActalikeError, Attribute, EventLog, odd, read_log
from actalike.oddities import TIME_KINDS, odd_sentence
from tests.helpers.commands import fails, run
from tests.helpers.naive_times import naive_times

DAY = 86_400


def log_of(waits, labels="ab", attributes=None, order=None):
    """Return a log with a case for each list of waits in seconds, the first activity at time 0."""
    offsets = np.cumsum([0, *(len(own) + 1 for own in waits)])
    seconds = np.concatenate([np.cumsum([0, *own]) for own in waits])
    codes = np.concatenate([np.arange(len(own) + 1) % len(labels) for own in waits])
    times = (seconds * 1e6).astype("timedelta64[us]") + np.datetime64("2024-01-01T00:00", "us")
    return EventLog(list(labels), codes, offsets, [str(case) for case in range(len(waits))], times, attributes=attributes)


def ordinary(n, seed=0):
    """Return waits of one to six days, mostly, with the tail of a log-normal distribution."""
    return [[wait] for wait in (3 * DAY * np.exp(np.random.default_rng(seed).normal(0, 0.6, n))).tolist()]


def places(log, kind=None):
    return [(one.case_number, one.position, one.kind) for one in odd(log).unusual_times(None, kind)]


@pytest.mark.parametrize("seed", range(8))
def test_the_scores_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    n, labels = 900, "abc"
    lengths = rng.integers(0, 6, n)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    n_events = int(offsets[-1])
    steps = np.exp(rng.normal(5, 3, n_events)).round(3) * rng.choice(
        [0, -1 if seed % 2 else 1, 1], n_events, p=[0.04, 0.03, 0.93]
    )
    times = (np.cumsum(steps) * 1e6).astype("timedelta64[us]") + np.datetime64("2024-01-01", "us")
    times[rng.random(n_events) < 0.05] = np.datetime64("NaT", "us")
    people = Attribute.from_texts(rng.choice(["Sue", "Bob", None], n_events).tolist())
    ids = [str(case) for case in range(n)]
    codes = rng.choice([0, 0, 0, 1, 2], n_events)
    log = EventLog(list(labels), codes, offsets, ids, times, attributes={"who": people} if seed % 3 else {})
    expected = np.array(naive_times(log))
    assert (expected > 0).any(axis=0).all()
    slow, fast, doubled = expected.T
    judged = np.where(doubled > 0, doubled, np.maximum(slow, fast))
    assert np.allclose(odd(log).time_scores(), judged, atol=1e-6)


def test_a_wait_that_is_far_longer_or_shorter_than_usual_is_found():
    assert places(log_of([*ordinary(1000), [2000 * DAY], [60]])) == [(1001, 1, "fast"), (1000, 1, "slow")]


def test_the_sentence_has_the_usual_range():
    log = log_of([[DAY * (1 + step / 20)] for step in range(101)] + [[900 * DAY]], ["Submit", "Approve"])
    [one] = odd(log).unusual_times()
    assert odd_sentence(one, log) == (
        "'Approve' follows 'Submit' after 2.5 years; usually 1.6 to 5.5 days (1 of 102 takes so long)"
    )  # an eighth of the waits are shorter, and an eighth longer
    assert (one.seconds, one.times, one.total) == (900 * DAY, 1, 102)


@pytest.mark.parametrize("seed", range(20))
def test_ordinary_waits_are_not_called(seed):
    rng = np.random.default_rng(seed)
    heavy = [[wait] for wait in (rng.pareto(1.0, 2000) * DAY).tolist()]
    two_sorts = [[0.5 if fast else 30 * DAY] for fast in rng.random(2000) < 0.03]
    for waits in (ordinary(2000, seed), heavy, two_sorts, [[5.0]] * 2000):
        assert places(log_of(waits)) == []


def test_fewer_than_twenty_waits_of_a_pair_say_nothing():
    few = log_of([*[[DAY]] * 18, [9e8]])
    assert not odd(few).time_scores().any()


def test_a_few_wrong_waits_do_not_hide_each_other():
    assert places(log_of([*ordinary(2000), *[[4000 * DAY]] * 8])) == [(2000 + i, 1, "slow") for i in range(8)]


def test_a_copy_has_the_activity_the_time_and_all_attributes_of_another_event():
    waits = [*[[60, 60]] * 300, [0, 60], [0, 60]]
    who = ["Sue", "Sue", "Sue"] * 301 + ["Sue", "Bob", "Sue"]
    log = log_of(waits, "a", {"who": Attribute.from_texts(who)})
    assert places(log, "doubled") == [(300, 1, "doubled")]
    [one] = odd(log).unusual_times(kind="doubled")
    assert odd_sentence(one, log) == ("'a' is there twice at the same time, with the same attributes (1 of 906 is such a copy)")


def test_copies_that_are_frequent_for_their_activity_are_ordinary():
    assert places(log_of([*[[60]] * 100, *[[0]] * 30], "a"), "doubled") == []


def test_times_have_no_part_in_the_scores_of_cases():
    waits = [*ordinary(500), [9000 * DAY]]
    log = log_of(waits)
    without = EventLog(log.activities, log.codes, log.offsets, log.case_ids)
    assert (odd(log).case_scores() == odd(without).case_scores()).all()
    assert odd(log).most(None) == []


def test_without_times_there_is_an_error_and_nothing_is_listed():
    log = EventLog.from_traces([["a", "b"]] * 30)
    for source in (log, log.variants):
        result = odd(source)
        with pytest.raises(ActalikeError, match="needs the events' times"):
            result.unusual_times()
        with pytest.raises(ActalikeError, match="needs the events' times"):
            result.time_scores()
        facts = result.to_dict()
        assert (facts["times"], facts["times_found"]) == (None, 0)


def test_an_unknown_kind_is_an_error():
    result = odd(log_of([[1.0]] * 30))
    with pytest.raises(ActalikeError, match="mean 'slow'"):
        result.unusual_times(kind="slo")
    with pytest.raises(ActalikeError, match="no kind of odd event"):
        result.most(kind="slow")


@pytest.mark.parametrize("cases", [[["a"]], [[], ["a"], []]])
def test_a_log_with_hardly_any_events_has_no_unusual_times(cases):
    lengths = [len(case) for case in cases]
    times = np.full(sum(lengths), np.datetime64("2024-01-01", "us"))
    log = EventLog(["a"], [0] * sum(lengths), np.cumsum([0, *lengths]), [str(i) for i in range(len(cases))], times)
    assert places(log) == []


@pytest.fixture
def file(tmp_path):
    log = log_of([*ordinary(1000), [2000 * DAY], [60]], ["Submit", "Approve"])
    log.to_frame().write_csv(tmp_path / "log.csv")
    return tmp_path / "log.csv"


def test_the_command_lists_unusual_times_under_their_own_heading(file):
    shown = run("odd", file).stdout
    assert "\n2 unusual times in 2 cases: 1 too slow, 1 too fast.\n" in shown
    assert "'Approve' follows 'Submit' after 5.5 years; usually " in shown
    only = run("odd", file, "--kind", "fast").stdout
    assert "after 60 seconds" in only
    assert "5.5 years" not in only
    assert "after 60 seconds" in run("odd", file, "--explain", "1001").stdout


def test_files_and_json_have_unusual_times(file, tmp_path):
    run("odd", file, "-o", tmp_path / "odd.csv")
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as written:
        rows = [row for row in csv.DictReader(written) if row["kind"] in TIME_KINDS]
    assert [(row["case"], row["kind"], row["seconds"], row["probability"]) for row in rows] == [
        ("1001", "fast", "60.0000", ""),
        ("1000", "slow", f"{2000 * DAY:.4f}", ""),
    ]
    facts = json.loads(run("odd", file, "--json", "--kind", "slow").stdout)
    assert [one["kind"] for one in facts["times"]] == ["slow"]
    assert (facts["times_found"], facts["odd"], len(facts["times"][0]["usual"])) == (1, [], 2)
    frame = odd(read_log(file)).to_frame()
    assert frame["kind"].to_list() == ["fast", "slow"]


def test_the_command_says_that_a_log_has_no_times(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n" + "1,a\n1,b\n" * 3, encoding="utf-8")
    assert "needs the events' times" in fails("odd", tmp_path / "log.csv", "--kind", "slow")
