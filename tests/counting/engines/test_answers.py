"""Every answer that needs no single event is the same where the events are: probabilities, groups, matches, drift, odd variants."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import actalike
from actalike import ActalikeError, EventLog, LogError, read_cases, read_variants
from actalike.labels import compare_labels
from tests.counting.engines.conftest import IN_PROCESS
from tests.helpers.commands import fails, ok, run
from tests.helpers.engine_frames import few_examples, make_frame
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

ENGINES = ("duckdb", "polars-lazy", "ibis-postgres", "ibis-sqlite", "spark")
READ = {"order": ["index"], "timestamp": "timestamp"}
LOGS = (
    "Helpdesk",
    "BPIC15_4",
    "BPIC13_closed_problems",
    "BPIC13_open_problems",
    "BPIC20_PrepaidTravelCost",
    "BPIC20_RequestForPayment",
    "CCC19",
    "Env_Permit",
)
SLOW = ("spark", "ibis-sqlite", "ibis-postgres")  # seconds a log: in the campaigns all logs, before a merge one or two


def rows_of(log, shuffle=1):
    """A log's events in no order, with an index, and day by day a later time, of which several events of a case have the same."""
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    times = [datetime(2024, 1, 1) + timedelta(hours=int(hour)) for hour in case * 9 + np.arange(log.n_events) // 3]
    if log.timestamps is not None:
        times = pl.Series(log.timestamps, dtype=pl.Datetime("us"))
    columns = {
        "case": [f"c{number}" for number in case.tolist()],
        "activity": [log.activities[code] for code in log.codes.tolist()],
    }
    frame = pl.DataFrame({**columns, "timestamp": times, "index": np.arange(log.n_events)})
    return frame.sample(fraction=1, shuffle=True, seed=shuffle)


def as_read(events):
    return actalike.read_log(events.sort("index"), order="file", case="case", activity="activity", timestamp="timestamp")


def check_answers(engine, log):
    """Compare the answers for the events in an engine with those for the events in memory."""
    here, events = as_read(rows_of(log)), make_frame(engine, rows_of(log))
    there = read_variants(events, attributes=[], **READ)
    same = [actalike.same_step(one).probabilities() for one in (here, there)]
    assert np.allclose(*same, rtol=0, atol=1e-12)
    of_one_part = compare_labels(here)  # variants have columns and periods as strata alone: group(variants, by=...)
    assert actalike.group(here, same=of_one_part) == actalike.group(there)
    assert actalike.match(here, here).pairs == actalike.match(there, there).pairs
    check_odd(here, there, events)


def check_odd(here, there, events):
    expected, found = actalike.odd(here, []), actalike.odd(there)
    parts = read_cases(events, found.variants, order=READ["order"])
    scores = pl.concat(list(found.score_cases(parts))).sort(pl.col("case").str.slice(1).cast(pl.Int64))
    order = np.argsort([int(case[1:]) for case in here.case_ids], kind="stable")
    assert np.allclose(scores["score"], expected.case_scores()[order], rtol=0, atol=1e-9)
    assert found.rank(0) == expected.rank(expected.log.case_ids.index(scores.filter(pl.col("variant") == "variant 1")["case"][0]))


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        pytest.param(
            engine,
            name,
            marks=() if name == "Env_Permit" or (name == "Helpdesk" and engine not in SLOW) else pytest.mark.campaign,
        )
        for engine in ENGINES
        for name in LOGS
    ],
)
def test_answers_where_the_events_are_are_those_in_memory(engine, name, real_log):
    assert engine in IN_PROCESS
    check_answers(engine, real_log(name))


@pytest.mark.parametrize("engine", ["duckdb", "polars-lazy", "ibis-sqlite"])
def test_answers_for_random_logs_are_those_in_memory(engine):
    @few_examples(engine)
    @given(logs())
    def check(log):
        if log.n_events and (log.lengths > 0).all():
            check_answers(engine, log)

    check()


@pytest.mark.parametrize("engine", ["duckdb", "polars-lazy"])
def test_drift_of_periods_and_of_a_column_is_that_of_the_log(engine, real_log):
    log = real_log("Helpdesk")
    rows = rows_of(log).with_columns(half=pl.col("case").str.slice(1).cast(pl.Int64) % 2).cast({"half": pl.String})
    here = actalike.read_log(
        rows.sort("index"), order="file", case="case", activity="activity", timestamp="timestamp", attributes=["half"]
    )
    events = make_frame(engine, rows)
    days = read_variants(events, by="day", attributes=[], **READ)
    assert actalike.drift(days, at="2012-01-01").to_dict() == actalike.drift(here, at="2012-01-01").to_dict()
    halves = read_variants(events, by="half", attributes=[], **READ)
    of_halves, expected = (actalike.drift(one, **by).to_dict() for one, by in ((halves, {}), (here, {"by": "half"})))
    assert {**of_halves, "by": "half"} == expected


