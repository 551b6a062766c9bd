from hypothesis import given
from hypothesis import strategies as st

from actalike.support.short_labels import short_labels

alphabet = st.sampled_from("ab ")


@given(st.lists(st.text(alphabet, max_size=30), max_size=8), st.integers(3, 12))
def test_short_labels_fit_and_short_ones_stay(labels, max_length):
    short = short_labels(labels, max_length)
    assert len(short) == len(labels)
    for label, text in zip(labels, short, strict=True):
        assert len(text) <= max_length
        if len(label) <= max_length and labels.count(label) == short.count(label):
            assert text == label


@given(st.text(alphabet, min_size=10, max_size=40), st.text(alphabet, min_size=10, max_size=40))
def test_two_labels_that_differ_in_one_word_never_read_the_same(before, after):
    first, second = short_labels([f"{before} one {after}", f"{before} two {after}"], 16)
    assert first != second


def test_labels_that_differ_at_the_end_keep_it():
    short = short_labels(["Declaration FINAL_APPROVED by SUPERVISOR", "Declaration FINAL_APPROVED by DIRECTOR"], 20)
    assert [text[-5:] for text in short] == ["VISOR", "ECTOR"]


def test_many_labels_that_are_hard_to_tell_apart_take_no_time():
    labels = ["x" * k for k in range(100, 900)]
    assert all(len(text) <= 20 for text in short_labels(labels, 20))
