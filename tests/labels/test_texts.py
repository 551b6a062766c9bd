"""How the texts of labels are read, how alike they are, and what differs: words, slips of the keyboard, opposites."""

import math
import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike.demo.loan_desk import loan_desk
from actalike.labels.text import (
    LONGEST,
    MOST_OF_NUMBERS,
    MOST_OF_OPPOSITES,
    MOST_OF_OTHERS,
    POLLUTED,
    SAME_WORDS,
    SHORTEST,
    LabelTexts,
    _candidates,
    _distances,
    _Keys,
    is_slip,
    slip_pairs,
    text_difference,
    text_similarity,
)
from actalike.labels.words import is_number, opposite, opposite_pairs, opposite_words, read_label, stem
from tests.helpers.examples import examples
from tests.helpers.label_slips import naive_slips, slipped, words

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


OPPOSITES = [
    ("Accept offer", "Reject offer"),
    ("Offer accepted", "Reject offer"),
    ("A_ACCEPTED", "A_DECLINED"),
    ("A_APPROVED", "A_CANCELLED"),
    ("Approve loan", "Loan denied"),
    ("Approval of budget", "Refusal of budget"),
    ("Start trip", "End trip"),
    ("cev.CEV()+start", "cev.CEV()+complete"),
    ("OpenTicket", "CloseTicket"),
    ("Repair (Simple)", "Repair (Complex)"),
    ("CODE OK", "CODE NOK"),
    ("Test ok", "Test not ok"),
    ("Valid", "INVALID"),
    ("Lock account", "Unlock account"),
    ("Check complete", "Check incomplete"),
    ("Send goods", "Goods received"),
    ("Pay with discount", "Pay without discount"),
    ("Internal advice", "External advice"),
    ("Customer accepts", "Customer declines"),
    ("Account active", "Account inactive"),
    ("Antrag annehmen", "Antrag ablehnen"),
    ("Antrag genehmigt", "Antrag abgelehnt"),
    ("Genehmigung", "Ablehnung"),
    ("Akte öffnen", "Akte schließen"),
    ("Prüfung beginnen", "Prüfung beenden"),
    ("Zahlungseingang buchen", "Zahlungsausgang buchen"),
    ("Mit Mahnung", "Ohne Mahnung"),
    ("Konto freigeben", "Konto sperren"),
    ("Antrag vollständig", "Antrag unvollständig"),
    ("Antrag zulässig", "Antrag nicht zulässig"),
    ("Einwand", "kein Einwand"),
    ("Aanvraag toekennen", "Aanvraag afwijzen"),
    ("Vergunning verleend", "Vergunning geweigerd"),
    ("Factuur goedgekeurd", "Factuur afgekeurd"),
    ("Ontvankelijk", "Niet-ontvankelijk"),
    ("Dossier openen", "Dossier sluiten"),
    ("Advies positief", "Advies negatief"),
    ("Dossier volledig", "Dossier onvolledig"),
    ("Aanvraag juist", "Aanvraag onjuist"),
    ("Factuur betaald", "Factuur onbetaald"),
    ("Customer eligible", "Customer ineligible"),
    ("Delivery possible", "Delivery impossible"),
    ("Regular order", "Irregular order"),
    ("Activate account", "Deactivate account"),
    ("Invoice matched", "Invoice mismatched"),
    ("Claim settled", "Claim unsettled"),
    ("Qualify lead", "Disqualify lead"),
    ("Deal won", "Deal lost"),
    ("SLA met", "SLA breached"),
    ("Angebot gewonnen", "Angebot verloren"),
    ("Prüfung bestanden", "Prüfung durchgefallen"),
    ("Zahlung erfolgreich", "Zahlung fehlgeschlagen"),
    ("Rechnung bezahlt", "Rechnung unbezahlt"),
    ("Widerspruch stattgegeben", "Widerspruch zurückgewiesen"),
]
OTHERS = [
    ("Accept offer", "Approve offer"),
    ("Open ticket", "Reopen ticket"),
    ("Accept offer", "accepted offer"),
    ("Loan Denied", "Sign Loan Agreement"),
    ("Not approved", "Rejected"),
    ("Approved by ADMINISTRATION", "Approved by BUDGET OWNER"),
    ("Reminder 1", "Reminder 2"),
    ("A_ACCEPTED", "O_DECLINED"),
    ("Check invoice", "Chekc invoice"),
    ("Pay", "Pay"),
    ("", ""),
    ("Antrag annehmen", "Antrag genehmigen"),
    ("accept " * 100, "reject " * 100),
    ("Inform customer", "Form customer"),
    ("Design review", "Sign review"),
    ("Invoice", "Voice"),
    ("Import data", "Port data"),
    ("Detail page", "Tail page"),
    ("Discount goods", "Count goods"),
    ("Discounted goods", "Count goods"),
    ("Discover defect", "Cover defect"),
    ("Display video", "Play video"),
    ("Disclosed file", "Closed file"),
    ("Mistake", "Take"),
    ("Online check", "Line check"),
    ("Onsite check", "Site check"),
    ("Unfall melden", "Fall melden"),
    ("Unkosten buchen", "Kosten buchen"),
    ("Onkosten boeken", "Kosten boeken"),
    ("Disposition prüfen", "Position prüfen"),
]


