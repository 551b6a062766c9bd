"""Variants, and how labels are used, are the same from every source, and those that loops over the events find."""

from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import actalike
from actalike import ActalikeError, Attribute, EventLog, FileFormatError, LogError, Variants, count_windows, read_variants
from actalike.counting.engines import frames
from actalike.log import CoOccurrence, relative_positions
from tests.counting.engines.conftest import IN_PROCESS
from tests.helpers import naive_variants
from tests.helpers.commands import fails, ok
from tests.helpers.engine_frames import can_hold, few_examples, make_frame
from tests.helpers.examples import examples

NAMES = {"order": "place", "timestamp": "at", "attributes": ["who"]}
START = datetime(2024, 2, 28)

labels = st.sampled_from(["a", "b", "A", "ä", "", "it's"])
events = st.lists(
    st.tuples(st.sampled_from(["1", "2", "x y"]), labels, st.integers(0, 9), st.sampled_from([None, "Ann", "Bob"])), min_size=1
)


def table_of(rows):
    """Events as a frame: times are hours, of which several events of a case have the same, in no order with their place."""
    times = [START + timedelta(hours=13 * (hour // 2)) for _, _, hour, _ in rows]
    columns = {"case": [row[0] for row in rows], "activity": [row[1] for row in rows], "place": list(range(len(rows)))}
    return pl.DataFrame(
        {**columns, "at": times, "who": pl.Series([row[3] for row in rows], dtype=pl.String)},
        schema_overrides={"case": pl.String, "activity": pl.String, "at": pl.Datetime("us")},
    )


def naive_events(table):
    return [
        (case, label, place, int((at - datetime(1970, 1, 1)) / timedelta(microseconds=1)), who)
        for case, label, place, at, who in table.rows()
    ]


def said(variants):
    """What variants hold, by labels."""
    uses, names = variants.uses, variants.activities
    who, table = uses.values["who"]
    return (
        dict(zip(map(tuple, variants.traces()), variants.weights.tolist(), strict=True)),
        {(names[a], day): n for (_, a, day), (n,) in zip(uses.days.keys.tolist(), uses.days.counts.tolist(), strict=True)},
        {
            (names[a], names[b]): tuple(n)
            for (_, a, b), n in zip(uses.instants.keys.tolist(), uses.instants.counts.tolist(), strict=True)
        },
        {(names[a], who[v]): n for (_, a, v), (n,) in zip(table.keys.tolist(), table.counts.tolist(), strict=True)},
    )


@pytest.mark.parametrize("source", [*IN_PROCESS, "log"])
def test_every_source_has_the_variants_and_uses_that_loops_find(source, request):
    if source == "polars-spilled":
        request.getfixturevalue("no_memory")

    @few_examples(source)
    @given(events)
    def check(rows):
        table = table_of(rows)
        if source == "log":
            log = actalike.read_log(table.drop("place"), order="file", timestamp="at", attributes=["who"])
            found = read_variants(log, attributes=["who"])
        else:
            if not can_hold(source, EventLog.from_traces([table["activity"].to_list()])):
                return
            found = read_variants(make_frame(source, table.sample(fraction=1, shuffle=True, seed=0)), **NAMES)
        here = naive_events(table)
        assert said(found) == (
            naive_variants.variants(here), naive_variants.days(here), naive_variants.instants(here), naive_variants.values(here)
        )  # fmt: skip

    check()


@pytest.fixture
def no_memory(monkeypatch):
    monkeypatch.setattr(frames, "AT_ONCE", 50)
    monkeypatch.setattr(frames, "_BATCH", 2)


@pytest.mark.parametrize("source", ["polars", "duckdb", "spark", "ibis-postgres", "ibis-sqlite", "log"])
@pytest.mark.parametrize("by", ["site", "month"])
def test_strata_are_those_of_the_cases_and_their_sum_is_the_whole(source, by):
    rows = [("1", "a", 0, "Ann"), ("1", "b", 2, "Bob"), ("2", "a", 0, None), ("3", "b", 9, "Ann"), ("3", "b", 9, "Ann")]
    sites = ["south", "north", "north", "south", "south"]
    table = table_of(rows).with_columns(pl.Series("site", sites))
    if source == "log":
        found = read_variants(
            actalike.read_log(table, order="file", timestamp="at", attributes=["site", "who"]), by=by, attributes=["who"]
        )
    else:
        found = read_variants(make_frame(source, table), **NAMES, by=by)
    cases = {"site": {"north": ["2"], "south": ["1", "3"]}, "month": {"2024-02-01": ["1", "2"], "2024-03-01": ["3"]}}[by]
    assert found.strata == list(cases)
    for stratum, chosen in cases.items():
        alone = read_variants(table.filter(pl.col("case").is_in(chosen)), **NAMES)
        part = found.part(stratum)
        assert said(part)[:3] == said(alone)[:3]
        assert part.activities == alone.activities
    assert found.whole() == read_variants(table, **NAMES)
    assert found + found != found
    assert (found + found).whole() == found.whole() + found.whole()


@given(st.lists(events, min_size=2, max_size=3))
def test_parts_of_the_cases_add_up_to_the_whole(parts):
    tables = [table_of(rows).with_columns(case=pl.col("case") + f" of {number}") for number, rows in enumerate(parts)]
    assert sum(read_variants(table, **NAMES) for table in tables) == read_variants(pl.concat(tables), **NAMES)


@given(events)
@examples(20)
def test_saved_variants_are_the_same_and_so_are_their_bytes(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("saved") / "x.actalike"
    table = table_of(rows)
    for by in (None, "week"):
        found = read_variants(table, **NAMES, by=by)
        found.save(path)
        assert actalike.load(path) == found
        first = path.read_bytes()
        (found.whole() if by is None else read_variants(table.reverse(), **NAMES, by=by)).save(path)
        assert path.read_bytes() == first


@given(events, st.integers(1, 9))
def test_what_needs_no_single_event_follows_from_variants(rows, window):
    log = actalike.read_log(table_of(rows).drop("place"), order="file", timestamp="at")
    variants = read_variants(log)
    assert count_windows(variants, window) == count_windows(log, window)
    assert np.array_equal(variants.activity_cases, log.activity_cases)
    assert np.array_equal(CoOccurrence(variants).attraction(), CoOccurrence(log).attraction())
    assert np.array_equal(relative_positions(variants).means, relative_positions(log).means)
    assert np.array_equal(actalike.embed(variants).distances(), actalike.embed(log).distances())


@pytest.mark.parametrize("name", ["Helpdesk", "Sepsis"])
def test_real_logs_are_the_same_from_duckdb_and_from_memory(real_log, name, tmp_path):
    log = real_log(name)
    table = log.to_frame("polars").with_columns(place=pl.int_range(pl.len()))
    table.write_parquet(tmp_path / "log.parquet")
    people = list(log.people())
    found = read_variants(tmp_path / "log.parquet", order="place", timestamp="timestamp", attributes=people)
    assert found == read_variants(log, attributes=people)


@pytest.mark.parametrize("source", [*IN_PROCESS])
def test_ties_are_an_error_or_sorted_by_label(source):
    table = pl.DataFrame({"case": ["1"] * 3 + ["2"], "activity": ["b", "a", "c", "a"], "at": [5, 5, 6, 5]})
    frame = make_frame(source, table)
    with pytest.raises(LogError, match="activity"):
        read_variants(frame, order="at")
    found = read_variants(frame, order="at", ties="activity")
    assert said_traces(found) == [["a"], ["a", "b", "c"]]
    assert found.reading.order == ("at", "activity")


def said_traces(variants):
    return sorted(variants.traces())


@pytest.mark.parametrize("source", ["polars", "polars-lazy", "pandas", "duckdb", "spark", "ibis-postgres", "ibis-sqlite"])
def test_a_condition_chooses_events(source):
    table = pl.DataFrame({"case": ["1", "1", "2"], "activity": ["a", "b", "c"], "n": [1, 2, 3]})
    assert read_variants(make_frame(source, table), order="n", where="n < 3").traces() == [["a", "b"]]


@pytest.mark.parametrize("source", ["spark", "ibis-postgres"])
def test_asked_in_parts_the_answer_is_the_same(source):
    table = table_of([(str(case), label, case, "Ann") for case in range(20) for label in "ab"])
    frame = make_frame(source, table)
    assert read_variants(frame, **NAMES, parts=3) == read_variants(frame, **NAMES)


@pytest.mark.parametrize("given_", [{"by": "colour"}, {"attributes": ["colour"]}, {"timestamp": "activity"}, {"ties": "maybe"}, {"parts": 0}])  # fmt: skip
def test_what_is_not_there_or_means_nothing_is_refused(given_):
    table = table_of([("1", "a", 0, None)])
    with pytest.raises(ActalikeError):
        read_variants(table, **{**NAMES, **given_})
    with pytest.raises(ActalikeError):
        read_variants(EventLog.from_traces([["a"]]), **given_, **({"order": "x"} if "ties" in given_ else {}))


def test_strata_of_different_columns_or_periods_do_not_add(tmp_path):
    rows = [("1", "a", 0, "Ann"), ("2", "b", 9, "Bob")]
    by_day, by_week, by_who = (read_variants(table_of(rows), **NAMES, by=by) for by in ("day", "week", "who"))
    by_week.save(tmp_path / "week.actalike")
    for other in (by_day, by_who, by_day + by_day):
        with pytest.raises(ActalikeError, match="do not add"):
            actalike.load(tmp_path / "week.actalike") + other
    assert (by_day + by_day).n_cases == 4


def test_variants_with_and_without_strata_do_not_add():
    table = table_of([("1", "a", 0, None)])
    with pytest.raises(ActalikeError, match="whole"):
        read_variants(table, **NAMES) + read_variants(table, **NAMES, by="year")
    with pytest.raises(ActalikeError, match="2024"):
        read_variants(table, **NAMES, by="year").part("1999")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("codes", [0, 7]),
        ("codes", [0, 0]),
        ("lengths", [2, 1]),
        ("weights", [0, 1]),
        ("days_keys", [[0, 9, 0]]),
        ("strange", [1]),
    ],
)
def test_a_file_whose_parts_contradict_each_other_is_refused(tmp_path, part, value):
    from safetensors.numpy import load_file, safe_open, save_file

    path = tmp_path / "x.actalike"
    attributes = {"who": Attribute.from_texts(["Ann", "Bob"])}
    times = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[us]")
    EventLog(["a", "b"], [0, 1], [0, 1, 2], ["1", "2"], times, attributes=attributes).variants.save(path)
    assert isinstance(actalike.load(path), Variants)
    arrays = load_file(path)
    with safe_open(path, "numpy") as file:
        header = file.metadata()
    arrays[part] = np.array(value, dtype=arrays[part].dtype if part in arrays else np.int64)
    save_file(arrays, path, header)
    with pytest.raises(FileFormatError):
        actalike.load(path)


def test_commands_take_saved_variants_in_place_of_the_log(tmp_path):
    table = table_of([(case, label, place, "Ann") for case in "12" for place, label in enumerate("abab")])
    table.write_parquet(tmp_path / "log.parquet")
    saved, options = tmp_path / "variants.actalike", ("--order", "place", "--timestamp", "at")
    ok("count", tmp_path / "log.parquet", "--variants", "-o", saved, "--engine", "duckdb", *options)
    assert actalike.load(saved).uses.days is not None
    said_ = fails("count", tmp_path / "log.parquet", "-o", tmp_path / "w.actalike", "--engine", "duckdb", *options)
    assert "--order and --timestamp" in said_
    ok(
        "count",
        tmp_path / "log.parquet",
        "--variants",
        "-o",
        saved,
        "--engine",
        "duckdb",
        "--order",
        "place",
        "--where",
        "place < 6",
        "--overwrite",
    )
    assert actalike.load(saved).n_events == 6
    ok("count", saved, "-w", 3, "-o", tmp_path / "windows.actalike")
    assert actalike.load(tmp_path / "windows.actalike") == count_windows(actalike.load(saved), 3)
    ok("embed", saved, "-o", tmp_path / "embedding.actalike")
    ok("similar", saved, "--method", "kin-w5")
    query = ok("count", tmp_path / "log.parquet", "--show-sql", "--engine", "duckdb", "--order", "place")
    assert "SELECT" in query
    ok("count", tmp_path / "log.parquet", "--variants", "-o", tmp_path / "here.actalike", "--timestamp", "at")
    assert actalike.load(tmp_path / "here.actalike").n_events == 8
