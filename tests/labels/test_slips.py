"""Slips of the keyboard, against the plain recurrence over all beginnings of two labels."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike.labels.text import LONGEST, SHORTEST, _candidates, _distances, _Keys, is_slip, slip_pairs
from actalike.labels.words import opposite, read_label
from tests.helpers.examples import examples
from tests.helpers.label_slips import naive_slips, slipped, words

labels = st.lists(words, min_size=2, max_size=4).map(" ".join).filter(lambda label: len(label) > 9)


@examples(60)
@given(st.data())
def test_a_label_with_a_slip_is_found(data):
    label = data.draw(labels)
    slip = data.draw(slipped(label))
    assume(read_label(slip).key != read_label(label).key)
    assume(not opposite(slip, label))
    assert is_slip(label, slip)
    assert is_slip(slip, label)


@examples(60)
@given(st.lists(st.text("abcq ", max_size=12), min_size=2, max_size=12))
def test_distances_are_those_of_the_plain_recurrence(texts):
    keys = _Keys([read_label(text) for text in texts])
    found = {}
    for first, second in _candidates(keys):
        found |= dict(
            zip(zip(first.tolist(), second.tolist(), strict=True), _distances(keys, first, second).tolist(), strict=True)
        )
    for b in range(len(texts)):
        for a in range(b):
            one, other = read_label(texts[a]).key, read_label(texts[b]).key
            slips = naive_slips(one, other)
            if one != other and min(len(one), len(other)) >= SHORTEST[0]:
                assert found.get((a, b), 3) == min(slips, 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("01_HOOFD_040", "01_HOOFD_050"),
        ("Reminder 1", "Reminder 2"),
        ("Phase II of project", "Phase III of project"),
        ("A_PREACCEPTED", "O_PREACCEPTED"),
        ("Register at ER", "Register at FD"),
        ("Declaration APPROVED by ADMINISTRATION", "Declaration APPROVED by BUDGET OWNER"),
        ("Form A", "Form"),
        ("Admission IC", "Admission NC"),
        ("CODE OK", "CODE NOK"),
        ("Check valid order", "Check invalid order"),
        ("16_LGSD_010", "16_LGSV_010"),
        ("Print letter", "Paint letter"),
        ("Pay", "Pya"),
        ("Check invoice", "check_invoice"),
        ("", ""),
        ("x" * (LONGEST + 1), "x" * LONGEST),
    ],
)
def test_unlike_labels_are_no_slips(first, second):
    assert not is_slip(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Prüfung", "Prufung"),
        ("Überprüfung der Rechnung", "Uberprufung der Rechnung"),
        ("Chekc invioce", "Check invoice"),
        ("Remindre 1", "Reminder 1"),
        ("T18 Adjust report Y to stop indicition", "T18 Adjust report Y to stop indication"),
        ("Organisation", "Organization"),
    ],
)
def test_slips_in_real_words(first, second):
    assert is_slip(first, second)


@examples(30)
@given(st.lists(labels, min_size=1, max_size=6), st.randoms())
def test_pairs_do_not_depend_on_the_order_of_labels(texts, random):
    texts = sorted({*texts, *(text[:3] + text[4:] for text in texts)})
    shuffled = random.sample(texts, len(texts))

    def pairs(labels):
        found = slip_pairs(labels)
        return {
            (frozenset((labels[a], labels[b])), int(slips))
            for a, b, slips in zip(found.first, found.second, found.slips, strict=True)
        }

    assert pairs(texts) == pairs(shuffled)
    assert (slip_pairs(texts).first < slip_pairs(texts).second).all()
