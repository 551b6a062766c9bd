import datetime

import polars as pl
import pytest

from actalike.io.column_facts import describe_column, propose_activity, propose_case, propose_second_name


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        (["1", "-2"], "whole number"),
        (["1,5", "2"], "number"),
        (["yes", "No"], "truth value"),
        (["31.12.2024 13:45"], "time"),
        ([None, None], "empty"),
        (["a", "1"], "text"),
        ([1, 2], "whole number"),
        ([0.5], "number"),
        ([datetime.date(2024, 1, 1)], "time"),
        ([[1]], "list(int64)"),
    ],
)
def test_the_type_of_a_column_is_told_by_what_it_holds(values, type_):
    assert describe_column(pl.Series("x", values), "column", None, None).type == type_


def test_a_column_is_described_by_its_values():
    facts = describe_column(pl.Series("x", ["a", None, "b", "a"]), "column", "case", "why")
    assert (facts.filled, facts.values, facts.examples, facts.role) == (0.75, 2, ("a", "b"), "case")


def test_case_activity_and_second_name_are_proposed_by_their_statistics():
    rows = pl.DataFrame(
        {
            "id": [str(i) for i in range(12)],
            "order": [str(i // 3) for i in range(12)],
            "site": ["x"] * 6 + ["y"] * 6,
            "step": ["p", "q", "r"] * 4,
            "text": ["the first one", "the second one", "the third one"] * 4,
        }
    )
    facts = [describe_column(rows[name], "column", None, None) for name in rows.columns]
    assert propose_case(rows, facts) == "order"
    assert propose_activity(rows, facts, "order") == "step"
    assert propose_second_name(rows, facts, "step") == "text"
    assert propose_second_name(rows, facts, "site") is None
    assert propose_case(rows.select("id"), facts[:1]) is None
