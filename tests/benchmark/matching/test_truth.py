import numpy as np
import pytest

from actalike.benchmark.matching.truth import are_independent, one_to_one, partner_mask, residue_of, scheme_of, true_pairs
from actalike.log import EventLog
from tests.helpers.examples import real_logs


def timed(traces, start):
    log = EventLog.from_traces(traces)
    times = np.datetime64(start, "us") + np.arange(log.n_events) * np.timedelta64(1, "h")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)


def test_logs_with_a_document_in_common_have_partners_by_label_and_others_by_residue():
    declarations = ["Declaration SUBMITTED by EMPLOYEE", "Payment Handled"]
    requests = ["Payment Handled", "Request For Payment SUBMITTED by EMPLOYEE"]
    both = [*declarations, "Request For Payment SUBMITTED by EMPLOYEE"]
    assert true_pairs(declarations, requests) == (
        ("Declaration SUBMITTED by EMPLOYEE", "Request For Payment SUBMITTED by EMPLOYEE"),
        ("Payment Handled", "Payment Handled"),
    )
    assert [a for a, b in true_pairs(both, requests)] == ["Payment Handled", "Request For Payment SUBMITTED by EMPLOYEE"]
    assert residue_of("Permit FINAL_APPROVED by DIRECTOR") == "FINAL_APPROVED by DIRECTOR"


def test_a_label_may_have_several_partners():
    declaration = ["Declaration REJECTED by MISSING"]
    two = ["Permit REJECTED by MISSING", "Request For Payment REJECTED by MISSING"]
    pairs = true_pairs(declaration, two)
    assert len(pairs) == 2
    assert one_to_one(pairs) == ()
    assert partner_mask(declaration, two, pairs).all()


def test_logs_of_the_same_events_are_not_independent():
    log = timed([["a", "b"], ["a", "c"]], "2026-01-01")
    assert not are_independent(log, timed([["a", "b"], ["a", "d"], ["e"]], "2026-01-01"))
    assert are_independent(log, timed([["a", "b"], ["a", "c"]], "2026-02-01"))
    assert are_independent(log, EventLog.from_traces([["a", "b"], ["a", "c"]]))


COUNTS = {  # pairs of labels, those that are one to one, and whether the logs are of different events
    ("BPIC20_PrepaidTravelCost", "BPIC20_RequestForPayment"): (16, 16, True),
    ("BPIC20_DomesticDeclarations", "BPIC20_PrepaidTravelCost"): (25, 3, True),
    ("BPIC20_DomesticDeclarations", "BPIC20_RequestForPayment"): (16, 16, True),
    ("BPIC20_PermitLog", "BPIC20_RequestForPayment"): (16, 16, True),
    ("BPIC20_PermitLog", "BPIC20_PrepaidTravelCost"): (29, 29, False),
    ("BPIC15_1", "BPIC15_2"): (349, 349, True),
    ("BPIC15_4", "BPIC15_5"): (322, 322, True),
}


@pytest.mark.parametrize("pair", real_logs(*list(COUNTS)[:1], long=tuple(COUNTS)[1:]))
def test_real_logs_have_the_counted_partners(pair, real_log):
    a, b = map(real_log, pair)
    pairs = true_pairs(a.activities, b.activities)
    assert (len(pairs), len(one_to_one(pairs)), are_independent(a, b)) == COUNTS[pair]
    assert scheme_of(a.activities) == ("codes" if "15" in pair[0] else "vocabulary")
