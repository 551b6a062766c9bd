"""What follows what is handed to a page as it was counted."""

import base64

import numpy as np

from actalike import EventLog, count_windows
from actalike.counting import directly_follows
from actalike.report.flow_data import follows_data, positions_data


def test_arrows_among_shown_activities_are_there_with_starts_and_ends():
    log = EventLog.from_traces([["a", "b", "c"], ["a", "b"], ["b"]])
    data = follows_data(directly_follows(count_windows(log, 2)), {"b": 0, "a": 1})
    assert [list(base64.b64decode(data[name])) for name in ("first", "second", "counts")] == [[1, 0], [0, 0], [2, 0, 0, 0]]
    assert (data["starts"], data["ends"]) == ([1, 2], [2, 0])
    assert positions_data(log, np.array([0]))[0][5] == 0
