"""When a process changed: changes are found where they are, with their dates; what only looks like one is named."""

from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from scipy.sparse import csr_array

from actalike import ActalikeError, EventLog, LogError, change_points, drift, read_log, read_variants
from actalike.two_logs import change_points_limits
from actalike.two_logs.change_detection import _statistics, case_properties, find_changes
from tests.helpers import naive_changes
from tests.helpers.examples import examples
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces


def orders(n, seed=0, check=0.5, first="order"):
    """Cases of a process with a choice and a loop."""
    rng = np.random.default_rng(seed)
    return [[first, *["check"] * (rng.random() < check), "pick", *["remind"] * rng.integers(0, 3), "pay"] for _ in range(n)]


def dated(cases, hours=24, steps=6, start=datetime(2020, 1, 1)):
    """Cases that begin so many hours after each other, with so many hours between their events."""
    rows = [
        (f"{case:05}", step, start + timedelta(hours=hours * case + steps * place))
        for case, trace in enumerate(cases)
        for place, step in enumerate(trace)
    ]
    return pl.DataFrame(rows, schema=["case", "activity", "timestamp"], orient="row")


def cases_of(found):
    return [one.case for one in found.in_time()]


@examples(25)
@given(traces())
def test_the_properties_of_cases_are_those_of_the_definition(cases):
    variants = EventLog.from_traces(cases).variants
    found = case_properties(variants)
    table = found.table.toarray()
    for row, trace in zip(table, variants.traces(), strict=True):
        assert {tuple(found.name(int(column))) for column in np.flatnonzero(row)} == naive_changes.properties(trace)
        assert set(row.tolist()) <= {0.0, 1.0}


def test_the_statistics_of_splits_are_those_of_the_definition():
    cases = [naive_changes.properties(trace) for trace in orders(40)]
    columns = sorted({what for case in cases for what in case}, key=str)
    table = np.array([[what in case for what in columns] for case in cases], dtype=float)
    order = np.random.default_rng(0).permutation(40)
    found = _statistics(table[np.argsort(order)], np.ones(40), order, np.array([10, 25]))
    for split, statistics in zip((10, 25), found.T, strict=True):
        assert statistics.tolist() == pytest.approx(naive_changes.statistics(cases, split, columns))


@pytest.mark.parametrize(
    "new",
    [
        orders(120, seed=1, first="order online"),  # a new name
        orders(120, seed=1, check=0.0),  # a step is left out
        [[step for step in trace for _ in range(1 + 2 * (step == "pick"))] for trace in orders(120, seed=1)],  # a loop
        [["order", "pick", "check", "pay"][: 4 - (i % 2)] for i in range(120)],  # another order
    ],
)
def test_a_change_is_found_after_the_case_where_it_is(new):
    found = change_points(EventLog.from_traces([*orders(180), *new]))
    assert [abs(case - 179) <= 2 for case in cases_of(found)] == [True]
    assert found.points[0].first_case <= 179 <= found.points[0].last_case


def test_several_changes_are_found_and_the_clearest_comes_first():
    parts = [orders(150), orders(150, 1, check=0.05), orders(150, 2, check=0.05, first="order online")]
    found = change_points(EventLog.from_traces([case for part in parts for case in part]))
    assert [abs(a - b) <= 6 for a, b in zip(cases_of(found), (149, 299), strict=True)] == [True, True]
    assert found.points[0].strength > found.points[1].strength
    assert found.points[0].case in range(295, 304)


def test_a_log_without_a_change_shows_none_but_by_the_stated_chance():
    alarms = sum(len(change_points(EventLog.from_traces(orders(100, seed)))) > 0 for seed in range(100))
    assert alarms <= 5  # 1 is expected; 6 or more have a chance below 0.1 %


def test_the_place_of_a_change_is_the_same_in_other_words_and_with_the_same_seed():
    cases = [*orders(100), *orders(100, 1, check=0.0)]
    renamed = [[f"step {step}" for step in trace] for trace in cases]
    first, second, third = (change_points(EventLog.from_traces(one), seed=3) for one in (cases, cases, renamed))
    assert first.points == second.points
    assert cases_of(first) == cases_of(third)


def test_old_and_new_that_are_mixed_for_a_while_are_one_gradual_change():
    rng = np.random.default_rng(0)
    chances = np.clip((np.arange(600) - 200) / 200, 0, 1)
    cases = [["order", "online" if rng.random() < chance else "desk", "pay"] for chance in chances]
    [point] = change_points(EventLog.from_traces(cases)).points
    assert point.is_gradual
    assert abs(point.case - 300) <= 30


def test_a_change_has_the_date_of_the_first_case_after_it_whatever_the_order_of_the_rows():
    events = dated([*orders(60), *orders(60, 1, first="order online")])
    found = change_points(events.sample(fraction=1, shuffle=True, seed=1))
    [point] = found.points
    assert (point.case, str(point.time)[:10], point.running_cases) == (59, "2020-03-01", 0)
    assert point.to_dict()["time"] == "2020-03-01T00:00:00Z"


def test_running_cases_that_change_too_are_counted_and_the_change_is_where_the_moment_was():
    cases = [["order", "check", "pick", "pack", "send", "pay"] for _ in range(400)]
    moment = datetime(2020, 1, 1) + timedelta(hours=200)
    events = dated(cases, hours=1, steps=5)
    new = pl.when((pl.col("timestamp") >= moment) & (pl.col("activity") != "order"))
    events = events.with_columns(activity=new.then(pl.col("activity") + " (new)").otherwise("activity"))
    [point] = change_points(events).points
    assert abs(point.case - 199) <= 2
    assert point.running_cases in range(20, 30)


