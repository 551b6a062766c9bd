"""Which column is which."""

import pytest

from actalike import LogError
from tests.helpers.reading import read_bytes


def test_the_usual_spellings_are_recognised():
    for header in (
        "case:concept:name,concept:name,time:timestamp",
        "case_id,activity,timestamp",
        "CaseID,ActivityName,DateTime",
        "TRACE,EVENT,DATE",
    ):
        log = read_bytes(f"{header}\n1,b,2024-01-02\n1,a,2024-01-01\n".encode(), "log.csv")
        assert log.traces() == [["a", "b"]]


GOOD = b"case,activity,timestamp,cost\n1,a,2024-01-01,5\n1,b,2024-01-02,6\n2,a,2024-01-01,7\n"


def test_two_similar_columns_must_be_told_apart():
    with pytest.raises(LogError, match="'Case ID' and 'case_id' could both be the case"):
        read_bytes(b"Case ID,case_id,activity\n1,2,a\n", "log.csv")


def test_an_exact_spelling_wins_over_a_similar_one():
    assert read_bytes(GOOD.replace(b"cost", b"Case"), "log.csv").case_ids == ["1", "2"]
