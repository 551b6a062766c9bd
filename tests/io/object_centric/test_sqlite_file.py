"""A SQLite file is opened only to read, only its tables are read, and a damaged one is refused."""

import random
import shutil
import sqlite3

import pytest

from actalike import LogError, read_log
from actalike.io.object_centric import sqlite_file
from actalike.io.object_centric.sqlite_file import SqliteFile
from tests.helpers.ocel import as_cases, expected_cases, purchases, write

EXPECTED = expected_cases(purchases(), "invoice")


@pytest.fixture
def path(tmp_path):
    return write(purchases(), tmp_path / "log.sqlite")


def change(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def refused(path, words):
    with pytest.raises(LogError, match=words):
        read_log(path, object_type="invoice")


def test_nothing_is_written_beside_the_file(path):
    change(path, "PRAGMA journal_mode = wal")
    before = path.read_bytes()
    assert as_cases(read_log(path, object_type="invoice")) == EXPECTED
    assert [each.name for each in path.parent.iterdir()] == ["log.sqlite"]
    assert path.read_bytes() == before


def test_changes_that_are_not_in_the_file_yet_are_not_overlooked(path):
    change(path, "PRAGMA journal_mode = wal")
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM event_object")
    connection.commit()
    refused(path, "has changes that are not in it yet, but in log.sqlite-wal: close the program")
    connection.close()


def test_changes_beside_the_file_that_a_link_leads_to_are_not_overlooked(path, tmp_path):
    (tmp_path / "links").mkdir()
    soft, hard = tmp_path / "links" / "soft.sqlite", tmp_path / "links" / "hard.sqlite"
    soft.symlink_to(path)
    hard.hardlink_to(path)
    assert as_cases(read_log(soft, object_type="invoice")) == EXPECTED
    assert as_cases(read_log(hard, object_type="invoice")) == EXPECTED
    change(path, "PRAGMA journal_mode = wal")
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM event_object")
    connection.commit()
    refused(soft, "has changes that are not in it yet, but in log.sqlite-wal")
    refused(hard, r"has 2 names \(hard links\) and keeps changes in a file beside one of them")
    connection.close()


@pytest.mark.parametrize("page", [512, 4096, 65536])
def test_a_file_that_is_cut_off_within_its_last_page_is_refused(path, page):
    change(path, f"PRAGMA page_size = {page}", "VACUUM")
    assert as_cases(read_log(path, object_type="invoice")) == EXPECTED
    content = path.read_bytes()
    for end in (len(content) - 1, len(content) - page // 2, len(content) - page):
        path.write_bytes(content[:end])
        refused(
            path, f"is damaged: it has {end:,} bytes, and by its header {len(content):,}, in pages of {page:,}. Get a complete"
        )


def test_letters_are_folded_as_sqlite_folds_them(path):
    """A table whose name has a Kelvin sign must not stand for a view whose name has a k."""
    change(
        path,
        "UPDATE event_map_type SET ocel_type_map = 'k' WHERE ocel_type = 'Send order'",
        "CREATE VIEW event_k AS SELECT * FROM event_Sendorder6",
        "CREATE TABLE event_\N{KELVIN SIGN} AS SELECT * FROM event_Sendorder6",
    )
    refused(path, "'event_k' is a view")


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["DROP TABLE event_object", "CREATE VIEW event_object AS SELECT 'ev-01' ocel_event_id, 'req/1' ocel_object_id"], "'event_object' is a view"),
        (["CREATE VIRTUAL TABLE texts USING fts5(a)"], "'texts' is a virtual table, which runs code while reading"),
        (["ALTER TABLE event ADD COLUMN more TEXT AS (ocel_id || 'x')"], "column 'more' of the table 'event' is computed"),
        (["DROP TABLE event_object"], "is no object-centric log .* it has no table 'event_object'. If it holds events in another way, export"),
        (["ALTER TABLE object RENAME COLUMN ocel_type TO kind"], "its table 'object' has no column 'ocel_type'"),
    ],
)  # fmt: skip
def test_what_would_run_while_reading_is_refused(path, statements, words):
    change(path, *statements)
    refused(path, words)


