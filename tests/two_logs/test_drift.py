import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given

from actalike import ActalikeError, EventLog, LogError, drift, read_log
from actalike.log import Variants
from actalike.two_logs.changes import find_changes
from tests.helpers import naive_drift
from tests.helpers.examples import examples
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces

STEPS = ["order", "check", "pack", "send", "pay"]


def made(n, change=lambda trace: trace, seed=0):
    """Return a log of so many cases with varied steps."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(n):
        trace = [label for label in STEPS if rng.random() < 0.8] or ["order"]
        if rng.random() < 0.3:
            trace.insert(int(rng.integers(len(trace) + 1)), "call")
        cases.append(change(trace))
    return EventLog.from_traces(cases)


def labels(findings):
    return [one.activity for one in findings]


def test_a_step_that_moved_is_found_with_what_came_and_what_went():
    def late_check(trace):
        return [label for label in trace if label != "check"] + ["check"] * ("check" in trace)

    result = drift(made(400), made(400, late_check, seed=1))
    first = result.changed[0]
    assert first.activity == "check"
    assert first.p < 0.01
    assert first.by_chance < first.change < 1
    assert (first.came[0].offset, first.came[0].neighbour) == (1, None)
    assert first.came[0].share_before < 0.1 < 0.9 < first.came[0].share_after
    assert {(part.offset, part.neighbour) for part in first.went[:3]} >= {(-1, "order"), (1, "pack")}
    assert sum(part.part for part in (*first.came, *first.went)) == pytest.approx(first.change, abs=0.001)
    assert not result.appeared + result.vanished + result.replaced
    assert labels(result.all)[: len(result.changed)] == labels(result.changed)


def test_a_stable_log_shows_nothing_and_a_log_compared_with_itself_does_not_change():
    result = drift(made(300), made(300, seed=1))
    assert result.is_stable
    assert len(result.all) == result.judged == 6
    same = drift(made(100), made(100))
    assert same.is_stable
    assert {(one.change, one.p) for one in same.all} == {(0.0, 1.0)}


def test_an_activity_that_is_only_used_more_often_did_not_change():
    more = [trace for trace in made(600, seed=2).traces() if "call" in trace]
    result = drift(made(600), EventLog.from_traces(made(600, seed=1).traces() + more))
    assert "call" not in labels(result.changed)
    assert {one.because_of for one in result.changed} == {"call"}  # that it is beside others more often follows from it
    assert labels(result.more_often) == ["call"]
    (call,) = [one for one in result.all if one.activity == "call"]
    assert call.cases_after > 1.7 * call.cases_before == 1.7 * call.events_before


def test_a_label_that_took_the_place_of_another_is_a_replacement():
    result = drift(made(300), made(300, lambda trace: ["box" if label == "pack" else label for label in trace], seed=1))
    assert (labels(result.vanished), labels(result.appeared)) == (["pack"], ["box"])
    ((old, new, probability, _),) = result.replaced
    assert (old, new) == ("pack", "box")
    assert probability >= 0.7
    assert not result.changed  # a new name alone changes nothing around it
    (pack,) = [one for one in result.all if one.activity == "pack"]
    assert (pack.cases_before, pack.cases_after) == (result.vanished[0].cases_before, result.appeared[0].cases_after)
    assert "box" not in labels(result.all)


def test_a_few_late_events_do_not_hide_that_a_label_vanished():
    renamed = made(300, lambda trace: ["box" if label == "pack" else label for label in trace], seed=1).traces()
    before = [*made(300).traces(), ["order", "box", "pay"]]
    result = drift(EventLog.from_traces(before), EventLog.from_traces([*renamed, ["order", "pack", "pay"]]))
    assert [one[:3] for one in result.vanished + result.appeared] == [("pack", 240, 1), ("box", 1, 237)]
    assert [one[:2] for one in result.replaced] == [("pack", "box")]


def test_rare_labels_are_never_said_to_have_changed():
    before = EventLog.from_traces([["a", "b"]] * 200 + [["r", "a", "b"]] * 4)
    result = drift(before, EventLog.from_traces([["a", "b"]] * 200 + [["a", "b", "r"]] * 4))
    (rare,) = [one for one in result.all if one.is_rare]
    assert (rare.activity, rare.cases_before, rare.cases_after) == ("r", 4, 4)
    assert result.judged == 2
    assert "r" not in labels(result.changed)


@examples(10)
@given(traces(), traces())
def test_any_two_logs_with_a_common_label_can_be_compared(before, after):
    logs = EventLog.from_traces(before), EventLog.from_traces(after)
    if not set(logs[0].activities) & set(logs[1].activities):
        with pytest.raises(LogError, match="common"):
            drift(*logs)
        return
    result = drift(*logs)
    assert result == drift(*logs)
    for one in result.all:
        assert one.change == pytest.approx(naive_drift.change(before, after, one.activity), abs=1e-12)
        assert 0 < one.p <= 1


def test_one_case_a_side_can_be_compared_and_nothing_is_found():
    result = drift(EventLog.from_traces([["a", "b"]]), EventLog.from_traces([["b", "a"]]))
    assert (result.is_stable, result.judged, len(result.all)) == (True, 0, 2)


def test_the_seed_is_all_that_chance_depends_on():
    logs = made(60), made(60, seed=1)
    assert drift(*logs, seed=3) == drift(*logs, seed=3)
    assert [one.p for one in drift(*logs, seed=3).all] != [one.p for one in drift(*logs, seed=4).all]
    for seed in (-1, 1.5, "1"):
        with pytest.raises(ActalikeError, match="seed"):
            drift(*logs, seed=seed)


def test_a_frame_is_divided_by_a_column_or_a_date():
    frame = pl.DataFrame(
        {
            "case": [i // 2 for i in range(40)],
            "activity": ["a", "b"] * 20,
            "time": pl.datetime_range(pl.datetime(2024, 1, 1), pl.datetime(2024, 1, 20, 12), "12h", eager=True),
            "region": ["north"] * 30 + ["south"] * 10,
        }
    )
    by = drift(frame, by="region")
    assert (by.names, by.before.n_cases, by.after.n_cases) == (("north", "south"), 15, 5)
    at = drift(frame, at="2024-01-16")
    assert (at.before.n_cases, at.after.n_cases) == (15, 5)
    assert drift(frame, frame.to_pandas()).is_stable


def test_what_is_compared_must_be_said_once():
    log = made(10)
    for arguments, words in (
        ({"after": log, "at": "2024-01-01"}, "a second log and at were given"),
        ({"at": "2024-01-01", "by": "x"}, "at and by were given"),
    ):
        with pytest.raises(ActalikeError, match=words):
            drift(log, **arguments)
    with pytest.raises(ActalikeError, match="drift"):
        drift(log, [["a"]])


def test_the_roles_that_changed_in_2018_are_found():
    log = read_log(need_logs() / "BPIC20_RequestForPayment.xes.gz")
    result = drift(log, at="2018-01-01")
    assert {(one.old, one.new) for one in result.replaced} == {
        (f"Request For Payment {verb} by PRE_APPROVER", f"Request For Payment {verb} by ADMINISTRATION")
        for verb in ("APPROVED", "REJECTED")
    }
    assert "Request For Payment APPROVED by BUDGET OWNER" in labels(result.appeared)
    follows = {one.activity for one in result.changed if one.because_of is not None}
    assert {"Request For Payment SUBMITTED by EMPLOYEE", "Request For Payment FINAL_APPROVED by SUPERVISOR"} <= follows


@examples(10)
@given(traces(), traces())
def test_variants_with_weights_are_enough(before, after):
    """Whether equal cases are counted as one variant or several: what is found is the same, by the same seed."""
    logs = [EventLog.from_traces(side) for side in (before, after)]
    assume(set(logs[0].activities) & set(logs[1].activities))
    one_by_one = [Variants(log.activities, log.codes, log.offsets, np.ones(log.n_cases, dtype=np.int64)) for log in logs]
    assert find_changes(*(log.variants for log in logs), seed=1) == find_changes(*one_by_one, seed=1)
