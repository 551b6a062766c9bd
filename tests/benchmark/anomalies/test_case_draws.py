from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.anomalies.case_draws import CaseDraws


@given(st.integers(0, 2**64 - 1), st.integers(1, 9), st.data())
def test_a_sample_is_without_replacement(seed, n, data):
    size = data.draw(st.integers(0, n))
    sample = CaseDraws(seed).sample(n, size)
    assert len(set(sample)) == len(sample) == size
    assert set(sample) <= set(range(n))


def test_all_values_and_all_ordered_samples_are_equally_likely():
    draws = CaseDraws(3)
    values = Counter(draws.between(2, 4) for _ in range(6000))
    assert set(values) == {2, 3, 4}
    assert all(1800 < n < 2200 for n in values.values())
    samples = Counter(tuple(draws.sample(3, 2)) for _ in range(6000))
    assert len(samples) == 6
    assert all(850 < n < 1150 for n in samples.values())
