from types import SimpleNamespace

import numpy as np

from actalike.benchmark.labels.contract import check_result
from actalike.benchmark.labels.groupers import same_step
from actalike.log import EventLog

LOG = EventLog.from_traces([["a", "b", "c", "d"]] * 5)


def test_proposals_are_all_groups_that_may_be_merged(monkeypatch):
    relations = {"synonyms": ("a", "b"), "belong together": ("c", "d"), "too rare to judge": ("a", "d")}
    decisions = SimpleNamespace(
        same_step=lambda log: SimpleNamespace(probabilities=lambda: np.eye(4)),
        group=lambda log: [SimpleNamespace(activities=members, relation=relation) for relation, members in relations.items()],
    )
    monkeypatch.setattr(same_step, "_DECISIONS", decisions)
    fitted = same_step.SameStep().fit(LOG)
    assert fitted.groups_ == [("a", "b")]
    check_result(fitted, LOG)
