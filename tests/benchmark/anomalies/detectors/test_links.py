import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.benchmark.anomalies.detectors.links import Links, LinksAll, LinksCaseOut, link_surprises, value_surprises
from tests.helpers.naive_anomalies import naive_links, naive_value_surprises
from tests.helpers.strategies import logs_with_attributes

VECTOR = EventLog.from_traces([["a", "b", "c"]] * 3 + [["a", "c"]])


def test_links_have_the_values_of_the_test_vector():
    plain, out = (link_surprises(VECTOR, case_out)[0].round(4).tolist() for case_out in (False, True))
    assert plain[:4] == [0.5754, 0.8957, 0.8957, 0.5754]
    assert plain[-3:] == [0.5754, 2.7726, 0.5754]
    assert out[:4] == [0.7133, 1.1632, 1.1632, 0.7133]
    assert out[-3:] == [0.7133, 4.6052, 0.7133]


@given(logs_with_attributes(), st.booleans())
def test_links_are_those_of_the_definition(log, case_out):
    surprises, is_end = link_surprises(log, case_out)
    naive = naive_links(log.traces(), case_out)
    assert surprises.tolist() == pytest.approx([one for case in naive for one in case])
    assert is_end.tolist() == [i == len(case) - 1 for case in naive for i in range(len(case))]


@given(logs_with_attributes())
def test_values_are_scored_by_the_definition_and_a_case_by_its_oddest_cell(log):
    bounds = log.offsets.tolist()
    for name, attribute in log.attributes.items():
        events = list(zip(log.codes.tolist(), attribute.codes.tolist(), strict=True))
        cases = [events[start:end] for start, end in itertools.pairwise(bounds)]
        assert value_surprises(log, name).tolist() == pytest.approx(naive_value_surprises(cases))
    activities, every = Links().fit(log), LinksAll().fit(log)
    assert activities.cell_scores_.shape == every.cell_scores_.shape == (log.n_events, 1 + len(log.attributes))
    assert not activities.cell_scores_[:, 1:].any()
    assert np.array_equal(activities.cell_scores_[:, 0], every.cell_scores_[:, 0])
    for number, (start, end) in enumerate(itertools.pairwise(bounds)):
        links = max(naive_links(log.traces(), False)[number])
        assert activities.case_scores_[number] == pytest.approx(links)
        assert every.case_scores_[number] == pytest.approx(max(links, every.cell_scores_[start:end, 1:].max(initial=0)))


def test_a_case_that_is_left_out_does_not_vouch_for_itself():
    scores = LinksCaseOut().fit(VECTOR).case_scores_
    assert scores.argmax() == 3
    assert scores[3] == pytest.approx(4.6052, abs=1e-4)
