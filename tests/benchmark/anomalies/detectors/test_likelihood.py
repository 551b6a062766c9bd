import itertools

import numpy as np
import pytest
from hypothesis import given

from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes
from actalike.benchmark.anomalies.contract import Answer
from actalike.benchmark.anomalies.detectors.likelihood import Likelihood
from actalike.benchmark.anomalies.detectors.naive import Naive
from actalike.benchmark.anomalies.judging import judge
from actalike.benchmark.anomalies.planting import plant
from actalike.benchmark.anomalies.published import published_figures
from actalike.benchmark.anomalies.tasks import BPAD
from actalike.benchmark.logs import find_logs
from tests.helpers.naive_anomalies import naive_likelihood
from tests.helpers.strategies import logs_with_attributes


@given(logs_with_attributes())
def test_cells_and_cases_are_those_of_the_definition(log):
    columns = [log.codes.tolist(), *(attribute.codes.tolist() for attribute in log.attributes.values())]
    rows = list(zip(*columns, strict=True))
    bounds = log.offsets.tolist()
    cases = [rows[start:end] for start, end in itertools.pairwise(bounds)]
    cells = naive_likelihood(cases)
    fitted = Likelihood().fit(log)
    place = 0
    expected = []
    for number, case in enumerate(cases):
        part = cells[place : place + len(case) + 1]
        place += len(case) + 1
        expected += part[:-1]
        assert fitted.end_scores_[number] == pytest.approx(part[-1][0])
        assert fitted.case_scores_[number] == pytest.approx(max(max(cell) for cell in part))
    assert fitted.cell_scores_ == pytest.approx(np.array(expected))


def test_simple_methods_come_near_their_published_figures_on_a_real_log(log_file):
    """Two of the published methods, under the same protocol: one copy of each rate, so chance moves the figures a little."""
    name = "Env_Permit"
    log = read_with_attributes(find_logs([log_file(name)], lambda entry: True), name)
    copies = [plant(log, name, task) for task in BPAD]
    for detector, published in ((Naive, "Naive"), (Likelihood, "Likelihood")):
        judged = [judge(Answer(detector().fit(copy.log), copy.log), copy).figures for copy in copies]
        for column, value in published_figures()[name, published].items():
            assert np.mean([figures[column] for figures in judged]) == pytest.approx(value, abs=0.025), (published, column)
