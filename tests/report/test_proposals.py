"""Groups, contexts and shares as plain data."""

import json
import math

import numpy as np
import pytest

from actalike import EventLog
from actalike.embedding import CodedShare
from actalike.labels import OUTSIDE, Caution, Group, Reason, SharedNeighbours, Witness, same_step
from actalike.report.proposals import REASON_KINDS, proposal, reason, shared_context, weighed_reason, witnesses

NUMBER = {"a": 1, "b": 0, "x": 2}
EVENTS = {"a": 4, "b": 8, "x": 16}


def test_a_group_is_given_by_the_numbers_of_its_activities():
    periods = Witness("periods", "b", "a", None, "a", np.datetime64("2024-03-01"), np.datetime64("2024-03-03"))
    group = Group(
        ("b", "a"), "b", 0.123456789, 0.5, "synonyms", 0.1 / 3, "b …", (periods,), (Reason("cases", 1.5, -1e-17),),
        (SharedNeighbours("x", None, (8, 1)),), (Caution("opposites", ("a", "b")),),
    )  # fmt: skip
    data = proposal(group, NUMBER, EVENTS)
    assert data == {
        "members": [0, 1], "name": "b", "relation": "synonyms", "probability": 0.12345679, "overlap": 0.5,
        "together": 0.03333333, "pattern": "b …", "reasons": [[REASON_KINDS.index("cases"), 1.5, 0.0]],
        "witnesses": [{
            "kind": "periods", "labels": [0, 1], "members": 1, "attribute": None, "earlier": 1, "until": "2024-03-01",
            "since": "2024-03-03", "pattern": None,
        }],
        "cautions": [{"kind": "opposites", "labels": [1, 0]}], "evidence": [[2, 2, 2, None, 0.25, 1.0]],
    }  # fmt: skip
    assert "-0.0" not in json.dumps(data)


def test_a_large_group_has_few_witnesses_to_send():
    labels = {f"Pay {i}": i for i in range(500)}
    found = [Witness("pattern", "Pay 0", label, pattern="Pay …") for label in list(labels)[1:]]
    assert [(one["pattern"], one["members"]) for one in witnesses(found, labels)] == [("Pay …", 499)]


def test_reasons_of_a_pair_sum_to_its_probability_on_the_page():
    same = same_step(EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20))
    reasons = [weighed_reason(found) for found in same.evidence("a", "b")]
    log_odds = sum(value for _, value, _ in reasons)
    assert 1 / (1 + math.exp(-log_odds)) == pytest.approx(same.probability("a", "b"), abs=0.002)
    assert {REASON_KINDS[kind] for kind, _, _ in reasons} >= {"any pair", "neighbours", "cases"}


def test_the_outside_of_a_case_is_minus_one_and_any_neighbour_is_none():
    assert shared_context(SharedNeighbours(OUTSIDE, None, (1, 3)), (4, 4), NUMBER) == [2, 2, -1, None, 0.25, 0.75]
    assert shared_context(SharedNeighbours(None, OUTSIDE, (1, 3)), (4, 4), NUMBER) == [2, 2, None, -1, 0.25, 0.75]


def test_members_without_a_context_do_not_lower_its_least_share():
    assert shared_context(SharedNeighbours("x", "a", (0, 1, 2)), (5, 3, 4), NUMBER) == [2, 3, 2, 1, 0.333, 0.5]


def test_a_reason_has_the_numbers_of_the_page():
    assert reason(CodedShare("context", 0.123456, (1, -1, 0), 0), numbers=[7, 5]) == ["context", 0.1235, [5, -1, 7], 0]
