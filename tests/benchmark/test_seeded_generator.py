"""Random numbers are uniform, and the same on every machine and in every version."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.seeded_generator import CaseDraws, random_subset, random_words, seed_of

seeds = st.integers(0, 2**64 - 1)


def naive_words(seed, n):
    """Splitmix64, as its author gives it in C, with whole numbers."""
    words, state = [], seed
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        word = state
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
        words.append(word ^ (word >> 31))
    return words


@given(seeds, st.integers(0, 20))
def test_words_are_those_of_splitmix64(seed, n):
    assert random_words(seed, n).tolist() == naive_words(seed, n)


def test_words_stay_as_they_are_from_version_to_version():
    """Published results name their seeds; this must never change."""
    assert random_words(7, 2).tolist() == [7191089600892374487, 309689372594955804]


def test_random_words_are_uniform():
    words = random_words(3, 100_000)
    assert abs(np.mean(words / 2**64) - 0.5) < 0.005
    assert abs(np.mean((words & np.uint64(1)).astype(float)) - 0.5) < 0.01


@given(seeds, st.integers(0, 30), st.integers(0, 30))
def test_a_subset_has_distinct_numbers_in_ascending_order(seed, n, size):
    subset = random_subset(seed, n, min(size, n))
    assert subset == sorted(set(subset))
    assert len(subset) == min(size, n)
    assert set(subset) <= set(range(n))


def test_random_subsets_are_uniform():
    seen = Counter(tuple(random_subset(seed_of("test", i), 5, 2)) for i in range(20_000))
    assert len(seen) == 10
    assert max(abs(n / 20_000 - 0.1) for n in seen.values()) < 0.01


def test_different_names_have_different_seeds():
    names = [("a", 1, 2), ("a", 12), ("a1", 2), ("a", 2, 1), ("a", "1", "2", "")]
    assert len({seed_of(*parts) for parts in names}) == len(names)
    assert all(0 <= seed_of(*parts) < 2**64 for parts in names)


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
