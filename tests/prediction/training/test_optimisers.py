"""Steps of Adam and of Nadam."""

import pytest
import torch

from actalike.prediction.training.recurrence import adam, adam_of_each, momentum, nadam


def test_the_momentum_of_nadam_rises_slowly():
    steps = torch.tensor([1.0, 1e3, 1e6])
    assert momentum(steps).tolist() == pytest.approx([0.9 * (1 - 0.5 * 0.96**0.004), 0.9 * (1 - 0.5 * 0.96**4), 0.9], rel=1e-5)


def test_adam_is_torchs_and_leaves_models_alone_that_do_not_learn(double):
    weights = torch.randn(2, 3, generator=torch.Generator().manual_seed(0))
    alone = weights[0].clone().requires_grad_()
    optimiser = torch.optim.Adam([alone], lr=0.01)
    first, second = torch.zeros_like(weights), torch.zeros_like(weights)
    learns, still = torch.tensor([[True], [False]]), weights[1].clone()
    for step in range(1, 5):
        gradient = torch.sin(torch.arange(6.0) * step).view(2, 3)
        adam(weights, gradient, first, second, torch.tensor([[step], [0]]), learns, 0.01)
        alone.grad = gradient[0].clone()
        optimiser.step()
        assert torch.allclose(weights[0], alone)
    assert torch.equal(weights[1], still)
    assert not first[1].any()
    assert not second[1].any()


def test_adam_of_each_model_is_adam():
    randomness = torch.Generator().manual_seed(0)
    together, first, second = torch.randn(2, 3, generator=randomness), torch.zeros(2, 3), torch.zeros(2, 3)
    each, first_of_each, second_of_each = ([{"some": row.clone()} for row in rows] for rows in (together, first, second))
    for step in range(1, 5):
        gradients = torch.randn(2, 3, generator=randomness)
        done = torch.tensor([step, step + 7.0])
        adam(together, gradients, first, second, done[:, None], torch.tensor([[True], [True]]), 0.01)
        adam_of_each(each, [{"some": row} for row in gradients], first_of_each, second_of_each, done, 0.01)
        assert done.tolist() == [step, step + 7.0]
        for model in range(2):
            assert torch.allclose(each[model]["some"], together[model])


def test_nadam_is_torchs(double):
    weight = torch.randn(3, generator=torch.Generator().manual_seed(0))
    alone = weight.clone().requires_grad_()
    optimiser = torch.optim.NAdam([alone], lr=0.002, eps=1e-8, momentum_decay=0.004)
    first, second, product = torch.zeros(3), torch.zeros(3), torch.ones(())
    for step in range(1, 6):
        gradient = torch.cos(torch.arange(3.0) * step)
        done = torch.tensor(float(step))
        product = product * momentum(done)
        nadam(weight, gradient, first, second, done, product, torch.tensor(0.002))
        alone.grad = gradient.clone()
        optimiser.step()
        assert torch.allclose(weight, alone)
