"""The process that measures: first a call with its memory watched, then rounds."""

import time

from actalike.benchmark.efficiency.child import measure
from actalike.demo.loan_desk import loan_desk
from actalike.methods import CountEmbedder
from actalike.methods.registry import make_method, no_lap


def test_each_call_starts_from_a_log_that_nobody_has_looked_at(monkeypatch):
    known = []
    fit = CountEmbedder.fit

    def noted_fit(self, log, lap=no_lap):
        known.append("variants" in vars(log))
        return fit(self, log, lap)

    monkeypatch.setattr(CountEmbedder, "fit", noted_fit)
    log = loan_desk(20)
    assert log.n_variants  # known to this log, not to those that are measured
    found = list(
        measure(
            "aa-sequence-pmi-w3",
            make_method("aa-sequence-pmi-w3"),
            (log.activities, log.codes, log.offsets),
            3,
            time.monotonic() + 600,
        )
    )
    assert len(found) == 4
    assert len(known) == 1 + 1 + 3 * 3  # six events, then the first call; a round has whole, parts, and the raw counts beside
    assert not any(known)


def test_without_time_for_a_round_the_first_call_counts():
    log = loan_desk(20)
    found = list(measure("kin-w5", make_method("kin-w5"), (log.activities, log.codes, log.offsets), 3, time.monotonic()))
    assert len(found) == 1
    assert found[0]["first"]["seconds"] > 0
