"""Many models at once compute what each would alone: by steps of all, and by their optimisers."""

import numpy as np
import pytest
import torch

from actalike.prediction.training.recurrence import (
    SIZE,
    Models,
    adam,
    generator,
    look_up,
    lstm,
    make_groups,
    momentum,
    nadam,
)
from actalike.prediction.training.task import ORIGINAL, Vectors

V = 5
T, M, B, H = 5, 2, 3, 4


def models(*methods, original=True, seeds=(0, 1)):
    sizes = {"a": 3, "b": 7, "c": 3}
    vectors = [Vectors.of(name, np.ones((V, sizes[name]), dtype=np.float32)) for name in methods]
    return Models(make_groups(vectors, original, "cpu"), V, seeds, "cpu")


def test_methods_of_as_many_dimensions_form_a_group_and_learned_vectors_come_last():
    groups = models("b", "a", "c").groups
    assert [group.methods for group in groups] == [("a", "c"), ("b",), (ORIGINAL,)]
    assert [group.dimensions for group in groups] == [3, 7, SIZE]
    assert models("b", "a", "c").names == [(method, seed) for method in ("a", "c", "b", ORIGINAL) for seed in (0, 1)]


def test_randomness_depends_on_its_words_alone():
    numbers = [torch.rand(3, generator=generator("cpu", *words)).tolist() for words in (("x", 1), ("x", 1), ("x", 2), ("y", 1))]
    assert numbers[0] == numbers[1]
    assert len({tuple(drawn) for drawn in numbers}) == 3


def test_a_model_begins_the_same_whatever_it_is_trained_beside():
    together, alone = models("a", "b", "c", seeds=(4, 7)), models("b", original=False, seeds=(7,))
    place = together.names.index(("b", 7))
    expected = {name: weight for name, weight in together.of_model(place) if "kernel" not in name}
    for name, weight in alone.of_model(0):
        assert torch.equal(
            weight, next(w for n, w in together.of_model(place) if "kernel" in n) if "kernel" in name else expected[name]
        )


def test_first_weights_are_glorots_and_only_the_forget_gate_has_a_bias():
    for name, weight in models("a").of_model(0):
        if name == "bias":
            assert weight.tolist() == [0.0] * SIZE + [1.0] * SIZE + [0.0] * 2 * SIZE
        elif name == "out_bias":
            assert not weight.any()
        else:
            limit = (6 / sum(weight.shape)) ** 0.5
            assert 0.8 * limit < weight.abs().max() <= limit
    table = dict(models("a").of_model(2))["table"]
    assert 0.04 < table.abs().max() <= 0.05


def test_rows_of_tables_are_looked_up_in_the_order_of_steps():
    tables = torch.arange(2 * V * 4.0).view(2, V, 4)
    ids = torch.tensor([[[0, 1, 2], [3, 4, 0]], [[4, 4, 4], [1, 0, 2]]])
    rows = look_up(tables, ids)
    for step in range(2):
        for model in range(2):
            assert torch.equal(rows[step, model], tables[model][ids[model, step]])


def test_losses_are_mean_cross_entropies_of_each_model():
    made = models("a", original=False)
    logits = torch.randn(2, 6, V, generator=torch.Generator().manual_seed(0))
    targets = torch.arange(12).view(2, 2, 3) % V
    expected = [-torch.log_softmax(logits[m], dim=1)[torch.arange(6), targets[m].flatten()].mean().item() for m in (0, 1)]
    assert made.losses(logits, targets).tolist() == pytest.approx(expected, rel=1e-5)


def alone(z, recurrent, h, c, keep=None):
    """One model by the definition, step by step."""
    outputs = []
    for t in range(len(z)):
        if keep is not None:
            h, c = h * keep[t], c * keep[t]
        i, f, g, o = (z[t] + h @ recurrent).chunk(4, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), h, c


@pytest.mark.parametrize("forgets", [False, True])
def test_outputs_states_and_gradients_are_those_of_each_model_alone(double, forgets):
    randomness = torch.Generator().manual_seed(1)
    z, recurrent, h, c = (
        torch.randn(shape, generator=randomness) for shape in ((T, M, B, 4 * H), (M, H, 4 * H), (M, B, H), (M, B, H))
    )
    keep = (torch.rand(T, 1, B, 1, generator=randomness) > 0.4).double() if forgets else None
    weights = torch.randn(T, M, B, H, generator=randomness)
    together = [tensor.clone().requires_grad_() for tensor in (z, recurrent)]
    outputs, last_h, last_c = lstm(*together, h, c, keep)
    (outputs * weights).sum().backward()
    for model in range(M):
        single = [z[:, model].clone().requires_grad_(), recurrent[model].clone().requires_grad_()]
        expected, expected_h, expected_c = alone(*single, h[model], c[model], None if keep is None else keep[:, 0])
        (expected * weights[:, model]).sum().backward()
        assert torch.allclose(outputs[:, model], expected)
        assert torch.allclose(last_h[model], expected_h)
        assert torch.allclose(last_c[model], expected_c)
        assert torch.allclose(together[0].grad[:, model], single[0].grad)
        assert torch.allclose(together[1].grad[model], single[1].grad)


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