def test_variants_without_strata_and_moments_within_a_period_divide_nothing():
    log = EventLog.from_traces([["a", "b"]] * 4)
    months = read_variants(make_frame("duckdb", rows_of(log)), by="month", **READ)
    with pytest.raises(ActalikeError, match="by='day'"):
        actalike.drift(log.variants, at="2024-01-02")
    with pytest.raises(LogError, match="begins at"):
        actalike.drift(months, at="2024-01-02")


@examples(20)
@given(logs())
def test_saved_variants_answer_as_the_log_does(log):
    variants = log.variants
    assert (actalike.same_step(variants).probabilities() == actalike.same_step(log).probabilities()).all()
    assert variants.statistics() == log.statistics()
    assert variants.digest == variants.in_order.digest


def test_an_engines_table_is_taken_as_it_is_and_its_columns_are_named_to_read_variants(real_log):
    log = real_log("Env_Permit")
    table = make_frame("duckdb", rows_of(log).drop("timestamp").rename({"index": "time"}))
    assert actalike.group(table) == actalike.group(log.variants.relabel(str))
    unnamed = make_frame("duckdb", rows_of(log).rename({"case": "nr"}))
    with pytest.raises(LogError, match=r"group\(read_variants\(table, case="):
        actalike.group(unnamed)


def test_of_variants_odd_looks_at_no_attributes():
    log = EventLog.from_traces([list("abcd")] * 200 + [list("abd")])
    with pytest.raises(ActalikeError, match="attributes"):
        actalike.odd(log.variants, ["user"])
    found = actalike.odd(log.variants).to_dict()
    assert (found["of"], found["odd"][0]["case"], found["odd"][0]["cases"]) == ("variants", "variant 2", 1)


@pytest.mark.parametrize("engine", ["duckdb", "ibis-postgres", "spark"])
def test_cases_of_other_variants_are_an_error(engine):
    log = EventLog.from_traces([["b", "a"], ["b"], ["b", "a"]])
    others = EventLog.from_traces([["b", "a"], ["c"]]).variants
    table = make_frame(engine, rows_of(log))
    with pytest.raises(LogError, match="none of the variants"):
        list(read_cases(log, others))
    with pytest.raises(LogError, match="none of the variants"):
        list(read_cases(table, others, order=READ["order"]))
    found = pl.concat(read_cases(table, log.variants, order=READ["order"])).sort("case")
    assert found["variant"].to_list() == [0, 1, 0]
    strata = read_variants(make_frame("duckdb", rows_of(log)), by="case", **READ)
    found = pl.concat(read_cases(table, strata, order=READ["order"])).sort("case")
    assert [strata.traces()[number] for number in found["variant"]] == log.traces()


@pytest.fixture
def shop(tmp_path):
    """A small log in Parquet and in memory, of which the last case is odd."""
    traces = [["order", "check", "pay", "send"], ["order", "verify", "pay", "send"]] * 100 + [["order", "check", "send"]]
    rows_of(EventLog.from_traces(traces)).write_parquet(tmp_path / "shop.parquet")
    return tmp_path / "shop.parquet"


