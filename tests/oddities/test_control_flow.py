"""What variants alone say, without the events of a log."""

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog, odd
from actalike.log import Variants
from actalike.oddities import ControlFlow
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import variant_of_case
from tests.helpers.strategies import logs_with_equal_cases


@examples(20)
@given(logs_with_equal_cases(max_attributes=0))
def test_variants_alone_have_the_scores_and_reasons_of_the_cases_that_follow_them(log):
    flow, oddities = ControlFlow(log.variants), odd(log)
    of_case = np.array(variant_of_case(log))
    assert flow.caution == oddities.caution
    assert flow.scores()[of_case].tolist() == oddities.case_scores().tolist()
    events = [flow.event_scores()[slice(*flow.offsets[variant : variant + 2])] for variant in of_case]
    assert np.concatenate(events).tolist() == oddities.event_scores().tolist()
    for case, variant in enumerate(of_case.tolist()):
        said = [(one.kind, one.position, one.score, one.missing, one.expected) for one in flow.explain(variant)]
        assert said == [(one.kind, one.position, one.score, one.missing, one.expected) for one in oddities.explain(case)]


def test_a_table_of_variants_needs_neither_cases_nor_events():
    codes, offsets = np.array([1, 0, 2, 1, 2], dtype=np.int32), np.array([0, 3, 5])
    flow = ControlFlow(Variants(["check", "order", "pay"], codes, offsets, np.array([1_000_000, 3])))
    (reason,) = [one for one in flow.explain(1) if one.score > 4.6]
    assert (reason.kind, reason.missing, reason.case_number) == ("skipped", ("check",), 1)
    assert (reason.times, reason.total) == (3, 1_000_003)


def test_the_order_of_variants_changes_no_score():
    traces = [list("abcdef")] * 200 + [list("abdef")] * 2 + [list("abcdxef")] * 3
    there, back = (ControlFlow(EventLog.from_traces(some).variants) for some in (traces, traces[::-1]))
    assert there.scores() == pytest.approx(back.scores()[::-1], abs=1e-9)


def test_whether_events_have_the_same_time_is_looked_at_in_each_case():
    """Two cases follow one variant: in the first, the swapped events have the same time, in the second they do not."""
    traces = [list("abcdefgh")] * 300 + [list("abdcefgh")] * 2
    log = EventLog.from_traces(traces)
    times = np.arange(log.n_events).astype("datetime64[s]").astype("datetime64[us]")
    times[2403] = times[2402]
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)
    result = odd(log)
    assert [one.case_number for one in result.most(None)] == [301]
    assert (result.n_same_time, result.n_low_support) == (1, 0)
    with pytest.warns(DeprecationWarning, match="n_same_time"):
        assert result.left_out_same_time == 1
    with pytest.warns(DeprecationWarning, match="n_low_support"):
        assert result.left_out_unseen == 0
    assert [result.explain(case)[0].same_time for case in (300, 301)] == [True, False]
