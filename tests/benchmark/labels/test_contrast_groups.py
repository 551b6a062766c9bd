import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.labels.contrast_groups import contrast_groups
from actalike.log import CoOccurrence, EventLog
from tests.helpers import naive_groupers as naive
from tests.helpers.examples import examples
from tests.helpers.strategies import traces


@examples(30)
@given(traces(max_cases=20), st.randoms(use_true_random=False), st.sampled_from([0.2, 0.4, 0.8, 1.0]))
def test_groups_stand_out_as_defined(cases, random, boldness):
    log = EventLog.from_traces(cases * 3)
    n = len(log.activities)
    distances = np.zeros((n, n))
    rows, columns = np.triu_indices(n, 1)
    distinct = random.sample(range(1, 1000), len(rows))
    distances[rows, columns] = distances[columns, rows] = np.array(distinct) ** 2 / 1e6
    order = sorted(range(n), key=lambda i: (-log.activity_counts[i], -log.activity_cases[i], i))
    attraction = CoOccurrence(log).attraction()[np.ix_(order, order)]
    rare = [log.activity_cases[i] < 5 for i in order]
    names = [log.activities[i] for i in order]
    expected = naive.contrast(distances[np.ix_(order, order)], names, attraction, rare, boldness) if n > 2 else []
    assert contrast_groups(distances, log, boldness) == expected


def test_two_labels_have_nothing_to_stand_out_from():
    assert contrast_groups(np.zeros((2, 2)), EventLog.from_traces([["a", "b"]] * 9), 1.0) == []
