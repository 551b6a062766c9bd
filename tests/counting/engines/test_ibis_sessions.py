"""Tables of a real PostgreSQL, of DuckDB and of SQLite, by the address of the database: they are read, and never written."""

import json
import sqlite3
from contextlib import closing, nullcontext

import polars as pl
import pytest

import actalike
from actalike import LogError, count_windows
from actalike.counting import ibis_events
from actalike.demo import loan_desk
from tests.helpers.commands import fails, ok, run
from tests.helpers.engine_frames import events_of, postgres
from tests.helpers.interrupts import pressing_ctrl_c
from tests.helpers.postgres_server import PASSWORD, USER

pytest.importorskip("ibis")
COLUMNS = ("--case", "order", "--activity", "step", "--order", "at")
NAMES = {"case": "order", "activity": "step", "order": "at"}


@pytest.fixture(scope="module")
def log():
    return loan_desk.loan_desk(40)


@pytest.fixture(scope="module")
def events(log):
    names = {"case:concept:name": "order", "concept:name": "step", "time:timestamp": "at"}
    return events_of(log).rename(names).with_columns(pl.col("at").dt.to_string("%Y-%m-%d %H:%M:%S%.6f"))


def fill(connection, events, mark):
    connection.execute('CREATE TABLE steps ("order" TEXT, step TEXT, at TIMESTAMP, index INTEGER)'.replace("index", '"index"'))
    run_many = connection.cursor().executemany
    run_many(f"INSERT INTO steps VALUES ({', '.join([mark] * 4)})", events.rows())
    connection.commit()


@pytest.fixture(scope="module")
def shop(events):
    """The connection of the owner of PostgreSQL's tables."""
    import psycopg

    with psycopg.connect(postgres().url) as connection:
        fill(connection, events, "%s")
        yield connection
        connection.execute("DROP TABLE steps CASCADE")


@pytest.fixture(scope="module")
def files(events, tmp_path_factory):
    """A database of SQLite and one of DuckDB."""
    import duckdb

    folder = tmp_path_factory.mktemp("files")
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        fill(connection, events, "?")
    with duckdb.connect(folder / "shop.duckdb") as connection:
        connection.register("given", events.to_arrow())
        connection.execute('CREATE TABLE steps AS SELECT * REPLACE (CAST("at" AS TIMESTAMP) AS "at") FROM given')
    return folder


@pytest.fixture(params=["postgres", "sqlite", "duckdb"])
def url(request, files):
    """Each database in turn."""
    if request.param == "postgres":
        request.getfixturevalue("shop")
        return postgres().url
    return f"{request.param}://{files / 'shop'}.{'db' if request.param == 'sqlite' else 'duckdb'}"


