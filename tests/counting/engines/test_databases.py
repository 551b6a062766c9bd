"""A DuckDB database shows its tables, and nothing outside it."""

import pytest

from actalike import load
from actalike.counting.engines.open import open_table, shut_off
from tests.helpers.commands import fails, ok

duckdb = pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    folder = tmp_path_factory.mktemp("database")
    (folder / "secret.csv").write_text("case,activity,at\n1,password,1\n")
    path = folder / "events.duckdb"
    odd = ["a.b", 'the "new" ones', "select", "x'; DROP TABLE steps; --"]
    with duckdb.connect(path) as connection:
        connection.execute(
            """CREATE TABLE steps AS SELECT * FROM (VALUES (1, 'a', 1), (1, 'b', 2)) AS v("case", "activity", "at")"""
        )
        connection.execute("CREATE VIEW part AS SELECT * FROM steps")
        connection.execute("CREATE SCHEMA s; CREATE TABLE s.steps AS SELECT * REPLACE ('in s' AS activity) FROM steps")
        connection.execute('CREATE SCHEMA a; CREATE TABLE a.c AS SELECT * FROM steps; CREATE TABLE "a.c" AS SELECT * FROM steps')
        for name in odd:
            quoted = name.replace('"', '""')
            connection.execute(
                f'CREATE TABLE "{quoted}" AS SELECT "case" AS "from ""x"".y", activity AS "select", "at" AS "order" FROM steps'
            )
        for name, call in {"by_csv": "read_csv", "by_text": "read_text", "by_blob": "read_blob", "by_glob": "glob"}.items():
            connection.execute(f"CREATE VIEW {name} AS SELECT * FROM {call}('{folder}/secret.csv')")
        connection.execute(f"CREATE VIEW by_name AS SELECT * FROM '{folder}/secret.csv'")
        connection.execute("CREATE MACRO peek(p) AS TABLE SELECT * FROM read_csv(p)")
        connection.execute(f"CREATE VIEW by_macro AS SELECT * FROM peek('{folder}/secret.csv')")
    return path


def count(database, tmp_path, *options):
    ok("count", database, "-o", tmp_path / "out.actalike", "--engine", "duckdb", *options)
    return load(tmp_path / "out.actalike").activities


@pytest.mark.parametrize("table", ["steps", "part", "STEPS", "main.steps"])
def test_tables_and_views_of_the_database_are_counted(database, tmp_path, table):
    assert count(database, tmp_path, "--table", table, "--order", "at") == ["a", "b"]


@pytest.mark.parametrize("view", ["by_csv", "by_text", "by_blob", "by_glob", "by_name", "by_macro"])
def test_a_view_cannot_read_files(database, view):
    said = fails("similar", "-m", "kin", database, "--engine", "duckdb", "--table", view, "--order", "at")
    assert f"'{view}' reads something outside the database" in said
    assert "allow it with --trust-views; nothing was counted" in said


def test_a_trusted_view_can(database, tmp_path):
    assert count(database, tmp_path, "--table", "by_csv", "--order", "at", "--trust-views") == ["password"]


@pytest.mark.parametrize("table", ["a.b", 'the "new" ones', "select", "x'; DROP TABLE steps; --"])
def test_odd_names_are_names(database, tmp_path, table):
    options = ("--table", table, "--case", 'from "x".y', "--activity", "select", "--order", "order")
    assert count(database, tmp_path, *options) == ["a", "b"]


def test_a_schema_is_named_before_a_dot(database, tmp_path):
    assert count(database, tmp_path, "--table", "s.steps", "--order", "at") == ["in s"]
    said = fails("similar", "-m", "kin", database, "--engine", "duckdb", "--table", "a.c", "--order", "at")
    assert "'a.c' can be 'c' in the schema 'a' and 'a.c' in the schema 'main'" in said or "'a.c' in the schema 'main' and" in said
    assert "has no table 'stepps'. Did you mean 'steps'" in fails(
        "similar", "-m", "kin", database, "--engine", "duckdb", "--table", "stepps"
    )


def test_a_database_that_is_shut_off_can_still_spill(tmp_path):
    with duckdb.connect(tmp_path / "large.duckdb") as connection:
        connection.execute("""CREATE TABLE e AS SELECT i % 90001 AS "case", i AS "at" FROM range(1000000) AS r(i)""")
    (tmp_path / "spill").mkdir()
    limits = {"temp_directory": str(tmp_path / "spill"), "memory_limit": "25MB", "threads": 1}  # sorting takes more than that
    with duckdb.connect(tmp_path / "large.duckdb", read_only=True, config=limits) as connection:
        shut_off(connection)
        rows = open_table(connection, "large.duckdb", "e").query(
            "e", 'SELECT lag("at") OVER (PARTITION BY "case" ORDER BY "at") AS n FROM e'
        )
        assert rows.aggregate("max(n), count(*)").fetchall() == [(909998, 1000000)]
        with pytest.raises(duckdb.PermissionException):
            connection.sql("SELECT * FROM glob('/*')").fetchall()
        with pytest.raises(duckdb.Error, match="lock"):
            connection.execute("SET enable_external_access = true")
        with pytest.raises(duckdb.PermissionException):
            connection.execute(f"ATTACH '{tmp_path}/other.duckdb'")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"SQLite format 3\0" + b"\0" * 100, "is an SQLite database"),
        (b"", "DuckDB"),
        (b"x" * 99, "DuckDB"),
    ],
)
def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path, content, said):
    (tmp_path / "x.db").write_bytes(content)
    assert said in fails("similar", "-m", "kin", tmp_path / "x.db", "--engine", "duckdb", "--table", "t")


def test_trust_is_for_databases_of_duckdb(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
    assert "--trust-views needs --engine" in fails("similar", tmp_path / "log.csv", "--trust-views")
    assert "--trust-views is for --engine duckdb" in fails(
        "similar", "-m", "kin", tmp_path / "log.csv", "--engine", "spark", "--trust-views"
    )


def test_labels_that_a_table_compares_without_regard_to_case_are_different(tmp_path):
    with duckdb.connect(str(tmp_path / "log.duckdb")) as database:
        database.execute('CREATE TABLE t("case" VARCHAR COLLATE NOCASE, activity VARCHAR COLLATE NOCASE, ts INT)')
        database.execute("INSERT INTO t VALUES ('x','Pay',1), ('x','pay',2), ('x','b',3), ('X','Pay',4), ('X','c',5)")
    out = tmp_path / "counts.actalike"
    ok("count", tmp_path / "log.duckdb", "--engine", "duckdb", "--table", "t", "--order", "ts", "-w", 3, "-o", out)
    counts = load(out)
    assert (counts.activities, counts.n_cases) == (["Pay", "b", "c", "pay"], 2)
