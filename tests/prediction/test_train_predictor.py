"""Training a predictor for a log."""

from functools import partial

import numpy as np

from actalike import EventLog, embed, predictor
from actalike.demo.loan_desk import loan_desk
from actalike.prediction.training import evermann


def test_the_same_seed_gives_the_same_predictor(monkeypatch):
    monkeypatch.setattr(
        evermann, "SoundTrainer", partial(evermann.SoundTrainer, epochs=3)
    )  # nothing else happens in the later ones
    log = loan_desk(40)
    one, two, other = (predictor(log, embed(log, "aa-sequence-pmi-w3"), seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.inputs, two.inputs)
    assert np.array_equal(one.out, two.out)
    assert not np.array_equal(one.out, other.out)
    assert one.method == "aa-sequence-pmi-w3"


def test_a_single_case_is_enough():
    assert predictor(EventLog.from_traces([["a", "b"]])).predict(["a"])[0].activity == "b"
