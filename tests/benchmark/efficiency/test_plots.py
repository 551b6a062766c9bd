"""Which pictures of times there are depends on what was measured."""

import pytest

from actalike import benchmark
from tests.helpers.benchmark_runs import measured_here


def measured(small_logs, out, *methods):
    with measured_here():
        benchmark.run("efficiency", logs=[small_logs / "plain.csv"], methods=methods, repeats=1, out=out)
    return list(benchmark.get("efficiency").plots(benchmark.read(out)))


@pytest.mark.parametrize(
    ("methods", "pictures"),
    [
        (("kin-w5", "aa-sequence-pmi-w3"), ["seconds_by_method"]),  # two windows, but no method has both
        (("kin-w3", "kin-w5"), ["seconds_by_method", "growth_over_window"]),
    ],
)
def test_growth_is_drawn_of_methods_that_were_measured_with_several_sizes(small_logs, tmp_path, methods, pictures):
    assert measured(small_logs, tmp_path / "out", *methods) == pictures
