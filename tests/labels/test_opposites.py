"""Opposites, by tables of examples in three languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels.words import opposite, opposite_pairs, opposite_words
from tests.helpers.examples import examples

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
