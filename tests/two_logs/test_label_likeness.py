"""The likeness of label texts across two logs, against the similarity of labels in one list."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels import text_similarity
from actalike.two_logs.label_likeness import OF_NAMES, WRITTEN_ALIKE, label_likeness
from tests.helpers.examples import examples
from tests.helpers.label_slips import words

labels = st.lists(words, min_size=1, max_size=3).map(" ".join)
vocabularies = st.lists(labels, max_size=8, unique=True)


@examples(12)
@given(vocabularies, vocabularies, st.data())
def test_it_is_the_similarity_of_all_texts_in_one_list_and_second_names_stand_for_codes(a, b, data):
    names_a, names_b = (data.draw(st.dictionaries(st.sampled_from(side), labels)) if side else {} for side in (a, b))
    expected = np.zeros((len(a), len(b)))
    of_labels = text_similarity([*a, *b])[: len(a), len(a) :]
    of_shown = text_similarity([*(names_a.get(x, x) for x in a), *(names_b.get(x, x) for x in b)])[: len(a), len(a) :]
    for i, j in itertools.product(range(len(a)), range(len(b))):
        by_name = names_a.get(a[i], a[i]) != a[i] or names_b.get(b[j], b[j]) != b[j]
        spelling = of_labels[i, j] if of_labels[i, j] >= WRITTEN_ALIKE else 0
        expected[i, j] = max(of_shown[i, j] * (OF_NAMES if by_name else 1), spelling)
    likeness = label_likeness(a, b, names_a, names_b)
    np.testing.assert_array_equal(likeness, expected)
    np.testing.assert_array_equal(label_likeness(a, b), of_labels)
    assert all(likeness[i, b.index(label)] == 1 for i, label in enumerate(a) if label in b)


def test_numbers_and_opposites_pull_it_down():
    likeness = label_likeness(["Reminder 1", "Accept the offer"], ["Reminder 2", "Decline the offer", "accept the offer"])
    assert likeness[0, 0] <= 0.5
    assert likeness[1, 1] <= 0.2
    assert likeness[1, 2] == 1


def test_codes_that_differ_are_compared_by_their_names():
    a, b = ["01_HOOFD_010", "01_HOOFD_020"], ["X_1", "X_2"]
    likeness = label_likeness(a, b, dict(zip(a, ["register request", "send letter"], strict=True)), {"X_2": "Register request"})
    assert likeness.argmax() == 1
    assert likeness[0, 1] == OF_NAMES
    assert likeness[1].max() < 0.5


def test_empty_vocabularies_have_an_empty_matrix():
    assert label_likeness([], ["a"]).shape == (0, 1)
    assert label_likeness(["a"], [], {"a": "b"}).shape == (1, 0)
