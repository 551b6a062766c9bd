"""Evermann's models as published: many at once are each what one alone would be; and how they are tested."""

import numpy as np
import pytest
import torch

from actalike.prediction.training.evermann import BATCH, BLOCK, batches_of, blocks_of, predict
from actalike.prediction.training.task import ORIGINAL, TaskError
from tests.helpers.evermann_runs import V, naive_of, some_task, trainer
from tests.helpers.naive_evermann import NaiveSgd

KEPT = 0.64  # of the specification: what two dropouts of 0.2 leave


def drawn_masks(made, places):
    """The masks that the next step will draw, without drawing them."""
    masks = {}
    for group, generators in zip(made.models.groups, made.dropout, strict=True):
        size = 32 if group.table is None else group.table.shape[2]
        for seed, generator in zip(made.models.seeds, generators, strict=True):
            copy = torch.Generator().set_state(generator.get_state())
            mask = torch.empty(places, size, dtype=torch.uint8).bernoulli_(KEPT, generator=copy)
            masks |= {(method, seed): mask for method in group.methods}
    return masks


def test_gradients_of_all_models_together_are_those_of_each_alone():
    made = trainer()
    batch = batches_of(blocks_of(made.task.training.stream(made.task.end)), made.models.seeds, "x")[0]
    ids, targets = batch[:, :-1], batch[:, 1:]
    by_name = drawn_masks(made, ids[0].numel())
    masks = [torch.stack([by_name[group.methods[0], seed] for seed in made.models.seeds]) for group in made.models.groups]
    h, c = torch.randn_like(made.tensors["h"]), torch.randn_like(made.tensors["c"])
    logits, last_h, last_c = made.models.run(made.models.inputs(ids, masks), h, c)
    losses = made.models.losses(logits, targets)
    weights = made.models.weights
    gradients = dict(zip(weights, torch.autograd.grad(losses.sum(), list(weights.values())), strict=True))
    for model, (method, seed) in enumerate(made.models.names):
        naive = naive_of(made, model)
        at = made.models.seeds.index(seed)
        mask = by_name[method, seed].view(*ids[at].shape, -1)
        loss, naive_h, naive_c = naive.loss(ids[at], targets[at], h[model].double(), c[model].double(), mask, KEPT)
        loss.backward()
        assert losses[model].item() == pytest.approx(loss.item(), rel=1e-5)
        assert torch.allclose(last_h[model].double(), naive_h, atol=1e-5)
        assert torch.allclose(last_c[model].double(), naive_c, atol=1e-4)
        made.models.weights = gradients  # of_model then gives the gradients of one model
        try:
            found = dict(made.models.of_model(model))
        finally:
            made.models.weights = weights
        for name, gradient in found.items():
            expected = naive.weights[name].grad
            scale = max(1.0, expected.detach().abs().max().item())
            assert torch.allclose(gradient.double(), expected, atol=1e-5 * scale), (method, name)


def test_training_is_that_of_the_definition():
    """Several batches: rate, momentum, clipping, dropout and a state that goes on."""
    made = trainer()
    batches = batches_of(blocks_of(made.task.training.stream(made.task.end)), made.models.seeds, "x")
    assert len(batches) >= 2
    naive = [naive_of(made, model) for model in range(len(made.models.names))]
    optimisers = [NaiveSgd(model.weights) for model in naive]
    states = [(torch.zeros(BATCH, 32).double(),) * 2 for _ in naive]
    for batch in batches[:3]:
        ids, targets = batch[:, :-1], batch[:, 1:]
        masks = drawn_masks(made, ids[0].numel())
        made.step(batch)
        for model, (method, seed) in enumerate(made.models.names):
            at = made.models.seeds.index(seed)
            mask = masks[method, seed].view(*ids[at].shape, -1)
            loss, h, c = naive[model].loss(ids[at], targets[at], *states[model], mask, KEPT)
            loss.backward()
            optimisers[model].step()
            states[model] = h.detach(), c.detach()
            for name, weight in made.models.of_model(model):
                expected = naive[model].weights[name]
                scale = max(1.0, expected.detach().abs().max().item())
                assert torch.allclose(weight.double(), expected, atol=2e-4 * scale), (method, name)
    assert float(made.tensors["done"]) == min(3, len(batches))


def test_the_gradient_of_each_model_and_tensor_is_cut_to_a_norm_of_five():
    made = trainer()
    rate = torch.tensor(0.5)
    for name in ("kernel_0", "recurrent", "out_bias", "table"):
        gradient = torch.randn_like(made.models.weights[name]) * 0.1
        gradient.view(-1)[0] = 70.0  # of the first model; the others stay far below
        before = made.models.weights[name].detach().clone()
        made.learn(name, gradient.clone(), rate)
        single = gradient.flatten(0, len(made.models.leading(name)) - 1)
        moved = (made.models.weights[name].detach() - before).flatten(0, len(made.models.leading(name)) - 1)
        for k, one in enumerate(single):
            cut = one * min(1.0, 5 / one.norm().item())
            assert torch.allclose(moved[k], -0.5 * cut * 1.9, atol=1e-5), name  # v = -rate g, and 0.9 v - rate g


