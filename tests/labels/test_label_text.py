"""The similarity of label texts, against sets of pieces, and by tables of what people do to labels."""

import math
import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike.demo.loan_desk import loan_desk
from actalike.labels.text import (
    MOST_OF_NUMBERS,
    MOST_OF_OPPOSITES,
    MOST_OF_OTHERS,
    POLLUTED,
    SAME_WORDS,
    LabelTexts,
    text_similarity,
)
from actalike.labels.words import is_number, opposite, read_label
from tests.helpers.examples import examples
from tests.helpers.label_slips import slipped, words

DESK = list(loan_desk(20).activities)
PERMITS = [
    f"{document} {verb} by {role}"
    for document in ("Declaration", "Permit")
    for verb in ("APPROVED", "REJECTED", "FINAL_APPROVED")
    for role in ("ADMINISTRATION", "BUDGET OWNER", "SUPERVISOR", "PRE_APPROVER")
]
labels = st.lists(words, min_size=2, max_size=4).map(" ".join).filter(lambda label: len(label) > 9)


def pieces_of(label):
    """The three-letter pieces of the words, with edges, and the numbers with twice the weight."""
    pieces = {}
    for word in read_label(label).words:
        if is_number(word):
            pieces["number", word] = 2
        else:
            pieces |= {("piece", f"^{word}$"[place : place + 3]): 1 for place in range(len(word))}
    return pieces


def naive_cosine(first, second, labels):
    pieces = [pieces_of(label) for label in labels]

    def square(piece, boost):
        rarity = math.log((len(labels) + 1) / sum(piece in those for those in pieces))
        return max(round(1024 * (boost * rarity) ** 2), 1)

    a, b = ({piece: square(piece, boost) for piece, boost in pieces_of(label).items()} for label in (first, second))
    norm = math.sqrt(sum(a.values()) * sum(b.values()))
    return sum(square for piece, square in a.items() if piece in b) / norm if norm else 0.0


def similarity(first, second, others=()):
    return text_similarity([first, second, *others])[0, 1]


@examples(30)
@given(st.lists(st.lists(words, max_size=3).map(" ".join), min_size=1, max_size=30))
def test_unlike_labels_are_compared_by_their_pieces(texts):
    matrix = text_similarity(texts)
    for a, first in enumerate(texts):
        for b, second in enumerate(texts):
            expected = MOST_OF_OTHERS * naive_cosine(first, second, texts)
            if matrix[a, b] not in (1, SAME_WORDS, MOST_OF_OPPOSITES) and matrix[a, b] < 0.9:  # no rule holds
                assert matrix[a, b] == pytest.approx(expected)
            else:
                assert matrix[a, b] >= min(expected, MOST_OF_OPPOSITES)


@examples(40)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=12))
def test_it_is_symmetric_between_0_and_1_and_1_on_the_diagonal(texts):
    matrix = text_similarity(texts)
    assert matrix.shape == (len(texts), len(texts))
    assert (matrix == matrix.T).all()
    assert (matrix.diagonal() == 1).all()
    assert ((matrix >= 0) & (matrix <= 1)).all()


@examples(40)
@given(st.data())
def test_a_slip_is_never_below_a_nine(data):
    label = data.draw(labels)
    slip = data.draw(slipped(label))
    assume(not opposite(label, slip))
    assert similarity(label, slip, DESK) >= 0.9
    assert similarity(label, label.upper(), DESK) == 1


@examples(20)
@given(st.lists(labels, min_size=2, max_size=8, unique=True), st.randoms())
def test_it_does_not_depend_on_the_order_of_labels(texts, chance):
    order = chance.sample(range(len(texts)), len(texts))
    assert (text_similarity([texts[place] for place in order]) == text_similarity(texts)[np.ix_(order, order)]).all()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Prüfung der Rechnung", "PRUEFUNG_DER_RECHNUNG", 1),
        ("CheckInvoice", "check invoice", 1),
        ("Approve loan", "Approved loans", SAME_WORDS),
        ("Rechnung prüfen", "Rechnung Prüfung", SAME_WORDS),
        ("Check invoice", "Invoice check", MOST_OF_OTHERS),
        ("Send invoice to customer", "Send customer to invoice", MOST_OF_OTHERS),
        ("Approve loan", "Loan approved", MOST_OF_OTHERS),
        ("Check invoice", "Check invoice_3fa9", POLLUTED),
        ("Check invoice", "Check invoice_12ABCDE_2024-01-01T10:00:00", POLLUTED),
        ("01_HOOFD_040", "01_HOOFD_040_3fa9c2", POLLUTED),
    ],
)
def test_what_people_do_to_labels(first, second, expected):
    assert similarity(first, second, DESK) == expected


@pytest.mark.parametrize(
    ("first", "second", "others", "most"),
    [
        ("01_HOOFD_040", "01_HOOFD_050", [f"01_HOOFD_{number}" for number in range(100, 200)], 0.1),
        ("Reminder 1", "Reminder 2", DESK, MOST_OF_NUMBERS),
        ("A_ACCEPTED", "O_ACCEPTED", DESK, MOST_OF_NUMBERS),
        ("Step 1 of 2", "Step 2 of 1", (), MOST_OF_NUMBERS),
        ("Check valid order", "Check invalid order", DESK, MOST_OF_OPPOSITES),
        ("Accept offer", "Reject offer", DESK, MOST_OF_OPPOSITES),
        ("Declaration APPROVED by SUPERVISOR", "Declaration APPROVED by BUDGET OWNER", PERMITS, 0.5),
        ("Declaration APPROVED by SUPERVISOR", "Permit APPROVED by SUPERVISOR", PERMITS, MOST_OF_OTHERS),
        ("Pay", "Check", DESK, 0),
        ("+", "-", (), 0),
    ],
)
def test_unlike_steps_are_well_below_slips(first, second, others, most):
    assert similarity(first, second, others) <= most


def test_rows_are_those_of_the_matrix():
    assert (LabelTexts(PERMITS).rows(3, 7) == text_similarity(PERMITS)[3:7]).all()


def test_many_and_long_labels_take_little_time():
    texts = (
        [f"Pay by user {number}" for number in range(400)]
        + DESK
        + [letter * 10_000 for letter in "ab"]
        + ["a b " * 2_500, ("ab" * 5_000)]
    )
    began = time.process_time()
    matrix = text_similarity(texts)
    assert time.process_time() - began < 3
    assert matrix[:400, :400][np.triu_indices(400, 1)].max() <= MOST_OF_NUMBERS
