"""Labels of one log in the words of another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, read_mapping
from actalike.labels.mapping import translation


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.lists(st.sampled_from("abcdef"), unique=True))
def test_a_translation_never_makes_two_steps_one(names, labels):
    labels_b = ["a", "a (b)", "b", "c", "d"]
    pairs = [(name, label) for name, label in zip(names, labels, strict=False) if label in labels_b]
    mapping = translation(pairs, labels_b)
    translated = [mapping.get(label, label) for label in labels_b]
    assert len(set(translated)) == len(labels_b)
    assert mapping.items() >= {(label, name) for name, label in pairs}


HEADER = "label_a,label_b,known,original_a\n"


def test_a_name_that_is_a_slip_of_a_label_of_a_is_refused(tmp_path):
    path = tmp_path / "matching.csv"
    path.write_text(f"{HEADER}rejekt,absagen,,reject\npay,zahlen,,pay\n")
    with pytest.raises(ActalikeError, match="mean 'reject'"):
        read_mapping(path)
    path.write_text(f"{HEADER}Ablehnung,absagen,,reject\npay,zahlen,,pay\n")
    assert read_mapping(path).new_names == ("Ablehnung",)
    path.write_text(f"{HEADER},absagen,,reject\nreject,zahlen,,\n")  # moved from one row to another
    assert (read_mapping(path), read_mapping(path).new_names) == ({"zahlen": "reject"}, ())
    path.write_text("label_a,label_b\nrejekt,absagen\nreject,zahlen\n")  # nobody knows the labels of a
    assert read_mapping(path) == {"absagen": "rejekt", "zahlen": "reject"}


def test_no_keeps_labels_apart(tmp_path):
    path = tmp_path / "matching.csv"
    path.write_text(f"{HEADER}pay,zahlen,no,pay\ncheck,check,no,check\nsend,,,send\n,send,,\n,call,no,\n")
    names = read_mapping(path)
    assert names == {"check": "check (b)"}
    assert names.namesakes == ("send",)
    path.write_text(f"{HEADER}send,,,send\n,send,no,\n")
    assert (read_mapping(path), read_mapping(path).namesakes) == ({"send": "send (b)"}, ())