def test_the_state_is_never_reset_not_even_by_validation():
    made = trainer(epochs=1)
    made.train_epoch()
    after_training = made.tensors["h"].clone(), made.tensors["c"].clone()
    assert after_training[0].abs().max() > 0
    batch = batches_of(blocks_of(made.task.validation.stream(made.task.end)), made.models.seeds, "validation", 0)[0]
    losses = made.check(batch, made.tables())
    for model, (_, seed) in enumerate(made.models.names):
        at = made.models.seeds.index(seed)
        before = [part[model].double() for part in after_training]
        loss, h, c = naive_of(made, model).loss(batch[at, :-1], batch[at, 1:], *before)
        assert float(losses[model]) == pytest.approx(loss.item(), rel=1e-4)
        assert torch.allclose(made.tensors["h"][model].double(), h, atol=1e-4)
        assert torch.allclose(made.tensors["c"][model].double(), c, atol=1e-3)


def test_blocks_and_batches_drop_what_remains_and_are_shuffled_anew():
    blocks = blocks_of(np.arange(BLOCK * 47 + 5))
    assert len(blocks) == 47
    first, again, other = (batches_of(blocks, [7, 8], "training", epoch) for epoch in (0, 0, 1))
    assert first.shape == (2, 2, BLOCK, BATCH)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert not torch.equal(first[:, 0], first[:, 1])
    starts = first[:, 0, 0].flatten()
    assert len(set(starts.tolist())) == 2 * BATCH
    assert (first[:, :, 1:] - first[:, :, :-1] == 1).all()


def test_a_model_does_not_change_with_those_beside_it():
    together = trainer()
    list(together.run())
    alone = trainer(methods=("b",), original=False, seeds=(1,))
    list(alone.run())
    at = together.models.names.index(("b", 1))
    for (name, weight), (_, expected) in zip(alone.models.of_model(0), together.models.of_model(at), strict=True):
        assert torch.allclose(weight, expected, atol=1e-4), name


def test_the_weights_with_the_least_validation_loss_are_used():
    made = trainer(epochs=4)
    seen = []
    for _ in made.run():
        seen.append({name: weight.detach().clone() for name, weight in made.models.weights.items()})
    for model in range(len(made.models.names)):
        best = int(made.tensors["best_epoch"][model])
        assert best >= 0
        assert torch.equal(made.models.weights["out"][model], seen[best]["out"][model])


def test_without_validation_batches_the_last_weights_are_used():
    made = trainer(task=some_task(validation=10))
    for _ in made.run():
        last = made.models.weights["out"].detach().clone()
    assert (made.tensors["best_epoch"] == -1).all()
    assert torch.equal(made.models.weights["out"], last)


def test_with_too_few_ids_for_a_batch_nothing_is_said_to_be_learned():
    with pytest.raises(TaskError, match="fewer than 420"):
        trainer(task=some_task(training=60))


def test_the_original_learns_its_vectors():
    made = trainer(methods=(), original=True, epochs=1)
    before = made.models.weights["table"].detach().clone()
    assert before.abs().max() <= 0.05
    made.train_epoch()
    assert not torch.equal(made.models.weights["table"], before)
    assert made.models.names == [(ORIGINAL, 0), (ORIGINAL, 1)]


def test_predictions_are_those_of_each_prefix_from_a_fresh_state():
    made = trainer(epochs=1)
    list(made.run())
    task = made.task
    targets = task.targets()
    predicted, brier = predict(made.models, task.test, targets)
    for model in (0, len(made.models.names) - 1):
        naive = naive_of(made, model)
        total, place = 0.0, 0
        for start, end in zip(task.test.offsets, task.test.offsets[1:], strict=False):
            case = task.test.ids[start:end]
            for length in range(1, len(case) + 1):
                zero = torch.zeros(1, 32).double()
                logits, _, _ = naive.logits(torch.from_numpy(case[:length])[:, None], zero, zero)
                shares = torch.softmax(logits[-1, 0], dim=0)
                target = case[length] if length < len(case) else task.end
                assert targets[place] == target
                assert predicted[model, place] == int(shares.argmax())
                total += (((shares - torch.nn.functional.one_hot(torch.tensor(target), V)) ** 2).sum()).item()
                place += 1
        assert brier[model] == pytest.approx(total / place, rel=1e-4)
