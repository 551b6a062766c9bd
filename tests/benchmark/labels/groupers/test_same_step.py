"""Our own answer as a participant of the benchmark of labels."""

import numpy as np

from actalike import group, same_step
from actalike.benchmark.labels.contract import check_result
from actalike.benchmark.labels.groupers.same_step import SameStep
from actalike.demo.loan_desk import loan_desk


def test_proposals_are_the_groups_that_may_be_merged():
    log = loan_desk(200)
    fitted = SameStep().fit(log)
    assert np.array_equal(fitted.scores_, same_step(log).probabilities())
    relations = {proposal.activities: proposal.relation for proposal in group(log)}
    assert set(fitted.groups_) == {members for members, relation in relations.items() if relation in ("synonyms", "alternatives")}
    assert len(fitted.groups_) < len(relations)
    check_result(fitted, log)