def test_triggers_checks_other_views_and_indexes_change_nothing(path):
    change(
        path,
        "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END",
        "CREATE VIEW other AS SELECT load_extension('x')",
        "CREATE TABLE checked (a TEXT CHECK (length(a) < 9 AND abs(random()) > 3))",
        "INSERT INTO checked VALUES ('b')",
        "CREATE INDEX backwards ON event_object (ocel_object_id DESC, ocel_event_id)",
        "CREATE INDEX types ON event (ocel_type, ocel_id)",
    )
    log = read_log(path, object_type="invoice")
    assert as_cases(log) == EXPECTED
    assert log.case_ids == list(EXPECTED)


def test_only_reading_the_tables_is_allowed(path):
    with SqliteFile(path, 1 << 30) as file:
        for statement in (
            "ATTACH 'other.sqlite' AS other", "CREATE TABLE x (a)", "DELETE FROM event", "PRAGMA query_only = off", "PRAGMA journal_mode = delete",
            "SELECT upper(ocel_id) FROM event", "SELECT load_extension('x')", "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i FROM n) SELECT i FROM n",
        ):  # fmt: skip
            with pytest.raises(sqlite3.Error):
                file._connection.execute(statement).fetchone()


def test_what_is_no_sqlite_is_refused(path, tmp_path):
    content = path.read_bytes()
    for damaged, words in [
        (b"", "is empty: it has no bytes"),
        (b"PK" + content[2:], "is not SQLite, by its first bytes"),
        (content[: len(content) // 2], "is damaged|cannot be read by SQLite"),
        (content[:16], "is damaged: it has 16 bytes"),
    ]:
        (tmp_path / "b.sqlite").write_bytes(damaged)
        refused(tmp_path / "b.sqlite", words)
    refused(tmp_path / "absent.sqlite", "No such file")
    (tmp_path / "odd % name?mode=rw#é.sqlite").write_bytes(content)
    assert as_cases(read_log(tmp_path / "odd % name?mode=rw#é.sqlite", object_type="invoice")) == EXPECTED


def test_more_work_than_the_size_allows_ends(path, monkeypatch):
    monkeypatch.setattr(sqlite_file, "_STEPS_AT_A_TIME", 10)
    monkeypatch.setattr(sqlite_file, "_FIRST_STEPS", 100)
    monkeypatch.setattr(sqlite_file, "_STEPS_A_BYTE", 0)
    refused(path, "takes more work than a file of its size can need")


def test_a_person_can_stop_it(path, monkeypatch):
    def interrupt(file):
        file._stopped = KeyboardInterrupt()
        return 1

    monkeypatch.setattr(sqlite_file, "_STEPS_AT_A_TIME", 10)
    monkeypatch.setattr(SqliteFile, "_look", interrupt)
    with pytest.raises(KeyboardInterrupt):
        read_log(path, object_type="invoice")


def test_damaged_pages_are_refused_or_change_single_values(path, tmp_path):
    """SQLite has no checksums: a changed letter of a label cannot be seen, but no event or case may be lost."""
    content = path.read_bytes()
    rng = random.Random(7)
    other = tmp_path / "damaged.sqlite"
    read = 0
    for _ in range(100):
        damaged = bytearray(content)
        for _ in range(rng.choice([1, 1, 3])):
            at = rng.randrange(len(damaged))
            damaged[at] = rng.choice([0, 255, rng.randrange(256), damaged[at] ^ 1 << rng.randrange(8)])
        other.write_bytes(damaged)
        try:
            log = read_log(other, object_type="invoice")
        except LogError:
            continue
        read += 1
        assert log.n_events == sum(map(len, EXPECTED.values())), damaged
        assert log.n_cases == len(EXPECTED)
    assert read
    shutil.copy(path, other)
    assert as_cases(read_log(other, object_type="invoice")) == EXPECTED
