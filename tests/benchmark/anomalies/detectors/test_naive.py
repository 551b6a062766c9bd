import pytest
from hypothesis import given

from actalike.benchmark.anomalies.detectors.naive import Naive
from tests.helpers.naive_anomalies import naive_variant_scores
from tests.helpers.strategies import logs


@given(logs())
def test_a_case_is_as_odd_as_its_variant_is_rare(log):
    assert Naive().fit(log).case_scores_.tolist() == pytest.approx(naive_variant_scores(log.traces()))
