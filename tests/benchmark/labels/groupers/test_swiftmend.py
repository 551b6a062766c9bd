import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.labels.groupers.swiftmend import SwiftMend, merge_all_alike
from actalike.log import EventLog
from tests.helpers import naive_groupers as naive
from tests.helpers.strategies import logs, traces


@given(logs() | traces(st.sampled_from("abc"), max_cases=30).map(EventLog.from_traces))
def test_relations_are_compared_as_defined(log):
    assert SwiftMend().fit(log).scores_ == pytest.approx(np.array(naive.swiftmend(log.traces(), log.activities)))


def test_all_members_of_a_group_are_pairwise_similar():
    scores = np.array([[1, 0.9, 0.8, 0.7], [0.9, 1, 0.7, 0.2], [0.8, 0.7, 1, 0.9], [0.7, 0.2, 0.9, 1]])
    assert merge_all_alike(scores, 0.7) == [[0, 1], [2, 3]]
    assert merge_all_alike(np.ones((3, 3)), 0.7) == [[0, 1, 2]]


def test_two_names_of_a_step_are_merged():
    log = EventLog.from_traces([["start", "one", "end"], ["start", "two", "end"]] * 10)
    assert SwiftMend().fit(log).groups_ == [("one", "two")]
