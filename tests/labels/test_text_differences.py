import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels.text import text_difference
from tests.helpers.examples import examples


@pytest.mark.parametrize(
    ("first", "second", "kind", "only"),
    [
        ("Prüfung", "PRUEFUNG", "same", ((), ())),
        ("Check invoice", "Chekc invoice", "slip", (("check",), ("chekc",))),
        ("Check invoice", "Invoice check", "words order", ((), ())),
        ("Approve loan", "Loan approved", "words order", (("approve",), ("approved",))),
        ("Accept offer", "Reject offer", "opposite", (("accept",), ("reject",))),
        ("Test ok", "Test not ok", "opposite", ((), ("not",))),
        ("01_HOOFD_040", "01_HOOFD_050", "number", (("040",), ("050",))),
        ("Reminder", "Reminder 2", "number", ((), ("2",))),
        ("First reminder", "Second reminder", "number", (("first",), ("second",))),
        ("Phase II", "Phase III", "number", (("ii",), ("iii",))),
        ("Check_3fa9c2", "Check", "number", (("3fa9c2",), ())),
        ("Step 1 of 2", "Step 2 of 1", "number", (("1", "2"), ("2", "1"))),
        ("Approved by ADMINISTRATION", "Approved by BUDGET OWNER", "word", (("administration",), ("budget", "owner"))),
        ("Register at ER", "Register at FD", "word", (("er",), ("fd",))),
        ("A_ACCEPTED", "O_ACCEPTED", "word", (("a",), ("o",))),
        ("", "Pay", "word", ((), ("pay",))),
    ],
)
def test_kinds_of_differences(first, second, kind, only):
    difference = text_difference(first, second)
    assert (difference.kind, (difference.first, difference.second)) == (kind, only)


@examples(60)
@given(st.text("abe1 _-ä", max_size=10), st.text("abe1 _-ä", max_size=10))
def test_a_difference_is_symmetric(first, second):
    one, other = text_difference(first, second), text_difference(second, first)
    assert (one.kind, one.first, one.second) == (other.kind, other.second, other.first)
    assert text_difference(first, first).kind == "same"
