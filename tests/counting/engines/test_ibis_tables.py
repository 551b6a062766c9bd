"""What a database is asked and what it answers, beyond what every engine is tested for."""

import pytest

from actalike import ActalikeError, EventLog, LogError, count_windows
from actalike.counting.engines import ibis as ibis_engine
from actalike.counting.engines.ibis import quiet_ibis
from tests.helpers.engine_frames import IBIS, NAMES, events_of, make_frame

ibis = pytest.importorskip("ibis")
LOG = EventLog.from_traces([["a", "b", "c"], ["a", "c"]])


@pytest.fixture(params=IBIS)
def table(request):
    return make_frame(request.param, events_of(LOG))


def test_a_limit_that_the_user_set_for_answers_leaves_nothing_out(table):
    ibis.options.sql.default_limit = 1
    try:
        assert count_windows(table, 5, **NAMES) == count_windows(LOG, 5)
        assert ibis.options.sql.default_limit == 1
    finally:
        ibis.options.sql.default_limit = None


def test_any_query_of_ibis_is_counted(table):
    chosen = table.filter(table["concept:name"] != "b").mutate(step=table["concept:name"].upper())
    expected = EventLog.from_traces([["A", "C"], ["A", "C"]])
    assert count_windows(chosen, 3, **{**NAMES, "activity": "step"}) == count_windows(expected, 3)


def test_a_query_may_join_a_table_in_memory(table):
    with quiet_ibis():
        names = ibis.memtable({"step": ["a", "b", "c"], "name": ["Ask", "Buy", "Close"]})
    joined = table.join(names, table["concept:name"] == names.step)
    expected = EventLog.from_traces([["Ask", "Buy", "Close"], ["Ask", "Close"]])
    assert count_windows(joined, 3, **{**NAMES, "activity": "name"}) == count_windows(expected, 3)


def test_a_table_that_is_gone_is_an_error_of_ours_with_the_databases_own_behind_it(table):
    connection = table.get_backend().con
    connection.execute(f"DROP TABLE {table.get_name()}")
    with pytest.raises(LogError, match="counted") as caught:
        count_windows(table, 3, **NAMES)
    assert type(caught.value.__cause__).__module__.partition(".")[0] in ("psycopg", "duckdb", "_duckdb", "sqlite3")


def test_a_table_without_a_database_is_an_error():
    unbound = ibis.table({"case": "string", "activity": "string", "at": "int64"}, name="events")
    with pytest.raises(ActalikeError, match="belongs"):
        count_windows(unbound, 3, order="at")


def test_a_table_in_memory_is_counted():
    frame = ibis.memtable(events_of(LOG).to_arrow())
    assert count_windows(frame, 3, **NAMES) == count_windows(LOG, 3)


def test_mistakes_of_ours_are_not_blamed_on_the_database():
    assert not ibis_engine._is_of_database(KeyError("x"))
    assert ibis_engine._is_of_database(ibis.common.exceptions.IbisError("x"))


def test_labels_that_a_database_takes_for_equal_are_different():
    frame = make_frame("ibis-duckdb", events_of(EventLog.from_traces([["a", "A", "á"], ["a"]])))
    connection = frame.get_backend().con
    connection.execute("SET default_collation = 'nocase'")
    try:
        assert count_windows(frame, 3, **NAMES).activities == ["A", "a", "á"]
    finally:
        connection.execute("SET default_collation = ''")
