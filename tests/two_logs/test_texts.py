"""Label texts of two logs: how alike they are, what that is worth, and how far behaviour is trusted beside them."""

import itertools
from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels import opposite_words, read_label, stem, text_similarity
from actalike.two_logs.texts import OF_NAMES, OF_WORDS, WRITTEN_ALIKE, label_likeness, text_evidence, word_likeness
from tests.helpers.examples import examples
from tests.helpers.label_slips import words

OFFICE = [
    "send",
    "Submit",
    "forward",
    "letter",
    "letters",
    "of",
    "the",
    "rejection",
    "acceptance",
    "Receive",
    "invoices",
    "2",
    "3",
    "a",
]
office_words = st.sampled_from(OFFICE)
labels = st.lists(st.one_of(words, office_words), min_size=1, max_size=4).map(" ".join)
vocabularies = st.lists(labels, max_size=6, unique=True)
SYNONYMS = [{"send", "submit", "forward"}, {"receive", "get"}, {"letter", "mail"}]  # some of those of the file


def content(text):
    """Stems of content words, one tuple for each word: the stem, and the word itself."""
    found = [word for word in read_label(text).words if word not in {"of", "the", "a"}]
    return [(stem(word), word) for word in found or read_label(text).words]


def word_alike(first, second):
    if first[0] == second[0]:
        return 1.0
    if any({first[1], second[1]} <= line for line in SYNONYMS):
        return 0.9
    pairs = [{word[0][i : i + 2] for i in range(len(word[0]) - 1)} for word in (first, second)]
    if min(len(first[0]), len(second[0])) < 4:
        return 0.0
    share = 2 * len(pairs[0] & pairs[1]) / (len(pairs[0]) + len(pairs[1]))
    return share if share >= 0.6 else 0.0


def naive_words(a, b):
    counts = Counter(word for text in (*a, *b) for word in {one[0] for one in content(text)})
    rarity = {word: log((len(a) + len(b) + 1) / n) for word, n in counts.items()}
    likeness = np.zeros((len(a), len(b)))
    for i, j in itertools.product(range(len(a)), range(len(b))):
        x, y = content(a[i]), content(b[j])
        same = sum(rarity[w[0]] * max(word_alike(w, v) for v in y) for w in x)
        same += sum(rarity[v[0]] * max(word_alike(w, v) for w in x) for v in y)
        likeness[i, j] = same / sum(rarity[w[0]] for w in (*x, *y))
    return likeness


def naive_likeness(a, b):
    likeness = np.maximum(text_similarity([*a, *b])[: len(a), len(a) :], OF_WORDS * naive_words(a, b))
    for i, j in itertools.product(range(len(a)), range(len(b))):
        if 0.2 < likeness[i, j] < WRITTEN_ALIKE:
            if read_label(a[i]).numbers != read_label(b[j]).numbers:
                likeness[i, j] = min(likeness[i, j], 0.5)
            if opposite_words(a[i], b[j]):
                likeness[i, j] = 0.2
    return likeness


known_vocabularies = st.lists(st.lists(office_words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=6, unique=True)


@examples(20)
@given(known_vocabularies, known_vocabularies)
def test_the_likeness_of_words_is_that_of_the_definition(a, b):
    np.testing.assert_allclose(word_likeness(a, b), naive_words(a, b), atol=1e-9)


@examples(12)
@given(vocabularies, vocabularies, st.data())
def test_second_names_stand_for_codes_and_equal_labels_are_alike(a, b, data):
    names_a, names_b = (data.draw(st.dictionaries(st.sampled_from(side), labels)) if side else {} for side in (a, b))
    likeness, of_labels = label_likeness(a, b, names_a, names_b), label_likeness(a, b)
    of_shown = label_likeness([names_a.get(x, x) for x in a], [names_b.get(x, x) for x in b])
    for i, j in itertools.product(range(len(a)), range(len(b))):
        by_name = names_a.get(a[i], a[i]) != a[i] or names_b.get(b[j], b[j]) != b[j]
        spelling = of_labels[i, j] if of_labels[i, j] >= WRITTEN_ALIKE else 0
        assert likeness[i, j] == pytest.approx(max(of_shown[i, j] * (OF_NAMES if by_name else 1), spelling))
    assert all(likeness[i, b.index(label)] == 1 for i, label in enumerate(a) if label in b)


@examples(12)
@given(known_vocabularies, known_vocabularies)
def test_likeness_is_that_of_the_definition_and_does_not_depend_on_the_direction(a, b):
    np.testing.assert_allclose(label_likeness(a, b), naive_likeness(a, b), atol=1e-9)
    np.testing.assert_allclose(label_likeness(b, a).T, label_likeness(a, b), atol=1e-9)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Send letter of rejection", "Send rejection"),
        ("Verify the documents", "Check papers"),
        ("Take interview", "Go to the interview"),
        ("Invoice approval", "Approve invoice"),
    ],
)
def test_other_words_for_one_step_are_alike(a, b):
    others = ["Close case", "Pay bill", "Register claim", "Archive file"]
    assert label_likeness([a, *others], [b, *others])[0, 0] > 0.6


def test_numbers_and_opposites_pull_it_down():
    likeness = label_likeness(
        ["Reminder 1", "Accept the offer", "Send acceptance"],
        ["Reminder 2", "Decline the offer", "accept the offer", "Receive letter of acceptance"],
    )
    assert likeness[0, 0] <= 0.5
    assert likeness[1, 1] <= 0.2
    assert likeness[1, 2] == 1
    assert likeness[2, 3] <= 0.2


def test_codes_that_differ_are_compared_by_their_names():
    a, b = ["01_HOOFD_010", "01_HOOFD_020"], ["X_1", "X_2"]
    likeness = label_likeness(a, b, dict(zip(a, ["register request", "send letter"], strict=True)), {"X_2": "Register request"})
    assert likeness.argmax() == 1


def test_a_side_without_labels_has_no_pairs():
    assert label_likeness([], ["a"]).shape == (0, 1)
    assert label_likeness(["a"], [], {"a": "b"}).shape == (1, 0)


def test_points_are_never_negative_and_behaviour_is_trusted_as_far_as_it_finds_equal_labels():
    likeness = np.eye(6)
    likeness[5, 5] = 0.1
    found, missed = np.eye(6) * 0.9, np.roll(np.eye(6) * 0.9, 1, axis=0)
    trusted, doubted = text_evidence(likeness, found), text_evidence(likeness, missed)
    unrelated = text_evidence(0 * likeness, missed)
    assert (trusted.points >= 0).all()
    assert trusted.points[5, 5] == 0
    assert (trusted.trust, unrelated.trust) == (1.0, 1.0)
    assert doubted.trust < 0.1  # none of five pairs is found, and two are assumed
    assert doubted.scores[0, 0] > trusted.scores[0, 0]
