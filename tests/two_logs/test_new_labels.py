"""New labels beside all old ones: the figures of kin across both logs, for the pairs in question."""

import numpy as np

from actalike import EventLog
from actalike.two_logs.cross_kin import FREQUENCY_WEIGHT, cross_kin, neighbour_agreements, unrestricted_log_scores
from actalike.two_logs.new_labels import compare_new_labels

PAST = EventLog.from_traces([["a", "b", "c"], ["a", "d"]] * 9)
NOW = EventLog.from_traces([["a", "x", "c"], ["a", "y", "y"]] * 5)


def test_columns_are_the_new_labels_and_rows_all_old_ones():
    new = compare_new_labels(PAST, NOW)
    assert [NOW.activities[code] for code in new.codes] == ["x", "y"]
    assert new.is_used.tolist() == [True, False, True, False]
    kin = cross_kin(PAST, NOW, np.array([[0, 0], [2, 1]]))
    assert np.array_equal(new.likeness, unrestricted_log_scores(kin)[:, 2:])
    assert np.array_equal(new.frequency, FREQUENCY_WEIGHT * kin.frequencies[:, 2:])
    assert np.array_equal(new.agreement, neighbour_agreements(kin)[:, 2:])


def test_without_new_labels_there_is_nothing_to_compare():
    assert compare_new_labels(PAST, EventLog.from_traces([["a", "b"]])) is None