@pytest.mark.parametrize(
    "command",
    [
        ("group",),
        ("similar",),
        ("similar", "check"),
        ("explain", "check", "verify"),
        ("odd",),
        ("match",),
        ("drift", "--by", "activity"),
        ("report",),
        ("embed", "-o", "vectors.csv"),
        ("count", "-o", "counts.actalike"),
    ],
    ids=" ".join,
)
def test_commands_take_an_engine_and_say_in_one_line_what_is_wrong(command, shop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *rest = command
    log = [shop, shop] if name == "match" else [shop]
    engine = ("--quiet", "--engine", "duckdb", "--memory", "1GB", "--order", "index", "--where", "index >= 0")
    if name != "drift":
        ok(name, *log, *rest, *engine)
    for output in ("report.html", "vectors.csv", "counts.actalike"):
        (tmp_path / output).unlink(missing_ok=True)
    assert "nosuch" in fails(name, *log, *rest, *engine[:-1], "nosuch > 1")
    assert "nosuch" in fails(name, *log, *rest, "--engine", "duckdb", "--order", "nosuch")
    no_file = ("--engine", "ibis", "--url", "postgres://me:se-cret@localhost:1/shop", "--order", "index")
    said = fails(name, *(["events"] * len(log)), *rest, *no_file)
    assert "se-cret" not in said
    assert "postgres://me@localhost:1/shop" in said


def test_odd_writes_the_scores_of_all_cases_and_the_odd_places_with_their_ids(shop, tmp_path):
    engine = ("--engine", "duckdb", "--order", "index")
    for ending in ("csv", "parquet"):
        scores = tmp_path / f"scores.{ending}"
        ok("odd", shop, *engine, "--scores", scores, "-o", tmp_path / f"odd-{ending}.csv")
        found = pl.read_csv(scores) if ending == "csv" else pl.read_parquet(scores)
        assert (len(found), found.sort("score")["case"][-1]) == (201, "c200")
    here = tmp_path / "here.parquet"
    pl.read_parquet(shop).sort("index").write_parquet(tmp_path / "sorted.parquet")
    ok("odd", tmp_path / "sorted.parquet", "--order", "file", "--attributes", "", "--scores", here)
    assert np.allclose(pl.read_parquet(here).sort("case")["score"], found.sort("case")["score"], rtol=0, atol=1e-9)
    assert pl.read_csv(tmp_path / "odd-csv.csv")["case"].unique().to_list() == ["c200"]
    assert ".csv or .parquet" in fails("odd", shop, *engine, "--scores", tmp_path / "scores.txt")


def test_the_page_of_an_engine_has_example_cases_and_people_on_request(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    traces = [["order", "check", "pay"], ["order", "verify", "pay"]] * 60 + [["order", "check", "verify", "pay"]]
    rows = rows_of(EventLog.from_traces(traces)).with_columns(
        user=pl.col("activity").replace("check", "Bob-K").str.to_uppercase()
    )
    rows.write_parquet("shop.parquet")
    engine = ("--engine", "duckdb", "--order", "index", "--quiet")
    ok("report", "shop.parquet", *engine, "-o", "without.html")
    ok("report", "shop.parquet", *engine, "-o", "with.html", "--examples")
    assert "c120" not in Path("without.html").read_text()
    assert "BOB-K" not in Path("without.html").read_text()
    assert "c120" in Path("with.html").read_text()  # the one case with both
    assert "BOB-K" in Path("with.html").read_text()
    events = make_frame("duckdb", rows)
    variants = read_variants(events, **READ)
    actalike.write_report(variants, "here.html", examples=True, cases=read_cases(events, variants, **READ), title="shop.parquet")
    assert "c120" in Path("here.html").read_text()
    with pytest.raises(ActalikeError, match="read_cases"):
        actalike.write_report(variants, "none.html", examples=True)


def test_saved_variants_answer_all_commands_but_do_not_name_cases(shop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ok("count", shop, "--variants", "-o", "v.actalike", "--engine", "duckdb", "--order", "index")
    for command in (("group",), ("similar",), ("explain",), ("odd",), ("match", "v.actalike"), ("report", "-o", "page.html")):
        name, *rest = command
        ok(name, "v.actalike", *rest, "--quiet", *(("check", "verify") if name == "explain" else ()))
    assert "does not name cases" in fails("odd", "v.actalike", "--scores", "scores.csv")
    assert "does not name cases" in fails("report", "v.actalike", "--examples", "-o", "examples.html")
    page = (tmp_path / "page.html").read_text()
    assert "order" in page
    assert "c200" not in page


def test_parts_of_a_log_are_compared_where_the_events_are_and_of_saved_variants(tmp_path):
    names = {"north": ["order", "check", "pay", "send"], "south": ["order", "verify", "settle", "send"]}
    rows = [(f"{site}{i}", step, at, site) for site in names for i in range(60) for at, step in enumerate(names[site])]
    events, saved, page = (tmp_path / name for name in ("events.parquet", "parts.actalike", "page.html"))
    pl.DataFrame(rows, schema=["case", "activity", "at", "site"], orient="row").write_parquet(events)
    engine = ("--engine", "duckdb", "--order", "at", "--by", "site")
    ok("count", events, *engine, "--variants", "-o", saved)
    for source in ((events, *engine), (saved, "--by", "site")):
        groups = json.loads(ok("group", *source, "--json"))["groups"]
        assert {frozenset(one["activities"]) for one in groups} == {frozenset({"check", "verify"}), frozenset({"pay", "settle"})}
        assert {one["relation"] for one in groups} == {"synonyms"}
        assert json.loads(ok("report", *source, "-o", page, "--overwrite", "--json"))["synonyms"] == 2
        assert "verify" in run("match", *source).stdout  # a note says which part is A
    assert "--variants" in fails("count", events, *engine, "-o", tmp_path / "windows.actalike")
