"""What is said of how a log was understood."""

import json

import polars as pl
import pytest

from actalike import EventLog, read_log, write_log
from actalike.log import Flattening, Reading
from tests.helpers.commands import ok, run


def lines(*arguments: object) -> list[str]:
    return run(*arguments).stderr.splitlines()


@pytest.fixture
def untimed(tmp_path):
    """A CSV whose time column has a name that is not recognised."""
    path = tmp_path / "orders.csv"
    rows = ["1,Check,31.12.2024 13:45", "1,Pay,30.12.2024 08:00", "2,Check,02.01.2025 09:00", "2,Pay,03.01.2025 09:00"]
    path.write_text("\n".join(["OrderId,Step,Erfasst", *rows]) + "\n")
    return path


def test_a_time_column_that_is_not_recognised_is_named_with_the_option(untimed):
    understood, remark, *_ = lines("similar", untimed, "--case", "OrderId", "--activity", "Step")
    expected = "2 cases, 4 events; case = OrderId, activity = Step, time = none: events in file order"
    assert understood == f"actalike: read {untimed}: {expected}"
    assert "'Erfasst' looks like time and was not used" in remark
    assert "--timestamp Erfasst" in remark
    named = read_log(untimed, case="OrderId", timestamp="Erfasst", timestamp_format="%d.%m.%Y %H:%M").reading
    assert (named.order, named.unused_times) == (("Erfasst",), ())
    assert "events sorted by it" in str(named)


def test_a_user_who_leaves_timestamps_out_gets_no_remark(untimed):
    assert read_log(untimed, case="OrderId", timestamp="").reading.remarks() == []


def test_quiet_turns_it_off_and_json_has_it_as_data(untimed):
    call = ["similar", untimed, "-m", "kin", "--case", "OrderId"]
    assert len(lines(*call)) == 3
    (rarity,) = lines(*call, "--quiet")
    assert "too rare to judge" in rarity
    facts = json.loads(ok(*call, "--json", "--quiet"))["read"]
    assert (facts["case"], facts["activity"], facts["timestamp"], facts["order"]) == ("OrderId", "Step", None, [])
    assert (facts["cases"], facts["events"], facts["unused_times"]) == (2, 4, ["Erfasst"])
    assert len(facts["remarks"]) == 1


@pytest.mark.parametrize("name", ["log.xes", "log.csv", "log.parquet"])
def test_pairs_of_start_and_complete_are_named(name, tmp_path):
    rows = [
        (str(case), step, transition, f"2024-01-{case:02}T0{place}:00:00Z")
        for case in range(1, 9)
        for place, (step, transition) in enumerate([("a", "start"), ("a", "complete"), ("b", "start"), ("b", "Complete")])
    ]
    frame = pl.DataFrame(rows, schema=["case", "activity", "lifecycle:transition", "timestamp"], orient="row")
    path = tmp_path / name
    if name.endswith(".csv"):
        frame.write_csv(path)
    elif name.endswith(".parquet"):
        frame.write_parquet(path)
    else:
        events = {case: [row for row in rows if row[0] == case] for case, *_ in rows}
        path.write_text("<log>" + "".join(map(trace, events, events.values())) + "</log>")
    reading = read_log(path).reading
    assert (reading.paired, reading.paired_by, reading.transition) == (1.0, "lifecycle:transition", "lifecycle:transition")
    (remark,) = reading.remarks()
    assert remark.startswith("100 % of the events belong to start/complete pairs, so most")
    assert "--lifecycle complete" in remark
    kept = read_log(path, lifecycle="complete").reading
    assert (kept.events, kept.left_out, kept.remarks()) == (16, 16, [])
    assert "only 'complete', 16 events left out" in str(kept)
    assert "appended" in str(read_log(path, lifecycle="append").reading)


def trace(case, events):
    def event(step, transition):
        return (
            f'<event><string key="concept:name" value="{step}"/><string key="lifecycle:transition" value="{transition}"/></event>'
        )

    inside = "".join(event(step, transition) for _, step, transition, _ in events)
    return f'<trace><string key="concept:name" value="{case}"/>{inside}</trace>'


def test_a_remark_from_the_first_events_says_so():
    pairs = [(str(case), "a", kind) for case in range(5000) for kind in ("start", "complete")]
    frame = pl.DataFrame(pairs + [("x", "b", "complete")] * 90_000, schema=["case", "activity", "lifecycle"], orient="row")
    (remark,) = read_log(frame).reading.remarks()
    assert remark.startswith("100 % of the first 10,000 events belong")


