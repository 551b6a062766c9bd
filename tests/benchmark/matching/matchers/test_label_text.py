import numpy as np
import pytest

from actalike.benchmark.matching.matchers.label_text import LabelText, Trigrams
from actalike.log import EventLog

LOG_A = EventLog.from_traces([["send invoice", "refuse"]])
LOG_B = EventLog.from_traces([["refused", "pay", "invoice sent"]])


def test_labels_with_the_same_letters_are_near():
    scores = Trigrams().fit(LOG_A, LOG_B, {}).scores_
    assert [LOG_B.activities[j] for j in scores.argmax(axis=1)] == ["refused", "invoice sent"]
    assert scores[0, LOG_B.activities.index("pay")] == 0


def test_meanings_are_compared_by_the_method_of_that_name(monkeypatch):
    class Embedded:
        activities = sorted([*LOG_A.activities, *LOG_B.activities])

        def distances(self):
            return np.arange(25.0).reshape(5, 5)

    monkeypatch.setattr("actalike.benchmark.matching.matchers.label_text.embed", lambda log, method: Embedded())
    scores = LabelText().fit(LOG_A, LOG_B, {}).scores_
    i, j = Embedded.activities.index("send invoice"), Embedded.activities.index("pay")
    assert scores[1, LOG_B.activities.index("pay")] == pytest.approx(1 - (5 * i + j))
