"""Groups, contexts and shares as plain data."""

import json

import pytest

from actalike.embedding import CodedShare
from actalike.labels import OUTSIDE, Caution, Group, SharedNeighbours
from actalike.report.proposals import proposal, reason, shared_context

NUMBER = {"a": 1, "b": 0, "x": 2}
EVENTS = {"a": 4, "b": 8, "x": 16}


def group(*cautions):
    return Group(("b", "a"), 0.123456789, 0.12345678, "mixed", 0.1 / 3, cautions, (SharedNeighbours("x", None, (8, 1)),))


def test_a_group_is_given_by_the_numbers_of_its_activities():
    data = proposal(group(), NUMBER, EVENTS)
    assert (data["members"], data["similarity"], data["boldness"]) == ([0, 1], 0.12345679, 0.123457)
    assert (data["relation"], data["together"], data["evidence"]) == ("mixed", 0.03333333, [[2, 2, 2, None, 0.25, 1.0]])
    json.dumps(data)


@pytest.mark.parametrize(
    ("caution", "sure"),
    [(Caution("never together"), True), (Caution("few cases", ("a",)), False), (Caution("often together", (), 2.5), False)],
)
def test_a_group_is_sure_without_a_warning(caution, sure):
    data = proposal(group(Caution("never together"), caution), NUMBER, EVENTS)
    assert data["sure"] is sure
    assert data["cautions"][1] == {
        "kind": caution.kind, "labels": [NUMBER[label] for label in caution.labels], "times": caution.times, "warning": not sure,
    }  # fmt: skip


def test_the_outside_of_a_case_is_minus_one_and_any_neighbour_is_none():
    assert shared_context(SharedNeighbours(OUTSIDE, None, (1, 3)), (4, 4), NUMBER) == [2, 2, -1, None, 0.25, 0.75]
    assert shared_context(SharedNeighbours(None, OUTSIDE, (1, 3)), (4, 4), NUMBER) == [2, 2, None, -1, 0.25, 0.75]


def test_members_without_a_context_do_not_lower_its_least_share():
    assert shared_context(SharedNeighbours("x", "a", (0, 1, 2)), (5, 3, 4), NUMBER) == [2, 3, 2, 1, 0.333, 0.5]


def test_a_reason_has_the_numbers_of_the_page():
    assert reason(CodedShare("context", 0.123456, (1, -1, 0), 0), numbers=[7, 5]) == ["context", 0.1235, [5, -1, 7], 0]
