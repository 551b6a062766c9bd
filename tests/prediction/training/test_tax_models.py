"""Tax's models: their weights, and what they say."""

import torch

from tests.helpers.tax_runs import (
    BOTH,
    LABELS,
    some_task,
)


@BOTH
def test_weights_begin_as_in_keras(made_by):
    weights = made_by(some_task(), [0, 1], "cpu").models.weights
    assert weights["kernel"].shape == (2, len(LABELS) + 5, 400)  # the end is never read
    assert 0.95 < weights["kernel"].abs().max() / (6 / 410) ** 0.5 <= 1
    for name in ("recurrent", "branch.kernel", "branch.recurrent"):
        assert 0.99 < weights[name].abs().max() / (6 / 500) ** 0.5 <= 1, name
    for name in ("bias", "branch.bias"):
        assert (weights[name][..., 100:200] == 1).all()
        assert weights[name].sum() == weights[name][..., 100:200].numel()
    assert not torch.equal(weights["recurrent"][0], weights["recurrent"][1])
