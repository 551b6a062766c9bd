"""What an object-centric log in SQLite must have, and what is refused."""

import pytest

from actalike import LogError, read_log
from tests.helpers.ocel import as_cases, expected_cases, purchases, write
from tests.io.object_centric.test_sqlite_file import change


@pytest.fixture
def path(tmp_path):
    return write(purchases(), tmp_path / "log.sqlite")


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE event_object SET ocel_event_id = 'x' WHERE rowid = 3", "row 3 of the table 'event_object': the event 'x' is not in the table 'event'"),
        ("UPDATE event_object SET ocel_object_id = 'x' WHERE rowid = 3", r"event 3 \('ev-03'\) involves the object 'x', which the file does not have"),
        ("UPDATE event_object SET ocel_object_id = NULL WHERE rowid = 3", "row 3 .*'ocel_object_id' is empty .NULL. in place of a text"),
        ("UPDATE event_object SET ocel_object_id = x'00' WHERE rowid = 3", "row 3 .*'ocel_object_id' is bytes"),
        ("UPDATE event_object SET ocel_object_id = CAST(x'ff' AS TEXT) WHERE rowid = 3", "cannot be read by SQLite .*decode"),
        ("UPDATE event SET ocel_type = 'Dance' WHERE rowid = 2", "row 2 of the table 'event': the type 'Dance' is not in the table 'event_map_type'"),
        ("UPDATE event SET ocel_type = 'Send order' WHERE rowid = 2", "'ev-02' is not in the table 'event_Sendorder.', so it has no time"),
        ("UPDATE event SET ocel_id = 'new' WHERE rowid = 2", "the event 'new' is not in the table 'event_Askforchairs.', so it has no time"),
        ("DELETE FROM event WHERE rowid = 13", "the event 'ev-13' is in the table 'event_Closethebooks.', and not with that type in the table 'event'"),
        ("INSERT INTO event_Sendorder6 VALUES ('ev-01', '2024-01-01', '')", "the event 'ev-01' is in the table 'event_Sendorder.', and not with"),
        ("INSERT INTO event_Sendorder6 SELECT * FROM event_Sendorder6", "row 3 of the table 'event_Sendorder6': the event 'ev-05' is there twice"),
        ("UPDATE event_Sendorder6 SET ocel_time = 'noon'", r"event 5 \('ev-05'\) has an unreadable time 'noon'"),
        ("UPDATE event_Sendorder6 SET ocel_time = CAST(5 AS INTEGER)", "'ocel_time' is a number in place of a text"),
        ("INSERT INTO event_map_type SELECT 'Copy', ocel_type_map FROM event_map_type LIMIT 1", "two types are mapped to 'Acceptdelivery0'"),
        ("INSERT INTO event_map_type VALUES ('Copy', 'Copy')", "it has no table 'event_Copy'"),
        ("INSERT INTO event_map_type SELECT * FROM event_map_type LIMIT 1", "declares the event type 'Accept delivery' twice"),
        ("DELETE FROM object_map_type WHERE ocel_type = 'invoice'", "is of the type 'invoice', which the file does not declare"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_row(path, statement, words):
    change(path, statement)
    with pytest.raises(LogError, match=words):
        read_log(path, object_type="invoice")


def test_a_repeated_id_is_refused(path):
    change(path, "CREATE TABLE e2 AS SELECT * FROM event", "INSERT INTO e2 SELECT * FROM event LIMIT 1", "DROP TABLE event")
    change(path, "ALTER TABLE e2 RENAME TO event")
    with pytest.raises(LogError, match="two events with the id 'ev-01'"):
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


def test_values_of_attributes_that_are_no_texts_matter_only_if_wanted(path):
    change(path, "UPDATE event_Sendorder6 SET user = x'00'")
    assert read_log(path, object_type="request").n_cases == 2
    with pytest.raises(LogError, match="row 1 of the table 'event_Sendorder6': the value of 'user' is of the type bytes"):
        read_log(path, object_type="request", attributes=["user"])
