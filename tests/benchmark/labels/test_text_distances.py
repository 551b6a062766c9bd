import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.tasks import text_distances as td
from tests.helpers import naive_groupers as naive
from tests.helpers.examples import examples

texts = st.lists(st.text("abc", max_size=5), min_size=1, max_size=5)


@examples(30)
@given(texts)
def test_distances_of_all_pairs_are_those_of_each_pair(words):
    for fast, slow in ((td.levenshtein_distances, naive.levenshtein), (td.jaro_winkler_similarities, naive.jaro_winkler)):
        assert fast(words) == pytest.approx(np.array([[slow(a, b) for b in words] for a in words])), fast.__name__


def test_known_jaro_winkler_similarities():
    words = ["DWAYNE", "DUANE", "DIXON", "DICKSONX"]
    similarities = td.jaro_winkler_similarities(words)
    assert similarities[0, 1].round(3) == 0.84
    assert similarities[2, 3].round(3) == 0.813


@given(texts)
def test_ngram_measures_are_similarities(words):
    for measure in (td.trigram_jaccard, td.tf_idf_cosines):
        result = measure(words)
        assert (result >= 0).all()
        assert (result <= 1 + 1e-12).all()
        assert result == pytest.approx(result.T)


def test_trigrams_ignore_case_and_short_texts_are_whole():
    assert td.trigram_jaccard(["Pay", "pay", "ab", "AB", "abc"])[:, 0].tolist() == [1, 1, 0, 0, 0]
    assert td.trigram_jaccard(["ab", "AB"])[0, 1] == 1.0


def test_rare_ngrams_weigh_more():
    cosines = td.tf_idf_cosines(["ax", "ay", "bx", "a", "a"])
    assert cosines[0, 2] > cosines[0, 1]  # x is rarer than a


def test_pairs_are_compared_in_blocks(monkeypatch):
    whole = td.levenshtein_distances(["a", "ab", "b", "abc"])
    monkeypatch.setattr(td, "_PAIRS", 2)
    assert (td.levenshtein_distances(["a", "ab", "b", "abc"]) == whole).all()