def test_a_database_is_counted_by_its_address(url, log, tmp_path):
    out = tmp_path / "counts.actalike"
    facts = json.loads(ok("count", "steps", "--engine", "ibis", "--url", url, *COLUMNS, "-w", 5, "-o", out, "--json"))
    assert actalike.load(out) == count_windows(log, 5)
    assert facts["read"]["source"] == "steps in " + url.replace(f":{PASSWORD}", "")
    assert "Pay out" in ok("similar", "steps", "--engine", "ibis", "--url", url, *COLUMNS, "-m", "ac-sequence-pmi-w3")


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        ("stepps", COLUMNS, "has no table 'stepps'. Did you mean 'steps'?"),
        ("steps", ("--case", "oder", "--activity", "step", "--order", "at"), "has no column 'oder' (given as case). Did you mean 'order'?"),
        ("steps", ("--case", "order", "--activity", "step", "--order", "step"), "which does not order events reliably"),
        ("steps", (*COLUMNS, "--table", "steps"), "--table is for --engine duckdb; with --url, the name of the table is given in place of LOG"),
        ("steps", (*COLUMNS, "--master", "local"), "--master is for --engine spark"),
        ("steps", (*COLUMNS, "--lifecycle", "append"), "--lifecycle cannot go with --engine ibis"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(url, table, options, said):
    line = fails("similar", "-m", "kin", table, "--engine", "ibis", "--url", url, *options)
    assert said in line
    assert PASSWORD not in line


def test_nothing_can_be_written(url):
    statements = ["CREATE TABLE other (i INTEGER)", "INSERT INTO steps (step) VALUES ('x')", "DROP TABLE steps"]
    for statement in statements:
        with ibis_events(url, "steps") as opened, pytest.raises(Exception, match=r"(?i)read-?\s?only"):
            opened.frame.get_backend().con.execute(statement)


def test_the_engine_needs_an_address_and_the_address_an_engine(tmp_path):
    assert "--engine ibis needs the address of a database" in fails("similar", "-m", "kin", "steps", "--engine", "ibis")
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
    assert "--url needs --engine" in fails("similar", tmp_path / "log.csv", "--url", "postgres://host/shop")
    said = fails("similar", "-m", "kin", tmp_path / "log.csv", "--engine", "duckdb", "--url", "postgres://host/shop")
    assert "--url is for --engine ibis" in said


def postgres_url(**changes):
    server = postgres()
    parts = {"user": USER, "password": PASSWORD, "host": server.host, "port": server.port, "database": "shop", **changes}
    return "postgres://{user}:{password}@{host}:{port}/{database}".format(**parts)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"password": "wr0ng-w0rd"}, "PGPASSWORD"),
        ({"database": "absent"}, 'database "absent" does not exist'),
        ({"port": 1}, "no connection"),
        ({"password": f"{PASSWORD}%zz"}, "has an option or a character that PostgreSQL does not understand"),
        ({"database": "shop?sslmood=require"}, "has an option or a character that PostgreSQL does not understand"),
        ({"password": f"{PASSWORD}/1"}, "is not like postgres://user@host:5432/database"),
    ],
)
def test_a_postgres_that_is_not_reached_is_said_without_the_password(shop, changes, said, tmp_path):
    url = postgres_url(**changes)
    done = run("count", "steps", "--engine", "ibis", "--url", url, *COLUMNS, "-o", tmp_path / "out.actalike")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert said in done.stderr
    assert PASSWORD not in done.stderr
    assert "wr0ng-w0rd" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_driver_s_error_is_behind_ours_and_without_the_password_of_postgres(shop):
    import psycopg

    with pytest.raises(LogError) as caught, ibis_events(postgres_url(password="wr0ng-w0rd"), "steps"):
        pass
    assert isinstance(caught.value.__cause__, psycopg.OperationalError)
    assert "wr0ng-w0rd" not in str(caught.value.__cause__)