def test_running_cases_that_have_not_come_to_the_changed_step_follow_the_change_and_others_end_as_they_began():
    """From a moment on, a case that comes to the choice goes the new way; its later steps are those of the way that it went."""
    rng = np.random.default_rng(0)
    rows = []
    for case, waits in enumerate(rng.integers(1, 24, size=(400, 6)).tolist()):
        hours = [case, *(case + np.cumsum(waits)).tolist()]
        steps = ["web", "pack", "mail"] if hours[2] >= 200 else ["desk", "pack", "send"]
        trace = ["order", "check", *steps, "pay"]
        rows += [
            (f"{case:05}", step, datetime(2020, 1, 1) + timedelta(hours=hour)) for step, hour in zip(trace, hours, strict=False)
        ]
    [point] = change_points(pl.DataFrame(rows, schema=["case", "activity", "timestamp"], orient="row")).points
    assert abs(point.case - 199) <= 2
    assert point.running_cases


def test_cases_that_are_open_when_the_log_ends_are_no_change_of_the_process():
    cases = [["order", "check", "pick", "pay"] for _ in range(300)]
    events = dated(cases, hours=24, steps=24 * 15)
    cut = events.filter(pl.col("timestamp") < datetime(2020, 1, 1) + timedelta(days=300))
    found = change_points(cut)
    assert found.points == []
    assert {one.explained_by for one in found.explained} == {"open cases"}


def test_a_season_is_named_and_a_change_that_stays_is_not_one():
    cases = orders(1000)
    winter = [(case % 365) < 90 for case in range(1000)]
    seasonal = [[step for step in trace if step != "check" or not cold] for trace, cold in zip(cases, winter, strict=True)]
    found = change_points(dated(seasonal, steps=1))
    assert {one.explained_by for one in found.explained} == {"season"}
    stays = change_points(dated([*orders(500), *orders(500, 1, check=0.0)], steps=1))
    assert abs(stays.points[0].case - 499) <= 2
    assert stays.explained == []


def test_few_periods_say_that_they_are_few():
    events = dated(orders(99), hours=96)
    by_month, by_day = (read_variants(events, by=by) for by in ("month", "day"))
    assert any("periods" in sentence for sentence in change_points_limits(change_points(by_month)))
    assert "13 periods" in repr(change_points(by_month))
    assert change_points_limits(change_points(by_day)) == []
    with pytest.raises(LogError, match="periods"):
        drift(by_month)


def test_variants_by_period_show_the_same_change_as_the_log():
    events = dated([*orders(240), *orders(120, 1, check=0.0)], steps=1)
    by_week = change_points(read_variants(events, by="week"))
    assert abs(by_week.points[0].case - change_points(events).points[0].case) <= 7
    assert by_week.order == "period"
    with pytest.raises(ActalikeError, match="cases"):
        by_week.sides(by_week.points[0])
    with pytest.raises(LogError, match="strata"):
        change_points(read_variants(events))


def test_drift_of_one_log_compares_what_is_before_and_after_its_clearest_change():
    log = read_log(dated([*orders(100), *orders(100, 1, first="order online")]))
    result = drift(log)
    assert (result.before.n_cases, result.after.n_cases) == (100, 100)
    assert [(one.old, one.new) for one in result.replaced] == [("order", "order online")]
    assert result.names == ("before 2020-04-10 UTC", "from 2020-04-10 UTC on")
    with pytest.raises(LogError, match="No change"):
        drift(EventLog.from_traces(orders(100)))


def test_results_have_a_frame_of_the_kind_that_was_read_and_a_card():
    found = change_points(dated([*orders(60), *orders(60, 1, first="order <b>")]).to_pandas())
    frame = found.to_frame()
    assert type(frame).__module__.startswith("pandas")
    assert frame["case"].tolist() == [59]
    assert "order <b>" in frame["words"][0]
    assert "<b>" not in found._repr_html_().replace("<b>ChangePoints", "")
    assert repr(found) == "ChangePoints(120 cases; 1 change: 2020-03-01)"


def test_small_changes_are_counted_and_not_listed():
    cases = [*orders(1500, check=0.5), *orders(1500, 1, check=0.58)]
    some, none = (change_points(EventLog.from_traces(cases), at_least=least) for least in (0.05, 0.3))
    assert len(some) == 1
    assert (len(none), none.n_small) == (0, 1)


def test_wrong_arguments_and_tiny_logs():
    log = EventLog.from_traces([["a"], ["b"]])
    assert len(change_points(log)) == 0
    for wrong in ({"seed": -1}, {"at_least": 2}):
        with pytest.raises(ActalikeError, match=next(iter(wrong))):
            change_points(log, **wrong)
    assert find_changes(csr_array((0, 3)), np.zeros(0, dtype=int)) == []


def test_the_reform_of_2018_is_found_in_the_travel_declarations():
    found = change_points(read_log(need_logs() / "BPIC20_RequestForPayment.xes.gz"))
    assert str(found.points[0].time)[:7] == "2018-01"


def test_drift_of_variants_by_period_compares_what_is_before_and_after_their_clearest_change():
    events = dated([*orders(100), *orders(100, 1, first="order online")], steps=1)
    result = drift(read_variants(events, by="week"))
    assert [(one.old, one.new) for one in result.replaced] == [("order", "order online")]
    assert abs(result.before.n_cases - 100) <= 7