def test_a_transition_column_of_another_name_is_named_too(tmp_path):
    rows = [(str(case), step, kind) for case in range(9) for step in "ab" for kind in ("start", "complete")]
    frame = pl.DataFrame(rows, schema=["case", "activity", "Status"], orient="row")
    (remark,) = read_log(frame).reading.remarks()
    assert "--transition Status --lifecycle complete" in remark
    assert read_log(frame, transition="Status", lifecycle="complete").n_events == 18


def test_real_logs_in_pairs_are_named_and_others_are_not(log_file):
    remarked = {name: read_log(log_file(name)).reading.remarks() for name in ("CCC19", "BPIC13_open_problems", "Env_Permit")}
    assert {name for name, remarks in remarked.items() if remarks} == {"CCC19"}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_engine_says_how_it_read_too(ending, tmp_path):
    pytest.importorskip("duckdb")
    frame = pl.DataFrame(
        {"case": ["1", "1", "2"], "activity": ["a", "b", "a"], "timestamp": ["2024-01-01", "2024-01-02", "2024-01-01"]}
    )
    path = tmp_path / f"log.{ending}"
    frame.write_csv(path) if ending == "csv" else frame.with_columns(pl.col("timestamp").str.to_datetime()).write_parquet(path)
    (line,) = lines("similar", path, "-m", "kin", "--engine", "duckdb")
    expected = "2 cases, 3 events; case = case, activity = activity, time = timestamp: events sorted by it"
    assert line == f"actalike: read {path}: {expected}"


def test_an_engine_names_a_time_column_of_a_csv_that_it_did_not_use(untimed):
    pytest.importorskip("duckdb")
    understood, remark = lines("similar", untimed, "-m", "kin", "--case", "OrderId", "--engine", "duckdb")
    assert understood.endswith("time = none: events in file order")
    assert "--timestamp Erfasst --timestamp-format '%d.%m.%Y %H:%M'" in remark


def test_a_log_from_traces_was_not_read():
    assert EventLog.from_traces([["a"]]).reading is None


def test_one_event_is_not_one_events():
    assert str(Reading("x.csv", "c", "a", cases=1, events=1, unnamed_cases=1)).startswith("x.csv: 1 case, 1 event; ")


def test_every_command_that_reads_says_how(tmp_path):
    log = tmp_path / "log.csv"
    write_log(EventLog.from_traces([["x", "a", "y"]] * 9 + [["x", "b", "y"]] * 9), log)
    (tmp_path / "mapping.csv").write_text("activity,group\na,ab\nb,ab\n")
    calls = [
        ["similar", log], ["explain", log, "a", "b"], ["group", log], ["relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "r.csv"],
        ["report", log, "-o", tmp_path / "r.html"], ["embed", log, "-o", tmp_path / "e.actalike"],
        ["count", log, "-o", tmp_path / "c.actalike"], ["plot", "zipf", log, "-o", tmp_path / "z.svg"],
    ]  # fmt: skip
    for call in calls:
        assert f"actalike: read {log}: 18 cases, 54 events; case = case:concept:name" in run(*call).stderr, call
    for saved in ("e", "c"):
        (line,) = lines("similar", tmp_path / f"{saved}.actalike", "-m", "kin")
        assert line.startswith(f"actalike: read {tmp_path / saved}.actalike: ")


def test_of_several_columns_one_orders_the_events():
    (remark,) = Reading("log.csv", "case", "step", unused_times=("from", "to")).remarks()
    assert remark.startswith("The columns 'from' and 'to' look like time and were not used: if one of them orders the events,")


def test_attributes_that_were_read_are_named():
    reading = Reading("x.csv", "case", "activity", attributes=("Team", "User"))
    assert str(reading).endswith("; attributes = Team, User")
    assert reading.as_dict()["attributes"] == ("Team", "User")
    assert "attributes" not in str(Reading("x.csv", "case", "activity"))


def test_flattening_is_said_in_numbers():
    one = Reading("a", "order", "type", flattening=Flattening("order", 1, 1, 1)).remarks()
    assert one == [
        "The cases are the objects of the type 'order' (--object-type): 1 event involves none of these objects and is left out; "
        "1 event involves several and counts in the case of each; 1 object has no event and is no case."
    ]
    assert Reading("a", "order", "type", flattening=Flattening("order")).remarks() == []
    many = Reading("a", "order", "type", flattening=Flattening("order", 2000, 3, 4)).remarks()[0]
    assert (
        "2,000 events involve none of these objects and are left out; 3 events involve several and count in the case of" in many
    )