def test_the_password_of_postgres_may_come_from_the_environment_and_is_in_no_file(shop, tmp_path, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    url = postgres().url.replace(f":{PASSWORD}", "")
    for place, address in enumerate((url, postgres().url)):
        ok("embed", "steps", "--engine", "ibis", "--url", address, *COLUMNS, "-o", tmp_path / f"{place}.actalike")
    first, second = (path.read_bytes() for path in sorted(tmp_path.iterdir()))
    assert first == second
    assert PASSWORD.encode() not in first


def test_a_postgres_table_that_may_not_be_read_is_said_with_the_remedy(shop):
    shop.execute("CREATE ROLE guest LOGIN PASSWORD 'guest-w0rd'")
    shop.commit()
    line = fails(
        "similar", "-m", "kin", "steps", "--engine", "ibis", "--url", postgres_url(user="guest", password="guest-w0rd"), *COLUMNS
    )
    assert "permission denied for table steps" in line
    assert "guest-w0rd" not in line


def test_a_function_in_a_postgres_view_cannot_write_either(shop):
    shop.execute(
        """CREATE TABLE taken (i INTEGER);
        CREATE FUNCTION take() RETURNS INTEGER VOLATILE LANGUAGE plpgsql AS $$
        BEGIN PERFORM set_config('default_transaction_read_only', 'off', false); INSERT INTO taken VALUES (1); RETURN 1; END $$;
        CREATE VIEW taking AS SELECT *, take() AS one FROM steps"""
    )
    shop.commit()
    line = fails("similar", "-m", "kin", "taking", "--engine", "ibis", "--url", postgres().url, *("--case", "order", "--activity", "step"),
                 "--order", "one", "--order", "at")  # fmt: skip
    assert "read-only transaction" in line
    assert shop.execute("SELECT count(*) FROM taken").fetchone() == (0,)


def test_postgres_events_are_counted_as_they_were_when_it_was_opened(shop, log):
    with ibis_events(postgres().url, "steps") as opened:
        shop.execute("INSERT INTO steps VALUES ('case 0', 'Too late', '2030-01-01', 0)")
        shop.commit()
        try:
            assert count_windows(opened.frame, 3, **NAMES) == count_windows(log, 3)
        finally:
            shop.execute("DELETE FROM steps WHERE step = 'Too late'")
            shop.commit()


@pytest.mark.parametrize("table", ["sales.steps", 'odd "name.a b', "monthly", "parts", "STEPS", "public.steps"])
def test_postgres_tables_are_found_by_name_and_schema(shop, log, table):
    shop.execute(
        """CREATE SCHEMA IF NOT EXISTS sales; CREATE TABLE IF NOT EXISTS sales.steps AS SELECT * FROM steps;
        CREATE SCHEMA IF NOT EXISTS "odd ""name"; CREATE TABLE IF NOT EXISTS "odd ""name"."a b" AS SELECT * FROM steps;
        CREATE MATERIALIZED VIEW IF NOT EXISTS monthly AS SELECT * FROM steps;
        DROP TABLE IF EXISTS parts; CREATE TABLE parts (LIKE steps) PARTITION BY HASH ("order");
        CREATE TABLE parts0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE parts1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
        INSERT INTO parts SELECT * FROM steps"""
    )
    shop.commit()
    with ibis_events(postgres().url, table) as opened:
        assert count_windows(opened.frame, 3, **NAMES) == count_windows(log, 3)


@pytest.mark.parametrize(
    ("kind", "values", "activities"),
    [
        ("varchar(9)", ["'Pay'", "'pay'"], ["Pay", "pay"]),
        ('text COLLATE "any case"', ["'Pay'", "'pay'"], ["Pay", "pay"]),
        ("mood", ["'sad'", "'ok'"], ["ok", "sad"]),
        ("uuid", ["'00000000-0000-0000-0000-00000000000a'", "'00000000-0000-0000-0000-00000000000B'"], [f"{0:08}-0000-0000-0000-{0:011}{end}" for end in "ab"]),
        ("bigint", ["10", "9"], ["10", "9"]),
        ("text", [r"'it''s \ %s'", "E'\\t'"], ["\t", r"it's \ %s"]),
    ],
)  # fmt: skip
def test_postgres_columns_of_any_kind_of_text_are_labels(shop, kind, values, activities):
    shop.execute(
        """DROP TYPE IF EXISTS mood CASCADE; CREATE TYPE mood AS ENUM ('sad', 'ok');
        CREATE COLLATION IF NOT EXISTS "any case" (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"""
    )
    shop.execute(f'DROP TABLE IF EXISTS kinds; CREATE TABLE kinds ("case" {kind}, activity {kind}, at int)')  # fmt: skip
    shop.execute(
        f"INSERT INTO kinds VALUES ({values[0]}, {values[0]}, 1), ({values[0]}, {values[1]}, 2), ({values[1]}, {values[1]}, 3)"
    )
    shop.commit()
    with ibis_events(postgres().url, "kinds") as opened:
        counts = count_windows(opened.frame, 3, order="at")
        assert (counts.activities, counts.n_cases, counts.n_events) == (activities, 2, 3)


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("double precision", "'NaN'", "missing"),
        ("timestamptz", "NULL", "missing"),
        ("text", "'1'", "reliably"),
    ],
)
def test_postgres_values_that_order_nothing_are_refused(shop, kind, value, said):
    shop.execute(
        f"DROP TABLE IF EXISTS unordered; CREATE TABLE unordered AS SELECT 1 AS \"case\", 'a' AS activity, {value}::{kind} AS at"
    )
    shop.commit()
    with ibis_events(postgres().url, "unordered") as opened, pytest.raises(LogError, match=said):
        count_windows(opened.frame, 3, order="at")


@pytest.mark.parametrize("kind", ["interval year", "regclass"])
def test_a_postgres_column_that_ibis_does_not_know_is_said(shop, kind):
    shop.execute(f'DROP TABLE IF EXISTS strange; CREATE TABLE strange ("case" int, activity text, at int, x {kind})')
    shop.commit()
    said = fails("similar", "-m", "kin", "strange", "--engine", "ibis", "--url", postgres().url, "--order", "at")
    assert "'strange' has a column of a type that Ibis does not know" in said


@pytest.mark.parametrize("view", ["by_csv", "by_text"])
def test_a_view_of_duckdb_cannot_read_files(tmp_path, view):
    import duckdb

    (tmp_path / "secret.csv").write_text("case,activity,at\n1,password,1\n")
    with duckdb.connect(tmp_path / "shop.duckdb") as connection:
        connection.execute(f"CREATE VIEW by_csv AS SELECT * FROM read_csv('{tmp_path}/secret.csv')")
        connection.execute(
            f"CREATE VIEW by_text AS SELECT 1 AS \"case\", content AS activity, 1 AS at FROM read_text('{tmp_path}/secret.csv')"
        )
    command = (
        "count",
        view,
        "--engine",
        "ibis",
        "--url",
        f"duckdb://{tmp_path}/shop.duckdb",
        "--order",
        "at",
        "-o",
        tmp_path / "o.actalike",
    )
    assert f"'{view}' reads something outside the database" in fails(*command)
    ok(*command, "--trust-views")
    assert "password" in actalike.load(tmp_path / "o.actalike").activities[0]


