import pytest

from actalike.benchmark.anomalies.published import PUBLISHED, RECREATED, is_published_log, published_figures, published_methods


def test_sixteen_methods_have_figures_of_fourteen_logs():
    assert len(published_methods()) == 16
    assert len(published_figures()) == 16 * 14
    assert set(RECREATED.values()) <= set(published_methods())


@pytest.mark.parametrize(
    ("method", "means"),
    [("GAMA", (0.670, 0.688, 0.479, 0.418)), ("Likelihood", (0.640, 0.603, 0.359, 0.281)), ("Naive", (0.588, 0.487))],
)
def test_means_over_the_logs_are_those_that_are_known(method, means):
    rows = [figures for (_, name), figures in published_figures().items() if name == method]
    assert {len(row) for row in rows} == {len(means)}
    for column, mean in zip(PUBLISHED, means, strict=False):
        assert sum(row[column] for row in rows) / 14 == pytest.approx(mean, abs=0.0006)


def test_a_log_is_known_by_its_name_and_cases():
    assert is_published_log({"log": "RTFM", "cases": 150370})
    assert not is_published_log({"log": "RTFM", "cases": 7})
    assert not is_published_log({"log": "orders", "cases": 150370})
