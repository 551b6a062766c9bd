from types import SimpleNamespace

from actalike.benchmark.matching.matchers import match as module
from actalike.benchmark.matching.matchers.match import Match, MatchLabels
from actalike.log import EventLog
from actalike.two_logs import MatchedPair, SplitStep, Unmatched

LOG = EventLog.from_traces([["a", "b", "d"], ["a", "c", "d"]] * 20)


def test_what_match_says_is_taken():
    fitted = Match().fit(LOG, LOG.relabel(str.upper), {"a": "A"})
    assert fitted.scores_.shape == fitted.probabilities_.shape == (4, 4)
    assert ("a", "A") in fitted.pairs_
    assert {a for a, _ in fitted.pairs_}.isdisjoint(fitted.unmatched_a_)


def test_splits_are_pairs_too(monkeypatch):
    matched = SimpleNamespace(
        pairs=[MatchedPair("a", "A", 1.0)],
        splits=[SplitStep("b", "a", ("B", "C"), 0.9), SplitStep("D", "b", ("c", "d"), 0.9)],
        unmatched_a=[Unmatched("e", 0.9)],
        unmatched_b=[],
        scores=lambda: None,
        probabilities=lambda: None,
    )
    asked = []
    monkeypatch.setattr(module, "match", lambda *logs, use_labels: (asked.append(use_labels), matched)[1])
    fitted = MatchLabels().fit(LOG, LOG, {})
    assert fitted.pairs_ == [("a", "A"), ("b", "B"), ("b", "C"), ("c", "D"), ("d", "D")]
    assert (fitted.unmatched_a_, fitted.unmatched_b_, asked) == (["e"], [], [True])