def test_sqlite_takes_any_name_with_int_for_whole_numbers(tmp_path):
    with closing(sqlite3.connect(tmp_path / "kinds.db")) as connection:
        connection.execute('CREATE TABLE t ("case" int(11), activity "VARCHAR(9)", at "BIGINT UNSIGNED", x "FOO BAR")')
        connection.execute("INSERT INTO t VALUES (1, 'b', 10, NULL), (1, 'a', 9, NULL)")
        connection.commit()
    with ibis_events(f"sqlite://{tmp_path}/kinds.db", "t") as opened:
        counts = count_windows(opened.frame, 2, order="at")
    assert counts == count_windows(actalike.EventLog.from_traces([["a", "b"]]), 2)


def test_views_of_sqlite_reach_nothing_outside_it_and_call_nothing_of_ours(files, tmp_path):
    with closing(sqlite3.connect(tmp_path / "views.db")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS \"case\", 'a' AS activity, 1 AS at")
        connection.execute("CREATE VIEW plain AS SELECT * FROM t")
        connection.create_function("_ibis_regex_extract", 3, lambda *_: "")
        connection.execute(
            'CREATE VIEW calling AS SELECT "case", _ibis_regex_extract(activity, activity, 0) AS activity, at FROM t'
        )
        connection.commit()
    url = f"sqlite://{tmp_path}/views.db"
    ok("count", "plain", "--engine", "ibis", "--url", url, "--order", "at", "-o", tmp_path / "o.actalike")
    assert "no such function: _ibis_regex_extract" in fails(
        "similar", "-m", "kin", "calling", "--engine", "ibis", "--url", url, "--order", "at"
    )
    with ibis_events(url, "t") as opened, pytest.raises(sqlite3.OperationalError, match="databases"):
        opened.frame.get_backend().con.execute("ATTACH ? AS other", [str(files / "shop.db")])


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:///nowhere/x.db", "/nowhere/x.db cannot be read: there is no such file"),
        ("sqlite://{folder}/text.db", "SQLite"),
        ("duckdb://{folder}/text.db", "DuckDB"),
        ("nosuch://host/shop", "Ibis knows no databases of the kind 'nosuch'"),
        ("trino://me:h1dden@host/shop", "Ibis lacks the packages for trino: pip install 'ibis-framework[trino]'"),
    ],
)
def test_a_database_that_cannot_be_opened_is_said(tmp_path, url, said):
    (tmp_path / "text.db").write_text("no database at all")
    line = fails("similar", "-m", "kin", "steps", "--engine", "ibis", "--url", url.format(folder=tmp_path), *COLUMNS)
    assert said in line
    assert "h1dden" not in line


def test_an_output_does_not_replace_the_database(files):
    before = (files / "shop.db").read_bytes()
    link = files / "link.actalike"
    link.symlink_to(files / "shop.db")
    said = fails("count", "steps", "--engine", "ibis", "--url", f"sqlite://{files}/shop.db", *COLUMNS, "-o", link, "--overwrite")
    assert "input" in said
    assert (files / "shop.db").read_bytes() == before


@pytest.mark.parametrize("kind", ["postgres", "sqlite"])
def test_ctrl_c_ends_a_query(kind, tmp_path, request):
    endless = 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT 1 AS "case", i AS activity, i AS at FROM r'
    url = postgres().url if kind == "postgres" else f"sqlite://{tmp_path}/endless.db"
    with (
        closing(sqlite3.connect(tmp_path / "endless.db"))
        if kind == "sqlite"
        else nullcontext(request.getfixturevalue("shop")) as owner
    ):
        owner.execute(f"CREATE VIEW endless AS {endless}")
        owner.commit()
    with ibis_events(url, "endless") as opened, pytest.raises(KeyboardInterrupt), pressing_ctrl_c():
        count_windows(opened.frame, 3, order="at")
    if kind == "postgres":
        running = (
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%endless%'"
        )
        assert owner.execute(running).fetchone() == (0,)
