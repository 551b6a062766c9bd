import polars as pl

from actalike.io.column_facts import describe_column
from actalike.io.columns import Columns
from actalike.io.look_proposals import propose_lifecycle, propose_roles, propose_time
from actalike.log import Reading

NO_NAMES = dict.fromkeys(("case", "activity", "timestamp", "transition"))


def test_only_roles_that_are_missing_are_proposed():
    rows = pl.DataFrame({"case": ["1", "1", "2", "2"], "what": ["a", "b", "a", "b"]})
    facts = [describe_column(rows[name], "column", None, None) for name in rows.columns]
    chosen = dict(NO_NAMES)
    assert [(p.option, p.value) for p in propose_roles(rows, facts, chosen)] == [("--activity", "what")]
    assert chosen["activity"] == "what"
    assert propose_roles(rows, facts, chosen) == []


def test_time_is_proposed_unless_it_was_left_out():
    rows = pl.DataFrame({"case": ["1"], "activity": ["a"], "at": ["31.12.2024"]})
    columns = Columns("case", "activity", None, None)
    proposed = propose_time(rows, columns, NO_NAMES, None, [])
    assert [(p.option, p.value) for p in proposed] == [("--timestamp", "at"), ("--timestamp-format", "%d.%m.%Y")]
    assert propose_time(rows, columns, {**NO_NAMES, "timestamp": ""}, None, []) == []


def test_pairs_of_start_and_complete_propose_to_keep_one():
    assert propose_lifecycle(Reading("x", "case", "activity", paired=0.4)) == []
    paired = Reading("x", "case", "activity", paired=0.9, transition="lifecycle", paired_by="lifecycle")
    assert [(p.option, p.value, p.needed) for p in propose_lifecycle(paired)] == [("--lifecycle", "complete", False)]


def test_times_of_day_give_way_to_days():
    rows = pl.DataFrame({"case": ["1"], "activity": ["a"], "date": ["31/12/2024"], "time": ["08:00"]})
    remarks = []
    proposed = propose_time(rows, Columns("case", "activity", "time", None), NO_NAMES, None, remarks)
    assert [(p.option, p.value) for p in proposed] == [("--timestamp", "date"), ("--timestamp-format", "%d/%m/%Y")]
    assert len(remarks) == 1
    assert remarks[0].startswith("The column 'time' holds times of day, which cannot be joined with 'date'")


def test_a_timestamp_that_cannot_be_read_is_left_out():
    for values in (["soon"], [0.5]):
        rows = pl.DataFrame({"case": ["1"], "activity": ["a"], "time": values})
        (proposed,) = propose_time(rows, Columns("case", "activity", "time", None), NO_NAMES, None, [])
        assert (proposed.option, proposed.value, proposed.needed) == ("--timestamp", "", True)