@pytest.mark.parametrize(("first", "second"), OPPOSITES)
def test_opposites_are_found(first, second):
    assert opposite(first, second) is not None


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_other_labels_are_no_opposites(first, second):
    assert opposite(first, second) is None
    assert opposite_pairs([first, second]).tolist() == []


def test_the_words_that_differ_are_returned():
    assert opposite("Loan denied", "Approve loan") == ("denied", "approve")
    assert opposite("Test not ok", "Test ok") == ("not", "")
    assert opposite("Zahlungseingang", "Zahlungsausgang") == ("zahlungseingang", "zahlungsausgang")


def test_opposite_words_are_found_whatever_else_differs():
    assert opposite_words("Request APPROVED by PRE_APPROVER", "Request REJECTED by ADMINISTRATION") == ("approved", "rejected")
    assert opposite_words("Offer declined by phone", "Customer accepts") == ("declined", "accepts")
    assert opposite_words("Antrag vollständig", "Akte unvollständig") == ("vollstaendig", "unvollstaendig")
    assert opposite_words("Accept rejected offer", "Offer rejected") is None  # both have "rejected"
    assert opposite_words("Accepted by owner", "Approved by clerk") is None
    assert opposite_words("Approve request", "Request not approved by owner") is None
    assert opposite_words("accept " * 100, "reject " * 100) is None
    assert opposite_words("", "Accept") is None


words = st.sampled_from(
    [
        "accept",
        "reject",
        "declined",
        "cancel",
        "not",
        "no",
        "offer",
        "loan",
        "valid",
        "invalid",
        "start",
        "complete",
        "nicht",
        "eingang",
        "mit",
        "ohne",
    ]
)


@examples(40)
@given(st.lists(st.lists(words, max_size=4).map(" ".join), max_size=12))
def test_all_pairs_are_those_of_one_by_one(labels):
    pairs = [[a, b] for b in range(len(labels)) for a in range(b) if opposite(labels[a], labels[b])]
    assert opposite_pairs(labels).tolist() == sorted(pairs)


@examples(40)
@given(st.lists(words, max_size=4).map(" ".join), st.lists(words, max_size=4).map(" ".join))
def test_opposites_are_symmetric(first, second):
    found = opposite(first, second)
    assert opposite(second, first) == (found and found[::-1])
    assert opposite(first, first) is opposite_words(first, first) is None
    assert (opposite_words(first, second) is None) == (opposite_words(second, first) is None)
    if found and all(found):
        assert opposite_words(first, second) == found


def test_no_at_the_end_is_a_number():
    assert opposite("Enter invoice no", "Enter invoice") is None
    assert opposite("No invoice", "Invoice") is not None
