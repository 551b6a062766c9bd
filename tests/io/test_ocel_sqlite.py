"""What an object-centric log in SQLite must have; it is opened only to read, and a damaged one is refused."""

import random
import shutil
import sqlite3

import pytest

from actalike import LogError, read_log
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


@pytest.mark.parametrize("page", [512, 4096, 65536])
def test_a_file_that_is_cut_off_within_its_last_page_is_refused(path, page):
    change(path, f"PRAGMA page_size = {page}", "VACUUM")
    assert as_cases(read_log(path, object_type="invoice")) == EXPECTED
    content = path.read_bytes()
    for end in (len(content) - 1, len(content) - page // 2, len(content) - page):
        path.write_bytes(content[:end])
        refused(path, "damaged")


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DROP TABLE event_object", "event_object"),
        ("ALTER TABLE object RENAME COLUMN ocel_type TO kind", "ocel_type"),
    ],
)
def test_a_missing_table_or_column_is_an_error(path, statement, words):
    change(path, statement)
    refused(path, words)


def test_a_view_is_read_as_a_table(path):
    change(path, "ALTER TABLE event_object RENAME TO links", "CREATE VIEW event_object AS SELECT * FROM links")
    assert as_cases(read_log(path, object_type="invoice")) == EXPECTED


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


def test_what_is_no_sqlite_is_refused(path, tmp_path):
    content = path.read_bytes()
    for damaged, words in [
        (b"", "is empty: it has no bytes"),
        (b"PK" + content[2:], "SQLite"),
        (content[: len(content) // 2], "SQLite|damaged"),
        (content[:16], "SQLite|damaged"),
    ]:
        (tmp_path / "b.sqlite").write_bytes(damaged)
        refused(tmp_path / "b.sqlite", words)
    refused(tmp_path / "absent.sqlite", "No such file")
    (tmp_path / "odd % name?mode=rw#é.sqlite").write_bytes(content)
    assert as_cases(read_log(tmp_path / "odd % name?mode=rw#é.sqlite", object_type="invoice")) == EXPECTED


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


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE event_object SET ocel_event_id = 'x' WHERE rowid = 3", "event_object"),
        ("UPDATE event_object SET ocel_object_id = 'x' WHERE rowid = 3", "ev-03"),
        ("UPDATE event_object SET ocel_object_id = NULL WHERE rowid = 3", "ocel_object_id"),
        ("UPDATE event_object SET ocel_object_id = x'00' WHERE rowid = 3", "SQLite"),
        ("UPDATE event_object SET ocel_object_id = CAST(x'ff' AS TEXT) WHERE rowid = 3", "decode"),
        ("UPDATE event SET ocel_type = 'Dance' WHERE rowid = 2", "event"),
        ("UPDATE event SET ocel_type = 'Send order' WHERE rowid = 2", "ev-02"),
        ("UPDATE event SET ocel_id = 'new' WHERE rowid = 2", "new"),
        ("DELETE FROM event WHERE rowid = 13", "ev-13"),
        ("INSERT INTO event_Sendorder6 VALUES ('ev-01', '2024-01-01', '')", "ev-01"),
        ("INSERT INTO event_Sendorder6 SELECT * FROM event_Sendorder6", "not those"),
        ("UPDATE event_Sendorder6 SET ocel_time = 'noon'", "ev-05"),
        ("UPDATE event_Sendorder6 SET ocel_time = CAST(5 AS INTEGER)", "ev-05"),
        ("INSERT INTO event_map_type SELECT 'Copy', ocel_type_map FROM event_map_type LIMIT 1", "twice"),
        ("INSERT INTO event_map_type VALUES ('Copy', 'Copy')", "event_Copy"),
        ("INSERT INTO event_map_type SELECT * FROM event_map_type LIMIT 1", "twice"),
        ("DELETE FROM object_map_type WHERE ocel_type = 'invoice'", "invoice"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_row(path, statement, words):
    change(path, statement)
    with pytest.raises(LogError, match=words):
        read_log(path, object_type="invoice")


def test_a_repeated_id_is_refused(path):
    change(path, "CREATE TABLE e2 AS SELECT * FROM event", "INSERT INTO e2 SELECT * FROM event LIMIT 1", "DROP TABLE event")
    change(path, "ALTER TABLE e2 RENAME TO event")
    with pytest.raises(LogError, match="event"):
        read_log(path, object_type="invoice")


def test_names_of_tables_and_columns_may_be_in_capitals_and_odd(path):
    odd = 'a "b" [c]; DROP TABLE event --'
    doubled = odd.replace('"', '""')
    change(
        path,
        f'ALTER TABLE event_Sendorder6 RENAME TO "event_{doubled}"',
        "ALTER TABLE event_object RENAME TO Event_Objects",
        "ALTER TABLE Event_Objects RENAME TO EVENT_OBJECT",
        "ALTER TABLE object RENAME COLUMN ocel_id TO OCEL_ID",
    )
    change(path, f"UPDATE event_map_type SET ocel_type_map = '{odd}' WHERE ocel_type = 'Send order'")
    log = read_log(path, object_type="purchase order", attributes=["user"])
    assert as_cases(log) == expected_cases(purchases(), "purchase order")


@pytest.mark.parametrize("value", ["x'00'", "CAST(x'ff' AS TEXT)"])
def test_values_of_attributes_that_are_no_texts_matter_only_if_wanted(path, value):
    change(path, f"UPDATE event_Sendorder6 SET user = {value}")
    assert read_log(path, object_type="request").attributes == {}
    assert read_log(path, object_type="request", attributes=None).n_cases == 2
    with pytest.raises(LogError, match="user"):
        read_log(path, object_type="request", attributes=["user"])
