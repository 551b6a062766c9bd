"""Which column is which."""

import pytest

from actalike import ActalikeError, LogError
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


WITH_PEOPLE = b"case,activity,timestamp,cost,Bearbeiter,Team\n1,b,2024-01-02,5,Sue,x\n1,a,2024-01-01,6,,y\n"


def test_attributes_are_read_by_name_or_because_they_name_people():
    people = read_bytes(WITH_PEOPLE, "log.csv", attributes="people")
    assert {name: attribute.texts() for name, attribute in people.attributes.items()} == {
        "Bearbeiter": [None, "Sue"],
        "Team": ["y", "x"],
    }
    assert list(people.people()) == ["Bearbeiter", "Team"]
    named = read_bytes(WITH_PEOPLE, "log.csv", attributes=["Team", "cost", "Team"])
    assert list(named.attributes) == ["Team", "cost"]
    assert list(named.people()) == ["Team"]
    assert read_bytes(GOOD, "log.csv", attributes="people").attributes == read_bytes(GOOD, "log.csv").attributes == {}
    assert list(read_bytes(WITH_PEOPLE, "log.csv", activity="Team", attributes="people").attributes) == ["Bearbeiter"]


def test_an_attribute_that_is_not_there_or_is_read_anyway_is_refused():
    with pytest.raises(
        LogError, match=r"no column 'team' \(given as an attribute\)\. Did you mean 'Team' or 'timestamp'\? Its columns: 'case', "
    ):
        read_bytes(WITH_PEOPLE, "log.csv", attributes=["team"])
    for name in ("case", "activity", "timestamp"):
        with pytest.raises(
            LogError, match=f"'{name}' is the {name} of the log, which is read anyway, so it cannot be an attribute too"
        ):
            read_bytes(WITH_PEOPLE, "log.csv", attributes=[name])
    assert list(read_bytes(WITH_PEOPLE, "log.csv", timestamp="", attributes=["timestamp"]).attributes) == ["timestamp"]


@pytest.mark.parametrize("wanted", ["org:resource", "", [""], [7], [None]])
def test_attributes_are_asked_for_by_a_list_of_names(wanted):
    with pytest.raises(ActalikeError, match="attributes="):
        read_bytes(GOOD, "log.csv", attributes=wanted)
