import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels.words import read_label, stem
from tests.helpers.examples import examples

LATIN = st.text("abcxyzäöüéß ABCÄÖÜ_-/. 019", max_size=20)


@pytest.mark.parametrize(
    "spellings",
    [
        ("Prüfung", "Pruefung", "PRÜFUNG", "pru\u0308fung", " prüfung!"),
        ("Check invoice", "check_invoice", "CheckInvoice", "CHECK-INVOICE", "check\ninvoice", "Checkinvoice"),
        ("Größe", "GROESSE", "groesse"),
        ("Café", "CAFE", "cafe"),
        ("Customer's reply", "customers reply", "Customer’s Reply"),
        ("Reminder 2", "Reminder2", "reminder_2"),
        ("ＡＢＣ １", "abc 1"),
        ("...", " ... "),
    ],
)
def test_spellings_of_one_text_have_one_key(spellings):
    assert len({read_label(label).key for label in spellings}) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Step 1 1", "Step 11"),
        ("+", "-"),
        ("...", "!"),
        ("HIV+", "HIV-"),
        ("> 500", "< 500"),
        ("कि", "कु"),
        ("", "."),
        ("が", "か"),
    ],
)
def test_other_texts_have_other_keys(first, second):
    assert read_label(first).key != read_label(second).key


@examples(60)
@given(LATIN)
def test_case_and_surroundings_do_not_matter(label):
    key = read_label(label).key
    assert read_label(label.upper()).key == read_label(label.lower()).key == key
    if any(map(str.isalnum, label)):
        assert read_label(f" {label}\n").key == key


@examples(50)
@given(st.text(max_size=30))
def test_any_text_is_read(label):
    words = read_label(label)
    assert "".join(words.words) == "".join(words.tokens) == words.key.replace(" ", "")
    assert set(words.numbers) <= set(words.tokens)
    assert all(words.tokens)
    assert bool(words.key) == bool(label.strip())


@pytest.mark.parametrize(
    "forms",
    [
        ("accept", "accepts", "accepted", "accepting", "acceptance"),
        ("deny", "denies", "denied", "denial", "denying"),
        ("complete", "completed", "completion"),
        ("stop", "stops", "stopped", "stopping"),
        ("prüfen", "prüfung", "prüfungen"),
        ("beantragen", "beantragung"),
    ],
)
def test_inflected_words_have_one_stem(forms):
    assert len({stem(read_label(form).key) for form in forms}) == 1


def test_long_labels_are_read_in_linear_time():
    began = time.process_time()
    for label in ("a" * 100_000, "aB" * 50_000, "1 " * 50_000, "\u0301" * 5_000, "\n" * 100_000):
        read_label(label)
    assert time.process_time() - began < 3
